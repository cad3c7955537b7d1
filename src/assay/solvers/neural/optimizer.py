"""AdamW over a reader's weights (Loshchilov and Hutter 2019): what is trained, with or without decay."""

from __future__ import annotations

from collections.abc import Mapping

import torch

from assay.errors import AssayError
from assay.solvers.neural.reader import Layered, Trainable
from assay.solvers.neural.training_settings import TrainingSettings


class Optimizer:
    """The reader's trained weights and the steps over them. Freezes the lowest layers as settings say."""

    def __init__(self, reader: Trainable, settings: TrainingSettings) -> None:
        """Raises AssayError when there aren't so many layers to freeze, or no weights are left to train."""
        freeze(reader, settings.freeze)
        self._clip = settings.clip
        self._named = {name: p for name, p in reader.network.named_parameters() if p.requires_grad}
        decayed = [p for p in self._named.values() if p.ndim > 1]
        others = [p for p in self._named.values() if p.ndim <= 1]
        groups = [
            {"params": parameters, "weight_decay": decay}
            for parameters, decay in ((decayed, settings.weight_decay), (others, 0.0))
            if parameters
        ]
        if not groups:
            raise AssayError("the reader has no weights to train", hint="it answers as it is")
        self._adamw = torch.optim.AdamW(
            groups, betas=(settings.beta1, settings.beta2), eps=settings.epsilon, fused=True
        )

    def step(self, rate: float) -> None:
        """One step along the gradients, cut to the longest length allowed; the gradients are then gone."""
        if self._clip:
            torch.nn.utils.clip_grad_norm_(self._named.values(), self._clip)
        for group in self._adamw.param_groups:
            group["lr"] = rate
        self._adamw.step()
        self._adamw.zero_grad(set_to_none=True)

    def state(self) -> dict[str, torch.Tensor]:
        """Its moments and counts, by "kind weight's name"."""
        return {
            f"{kind} {name}": value
            for name, parameter in self._named.items()
            for kind, value in self._adamw.state.get(parameter, {}).items()
        }

    def restore(self, state: Mapping[str, torch.Tensor]) -> None:
        """Take up what `state` gave."""
        for key, value in state.items():
            kind, _, name = key.partition(" ")
            parameter = self._named[name]
            self._adamw.state[parameter][kind] = value.to(parameter.device)


def freeze(reader: Trainable, lowest: int) -> None:
    """Keep the weights of the reader's `lowest` layers as they are (1: the embeddings).

    Raises AssayError when the reader has fewer layers.
    """
    if not lowest:
        return
    layers = reader.layers() if isinstance(reader, Layered) else []
    if lowest > len(layers):
        raise AssayError(
            f"freeze = {lowest}: a reader of kind {reader.kind} has {len(layers)} layers that can be frozen"
        )
    for layer in layers[:lowest]:
        for parameter in layer:
            parameter.requires_grad_(False)

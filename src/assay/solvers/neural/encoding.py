"""A batch of word pieces through an encoder, and one vector for each sequence."""

from __future__ import annotations

from typing import Any

import torch

from assay.errors import AssayError

POOLINGS = ("pooler", "cls", "mean")
SPREAD = 0.02
"""Standard deviation of weights drawn anew (BERT's own)."""


def encode(
    model: Any, ids: torch.Tensor, mask: torch.Tensor | None, segments: torch.Tensor | None = None
) -> Any:
    """The encoder's output for int64 [rows, pieces]; segments are left out where it knows none."""
    _attend(model, ids.device)
    given: dict[str, Any] = {"input_ids": ids}
    if mask is not None:
        given["attention_mask"] = mask
    if segments is not None and getattr(model.config, "type_vocab_size", 0) > 1:
        given["token_type_ids"] = segments
    return model(**given)


def _attend(model: Any, device: torch.device) -> None:
    """Choose the quickest attention. On a CPU the fused one's gradients in bf16 take half of all the time."""
    plain = device.type == "cpu" and torch.is_grad_enabled() and torch.is_autocast_enabled("cpu")
    wanted = "eager" if plain else "sdpa"
    if model.config._attn_implementation not in (wanted, None) and model._supports_sdpa:
        model.set_attn_implementation(wanted)


def pooled(output: Any, mask: torch.Tensor | None, pooling: str) -> torch.Tensor:
    """One vector a sequence [rows, d]: of the encoder's pooler, the first piece, or the real ones' mean."""
    states: torch.Tensor = output.last_hidden_state
    if pooling == "pooler":
        vectors: torch.Tensor = output.pooler_output
        return vectors
    if pooling == "cls":
        return states[:, 0]
    if mask is None:
        return states.mean(1)
    weights = mask.unsqueeze(-1).to(states.dtype)
    return (states * weights).sum(1) / weights.sum(1)


def fit_pooler(model: Any, pooling: str) -> None:
    """Take the encoder's pooler off where nothing uses it. Raises AssayError where one is due and missing."""
    if pooling == "pooler":
        if getattr(model, "pooler", None) is None:
            raise AssayError(
                f"an encoder of kind {model.config.model_type!r} has no pooler",
                hint='pooling = "mean" or "cls" needs none',
            )
    elif hasattr(model, "pooler"):
        model.pooler = None


def set_dropout(model: torch.nn.Module, share: float) -> None:
    """Let every dropout of the encoder, attention's too, drop this share while it trains."""
    for module in model.modules():
        if isinstance(module, torch.nn.Dropout):
            module.p = share


def layers_of(model: torch.nn.Module) -> list[list[torch.nn.Parameter]]:
    """The encoder's weights from the input upwards: embeddings, then a layer at a time; no pooler."""
    stack = next((module for module in model.modules() if isinstance(module, torch.nn.ModuleList)), None)
    if stack is None:
        return []
    layers = [list(layer.parameters()) for layer in stack]
    above = {id(parameter) for layer in layers for parameter in layer}
    below = []
    for parameter in model.parameters():
        if id(parameter) in above:
            break
        below.append(parameter)
    return [below, *layers]


def draw(layer: torch.nn.Linear, generator: torch.Generator) -> None:
    """Set a linear layer anew: weights normal, bias 0."""
    with torch.no_grad():
        layer.weight.normal_(0.0, SPREAD, generator=generator)
        layer.bias.zero_()

"""A network over pairs that only reads: P(premise entails hypothesis), the same on any number of cores."""

from __future__ import annotations

import math
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import torch

from assay.entailment.pair import Pair
from assay.errors import AssayError
from assay.solvers.neural.in_threads import in_threads
from assay.solvers.neural.model_folder import load_reader
from assay.solvers.neural.onnx_model import is_onnx
from assay.solvers.neural.reader import Blockwise, Reader

Group = Sequence[Pair]


class PairScorer:
    """Pairs come in groups (a question's); a group is read alone, so that nothing depends on other groups."""

    def __init__(self, reader: Reader, fingerprint: str, *, bf16: bool, threads: int | None = None) -> None:
        """`fingerprint`: SHA-256 (hex) of its weights. `threads`: as many as there are cores, unless set."""
        self._reader = reader
        self._fingerprint = fingerprint
        self._bf16 = bf16
        self._threads = threads or len(os.sched_getaffinity(0))
        self._device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        reader.network.to(self._device).eval()

    @property
    def settings(self) -> Mapping[str, Any]:
        """The kind, its settings with the weights' fingerprint in place of paths, precision."""
        paths = ("encoder", "vectors", "contextual")
        return {
            "kind": self._reader.kind,
            "weights": self._fingerprint,
            "reader": {
                name: value for name, value in asdict(self._reader.settings).items() if name not in paths
            },
            "precision": "bf16" if self._bf16 else "fp32",
        }

    def probabilities(self, groups: Iterable[Group]) -> Iterator[list[float]]:
        """P(entails) of each pair of each group, in order; none for an empty group.

        Raises AssayError when the network's scores are not numbers.
        """
        if self._device.type == "cpu":
            yield from in_threads(groups, self._prepared, self._read, self._threads)
        else:
            yield from (self._read(group, self._prepared(group)) for group in groups)

    def _prepared(self, group: Group) -> list[Any]:
        if isinstance(self._reader, Blockwise):
            return self._reader.prepare_block(group) if group else []
        return [self._reader.prepare(pair) for pair in group]

    def _read(self, group: Group, prepared: list[Any]) -> list[float]:
        if not prepared:
            return []
        with (
            torch.inference_mode(),
            torch.autocast(self._device.type, torch.bfloat16, enabled=self._bf16),
        ):
            scores = torch.stack(list(self._reader.scores(prepared))).double().tolist()
        for pair, both in zip(group, scores, strict=True):
            if not all(map(math.isfinite, both)):
                raise AssayError(
                    f"pair {pair.id}: the network's scores are not numbers: its weights are spoilt"
                )
        return [entails(neutral, entailed) for neutral, entailed in scores]


def entails(neutral: float, entailed: float) -> float:
    """The softmax of two scores, of the second."""
    apart = neutral - entailed
    return 1 / (1 + math.exp(apart)) if apart < 700 else 0.0


def pair_scorer(
    folder: str | Path, changed: Mapping[str, Any] | None = None, *, bf16: bool = False
) -> PairScorer:
    """The network of a model folder. Raises AssayError when it isn't a whole model that reads pairs."""
    if is_onnx(folder):
        raise AssayError("an exported model of questions; pairs are read by a model folder", file=folder)
    reader, card = load_reader(folder, changed, reads="pairs")
    return PairScorer(reader, card["weights"], bf16=bf16)

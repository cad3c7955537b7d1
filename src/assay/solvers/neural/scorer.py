"""A reader that only reads: scores of questions, the same whatever the batch and the number of cores."""

from __future__ import annotations

import math
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, cast

import torch

from assay.errors import AssayError
from assay.questions.model import Answer, Question
from assay.settings import read_settings
from assay.solvers.neural.in_threads import in_threads
from assay.solvers.neural.model_folder import load_reader
from assay.solvers.neural.onnx_model import OnnxNetwork, is_onnx, load_onnx
from assay.solvers.neural.reader import Reader, example, sentences_read
from assay.solvers.neural.readers import reader_class


class Scorer:
    """A question is read alone, by one thread: padding and the order of sums then depend on nothing else."""

    def __init__(
        self, reader: Reader, fingerprint: str, *, trained: bool, bf16: bool, threads: int | None = None
    ) -> None:
        """`fingerprint`: SHA-256 (hex) of its weights. `threads`: as many as there are cores, unless set."""
        self._reader = reader
        self._fingerprint = fingerprint
        self._trained = trained
        self._bf16 = bf16
        self._threads = threads or len(os.sched_getaffinity(0))
        on_cpu = isinstance(reader.network, OnnxNetwork) or not torch.cuda.is_available()
        self._device = torch.device("cpu" if on_cpu else "cuda")
        reader.network.to(self._device).eval()
        self.sentences = sentences_read(reader)

    @property
    def settings(self) -> Mapping[str, Any]:
        """The kind, its settings with the weights' fingerprint in place of the encoder's path, precision."""
        own = {name: value for name, value in asdict(self._reader.settings).items() if name != "encoder"}
        return {
            "kind": self._reader.kind,
            "weights": self._fingerprint,
            "trained": self._trained,
            "reader": own,
            "precision": "bf16" if self._bf16 else "fp32",
        }

    def scores(self, asked: Iterable[tuple[Question, Answer | None]]) -> Iterator[list[float]]:
        """The choices' scores of each question with its evidence, in order."""
        if self._device.type != "cpu":
            yield from (self._read(question.id, self._prepared(question, found)) for question, found in asked)
            return
        yield from in_threads(
            asked,
            lambda one: self._prepared(*one),
            lambda one, prepared: self._read(one[0].id, prepared),
            self._threads,
        )

    def _prepared(self, question: Question, evidence: Answer | None) -> Any:
        return self._reader.prepare(example(question, evidence, self.sentences))

    def _read(self, question_id: str, prepared: Any) -> list[float]:
        with (
            torch.inference_mode(),
            torch.autocast(self._device.type, torch.bfloat16, enabled=self._bf16),
        ):
            (tensor,) = self._reader.scores([prepared])
        scores: list[float] = tensor.float().tolist()
        if not all(map(math.isfinite, scores)):
            raise AssayError(
                "the reader's scores are not numbers: its weights are spoilt", question_id=question_id
            )
        return scores

    def probabilities(self, scores: Sequence[float]) -> tuple[float, ...] | None:
        """The softmax over a question's scores, which the training was for; None for an untrained reader."""
        if not self._trained:
            return None
        best = max(scores)
        parts = [math.exp(score - best) for score in scores]
        return tuple(round(part / sum(parts), 6) for part in parts)


def trained_scorer(folder: str | Path, changed: Mapping[str, Any], *, bf16: bool) -> Scorer:
    """The reader of a model folder or an exported one, with some settings changed.

    Raises AssayError when the folder isn't a whole model, or a changed setting isn't its reader's.
    """
    if is_onnx(folder):
        if bf16:
            raise AssayError("an exported model has its own precision: leave it away", file=folder)
        reader, card = load_onnx(folder, changed)
    else:
        reader, card = load_reader(folder, changed)
    return Scorer(reader, card["weights"], trained=True, bf16=bf16)


def untrained_scorer(kind: str, given: Mapping[str, Any], *, bf16: bool) -> Scorer:
    """A reader as it comes. Raises AssayError when its encoder isn't there or doesn't fit."""
    made = reader_class(kind)
    reader = cast(Reader, made.new(read_settings(made.declared, given, f"reader {kind!r}"), 0))
    return Scorer(reader, reader.sources["encoder"], trained=False, bf16=bf16)

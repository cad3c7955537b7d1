"""A reader of spans that only reads: the same spans whatever the batch and the number of cores."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, cast

import torch

from assay.errors import AssayError
from assay.passages.passage import PassageQuestion, Span
from assay.solvers.neural.bidaf import BiDAFReader, PreparedPassage
from assay.solvers.neural.in_threads import in_threads
from assay.solvers.neural.model_folder import load_trainable

DECIMALS = 6


@dataclass(frozen=True, slots=True)
class PredictedSpan:
    """A span with its probability, of start times of end; `cut`: the passage is longer than what was read.

    `words`: the passage's tokens; `inside`: for each the probability to lie within the span, over all spans.
    """

    span: Span
    probability: float
    cut: bool
    words: tuple[str, ...] = ()
    inside: tuple[float, ...] = ()


class SpanScorer:
    """A question is read alone, by one thread: padding and the order of sums then depend on nothing else."""

    def __init__(self, reader: BiDAFReader, fingerprint: str, threads: int | None = None) -> None:
        """`fingerprint`: SHA-256 (hex) of its weights. `threads`: as many as there are cores, unless set."""
        self._reader = reader
        self._fingerprint = fingerprint
        self._threads = threads or len(os.sched_getaffinity(0))
        reader.network.to(torch.device("cuda" if torch.cuda.is_available() else "cpu")).eval()

    @property
    def settings(self) -> Mapping[str, Any]:
        """The kind, its settings without the vectors' path, and the weights' fingerprint."""
        own = {name: value for name, value in asdict(self._reader.settings).items() if name != "vectors"}
        return {"kind": self._reader.kind, "weights": self._fingerprint, "reader": own}

    def spans(self, asked: Iterable[tuple[str, str]]) -> Iterator[PredictedSpan]:
        """The span of each passage that answers its question, in order."""
        questions = (PassageQuestion("", passage, question, ()) for passage, question in asked)
        return in_threads(questions, self._reader.prepare, self._read, self._threads)

    def _read(self, question: PassageQuestion, prepared: PreparedPassage) -> PredictedSpan:
        passage = question.passage
        with torch.inference_mode():
            (scores,) = self._reader.scores([prepared])
        if scores.isnan().any():
            raise AssayError("the reader's scores are not numbers: its weights are spoilt")
        span, probability = self._reader.answer(prepared, scores.cpu())
        cut = bool(len(prepared.tokens)) and bool(passage[prepared.tokens.ends[-1] :].strip())
        within = tuple(round(share, DECIMALS) for share in self._reader.inside(prepared, scores.cpu()))
        return PredictedSpan(span, round(probability, DECIMALS), cut, tuple(prepared.tokens.words), within)


def span_scorer(folder: str | Path, changed: Mapping[str, Any] | None = None) -> SpanScorer:
    """The reader of a model folder, with some settings changed.

    Raises AssayError when the folder isn't a whole model of a reader of spans.
    """
    reader, card = load_trainable(folder, changed, reads="passages")
    return SpanScorer(cast(BiDAFReader, reader), card["weights"])

"""Predicted spans of models, stored predictions and baselines, by name."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from assay.errors import AssayError, need_neural
from assay.passages.baselines import BASELINES
from assay.passages.passage import PassageQuestion
from assay.passages.predictions import read_spans
from assay.progress import SILENT, Progress


@dataclass(frozen=True, slots=True)
class Predictions:
    """By system, the predicted text by question id; `notes` are for a person."""

    systems: dict[str, dict[str, str]]
    notes: tuple[str, ...]


def predicted_spans(
    models: Sequence[str], questions: Sequence[PassageQuestion], progress: Progress = SILENT
) -> Predictions:
    """The predictions of each model, in the order given, then those of the baselines.

    A model is the folder of a trained reader of spans, or a file of predictions as JSON {id: text}; it goes
    by its path's last part. Raises AssayError for two of one name, or what is neither.
    """
    found: dict[str, dict[str, str]] = {}
    notes = []
    for model in models:
        name = Path(model).name or model
        if name in found or name in BASELINES:
            raise AssayError(f"two systems are called {name}", file=model, hint="rename one")
        if not Path(model).is_dir():
            found[name] = read_spans(model, questions)
            continue
        found[name], cut = _model(model, questions, progress)
        if cut:
            notes.append(f"{name}: {cut:,} passages are longer than what it reads, and cut")
    for name, answer in BASELINES.items():
        found[name] = {one.id: answer(one).text for one in questions}
    return Predictions(found, tuple(notes))


def _model(
    folder: str, questions: Sequence[PassageQuestion], progress: Progress
) -> tuple[dict[str, str], int]:
    """Texts by question, and how many passages were cut."""
    need_neural("a reader of spans")
    from assay.solvers.neural.span_scorer import span_scorer

    scorer = span_scorer(folder)
    found, cut = {}, set()
    with progress.task("reading passages", len(questions), "questions") as advance:
        spans = scorer.spans((one.passage, one.question) for one in questions)
        for one, predicted in zip(questions, spans, strict=True):
            found[one.id] = predicted.span.text
            if predicted.cut:
                cut.add(one.passage)
            advance(1)
    return found, len(cut)

"""Predicted spans of models, stored predictions and baselines, by name."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from assay.errors import AssayError, need_neural
from assay.passages.baselines import BASELINES
from assay.passages.passage import PassageQuestion
from assay.passages.predictions import read_spans
from assay.progress import SILENT, Progress

Predicted = dict[str, dict[str, str]]
"""By system, the predicted text by question id."""


def predicted_spans(
    models: Sequence[str], questions: Sequence[PassageQuestion], progress: Progress = SILENT
) -> Predicted:
    """The predictions of each model, in the order given, then those of the baselines.

    A model is the folder of a trained reader of spans, or a file of predictions as JSON {id: text}; it goes
    by its path's last part. Raises AssayError for two of one name, or what is neither.
    """
    found: Predicted = {}
    for model in models:
        name = Path(model).name or model
        if name in found or name in BASELINES:
            raise AssayError(f"two systems are called {name}", file=model, hint="rename one")
        found[name] = (
            _model(model, questions, progress) if Path(model).is_dir() else read_spans(model, questions)
        )
    for name, answer in BASELINES.items():
        found[name] = {one.id: answer(one).text for one in questions}
    return found


def _model(folder: str, questions: Sequence[PassageQuestion], progress: Progress) -> dict[str, str]:
    need_neural("a reader of spans")
    from assay.solvers.neural.span_scorer import span_scorer

    scorer = span_scorer(folder)
    found = {}
    with progress.task("reading passages", len(questions), "questions") as advance:
        spans = scorer.spans((one.passage, one.question) for one in questions)
        for one, predicted in zip(questions, spans, strict=True):
            found[one.id] = predicted.span.text
            advance(1)
    return found

"""`assay spans`: exact match and F1 of a model's spans, beside baselines on the same file."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from assay.cli.passages import PASSAGE_FILES
from assay.cli.systems import Json, Seed

if TYPE_CHECKING:
    from assay.scoring.spans import SpanScores


def spans(
    model: Annotated[
        str,
        typer.Argument(
            metavar="MODEL", help="Folder of a trained reader of spans, or predictions as JSON {id: text}."
        ),
    ],
    files: Annotated[list[str], typer.Argument(metavar="PASSAGES", help=PASSAGE_FILES)],
    beside: Annotated[
        list[str] | None,
        typer.Option("--beside", metavar="MODEL", help="Another to compare with; again for more."),
    ] = None,
    predictions: Annotated[
        Path | None,
        typer.Option(
            "-o", "--predictions", metavar="FILE", help="Write MODEL's predictions: JSON {id: text}."
        ),
    ] = None,
    seed: Seed = 0,
    json: Json = False,
) -> None:
    """Let a model answer passage questions with spans, and score them by SQuAD's exact match and F1.

    Beside it stand two baselines that learn nothing: the first sentence, and the words next to the question's
    in the sentence that shares most with it. Intervals and tests are clustered by article.
    """
    from assay.cli.output import print_json, print_notes
    from assay.cli.progress import progress
    from assay.cli.written import check_written
    from assay.passages.reading import read_passages
    from assay.pipeline.span_predictions import predicted_spans
    from assay.scoring.record import as_record
    from assay.scoring.spans import score_spans
    from assay.storage import write_json

    check_written({"--predictions": predictions}, [*files, model, *(beside or [])])
    reading = read_passages(files)
    found = predicted_spans([model, *(beside or [])], reading.questions, progress(quiet=json))
    print_notes((*reading.notes, *found.notes))
    if predictions is not None:
        write_json(predictions, next(iter(found.systems.values())))
        if reading.hidden == len(reading.questions):
            print_notes([f"no reference answers: {predictions} is written, nothing is scored"])
            return
    scores = score_spans(reading.questions, found.systems, seed=seed)
    if json:
        print_json({**as_record(scores), "left_out": dict(reading.left_out), "seed": seed})
        return
    _print(scores)


def _print(scores: SpanScores) -> None:
    from assay.cli.output import print_table
    from assay.cli.score_tables import ends, p_value, percent

    level = f"{100 * scores.systems[0].em.confidence:g}% interval"
    columns = {"system": "left"} | dict.fromkeys(["EM", level, "F1", f"{level} ", "unanswered"], "right")
    rows = [
        [
            one.name,
            percent(one.em.mean),
            ends(one.em.low, one.em.high),
            percent(one.f1.mean),
            ends(one.f1.low, one.f1.high),
            f"{one.unanswered:,}",
        ]
        for one in scores.systems
    ]
    print_table("Exact match and F1, percent", columns, rows, foot=_foot(scores))
    columns = {"first - second": "left"} | dict.fromkeys(
        ["measure", "difference", level, "p", "p (Holm)"], "right"
    )
    rows = [
        [
            f"{pair.first} - {pair.second}",
            pair.measure.upper(),
            percent(pair.difference.mean, signed=True),
            ends(pair.difference.low, pair.difference.high, signed=True),
            p_value(pair.sign_flip.p),
            p_value(pair.holm_p),
        ]
        for pair in scores.comparisons
    ]
    print_table("Paired differences, percent", columns, rows, foot="p: sign flips of whole clusters")


def _foot(scores: SpanScores) -> str:
    parts: Sequence[str] = [
        f"{scores.questions:,} questions"
        + ("" if scores.clusters is None else f" in {scores.clusters:,} clusters (articles or passages)")
    ]
    if scores.hidden:
        parts = [*parts, f"{scores.hidden:,} without reference answers left out"]
    return "; ".join(parts)

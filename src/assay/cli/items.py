"""`assay items`: what many systems say about each question."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from assay.cli.question_options import QuestionOptions
from assay.cli.spread import spread
from assay.cli.systems import Json, PredictionsArgument, QuestionsArgument, SystemOptions
from assay.errors import AssayError

if TYPE_CHECKING:
    from assay.scoring.export import Cell
    from assay.scoring.items import Item, Items

ORDERS = ("suspect", "difficulty", "discrimination", "never-chosen", "file")
STEM_SHOWN = 60


@spread
def items(
    questions: QuestionsArgument,
    predictions: PredictionsArgument,
    *,
    sort: Annotated[
        str,
        typer.Option(
            "--sort",
            metavar="ORDER",
            help="suspect (keys that strong systems reject), difficulty (hardest first), discrimination "
            "(lowest first), never-chosen (most distractors that no system chose), file.",
        ),
    ] = "suspect",
    top: Annotated[int, typer.Option("--top", min=0, metavar="N", help="Show so many questions.")] = 20,
    strong: Annotated[
        float,
        typer.Option(
            "--strong",
            metavar="SHARE",
            show_default="1/3",
            help="The share of systems that are strong: the best elsewhere.",
        ),
    ] = 1 / 3,
    suspect: Annotated[
        float,
        typer.Option(
            "--suspect",
            metavar="SHARE",
            help="A key is suspect if one distractor draws this share of the strong, and more than the key.",
        ),
    ] = 0.5,
    chosen: SystemOptions,
    how: QuestionOptions,
    csv: Annotated[
        Path | None, typer.Option("--csv", metavar="FILE", help="Write a row for every choice as CSV.")
    ] = None,
    json: Json = False,
) -> None:
    """Item statistics over systems: difficulty, discrimination, what each choice draws, suspect keys.

    Difficulty is the mean of points; discrimination the correlation over systems of points on the question
    with points on all others; a system that chose k choices counts 1/k for each.
    """
    from assay.cli.output import print_json, print_notes
    from assay.cli.systems import read_systems
    from assay.cli.written import check_written
    from assay.scoring.export import csv_table
    from assay.scoring.items import ItemSettings, item_statistics
    from assay.settings import read_settings
    from assay.storage import write_text

    read = [questions, *predictions, *(chosen.more_questions or ()), *(chosen.tags or ())]
    check_written({"--csv": csv}, read)
    if sort not in ORDERS:
        raise AssayError(f"--sort must be one of {', '.join(ORDERS)}. Got {sort!r}")
    settings = read_settings(ItemSettings, {"strong": strong, "suspect": suspect}, "items")
    systems = read_systems(questions, predictions, chosen, how)
    found = item_statistics(systems.questions, systems.answers, settings)
    ordered = _ordered(found, sort)
    if csv is not None:
        write_text(csv, csv_table(*_cells(ordered)))
    if json:
        print_json(_record(found, ordered, systems.notes))
        return
    print_notes([*systems.notes, *found.notes])
    _print_set(found)
    _print_items(ordered[:top], len(ordered), sort)


def _ordered(found: Items, sort: str) -> list[Item]:
    """The items in order; those without the value last, ties in the file's order."""
    if sort == "suspect":
        return sorted(found.items, key=lambda item: (item.suspect is None, -item.preference))
    if sort == "difficulty":
        return sorted(found.items, key=lambda item: item.difficulty.mean or 0.0)
    if sort == "discrimination":
        return sorted(found.items, key=lambda item: (item.discrimination is None, item.discrimination or 0.0))
    if sort == "never-chosen":
        return sorted(found.items, key=lambda item: -len(item.never_chosen))
    return list(found.items)


def _print_set(found: Items) -> None:
    from assay.cli.output import print_lines, print_table
    from assay.cli.score_tables import percent

    ranked = sorted(found.scores.items(), key=lambda item: -item[1])
    print_table(
        "Systems, percent",
        {"system": "left", "score": "right"},
        [[name, percent(mean)] for name, mean in ranked],
    )
    summary = found.summary()
    lines = [
        f"questions: {summary['questions']:,}; systems: {summary['systems']:,}, strong for a question (the "
        f"best on the others): {found.strong:,}",
        f"questions that every system answers: {summary['all_right']:,}; that none gets a point for: "
        f"{summary['none_right']:,}",
        f"discrimination: mean {_number(summary['mean_discrimination'])}, below 0 in "
        f"{summary['negative_discrimination']:,} of {summary['with_discrimination']:,} questions; "
        f"Cronbach's alpha {_number(found.alpha)}",
        f"distractors that no system chose: {summary['never_chosen']:,} of {summary['distractors']:,}; "
        f"suspect keys: {summary['suspect_keys']:,}",
    ]
    print_lines(lines)


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:+.2f}"


def _print_items(shown: list[Item], of: int, sort: str) -> None:
    from assay.cli.output import print_table
    from assay.cli.score_tables import percent

    rows = [
        [
            item.question.id,
            percent(item.difficulty.mean),
            _number(item.discrimination),
            ", ".join(f"{'*' if one.key else ''}{one.label} {100 * one.share:.0f}" for one in item.choices),
            item.suspect or "",
            ", ".join(item.never_chosen),
            _short(item.question.stem),
        ]
        for item in shown
    ]
    names = ["difficulty", "discrimination", "choices drawn", "suspect", "never chosen", "question"]
    columns = {"id": "left", **dict.fromkeys(names, "right"), "question": "left"}
    foot = f"{len(shown):,} of {of:,} questions, by {sort}; *: the key; "
    foot += "suspect: what strong systems prefer to it"
    if shown:
        print_table(
            "Questions: difficulty (mean points) and what each choice draws, percent",
            columns,
            rows,
            foot=foot,
        )


def _short(text: str) -> str:
    plain = " ".join(text.split())
    return plain if len(plain) <= STEM_SHOWN else plain[: STEM_SHOWN - 1] + "\u2026"


def _record(found: Items, ordered: list[Item], notes: tuple[str, ...]) -> dict[str, Any]:
    from assay.scoring.record import as_record

    return {
        "summary": {**found.summary(), "alpha": found.alpha, "strong": found.strong},
        "scores": as_record(found.scores),
        "items": [
            {
                "id": item.question.id,
                "difficulty": as_record(item.difficulty),
                "discrimination": item.discrimination,
                "choices": as_record(item.choices),
                "unanswered": item.unanswered,
                "never_chosen": list(item.never_chosen),
                "suspect": item.suspect,
            }
            for item in ordered
        ],
        "settings": as_record(found.settings),
        "notes": [*notes, *found.notes],
    }


def _cells(ordered: list[Item]) -> tuple[list[str], list[list[Cell]]]:
    columns = [
        "id", "difficulty", "discrimination", "label", "key", "share", "strong_share", "suspect", "choice",
        "stem",
    ]  # fmt: skip
    rows: list[list[Cell]] = [
        [
            item.question.id, item.difficulty.mean, item.discrimination, one.label, one.key, one.share,
            one.strong, one.label == item.suspect, choice.text, item.question.stem,
        ]
        for item in ordered
        for one, choice in zip(item.choices, item.question.choices, strict=True)
    ]  # fmt: skip
    return columns, rows

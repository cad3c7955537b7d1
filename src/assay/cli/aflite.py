"""`assay aflite`: leave out the questions that blind probes find predictable."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from assay.cli.question_options import Metadata, QuestionOptions
from assay.cli.spread import spread
from assay.cli.systems import Json

if TYPE_CHECKING:
    from assay.construction.artifacts.filtering import Filtering
    from assay.scoring.export import Cell


@spread
def aflite(
    files: Annotated[list[str], typer.Argument(metavar="QUESTIONS", help="Question files with keys.")],
    *,
    kept: Annotated[
        Path | None, typer.Option("--kept", metavar="FILE", help="Write the questions kept here (jsonl).")
    ] = None,
    removed: Annotated[
        Path | None,
        typer.Option("--removed", metavar="FILE", help="Write the questions left out here (jsonl)."),
    ] = None,
    target: Annotated[
        int | None, typer.Option("--target", min=1, metavar="N", help="Keep so many questions at least.")
    ] = None,
    seen: Annotated[
        str,
        typer.Option(
            "--see",
            metavar="WHAT",
            help="What probes see: choice-only, question-only, together (the shortcuts).",
        ),
    ] = "choice-only",
    partitions: Annotated[
        int, typer.Option("--partitions", metavar="N", help="Random partitions in an iteration.")
    ] = 16,
    train: Annotated[
        float, typer.Option("--train", metavar="SHARE", help="The share that a probe is trained on.")
    ] = 0.8,
    slice_: Annotated[
        float,
        typer.Option("--slice", metavar="SHARE", help="The most an iteration leaves out, of all at first."),
    ] = 0.05,
    threshold: Annotated[
        float,
        typer.Option(
            "--threshold", metavar="POINTS", help="Predictable from this mean of points on, 0 to 1."
        ),
    ] = 0.75,
    penalty: Annotated[
        float, typer.Option("--penalty", metavar="NUMBER", help="On the probes' squared weights.")
    ] = 10.0,
    seed: Annotated[int, typer.Option("--seed", min=0, metavar="N", help="Seed of the partitions.")] = 0,
    cluster: Annotated[
        str | None,
        typer.Option("--cluster", metavar="COLUMN", help="Questions that stay on one side of a partition."),
    ] = None,
    by: Annotated[
        str, typer.Option("--by", metavar="COLUMN", help="Count what is left out by this column.")
    ] = "file",
    held_out: Annotated[
        list[str] | None,
        typer.Option(
            "--held-out",
            metavar="FILE",
            help="Questions that take no part: a probe trained on them judges what is kept. May be repeated.",
        ),
    ] = None,
    language: Annotated[
        str, typer.Option("--language", metavar="NAME", help="The stemmer and stop list of the shortcuts.")
    ] = "english",
    csv: Annotated[
        Path | None, typer.Option("--csv", metavar="FILE", help="Write a row for every question as CSV.")
    ] = None,
    how: QuestionOptions,
    metadata: Metadata = None,
    json: Json = False,
) -> None:
    """Leave out the questions that probes answer without seeing the question (AFLite, Le Bras et al. 2020).

    Each iteration trains linear probes on random parts and leaves out what they predict best on the rest.
    Says what goes, and how far shortcuts get before, after, and on as many questions at random.
    """
    from assay.cli.output import print_json, print_notes
    from assay.cli.progress import progress
    from assay.cli.written import check_written
    from assay.construction.artifacts.aflite import AfliteSettings
    from assay.construction.artifacts.filtering import filter_questions
    from assay.questions import read_questions, write_questions
    from assay.scoring.export import csv_table
    from assay.settings import read_settings
    from assay.storage import write_text

    given: dict[str, Any] = {"target": target, "partitions": partitions, "train": train, "slice": slice_}
    given |= {"threshold": threshold, "penalty": penalty, "seed": seed}
    settings = read_settings(AfliteSettings, given, "aflite")
    check_written({"--kept": kept, "--removed": removed, "--csv": csv}, [*files, *(held_out or ())])
    reading = read_questions(files, **how.settings(metadata))
    apart = read_questions(held_out, **how.settings()).questions if held_out else ()
    done = filter_questions(
        tuple(reading.questions),
        settings,
        seen=seen,
        by=by,
        cluster=cluster,
        held_out=tuple(apart),
        language=language,
        progress=progress(),
    )
    for file, side in ((kept, True), (removed, False)):
        if file is not None:
            write_questions(done.marked(kept=side), file, format="assay")
    if csv is not None:
        write_text(csv, csv_table(*_cells(done)))
    if json:
        print_json(_record(done))
        return
    print_notes(reading.notes)
    _print(done)


def _print(done: Filtering) -> None:
    from assay.cli.artifacts import print_side_by_side
    from assay.cli.output import print_lines, print_table
    from assay.cli.score_tables import percent

    rows = [
        [
            f"{one.number}",
            percent(one.score),
            f"{one.predictable:,}",
            f"{one.removed:,}",
            f"{one.remaining:,}",
        ]
        for one in done.filtered.iterations
    ]
    names = ["iteration", "probes' score", "predictable", "left out", "remaining"]
    foot = f"probes see: {done.seen}; ended because {done.filtered.stopped}"
    print_table("AFLite, percent and questions", dict.fromkeys(names, "right"), rows, foot=foot)
    rows = [
        [name, f"{were:,}", f"{are:,}", f"{were - are:,}", percent((were - are) / were)]
        for name, (were, are) in done.parts.items()
    ]
    columns = {"": "left", **dict.fromkeys(["before", "kept", "left out", "left out, percent"], "right")}
    print_table("What goes", columns, rows)
    print_side_by_side(done.figures)
    if done.repeated:
        print_lines([f"held-out questions left out, their stems stand in the set: {done.repeated:,}"])
    if not len(done.filtered.kept):
        print_lines(["nothing is kept"])


def _record(done: Filtering) -> dict[str, Any]:
    from assay.scoring.record import as_record

    ids = [question.id for question in done.questions]
    return {
        "before": len(ids),
        "kept": len(done.filtered.kept),
        "iterations": as_record(done.filtered.iterations),
        "stopped": done.filtered.stopped,
        "parts": {name: {"before": were, "kept": are} for name, (were, are) in done.parts.items()},
        "artifacts": as_record(done.figures),
        "held_out_repeated": done.repeated,
        "questions": {
            one: {
                "predictability": as_record(float(score)),
                "removed_in": int(iteration),
                "judged": int(times),
            }
            for one, score, iteration, times in zip(
                ids, done.filtered.predictability, done.filtered.removed_in, done.filtered.judged, strict=True
            )
        },
        "settings": {**as_record(done.settings), "see": done.seen},
    }


def _cells(done: Filtering) -> tuple[list[str], list[list[Cell]]]:
    rows: list[list[Cell]] = [
        [question.id, float(score), int(times), bool(iteration == 0), int(iteration), question.stem]
        for question, score, times, iteration in zip(
            done.questions,
            done.filtered.predictability,
            done.filtered.judged,
            done.filtered.removed_in,
            strict=True,
        )
    ]
    return ["id", "predictability", "judged", "kept", "removed_in", "stem"], rows

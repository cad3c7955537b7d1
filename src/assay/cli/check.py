"""`assay check`: the integrity of question files."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from assay.cli.question_options import Metadata, QuestionOptions
from assay.cli.spread import spread

if TYPE_CHECKING:
    from assay.questions.check import Check
    from assay.questions.duplicates import Groups


@spread
def check(
    files: Annotated[
        list[str], typer.Argument(metavar="FILE", help='Question files; "-" is standard input.')
    ],
    *,
    how: QuestionOptions,
    metadata: Metadata = None,
    duplicates: Annotated[
        bool,
        typer.Option("--duplicates", help="Also group equal questions, by six keys from strict to loose."),
    ] = False,
    json_: Annotated[bool, typer.Option("--json", help="Strict JSON instead of text.")] = False,
) -> None:
    """List every fault and warning of question files, with file, line and id.

    Exit status 0: no faults (warnings don't count); 1: faults; 2: a file can't be opened, or wrong usage.
    """
    from assay.cli.output import print_json
    from assay.questions.check import check_questions

    checked = check_questions(
        files,
        **how.settings(metadata),
        duplicates=duplicates,
    )
    if json_:
        print_json(checked.record())
    else:
        _print(checked)
    if checked.faults:
        raise typer.Exit(1)


def _print(checked: Check) -> None:
    from assay.cli.output import print_lines, print_table

    print_lines(f"{fault.severity}: {fault}" for fault in (*checked.faults, *checked.warnings))
    print_lines(f"note: {note}" for note in checked.notes)
    rows = [
        [file.path, file.format, f"{file.questions:,}", f"{file.keyed:,}" if file.keyed else "hidden"]
        for file in checked.files
    ]
    columns = {"file": "left", "format": "left", "questions": "right", "with a key": "right"}
    foot = f"{_counted(len(checked.faults), 'fault')}, {_counted(len(checked.warnings), 'warning')}"
    print_table("Question files", columns, rows, foot=foot)
    if checked.duplicates is not None:
        _print_duplicates(list(checked.duplicates.values()))


def _print_duplicates(found: list[Groups]) -> None:
    from assay.cli.output import print_table

    summaries = {groups.kind: groups.summary() for groups in found}
    counts = ("groups", "questions", "surplus", "groups_spanning_splits", "groups_spanning_sets")
    names = ("groups", "questions", "surplus", "spanning splits", "spanning sets")
    rows = [
        [kind, *(f"{summary[count]:,}" for count in counts), _leaks(summary)]
        for kind, summary in summaries.items()
    ]
    columns = {"equal in": "left", **dict.fromkeys(names, "right"), "test questions in train or dev": "left"}
    print_table("Duplicate questions", columns, rows)
    pairs = sorted({pair for summary in summaries.values() for pair in summary["pairs"]})
    rows = [
        [pair, *(f"{summary['pairs'].get(pair, 0):,}" for summary in summaries.values())] for pair in pairs
    ]
    print_table(
        "Pairs of duplicates by where they lie", {"": "left", **dict.fromkeys(summaries, "right")}, rows
    )


def _leaks(summary: dict[str, dict[str, int]]) -> str:
    leaks = summary["test_questions_also_in_train_or_dev"]
    return ", ".join(f"{name} {count:,}".strip() for name, count in leaks.items()) or "none"


def _counted(count: int, what: str) -> str:
    return f"{count:,} {what}{'s' * (count != 1)}" if count else f"no {what}s"

"""`assay check`: the integrity of question files, and their artifacts."""

from __future__ import annotations

import shlex
import sys
from typing import TYPE_CHECKING, Annotated

import typer

from assay.cli.artifacts import ArtifactOptions
from assay.cli.question_options import Metadata, QuestionOptions
from assay.cli.spread import spread

if TYPE_CHECKING:
    from assay.construction.artifacts.figures import Artifacts
    from assay.questions.check import Check
    from assay.questions.duplicates import Groups
    from assay.scoring.gates import GateResult


@spread
def check(
    files: Annotated[
        list[str], typer.Argument(metavar="FILE", help='Question files; "-" is standard input.')
    ],
    *,
    look: ArtifactOptions,
    how: QuestionOptions,
    metadata: Metadata = None,
    duplicates: Annotated[
        bool,
        typer.Option("--duplicates", help="Also group equal questions, by six keys from strict to loose."),
    ] = False,
    json_: Annotated[bool, typer.Option("--json", help="Strict JSON instead of text.")] = False,
) -> None:
    """List every fault and warning of question files, with file, line and id.

    With --artifacts, how far one gets without knowing a thing: each shortcut's points above chance, where the
    keys lie, equal choices, duplicates; --fail-above makes it a gate. Faults are to be mended first.
    Exit status 0: no faults (warnings don't count); 1: faults, or a gate failed; 2: a file can't be opened,
    or wrong usage.
    """
    from assay.cli.artifacts import gate_results
    from assay.cli.output import print_json
    from assay.questions.check import check_questions
    from assay.scoring.record import as_record

    look.check(files)
    checked = check_questions(files, **how.settings(metadata), duplicates=duplicates, keep=look.artifacts)
    found = None if checked.questions is None or checked.faults else look.measure(checked.questions)
    gates = [] if found is None else gate_results(found, look)
    if json_:
        asked = {} if not look.artifacts else {"artifacts": as_record(found), "gates": as_record(gates)}
        print_json({**checked.record(), **asked})
    else:
        _print(checked)
    if found is not None:
        _artifacts(found, gates, look, quiet=json_)
    elif look.artifacts and not json_:
        print("artifacts: not looked for, the faults come first", file=sys.stderr)
    if checked.faults or not all(gate.passed for gate in gates):
        raise typer.Exit(1)


def _artifacts(found: Artifacts, gates: list[GateResult], look: ArtifactOptions, *, quiet: bool) -> None:
    from assay.cli.artifacts import artifact_cells, print_artifacts
    from assay.cli.output import print_lines
    from assay.cli.score_tables import print_gates
    from assay.scoring.export import csv_table
    from assay.scoring.gates import junit_xml
    from assay.storage import write_text

    if look.csv is not None:
        write_text(look.csv, csv_table(*artifact_cells(found)))
    if look.junit is not None:
        write_text(look.junit, junit_xml(gates, "assay check"))
    if look.html is not None:
        from assay.report.artifacts_page import artifacts_page

        names = [group.group for group in found.groups]
        title = f"Artifacts of {names[0]}" if len(names) == 1 else f"Artifacts of {len(names)} groups"
        write_text(look.html, artifacts_page(found, title, shlex.join(["assay", *sys.argv[1:]])))
        print(f"wrote {look.html}", file=sys.stderr)
    if not quiet:
        print_artifacts(found)
        failed = [gate for gate in gates if not gate.passed]
        if failed:
            print_gates(failed)
        if gates:
            print_lines([f"{len(gates) - len(failed):,} of {len(gates):,} gates passed"])


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

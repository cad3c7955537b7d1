"""`assay leaks`: what of one fold stands in another, and what it is worth to systems."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from assay.cli.question_options import QuestionOptions
from assay.cli.spread import spread
from assay.cli.systems import Cluster

if TYPE_CHECKING:
    from assay.construction.folds.balance import Balance
    from assay.construction.leaks.leaks import Leak, Leaks
    from assay.construction.leaks.touched import TouchedScore
    from assay.questions.model import Question, QuestionSet
    from assay.scoring.gates import GateResult


@spread
def leaks(
    folds: Annotated[
        list[str],
        typer.Argument(
            metavar="FOLDS",
            help="Question files, a fold each by its stem; NAME=FILE names one, and joins files of one name.",
        ),
    ],
    test: Annotated[
        str | None,
        typer.Option(metavar="FOLD", help="The fold that is scored and gated; else the last one."),
    ] = None,
    predictions: Annotated[
        list[str] | None,
        typer.Option(
            metavar="FILE",
            help="Score these on touched and untouched questions of the test fold; again for more.",
        ),
    ] = None,
    touched_by: Annotated[
        str, typer.Option("--touched-by", metavar="KINDS", help="What makes a question touched.")
    ] = "fact,near-fact,stem,near-stem,question",
    cluster: Cluster = None,
    near: Annotated[
        list[str] | None,
        typer.Option(
            "--near",
            metavar="NAME=VALUE",
            help="When texts are near: near_fact, near_stem, language, stop_words.",
        ),
    ] = None,
    balance: Annotated[
        str | None,
        typer.Option(
            metavar="COLUMNS", help="Also say how these columns (set,exam,grade) lie over the folds."
        ),
    ] = None,
    fail: Annotated[
        list[str] | None,
        typer.Option(
            metavar="KIND=MOST",
            help="Exit status 1 if more of the test fold's questions are touched: a number, or a percentage "
            "with %; the kind 'any' is --touched-by. Again for more.",
        ),
    ] = None,
    allow_extra: Annotated[
        bool, typer.Option("--allow-extra", help="Predictions for other questions are left out and counted.")
    ] = False,
    *,
    how: QuestionOptions,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="FILE", help="Write every tie across folds (jsonl) here."),
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print the result as strict JSON.")] = False,
) -> None:
    """Say what leaks between folds: facts, stems, questions, answers and choices, the same or nearly.

    For each pair of folds, how many questions of the one are tied to the other. With predictions, what
    touched questions are worth: scores on them and on the others, with the difference.
    """
    from assay.cli.output import print_json, print_lines, print_notes
    from assay.cli.question_options import toml_pairs
    from assay.cli.written import check_written
    from assay.construction.leaks.leaks import find_leaks
    from assay.construction.leaks.ties import TieSettings
    from assay.construction.leaks.touched import known_kinds, leak_gates
    from assay.errors import AssayError
    from assay.scoring.record import as_record
    from assay.settings import read_settings
    from assay.storage import to_json, write_text

    check_written({"--output": output}, [*folds, *(predictions or ())])
    settings = read_settings(TieSettings, toml_pairs(near, "--near"), "--near")
    kinds = known_kinds([name.strip() for name in touched_by.split(",")])
    read, notes = _folds(folds, how)
    scored = test or list(read)[-1]
    if scored not in read:
        raise AssayError(f"no fold is called {scored}", hint=f"the folds: {', '.join(read)}")
    found = find_leaks(read, settings)
    gates = leak_gates(found, scored, fail or (), kinds)
    scores, said = _scores(read[scored], found, scored, kinds, predictions or (), cluster, allow_extra)
    lying = _balance(read, balance)
    if output is not None:
        write_text(output, "".join(to_json(tie) + "\n" for tie in found.listed()))
    if json:
        print_json(
            {
                "folds": dict(found.sizes),
                "leaks": as_record(found.leaks),
                "test": scored,
                "touched_by": list(kinds),
                "not_seen": list(found.not_seen),
                "touched": int(found.touched(scored, kinds).sum()),
                "scores": as_record(scores),
                "balance": as_record(lying),
                "gates": as_record(gates),
                "settings": {**as_record(settings), "cluster": cluster},
                "notes": [*notes, *said],
            }
        )
    else:
        print_notes([*notes, *said, *found.not_seen])
        _print(found, scored, kinds, scores, lying, gates)
        if output is not None:
            print_lines([f"{len(found.ties):,} ties across folds, with the questions' ids: {output}"])
    if not all(gate.passed for gate in gates):
        raise typer.Exit(1)


def _folds(given: list[str], how: QuestionOptions) -> tuple[dict[str, QuestionSet], list[str]]:
    """Questions by fold, in the order given."""
    from assay.questions import read_questions

    files: dict[str, list[str]] = {}
    for argument in given:
        name, equals, file = argument.partition("=")
        if not (equals and name and file) or Path(argument).exists():
            name, file = Path(argument).name.split(".")[0], argument
        files.setdefault(name, []).append(file)
    folds: dict[str, QuestionSet] = {}
    notes: list[str] = []
    for name, paths in files.items():
        reading = read_questions(paths, **how.settings())
        folds[name] = reading.questions
        notes += reading.notes
    return folds, notes


def _scores(
    questions: QuestionSet,
    found: Leaks,
    fold: str,
    kinds: tuple[str, ...],
    predictions: list[str] | tuple[str, ...],
    cluster: str | None,
    allow_extra: bool,
) -> tuple[tuple[TouchedScore, ...], list[str]]:
    from typing import Any, cast

    from assay.cli.systems import named_files
    from assay.construction.leaks.touched import touched_scores
    from assay.questions.predictions import read_predictions

    if not predictions:
        return (), []
    answers, notes = {}, []
    for name, file in named_files(list(predictions)).items():
        read = read_predictions(file, questions, allow_extra=allow_extra)
        answers[name] = read.answers
        notes += [f"{name}: {note}" for note in read.notes]
    return touched_scores(questions, answers, found.touched(fold, cast(Any, kinds)), cluster), notes


def _balance(folds: dict[str, QuestionSet], columns: str | None) -> list[Balance]:
    import numpy as np

    from assay.construction.folds.balance import balance

    questions: list[Question] = [question for inside in folds.values() for question in inside]
    numbers = np.repeat(np.arange(len(folds)), [len(inside) for inside in folds.values()]).astype(np.int64)
    names = [name.strip() for name in columns.split(",")] if columns else []
    return [balance(questions, numbers, len(folds), name) for name in names]


def _print(
    found: Leaks,
    fold: str,
    kinds: tuple[str, ...],
    scores: tuple[TouchedScore, ...],
    lying: list[Balance],
    gates: list[GateResult],
) -> None:
    from typing import Any, cast

    from assay.cli.fold_tables import print_balance
    from assay.cli.output import print_lines, print_table

    sizes = ", ".join(f"{name} {size:,}" for name, size in found.sizes.items())
    rows = [
        [leak.kind, f"{leak.first}, {leak.second}", *map(_share, _counts(leak, found)), f"{leak.pairs:,}"]
        for leak in found.leaks
    ]
    columns = {"kind": "left", "folds": "left", "in the first": "right", "in the second": "right"}
    print_table(f"Leaks between {sizes}", columns | {"pairs": "right"}, rows)
    touched, size = int(found.touched(fold, cast(Any, kinds)).sum()), found.sizes[fold]
    share = f"{touched:,} of {size:,} questions touched ({100 * touched / size:.1f}%)"
    print_lines([f"{fold}: {share} by {', '.join(kinds)}"])
    if scores:
        headings = dict.fromkeys(("touched", "untouched", "difference"), "right")
        print_table(f"Scores on {fold}", {"system": "left"} | headings, list(map(_score_row, scores)))
    if lying:
        print_balance(lying, list(found.sizes))
    for gate in gates:
        print_lines([f"{'passed' if gate.passed else 'FAILED'}: {gate.gate}: {gate.what}"])


def _score_row(row: TouchedScore) -> list[str]:
    parts = (_interval(part.n, part.mean, part.low, part.high) for part in (row.touched, row.untouched))
    apart = row.difference
    return [row.system, *parts, _interval(None, apart.difference, apart.low, apart.high)]


def _counts(leak: Leak, found: Leaks) -> list[tuple[int, int]]:
    """Tied questions of the first and of the second fold, each with the fold's size."""
    return [(leak.in_first, found.sizes[leak.first]), (leak.in_second, found.sizes[leak.second])]


def _share(counted: tuple[int, int]) -> str:
    count, size = counted
    return f"{count:,} ({100 * count / size:.1f}%)"


def _interval(n: int | None, mean: float | None, low: float | None, high: float | None) -> str:
    if mean is None:
        return "no questions"
    sign = "+" if n is None else ""
    ends = "" if low is None or high is None else f" [{100 * low:{sign}.1f}, {100 * high:{sign}.1f}]"
    return f"{100 * mean:{sign}.1f}{ends}" + ("" if n is None else f" (n = {n:,})")

"""`assay recall`: the gold facts that several evidence files hold, in one table, with paired tests."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from assay.cli.question_options import QuestionOptions
from assay.cli.spread import spread
from assay.cli.systems import Json, QuestionsArgument, Seed
from assay.errors import AssayError

if TYPE_CHECKING:
    from assay.questions.model import Answer, QuestionSet
    from assay.scoring.comparison import Comparison
    from assay.scoring.export import Cell
    from assay.scoring.recall import Recall
    from assay.scoring.recall_comparison import Facts, Swap

TEST_AT = 10
Recalls = Mapping[str, "Recall"]


@spread
def recall(
    questions: QuestionsArgument,
    evidence: Annotated[
        list[str],
        typer.Argument(
            metavar="EVIDENCE",
            help="Evidence files of 'assay retrieve', NAME=FILE to name one.",
            show_default=False,
        ),
    ],
    *,
    at: Annotated[
        str, typer.Option("--at", metavar="N,N,...", help="Recall among so many of the key's sentences.")
    ] = "1,2,5,10,20",
    test_at: Annotated[
        int | None,
        typer.Option(
            "--test-at",
            min=1,
            metavar="N",
            help=f"Compare at so many sentences; by default {TEST_AT}, or what the shortest file has.",
        ),
    ] = None,
    cluster: Annotated[
        str, typer.Option("--cluster", metavar="COLUMN", help="Cluster intervals and tests; none: don't.")
    ] = "fact1",
    seed: Seed = 0,
    how: QuestionOptions,
    csv: Annotated[Path | None, typer.Option("--csv", metavar="FILE", help="Write the table as CSV.")] = None,
    plot: Annotated[
        Path | None, typer.Option("--plot", metavar="FILE", help="Draw recall against k: an SVG file.")
    ] = None,
    won: Annotated[
        Path | None,
        typer.Option(
            "--won",
            metavar="FILE",
            help="Write, as CSV, which questions a method wins and loses to another, with the facts' ranks.",
        ),
    ] = None,
    json: Json = False,
) -> None:
    """Say how many of the gold facts evidence files hold: both of a question's facts, and either.

    Among the best k sentences for the correct choice, with intervals and paired tests between the files.
    Questions without a key or two facts are left out and counted.
    """
    from assay.cli.output import print_json, print_notes
    from assay.cli.systems import named_files
    from assay.cli.written import check_written
    from assay.questions import read_questions
    from assay.scoring.export import csv_table
    from assay.scoring.recall import recall as recall_of
    from assay.scoring.recall_comparison import compare_recalls, swaps
    from assay.storage import write_text

    if plot is not None and plot.suffix.lower() != ".svg":
        raise AssayError("--plot writes SVG: a name that ends in .svg is due", file=plot)
    check_written({"--csv": csv, "--plot": plot, "--won": won}, [questions, *evidence])
    ks = _ks(at)
    clustered = None if cluster == "none" else cluster
    reading = read_questions([questions], **how.settings())
    found, longest = {}, {}
    for name, file in named_files(evidence).items():
        answers = _read(Path(file), reading.questions)
        longest[name] = max((len(pieces) for one in answers for pieces in one.evidence or ()), default=0)
        # Beyond the last sentence a recall says nothing of the method.
        within = [k for k in ks if k <= longest[name]] or [max(1, longest[name])]
        found[name] = recall_of(reading.questions, answers, within, cluster=clustered)
    tested = test_at or min([TEST_AT, *longest.values()])
    short = [name for name, most in longest.items() if most < tested]
    if short:
        raise AssayError(f"--test-at {tested}: {short[0]} has {longest[short[0]]} sentences a choice at most")
    comparisons = compare_recalls(found, tested, cluster=clustered, seed=seed) if len(found) > 1 else {}
    if csv is not None:
        write_text(csv, csv_table(*_cells(found)))
    if won is not None:
        write_text(won, csv_table(*_won_cells(list(swaps(found, tested)))))
    if plot is not None:
        write_text(plot, _plot(found))
    if json:
        print_json(_record(found, comparisons, tested, clustered, seed))
        return
    print_notes(reading.notes)
    _print(found, comparisons, tested)


def _ks(given: str) -> list[int]:
    parts = [part.strip() for part in given.split(",")]
    if not all(part.isascii() and part.isdecimal() and int(part) >= 1 for part in parts):
        raise AssayError(f"--at takes whole numbers from 1. Got {given!r}")
    return sorted({int(part) for part in parts})


def _read(path: Path, questions: QuestionSet) -> tuple[Answer, ...]:
    from assay.questions import read_predictions

    answers = tuple(read_predictions(str(path), questions).answers)
    if not any(one.evidence for one in answers):
        raise AssayError("holds no evidence", file=path, hint="'assay retrieve' writes such files")
    return answers


def _print(found: Recalls, comparisons: Mapping[Facts, Sequence[Comparison]], tested: int) -> None:
    from assay.cli.output import print_table
    from assay.cli.recall_table import print_recall
    from assay.cli.score_tables import ends, p_value, percent

    one = next(iter(found.values()))
    level = f"{100 * one.rows[0].both.confidence:g}% interval"
    print_recall(found)
    for facts, pairs in comparisons.items():
        names = ["first - second", "difference", level, "p", "p (Holm)", "only first", "only second"]
        rows = [
            [
                f"{pair.first} - {pair.second}",
                percent(pair.difference.mean, signed=True),
                ends(pair.difference.low, pair.difference.high, signed=True),
                p_value(pair.sign_flip.p),
                p_value(pair.holm_p),
                f"{pair.mcnemar.only_first:,}",
                f"{pair.mcnemar.only_second:,}",
            ]
            for pair in pairs
        ]
        columns = dict.fromkeys(names, "right") | {"first - second": "left"}
        foot = (
            "p: sign flips, whole clusters where named; only: questions that one finds and the other doesn't"
        )
        print_table(f"Paired differences in recall of {facts} at {tested}, percent", columns, rows, foot=foot)


def _record(
    found: Recalls,
    comparisons: Mapping[Facts, Sequence[Comparison]],
    tested: int,
    cluster: str | None,
    seed: int,
) -> dict[str, Any]:
    from assay.scoring.record import as_record

    one = next(iter(found.values()))
    return {
        "n": len(one.questions),
        "without_facts": one.without_facts,
        "without_key": one.without_key,
        "recall": {name: as_record(recall.rows) for name, recall in found.items()},
        "comparisons": {facts: as_record(pairs) for facts, pairs in comparisons.items()},
        "settings": {"cluster": cluster, "seed": seed, "test_at": tested},
    }


def _cells(found: Recalls) -> tuple[list[str], list[list[Cell]]]:
    columns = [
        "method",
        "k",
        "n",
        *(f"{facts}{end}" for facts in ("both", "either") for end in ("", "_low", "_high")),
    ]
    rows: list[list[Cell]] = [
        [name, row.k, row.both.n, *(
            value for share in (row.both, row.either) for value in (share.mean, share.low, share.high)
        )]
        for name, recall in found.items()
        for row in recall.rows
    ]  # fmt: skip
    return columns, rows


def _won_cells(swapped: Sequence[Swap]) -> tuple[list[str], list[list[Cell]]]:
    columns = [
        "first", "second", "question", "both", "either",
        "first_fact1", "first_fact2", "second_fact1", "second_fact2",
        "stem", "key", "fact1", "fact2",
    ]  # fmt: skip
    rows: list[list[Cell]] = []
    for one in swapped:
        question, facts = one.question, one.question.facts
        assert question.answer is not None
        assert facts is not None
        key = question.choices[question.labels.index(question.answer)].text
        rows.append([one.first, one.second, question.id, one.both, one.either])
        rows[-1] += [*one.first_ranks, *one.second_ranks, question.stem, key, facts.seed, facts.second]
    return columns, rows


def _plot(found: Recalls) -> str:
    from assay.report.charts.curves import Across, CurvePoint, curves

    def points(name: str, facts: str) -> list[CurvePoint]:
        return [
            CurvePoint(
                row.k,
                100 * (share.mean or 0.0),
                None if share.low is None else 100 * share.low,
                None if share.high is None else 100 * share.high,
            )
            for row in found[name].rows
            for share in (getattr(row, facts),)
        ]

    panels = {
        f"{facts} {noun}, percent of questions": {name: points(name, facts) for name in found}
        for facts, noun in (("both", "facts"), ("either", "fact"))
    }
    return curves(panels, Across("sentences of the correct choice (k)"))

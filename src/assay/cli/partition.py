"""`assay partition`: Easy or Challenge, from filters' answers."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from assay.cli.question_options import QuestionOptions
from assay.cli.spread import spread
from assay.cli.systems import MoreQuestions

if TYPE_CHECKING:
    from assay.pipeline.partitioning import Partitioned
    from assay.questions.model import Answer, QuestionSet


@spread
def partition(
    questions: Annotated[
        Path, typer.Argument(metavar="QUESTIONS", help="Question file of any known format, with keys.")
    ],
    filters: Annotated[
        list[Path],
        typer.Argument(metavar="ANSWERS", help="Answers or predictions of the filter solvers, a file each."),
    ],
    rule: Annotated[
        str,
        typer.Option("--rule", metavar="RULE", help="Easy if any, all, or this many of the filters answer."),
    ] = "any",
    credit: Annotated[
        str,
        typer.Option(
            "--credit",
            metavar="CREDIT",
            help="A filter answers if it chooses 'exact'ly the key, or the key among 'any'.",
        ),
    ] = "exact",
    published: Annotated[
        str,
        typer.Option(
            "--published",
            metavar="COLUMN",
            help="Metadata column with a published partition to compare with.",
        ),
    ] = "set",
    output: Annotated[
        Path | None,
        typer.Option(
            "--output", "-o", metavar="FILE", help="Write set and evidence per question (jsonl) here."
        ),
    ] = None,
    sets: Annotated[
        Path | None,
        typer.Option(
            "--sets",
            metavar="FOLDER",
            help="Write the questions themselves here: Easy.jsonl and Challenge.jsonl.",
        ),
    ] = None,
    more_questions: MoreQuestions = None,
    *,
    how: QuestionOptions,
    json: Annotated[bool, typer.Option("--json", help="Print the result as JSON.")] = False,
) -> None:
    """Part questions into Easy and Challenge: Challenge is what every filter fails on.

    Says how the partition agrees with a published one, and how many questions move when a filter is dropped,
    the rule changes or ties count.
    """
    from assay.cli.output import print_json, print_lines, print_notes
    from assay.cli.written import check_written
    from assay.construction.partition import Rule, agreement
    from assay.construction.partition import partition as make
    from assay.construction.sensitivity import sensitivity
    from assay.errors import AssayError
    from assay.pipeline.partitioning import Partitioned, partition_record, placement_lines, write_sets
    from assay.questions import read_questions
    from assay.questions.model import QuestionSet
    from assay.storage import write_text

    paths = [questions, *(more_questions or ())]
    check_written({"--output": output}, [*paths, *filters])
    reading = read_questions(paths, **how.settings())
    asked = reading.questions
    keyed = QuestionSet(question for question in asked if question.answer is not None)
    if not len(keyed):
        raise AssayError("no question has a key, so no filter can be said to answer it", file=questions)
    print_notes(reading.notes)
    given = _answers(filters, asked, keyed)
    made = make(keyed, given, Rule.named(rule, len(given), credit))
    result = Partitioned(
        made, agreement(made, published), tuple(sensitivity(made)), None, len(asked) - len(keyed), ()
    )
    if output is not None:
        write_text(output, "".join(f"{line}\n" for line in placement_lines(result)))
    if sets is not None:
        write_sets(made, sets)
    if json:
        print_json({"questions": len(keyed), **partition_record(result), "sets": dict(made.sets)})
        return
    _print(result)
    if output is not None:
        print_lines([f"Each question's set, with the filters' choices, scores and evidence: {output}"])
    if sets is not None:
        print_lines([f"The questions of each set: {sets / 'Easy.jsonl'} and {sets / 'Challenge.jsonl'}"])


def _answers(filters: list[Path], asked: QuestionSet, keyed: QuestionSet) -> dict[str, list[Answer]]:
    """Each filter's answers to the questions with keys, by the stem of its file."""
    from assay.cli.output import print_notes
    from assay.errors import AssayError
    from assay.questions.predictions import read_predictions

    answers: dict[str, list[Answer]] = {}
    for path in filters:
        if path.stem in answers:
            raise AssayError(f"two filters are called {path.stem}", file=path, hint="rename one of the files")
        read = read_predictions(path, asked)
        answers[path.stem] = [answer for answer in read.answers if keyed.has(answer.question_id)]
        print_notes(f"{path.stem}: {note}" for note in read.notes)
    return answers


def _print(result: Partitioned) -> None:
    from assay.cli.output import print_lines, print_table

    made, compared = result.partition, result.agreement
    total = len(made.placements)
    easy, challenge = made.counts["Easy"], made.counts["Challenge"]
    print_lines([f"{total:,} questions: {easy:,} Easy, {challenge:,} Challenge"])
    if result.unplaced:
        print_lines([f"{result.unplaced:,} questions have no key and are in neither"])
    answered = [
        [name, f"{count:,}", f"{100 * count / total:.1f}"]
        for number, name in enumerate(made.filters)
        for count in [sum(placement.answered[number] for placement in made.placements)]
    ]
    print_table("Filters", {"filter": "left", "answers": "right", "percent": "right"}, answered)
    rows = [
        [row.change, f"{row.easy:,}", f"{row.challenge:,}", f"{row.to_easy:,}", f"{row.to_challenge:,}"]
        for row in result.sensitivity
    ]
    headings = dict.fromkeys(("Easy", "Challenge", "move to Easy", "move to Challenge"), "right")
    print_table("Sensitivity", {"change": "left"} | headings, rows)
    if compared.share is not None:
        table = [
            [name, *(f"{compared.table[name][other]:,}" for other in compared.table[name])]
            for name in compared.table
        ]
        kappa = "undefined" if compared.kappa is None else f"{compared.kappa:.3f}"
        print_table(
            "Against the published partition",
            {"made here": "left", "published Easy": "right", "published Challenge": "right"},
            table,
            foot=f"share {100 * compared.share:.1f}%, kappa {kappa}, {compared.unpublished:,} unpublished",
        )

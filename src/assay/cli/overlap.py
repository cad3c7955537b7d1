"""`assay overlap`: words that questions share with their facts, and how they compose them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from assay.cli.question_options import Metadata, QuestionOptions
from assay.cli.spread import spread
from assay.cli.systems import Json
from assay.errors import AssayError

if TYPE_CHECKING:
    from assay.construction.composition import Compositions
    from assay.construction.overlap import Overlap
    from assay.scoring.export import Cell
    from assay.scoring.interval import Estimate

RULES_SHOWN = 30


@spread
def overlap(
    files: Annotated[
        list[str], typer.Argument(metavar="QUESTIONS", help="Question files with facts and keys.")
    ],
    *,
    language: Annotated[
        str, typer.Option("--language", metavar="NAME", help="The stemmer: a Snowball language, or none.")
    ] = "english",
    stop_words: Annotated[
        str,
        typer.Option(
            "--stop-words",
            metavar="NAME",
            help="The stop list: lucene-english, nltk-english, questions, none, a language, or a file.",
        ),
    ] = "lucene-english",
    apostrophes: Annotated[
        str,
        typer.Option(
            "--apostrophes",
            metavar="RULE",
            help="'split': an apostrophe ends a word; 'inside': it belongs to the word.",
        ),
    ] = "split",
    fewer_than: Annotated[
        str, typer.Option("--fewer-than", metavar="N,N,...", help="Count questions that share fewer stems.")
    ] = "3,2,1",
    cluster: Annotated[
        str, typer.Option("--cluster", metavar="COLUMN", help="Cluster intervals; none: don't.")
    ] = "fact1",
    labels: Annotated[
        list[Path] | None,
        typer.Option(
            "--labels",
            metavar="FILE",
            help="Composition labels (tsv: id, rQ, rS, rL, bridge, names_both); may be repeated.",
        ),
    ] = None,
    labelled: Annotated[
        Path | None,
        typer.Option(
            "--labelled", metavar="FILE", help="Write the questions with their labels here (jsonl)."
        ),
    ] = None,
    csv: Annotated[
        Path | None, typer.Option("--csv", metavar="FILE", help="Write a row for every question as CSV.")
    ] = None,
    how: QuestionOptions,
    metadata: Metadata = None,
    json: Json = False,
) -> None:
    """Say how many stems each fact shares with question and answer (QASC paper, appendix E).

    Distinct stems without stop words. Where composition labels are given, in a file or in columns of the
    questions, they are tabulated too: which relations compose to which, and how many questions name both.
    """
    from assay.cli.output import print_json, print_notes
    from assay.cli.written import check_written
    from assay.construction.composition import compositions
    from assay.construction.overlap import OverlapSettings, stems_by
    from assay.construction.overlap import overlap as overlap_of
    from assay.questions import read_questions, write_questions
    from assay.questions.composition import read_labels, with_labels
    from assay.settings import read_settings
    from assay.storage import write_text

    check_written({"--csv": csv, "--labelled": labelled}, [*files, *(labels or ()), stop_words])
    settings = read_settings(
        OverlapSettings,
        {"language": language, "stop_words": stop_words, "apostrophes": apostrophes},
        "overlap",
    )
    numbers = _numbers(fewer_than)
    reading = read_questions(files, **how.settings(metadata))
    questions, notes = reading.questions, list(reading.notes)
    for file in labels or ():
        questions, said = with_labels(questions, read_labels(file))
        notes += said
    clustered = None if cluster == "none" else cluster
    # Labels alone are worth a table: questions that have them need no facts.
    factless = not any(question.facts for question in questions)
    composed = compositions(questions, stems_by(settings), cluster=None if factless else clustered)
    found = (
        None
        if factless and composed is not None
        else overlap_of(questions, settings, fewer_than=numbers, cluster=clustered)
    )
    if labelled is not None and composed is None:
        raise AssayError("--labelled: no question has a composition label", hint="give them by --labels")
    if csv is not None:
        if found is None:
            raise AssayError("--csv: no question has facts, so there is no row to write")
        write_text(csv, _csv(found))
    if labelled is not None:
        write_questions(questions, labelled, format="assay")
    if json:
        print_json(_record(found, composed, clustered))
        return
    print_notes(notes)
    if found is not None:
        _print(found)
    if composed is not None:
        _print_compositions(composed)


def _numbers(given: str) -> list[int]:
    parts = [part.strip() for part in given.split(",")]
    if not all(part.isascii() and part.isdecimal() and int(part) >= 1 for part in parts):
        raise AssayError(f"--fewer-than takes whole numbers from 1. Got {given!r}")
    return list(dict.fromkeys(map(int, parts)))


def _print(found: Overlap) -> None:
    from assay.cli.output import print_table
    from assay.cli.score_tables import ends, percent

    rows = [
        [f"fewer than {most}, percent"]
        + [
            f"{percent(row.fewer[most].mean)} ({ends(row.fewer[most].low, row.fewer[most].high)})"
            for row in found.rows
        ]
        for most in found.rows[0].fewer
    ]
    rows.append(["shared stems, mean", *(_mean(row.average) for row in found.rows)])
    rows.append(["questions", *(f"{row.n:,}" for row in found.rows)])
    clusters = found.rows[0].average.clusters
    own = found.settings
    foot = f"{len(found.questions):,} questions" + ("" if clusters is None else f" in {clusters:,} clusters")
    foot += f"; left out: {found.without_facts:,} without facts, {found.without_key:,} without a key; "
    foot += (
        f"stop words {own.stop_words}, stemmer {own.language}, apostrophes {own.apostrophes}; 95% intervals"
    )
    columns = {"": "left", **{row.fact: "right" for row in found.rows}}
    print_table("Stems that a fact shares with question and answer", columns, rows, foot=foot)


def _mean(average: Estimate) -> str:
    if average.low is None or average.high is None:
        return f"{average.mean:.2f}"
    return f"{average.mean:.2f} ({average.low:.2f} to {average.high:.2f})"


def _print_compositions(composed: Compositions) -> None:
    from assay.cli.output import print_lines, print_table
    from assay.cli.score_tables import ends, percent

    rows = [
        [
            f"{rule.rS} + {rule.rL} => {rule.rQ}",
            f"{rule.count:,}",
            percent(rule.share.mean),
            ends(rule.share.low, rule.share.high),
        ]
        for rule in composed.rules[:RULES_SHOWN]
    ]
    columns = {"rS + rL => rQ": "left", "questions": "right", "percent": "right", "95% interval": "right"}
    foot = f"{composed.labelled:,} of {composed.n:,} questions are labelled, "
    foot += f"{composed.with_rule:,} with all three relations"
    more = len(composed.rules) - RULES_SHOWN
    foot += f"; {more:,} rarer rules: --json lists them" if more > 0 else ""
    if rows:
        print_table("Compositions", columns, rows, foot=foot)
    else:
        print_lines([foot])
    kinds = [
        [
            relation,
            *(f"{of.get(relation, 0):,}" for of in composed.relations.values()),
            f"{composed.decompositions[relation]:,}" if relation in composed.decompositions else "",
        ]
        for relation in sorted({name for of in composed.relations.values() for name in of})
    ]
    names = {
        "relation": "left",
        **dict.fromkeys(composed.relations, "right"),
        "pairs that lead to it": "right",
    }
    print_table("Relations: the question's, its seed fact's, its other fact's", names, kinds)
    share = composed.names_both
    if share is not None:
        interval = ends(share.low, share.high)
        print_lines(
            [
                f"names both relations: {composed.named_both:,} of {share.n:,} questions, "
                f"{percent(share.mean)} percent ({interval})"
            ]
        )
    bridges = composed.bridges
    if bridges.n:
        print_lines([f"bridge in both facts: {bridges.in_both_facts:,} of {bridges.n:,} questions"])
    if bridges.asked_n:
        print_lines(
            [f"bridge in question or answer: {bridges.in_question:,} of {bridges.asked_n:,} questions"]
        )


def _record(found: Overlap | None, composed: Compositions | None, cluster: str | None) -> dict[str, Any]:
    from assay.scoring.record import as_record

    record: dict[str, Any] = {"overlap": None, "compositions": as_record(composed)}
    if found is not None:
        record["overlap"] = {
            "n": len(found.questions),
            "without_facts": found.without_facts,
            "without_key": found.without_key,
            "facts": as_record(found.rows),
            "settings": {**as_record(found.settings), "cluster": cluster},
        }
    return record


def _csv(found: Overlap) -> str:
    from assay.construction.overlap import FACTS
    from assay.questions.composition import COLUMNS, composition
    from assay.scoring.export import csv_table

    rows: list[list[Cell]] = []
    for one in found.questions:
        counts: list[Cell] = [len(one.shared[fact]) if fact in one.shared else None for fact in FACTS]
        words: list[Cell] = [" ".join(one.shared[fact]) if fact in one.shared else None for fact in FACTS]
        labels = composition(one.question)
        rows.append(
            [
                one.question.id,
                *counts,
                *words,
                *(getattr(labels, name) if labels else None for name in COLUMNS),
            ]
        )
    shared = [f"shared_{fact}" for fact in FACTS]
    return csv_table(["id", *shared, *(f"{name}_stems" for name in shared), *COLUMNS], rows)

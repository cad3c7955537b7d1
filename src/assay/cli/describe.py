"""`assay describe`: what a question set holds."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from assay.cli.question_options import Metadata, QuestionOptions
from assay.cli.spread import spread
from assay.cli.type_options import TypeOptions
from assay.errors import AssayError

if TYPE_CHECKING:
    from assay.cli.types import Types
    from assay.questions.description import CrossTable, Description, Spread


@spread
def describe(
    files: Annotated[
        list[str], typer.Argument(metavar="FILE", help='Question files; "-" is standard input.')
    ],
    group_by: Annotated[
        str, typer.Option("--by", metavar="COLUMN", help="Metadata column whose values are the columns.")
    ] = "set",
    split_by: Annotated[
        str, typer.Option(metavar="COLUMN", help="Metadata column of table 1's rows.")
    ] = "split",
    column: Annotated[
        list[str] | None,
        typer.Option(
            metavar="COLUMN", help="Metadata column to count; again for more (grade and exam if none)."
        ),
    ] = None,
    aliases: Annotated[
        str | None,
        typer.Option(
            metavar="FILE",
            help="File of exam spellings (spelling, tab, exam), or 'arc' for ours of the ARC exams.",
        ),
    ] = None,
    *,
    types: TypeOptions,
    how: QuestionOptions,
    metadata: Metadata = None,
    html: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Also write a page with pictures to this file.")
    ] = None,
    plot: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Draw the shares of types: an SVG file.")
    ] = None,
    sheet: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write a table for people to give questions types of --taxonomy."),
    ] = None,
    sample: Annotated[
        int | None,
        typer.Option(min=1, metavar="N", help="Of --sheet: so many of the questions, drawn at random."),
    ] = None,
    seed: Annotated[int, typer.Option(min=0, metavar="N", help="Of --sample.")] = 0,
    json_: Annotated[bool, typer.Option("--json", help="Strict JSON instead of tables.")] = False,
) -> None:
    """Say what a question set holds: counts, grades, lengths, exams, vocabulary, tags and answer keys.

    These are tables 1, 2, 3 and 7 of the ARC paper, for any set; with --taxonomy its tables 4 and 5 and
    figures 1 and 2: how often each type stands, with intervals, an example, and types together.
    """
    from assay.cli.output import print_json, print_notes, say
    from assay.cli.types import Types, print_types, types_record, write_plot, write_sheet
    from assay.cli.written import check_written
    from assay.questions import description as of
    from assay.questions import read_questions

    if sample is not None and sheet is None:
        raise AssayError("--sample is of --sheet, which isn't given")
    check_written({"--html": html, "--plot": plot, "--sheet": sheet}, [*files, *types.files])
    reading = read_questions(files, **how.settings(metadata))
    notes = list(reading.notes)
    if reading.warnings:
        notes.append(f"warnings: {len(reading.warnings):,}; assay check lists them")
    tagged = types.tag(reading.questions, new_kinds=sheet is not None)
    questions = tagged.questions
    notes += tagged.notes
    # The usual columns may be absent; one that was asked for by name may not.
    usual = ("set", "split")
    of.require_columns(
        questions, (name for name in (group_by, split_by, *(column or ())) if name not in usual)
    )
    described = of.describe(
        questions,
        group_by=group_by,
        split_by=split_by,
        columns=column or ("grade", "exam"),
        aliases=of.read_aliases(aliases) if aliases else None,
    )
    counted = Types.of(tagged, of.by_group(questions, group_by))
    written = [
        *([write_sheet(tagged, sheet, sample, seed)] if sheet is not None else []),
        *([write_plot(counted, plot)] if plot is not None else []),
    ]
    if json_:
        print_json({**of.to_record(described), **types_record(counted)})
    else:
        _tables(described, counted)
        print_types(counted)
    print_notes(notes)
    if html is not None:
        from assay.report.description_page import description_page
        from assay.storage import write_text

        title = files[0] if len(files) == 1 else f"{len(files)} question files"
        command = shlex.join(["assay", *sys.argv[1:]])
        page = description_page(
            described, f"What is in {title}", command, counted.tables, counted.annotations
        )
        write_text(html, page)
        written.append(f"wrote {html}")
    for line in written:
        say(line)


def _tables(described: Description, counted: Types) -> None:
    from assay.cli.output import print_table

    if described.splits.says_something:
        _cross(f"Questions by {described.split_by} and {described.group_by}", described.splits)
    for name, table in described.columns.items():
        _cross(f"By {name}", table)
    names = list(described.lengths)
    rows = [
        [heading, *(_spread(getattr(described.lengths[name], field)) for name in names)]
        for heading, field in (
            ("question words", "question_words"),
            ("sentences a question", "sentences"),
            ("choice words", "choice_words"),
            ("choices", "choices"),
        )
    ]
    rows.append(["distinct word stems", *(f"{described.stems[name]:,}" for name in names)])
    print_table("Lengths: mean [least-most]", {"": "left", **dict.fromkeys(names, "right")}, rows)
    shown = [table.kind for table in counted.tables]
    for kind, table in described.tags.items():
        if kind in shown:
            continue
        _cross(f"Tags of kind {kind} (a question counts in each of its tags)", table)
    _keys(described)


def _cross(title: str, table: CrossTable) -> None:
    from assay.cli.output import print_table

    totals = table.totals
    rows = [
        [
            value,
            *(_share(count, total) for count, total in zip(counts, totals, strict=True)),
            f"{sum(counts):,}",
        ]
        for value, counts in table.rows.items()
    ]
    if not table.several:
        rows.append(["all", *(f"{total:,}" for total in totals), f"{sum(totals):,}"])
    columns = {table.name: "left", **dict.fromkeys(table.groups, "right"), "all": "right"}
    if len(table.groups) == 1:
        columns = {table.name: "left", "questions": "right"}
        rows = [row[:2] for row in rows]
    print_table(title, columns, rows)


def _keys(described: Description) -> None:
    from assay.cli.output import print_table

    keys, total = described.keys, sum(described.keys.by_place.values())
    rows = [
        [place, _share(count, total), f"{keys.expected_by_place[place]:,.1f}"]
        for place, count in keys.by_place.items()
    ]
    foot = "by label: " + ", ".join(f"{label} {count:,}" for label, count in keys.by_label.items())
    if keys.hidden:
        foot = f"{foot}; {keys.hidden:,} without a key" if total else "no question has a key: a hidden set"
    print_table(
        "Keys by place", {"place": "left", "questions": "right", "expected": "right"}, rows, foot=foot
    )


def _share(count: int, total: int) -> str:
    return f"{count:,} ({100 * count / total:.1f}%)" if total else f"{count:,}"


def _spread(spread: Spread) -> str:
    return "-" if spread.mean is None else f"{spread.mean:.1f} [{spread.minimum}-{spread.maximum}]"

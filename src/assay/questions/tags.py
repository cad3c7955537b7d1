"""Tags from a table beside the questions: one column of 0 and 1 a tag, or a column of tags joined by ";"."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from assay.errors import AssayError, Fault, FaultyInput
from assay.questions.model import Question, QuestionSet
from assay.text_files import read_text

SEPARATOR = ";"
KIND = "type"
"""What tags of 0 and 1 columns are called when nobody names them."""
QUESTION = "question"
"""The column of a sheet that holds the question itself."""
ANNOTATOR = "annotator"
"""The column that says who gave a row's tags; with it an id may stand once for each."""
_FORMULA = re.compile(r"'*[=+\-@]")
Row = tuple[int, list[str]]
"""A row's line and its cells."""


@dataclass(frozen=True, slots=True)
class TagFile:
    """Tags by question id, then by kind, as one annotator gave them. `kinds` in the file's order; `notes` say
    how it was read. `annotator`: the name in its column; "" where there is none. `columns`: of a kind given
    by columns of 0 and 1, all its tags, those of no question among them. `lines`: a question's line.
    `left_out`: beside columns of 0 and 1, the others, each with line, id and cell of the first that is
    neither; None where all its cells are empty. `first`: the heading's first cell.
    """

    file: str
    kinds: tuple[str, ...]
    by_id: Mapping[str, Mapping[str, tuple[str, ...]]]
    notes: tuple[str, ...]
    annotator: str = ""
    columns: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    lines: Mapping[str, int] = field(default_factory=dict)
    left_out: Mapping[str, tuple[int, str, str] | None] = field(default_factory=dict)
    first: str = ""

    @property
    def source(self) -> str:
        """The annotator where one is named, else the file."""
        return self.annotator or self.file


def read_tags(path: str | Path, kind: str | None = None) -> tuple[TagFile, ...]:
    """Read a tab-separated table whose first column is the question's id, with a heading: one TagFile, or
    one an annotator where a column is called ANNOTATOR.

    Columns that hold 0 and 1 are tags named by their heading, together of one kind: `kind`, by default
    "type"; other columns (comments) are then left out, and named in the notes. There an empty cell is 0, and
    a row whose cells are all empty is of a question not yet tagged. Without such columns every further
    column is a kind of its own, of tags separated by ";" (`kind` picks one by its name, or renames the only
    one). Quotes are plain text. Raises FaultyInput naming file and line for a row with too many or too few
    cells, a repeated or empty id, a column that is 0 and 1 in all but a few rows; AssayError for a file that
    can't be read or holds a heading alone.
    """
    heading, rows = table_rows(path, annotated=True)
    if not rows:
        raise AssayError(
            "a heading and no row", file=path, hint="a first line names the columns, rows follow"
        )
    who = _annotator(heading)
    places = [place for place in range(1, len(heading)) if place != who]
    flags = [place for place in places if _is_flag(path, heading, rows, place)]
    parts: dict[str, list[Row]] = {}
    for row in rows:
        parts.setdefault("" if who is None else row[1][who].strip(), []).append(row)
    if not flags and heading[1:2] == [QUESTION] and len(places) > 1:
        _check_unfilled(path, heading, rows, places[1:])
        what = "no cell of this sheet holds 0 or 1: nobody has filled it in"
        raise AssayError(what, file=path, hint="write 1 where a question is of a type, 0 where not")
    if flags:
        return tuple(
            _flagged(str(path), name, heading, part, flags, kind or KIND, places)
            for name, part in parts.items()
        )
    return tuple(_listed(str(path), name, heading, part, kind, places) for name, part in parts.items())


def table_rows(path: str | Path, *, annotated: bool = False) -> tuple[list[str], list[Row]]:
    """Heading and rows, with their line numbers, of a tab-separated table of questions, the id first.

    Raises FaultyInput with every fault of shape: too many or too few cells, a repeated or empty id (with
    `annotated` an id may stand once an annotator), a column that stands twice; AssayError for a file that
    can't be read, whose names all stand in quotes, or (`annotated`) that begins with the annotator.
    """
    lines = [line.removesuffix("\r") for line in read_text(path).split("\n")]
    numbered = [(number, line.split("\t")) for number, line in enumerate(lines, 1) if line.strip()]
    numbered = [(number, [unguarded(first), *others]) for number, (first, *others) in numbered]
    if not numbered:
        raise AssayError("no heading: the file is empty", file=path)
    (first, titles), rows = numbered[0], numbered[1:]
    heading = [*map(unguarded, titles)]
    if len(heading) < 2:
        what = "one column: a table of tags needs an id and at least one more, separated by tabs"
        raise AssayError(what, file=path, line=first)
    if all(len(title) > 1 and title[0] == title[-1] == '"' for title in heading):
        what = "every column's name stands in quotation marks, which are text here"
        raise AssayError(what, file=path, line=first, hint="save the table with tabs and without quotes")
    if annotated and heading[0].strip().casefold() == ANNOTATOR:
        raise AssayError(
            f"the first column is {ANNOTATOR}: that of the ids is due there", file=path, line=first
        )
    name = str(path)
    faults = [
        Fault(f"column {title} stands twice", name, first)
        for title in sorted({title for title in heading if heading.count(title) > 1})
    ]
    who = _annotator(heading) if annotated else None
    seen: dict[tuple[str, str], int] = {}
    for number, cells in rows:
        wide = len(cells) == len(heading)
        if not wide:
            faults.append(Fault(f"{len(cells)} cells for {len(heading)} columns", name, number, cells[0]))
        if not cells[0].strip():
            faults.append(Fault("no id", name, number))
            continue
        by = cells[who].strip() if who is not None and wide else ""
        if who is not None and wide and not by:
            faults.append(Fault("no annotator", name, number, cells[0]))
        earlier = seen.setdefault((cells[0], by), number)
        if earlier != number:
            again = f" by {by}" if by else ""
            what = f"id appears a second time{again} (first on line {earlier})"
            faults.append(Fault(what, name, number, cells[0]))
    if faults:
        raise FaultyInput(faults)
    return heading, rows


def guarded(cell: str) -> str:
    """The cell, led by an apostrophe where a spreadsheet would run it as a formula."""
    return "'" + cell if _FORMULA.match(cell) else cell


def unguarded(cell: str) -> str:
    """What `guarded` made safe, as it was."""
    return cell[1:] if cell.startswith("'") and _FORMULA.match(cell) else cell


def _annotator(heading: Sequence[str]) -> int | None:
    return next((n for n, title in enumerate(heading) if n and title.strip().casefold() == ANNOTATOR), None)


def _is_flag(path: str | Path, heading: list[str], rows: list[Row], place: int) -> bool:
    """Whether a column holds 0 and 1; a few strays among many are faults, not another kind of column."""
    filled = [(line, cells) for line, cells in rows if cells[place].strip()]
    strays = [(line, cells) for line, cells in filled if cells[place].strip() not in ("0", "1")]
    if 2 * len(strays) >= len(filled):
        return False
    if strays:
        raise FaultyInput(
            [
                Fault(f"{cells[place]!r} in column {heading[place]} isn't 0 or 1", str(path), line, cells[0])
                for line, cells in strays
            ]
        )
    return True


def _check_unfilled(path: str | Path, heading: list[str], rows: list[Row], places: list[int]) -> None:
    """Raises AssayError for the first cell of an unfilled sheet's types that isn't empty."""
    for line, cells in rows:
        for place in places:
            if cells[place].strip():
                what = f"{cells[place]!r} in column {heading[place]} isn't 0 or 1, nor is any other cell"
                raise AssayError(what, file=path, line=line, question_id=cells[0])


def _flagged(
    file: str, annotator: str, heading: list[str], rows: list[Row], flags: list[int], kind: str,
    places: list[int],
) -> TagFile:  # fmt: skip
    notes = [f"{_source(file, annotator)}: {len(flags)} tags of kind {kind}"]
    by_id, lines, empty, blanks = {}, {}, 0, 0
    for line, cells in rows:
        given = [cells[place].strip() for place in flags]
        if not any(given):
            empty += 1
            continue
        blanks += given.count("")
        by_id[cells[0]] = {
            kind: tuple(heading[place] for place, cell in zip(flags, given, strict=True) if cell == "1")
        }
        lines[cells[0]] = line
    ignored = [heading[place] for place in places if place not in flags and heading[place] != QUESTION]
    if ignored:
        notes.append(f"{file}: not 0 and 1, left out: {', '.join(ignored)}")
    if empty:
        notes.append(f"{_source(file, annotator)}: {empty:,} rows are empty: questions not yet tagged")
    if blanks:
        notes.append(f"{_source(file, annotator)}: {blanks:,} empty cells in rows with tags, read as 0")
    columns = {kind: tuple(heading[place] for place in flags)}
    strays = {heading[place]: _stray(rows, place) for place in places if place not in flags}
    return TagFile(file, (kind,), by_id, tuple(notes), annotator, columns, lines, strays, heading[0])


def _stray(rows: list[Row], place: int) -> tuple[int, str, str] | None:
    found = ((line, cells[0], cells[place]) for line, cells in rows)
    return next((one for one in found if one[2].strip() not in ("", "0", "1")), None)


def _listed(
    file: str, annotator: str, heading: list[str], rows: list[Row], kind: str | None, places: list[int]
) -> TagFile:
    kinds = {place: heading[place] for place in places}
    notes = []
    if kind is not None and kind in kinds.values():
        kinds = {place: name for place, name in kinds.items() if name == kind}
        if len(places) > 1:
            others = ", ".join(heading[place] for place in places if place not in kinds)
            notes.append(f"{file}: only {kind} is read, left out: {others}")
    elif kind is not None:
        if len(kinds) > 1:
            named = ", ".join(kinds.values())
            what = f"{len(kinds)} kinds of tags ({named}): one name can't stand for all"
            raise AssayError(what, file=file, line=1, hint="name one of them to read that one alone")
        kinds = dict.fromkeys(kinds, kind)
    by_id = {cells[0]: {name: _split(cells[place]) for place, name in kinds.items()} for _, cells in rows}
    notes.insert(0, f"{_source(file, annotator)}: tags of kind {', '.join(kinds.values())}")
    lines = {cells[0]: line for line, cells in rows}
    every = tuple(kinds.values())
    return TagFile(file, every, by_id, tuple(notes), annotator, {}, lines, first=heading[0])


def _source(file: str, annotator: str) -> str:
    return f"{file}, {annotator}" if annotator else file


def _split(cell: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(tag for part in cell.split(SEPARATOR) if (tag := part.strip())))


def with_tags(questions: Iterable[Question], *files: TagFile) -> tuple[QuestionSet, tuple[str, ...]]:
    """The questions with the files' tags added to their own, and notes on what didn't meet.

    Where several files tag a question by one kind, a tag holds that at least half of those gave it that know
    it: with two files either's, with three what two say. Rows for other questions are no fault: a tag file
    may cover more than one set. Raises AssayError for a file none of whose rows is about these questions,
    or whose heading is.
    """
    tagged = [_tagged(question, files) for question in questions]
    notes = [note for one in files for note in one.notes]
    known = [question.id for question in tagged]
    for file in dict.fromkeys(one.file for one in files):
        rows = {name for one in files if one.file == file for name in one.by_id}
        met = sum(name in rows for name in known)
        if any(one.first in known for one in files if one.file == file):
            what = "no heading: the first line is about a question"
            raise AssayError(what, file=file, line=1, hint="a first line names the columns: id, and the tags")
        if known and not met:
            raise AssayError("no row is about any of these questions", file=file)
        if met < len(known):
            notes.append(f"{file}: {len(known) - met:,} of {len(known):,} questions have no row")
        if len(rows) > met:
            notes.append(f"{file}: {len(rows) - met:,} rows are about other questions")
    for kind in dict.fromkeys(kind for one in files for kind in one.kinds):
        shared = sum(len(_given(name, kind, files)) > 1 for name in known)
        if shared:
            what = f"{shared:,} questions were tagged by several; a tag holds that at least half of them gave"
            notes.append(f"kind {kind}: {what}")
    return QuestionSet(tagged), tuple(notes)


def without_tags(questions: Iterable[Question]) -> QuestionSet:
    """The questions as systems are asked them: tags are what people said of a question, no part of it."""
    return QuestionSet(replace(question, tags={}) if question.tags else question for question in questions)


def _given(question_id: str, kind: str, files: Iterable[TagFile]) -> list[TagFile]:
    return [one for one in files if kind in one.by_id.get(question_id, {})]


def _tagged(question: Question, files: Sequence[TagFile]) -> Question:
    merged = dict(question.tags)
    for kind in dict.fromkeys(kind for one in files for kind in one.by_id.get(question.id, {})):
        given = _given(question.id, kind, files)
        votes = Counter(tag for one in given for tag in one.by_id[question.id][kind])
        held = [
            tag
            for tag, count in votes.items()
            if 2 * count >= sum(kind not in one.columns or tag in one.columns[kind] for one in given)
        ]
        merged[kind] = tuple(dict.fromkeys([*merged.get(kind, ()), *held]))
    return question if merged == question.tags else replace(question, tags=merged)

"""Tags from a table beside the questions: one column of 0 and 1 a tag, or a column of tags joined by ";"."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from assay.errors import AssayError, Fault, FaultyInput
from assay.questions.model import Question, QuestionSet
from assay.text_files import read_text

SEPARATOR = ";"
KIND = "type"
"""What tags of 0 and 1 columns are called when nobody names them."""


@dataclass(frozen=True, slots=True)
class TagFile:
    """Tags by question id, then by kind. `kinds` in the file's order; `notes` say how it was read."""

    file: str
    kinds: tuple[str, ...]
    by_id: Mapping[str, Mapping[str, tuple[str, ...]]]
    notes: tuple[str, ...]


def read_tags(path: str | Path, kind: str | None = None) -> TagFile:
    """Read a tab-separated table whose first column is the question's id, with a heading.

    Columns that hold 0 and 1 are tags named by their heading, together of one kind: `kind`, by default
    "type"; other columns (comments) are then left out, and named in the notes. Without such columns every
    further column is a kind of its own, of tags separated by ";" (`kind` renames the only one). Quotes are
    plain text. Raises FaultyInput naming file and line for a row with too many or too few cells, a repeated
    or empty id, a column that is 0 and 1 in all but a few rows; AssayError for a file that can't be read.
    """
    heading, rows = table_rows(path)
    flags = [place for place in range(1, len(heading)) if _is_flag(path, heading, rows, place)]
    if flags:
        return _flagged(str(path), heading, rows, flags, kind or KIND)
    return _listed(str(path), heading, rows, kind)


def table_rows(path: str | Path) -> tuple[list[str], list[tuple[int, list[str]]]]:
    """Heading and rows, with their line numbers, of a tab-separated table of questions, the id first.

    Raises FaultyInput with every fault of shape: too many or too few cells, a repeated or empty id, a column
    that stands twice; AssayError for a file that can't be read.
    """
    lines = [line.removesuffix("\r") for line in read_text(path).split("\n")]
    numbered = [(number, line.split("\t")) for number, line in enumerate(lines, 1) if line.strip()]
    if not numbered:
        raise AssayError("no heading: the file is empty", file=path)
    (first, heading), rows = numbered[0], numbered[1:]
    if len(heading) < 2:
        what = "one column: a table of tags needs an id and at least one more, separated by tabs"
        raise AssayError(what, file=path, line=first)
    name, faults, seen = str(path), [], dict[str, int]()
    for title in sorted({title for title in heading if heading.count(title) > 1}):
        faults.append(Fault(f"column {title} stands twice", name, first))
    for number, cells in rows:
        if len(cells) != len(heading):
            faults.append(Fault(f"{len(cells)} cells for {len(heading)} columns", name, number, cells[0]))
        if not cells[0].strip():
            faults.append(Fault("no id", name, number))
        elif cells[0] in seen:
            what = f"id appears a second time (first on line {seen[cells[0]]})"
            faults.append(Fault(what, name, number, cells[0]))
        else:
            seen[cells[0]] = number
    if faults:
        raise FaultyInput(faults)
    return heading, rows


def _is_flag(path: str | Path, heading: list[str], rows: list[tuple[int, list[str]]], place: int) -> bool:
    """Whether a column holds 0 and 1; a few strays among many are faults, not another kind of column."""
    strays = [(line, cells) for line, cells in rows if cells[place].strip() not in ("0", "1")]
    if not rows or 2 * len(strays) >= len(rows):
        return False
    if strays:
        raise FaultyInput(
            [
                Fault(f"{cells[place]!r} in column {heading[place]} isn't 0 or 1", str(path), line, cells[0])
                for line, cells in strays
            ]
        )
    return True


def _flagged(
    file: str, heading: list[str], rows: list[tuple[int, list[str]]], flags: list[int], kind: str
) -> TagFile:
    by_id = {
        cells[0]: {kind: tuple(heading[place] for place in flags if cells[place].strip() == "1")}
        for _, cells in rows
    }
    notes = [f"{file}: {len(flags)} tags of kind {kind}"]
    ignored = [heading[place] for place in range(1, len(heading)) if place not in flags]
    if ignored:
        notes.append(f"{file}: not 0 and 1, left out: {', '.join(ignored)}")
    return TagFile(file, (kind,), by_id, tuple(notes))


def _listed(file: str, heading: list[str], rows: list[tuple[int, list[str]]], kind: str | None) -> TagFile:
    kinds = heading[1:]
    if kind is not None:
        if len(kinds) > 1:
            what = f"{len(kinds)} kinds of tags ({', '.join(kinds)}): one name can't stand for all"
            raise AssayError(what, file=file, line=1)
        kinds = [kind]
    by_id = {cells[0]: dict(zip(kinds, map(_split, cells[1:]), strict=True)) for _, cells in rows}
    return TagFile(file, tuple(kinds), by_id, (f"{file}: tags of kind {', '.join(kinds)}",))


def _split(cell: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(tag for part in cell.split(SEPARATOR) if (tag := part.strip())))


def with_tags(questions: Iterable[Question], tags: TagFile) -> tuple[QuestionSet, tuple[str, ...]]:
    """The questions with a file's tags added to their own, and notes on what didn't meet.

    Rows for other questions are no fault: a tag file may cover more than one set.
    """
    tagged, untagged = [], 0
    for question in questions:
        found = tags.by_id.get(question.id)
        untagged += found is None
        if found is not None:
            merged = dict(question.tags)
            for kind, labels in found.items():
                merged[kind] = tuple(dict.fromkeys([*merged.get(kind, ()), *labels]))
            question = replace(question, tags=merged)
        tagged.append(question)
    notes = list(tags.notes)
    met = len(tagged) - untagged
    if tagged and not met:
        raise AssayError("no row is about any of these questions", file=tags.file)
    if untagged:
        notes.append(f"{tags.file}: {untagged:,} of {len(tagged):,} questions have no row")
    if len(tags.by_id) > met:
        notes.append(f"{tags.file}: {len(tags.by_id) - met:,} rows are about other questions")
    return QuestionSet(tagged), tuple(notes)

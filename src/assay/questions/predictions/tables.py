"""Predictions in rows: `id,A;B` without a header, and tables with the columns id and answer."""

from __future__ import annotations

from collections.abc import Sequence

from assay.questions.predictions.prediction import Found, Labels, WrittenReply, split_labels
from assay.questions.records import csv_rows
from assay.questions.sources import Source

ID_COLUMNS = ("id", "question_id", "questionid")
LABEL_COLUMNS = ("pred", "prediction", "predicted_answers", "answer", "answers", "label")
TEXT_COLUMNS = ("output",)


def delimiter_of(line: str) -> str:
    """The tab where the line has one outside commas' reach, else the comma."""
    return "\t" if "\t" in line and line.index("\t") < (line.find(",") if "," in line else len(line)) else ","


def is_header(cells: Sequence[str]) -> bool:
    """Whether a first row names columns: an id column, or at least three cells with a name we know."""
    names = [cell.strip().lower() for cell in cells]
    known = {*ID_COLUMNS, *LABEL_COLUMNS, *TEXT_COLUMNS, "question"}
    return (len(names) > 1 and any(name in ID_COLUMNS for name in names)) or (
        len(names) > 2 and sum(name in known for name in names) > 1
    )


def read_leaderboard(source: Source, found: Found, first: str) -> None:
    """`id,A;B` a row, no header; comma or tab."""
    for line, cells in csv_rows(source, found.report, delimiter_of(first)):
        name = cells[0]
        if not name.strip():
            found.fault("empty id", line)
        elif len(cells) == 1:
            found.fault("no labels", line, name)
        elif len(cells) > 2:
            found.fault(f"{len(cells)} cells: a row is an id and its labels, joined by ';'", line, name)
        else:
            found.add(Labels(name, line, split_labels(cells[1])))


def read_table(source: Source, found: Found, first: str) -> None:
    """A header with an id column and one of labels (or of free text: output), then rows; comma or tab."""
    rows = csv_rows(source, found.report, delimiter_of(first))
    at, header = next(rows, (1, []))
    names = [cell.strip().lower() for cell in header]
    columns = f"columns: {', '.join(header)}"
    id_at = next((names.index(name) for name in ID_COLUMNS if name in names), None)
    answers = [name for name in (LABEL_COLUMNS[:3] + TEXT_COLUMNS + LABEL_COLUMNS[3:]) if name in names]
    if id_at is None:
        found.fault(f"no column 'id' ({columns})", at)
    if not answers:
        found.fault(f"no column 'answer' ({columns})", at)
    if id_at is None or not answers:
        return
    if len(names) != len(set(names)):
        found.fault(f"a column name stands twice ({columns})", at)
        return
    if answers[1:]:
        found.notes.append(
            f"the labels are those of column '{answers[0]}'; {', '.join(answers[1:])} not read"
        )
    answer_at = names.index(answers[0])
    for line, cells in rows:
        name = cells[id_at] if len(cells) > id_at else ""
        if not name.strip():
            found.fault("empty id", line)
        elif len(cells) > len(names):
            found.fault(f"{len(cells)} cells where the header has {len(names)}", line, name)
        elif len(cells) <= answer_at:
            found.fault("no labels", line, name)
        elif answers[0] in TEXT_COLUMNS:
            found.add(WrittenReply(name, line, cells[answer_at]))
        else:
            found.add(Labels(name, line, split_labels(cells[answer_at])))

"""ARC's csv as published: the choices stand inside the question's text, "stem (A) text (B) text"."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import chain
from typing import IO, Any

from assay.errors import AssayError
from assay.questions.formats.fields import (
    answer_key,
    formatted,
    letter,
    lost_of,
    record_id,
    text_of,
    turned_to_text,
)
from assay.questions.formats.format import Format, Head, Log, Record, each_record
from assay.questions.formats.writers import write_csv_rows
from assay.questions.model import Choice, Origin, Question

_ID, _KEY, _TEXT = "questionID", "AnswerKey", "question"
_METADATA = {
    "originalQuestionID": "original_id",
    "totalPossiblePoint": "points",
    "isMultipleChoiceQuestion": "multiple_choice",
    "includesDiagram": "diagram",
    "examName": "exam",
    "schoolGrade": "grade",
    "year": "year",
    "subject": "subject",
    "category": "split",
}
"""Published columns and what they are called here; "diagram" is true or false."""
_HEADER = (
    *("questionID", "originalQuestionID", "totalPossiblePoint", "AnswerKey", "isMultipleChoiceQuestion"),
    *("includesDiagram", "examName", "schoolGrade", "year", "question", "subject", "category"),
)
_MARK = re.compile(r"\(([A-Z]|\d{1,2})\)(?=\s|$)")


def split_choices(text: str) -> tuple[str, tuple[Choice, ...]]:
    """Stem and choices of a text such as "stem (A) text (B) text" or "stem (1) text (2) text".

    The choices begin at that "(A)" or "(1)" from which the labels run on furthest in their order; of several,
    the last. No space is needed before a label. Without any run the whole text is the stem.
    """
    marks = list(_MARK.finditer(text))
    best: list[re.Match[str]] = []
    for place, mark in enumerate(marks):
        if mark[1] in ("A", "1"):
            run = _run(marks[place:])
            best = run if len(run) >= len(best) else best
    if not best:
        return text.strip(), ()
    ends = [*(mark.start() for mark in best[1:]), len(text)]
    choices = (Choice(mark[1], text[mark.end() : end].strip()) for mark, end in zip(best, ends, strict=True))
    return text[: best[0].start()].strip(), tuple(choices)


def _run(marks: list[re.Match[str]]) -> list[re.Match[str]]:
    run: list[re.Match[str]] = []
    digits = marks[0][1] == "1"
    for mark in marks:
        if mark[1] == (str(len(run) + 1) if digits else letter(len(run))):
            run.append(mark)
    return run


def joined_choices(question: Question) -> str:
    """The text that `split_choices` takes apart again. AssayError when it couldn't."""
    text = formatted(question)
    stem, choices = split_choices(text)
    whole = tuple(Choice(choice.label, choice.text.strip()) for choice in question.choices)
    if stem != question.stem.strip() or choices != whole:
        raise AssayError(
            "choices can't be told from the stem in one text: their labels are not A, B, ... or 1, 2, ..., "
            "or such a label stands in a text",
            question_id=question.id,
        )
    return text


def _question(record: Record, line: int, log: Log) -> Question:
    question_id = record_id(record.get(_ID), line, log)
    stem, choices = split_choices(text_of(record.get(_TEXT), _TEXT, line, question_id, log))
    metadata = {
        _METADATA.get(name, name): value
        for name, value in record.items()
        if name not in (_ID, _KEY, _TEXT) and value != ""
    }
    if metadata.get("diagram") in ("0", "1"):
        metadata["diagram"] = metadata["diagram"] == "1"
    return Question(
        id=question_id,
        stem=stem,
        choices=choices,
        answer=answer_key(record.get(_KEY), line, question_id, log),
        metadata=metadata,
        origin=Origin(log.file or "", line),
    )


def _cell(question: Question, column: str) -> str:
    if column == _ID:
        return question.id
    if column == _KEY:
        return question.answer or ""
    if column == _TEXT:
        return joined_choices(question)
    value: Any = question.metadata.get(_METADATA[column], "")
    return str(int(value)) if isinstance(value, bool) else str(value)


def _write(questions: Iterable[Question], file: IO[bytes]) -> None:
    rows = ([_cell(question, column) for column in _HEADER] for question in questions)
    write_csv_rows(chain([_HEADER], rows), file)


def _recognises(head: Head) -> bool:
    return {_ID, _KEY, _TEXT} <= set(head.columns)


def _lost(question: Question) -> list[str]:
    columns = tuple(_METADATA.values())
    lost = lost_of(question, metadata=columns)
    lost += turned_to_text(question, [column for column in columns if column != "diagram"])
    texts = (question.stem, *(choice.text for choice in question.choices))
    return lost + (["white space around a text"] if any(text != text.strip() for text in texts) else [])


_read = each_record(_question)
ARC_CSV = Format("arc-csv", "ARC, csv with choices in the text", "csv", _recognises, _read, _write, _lost)

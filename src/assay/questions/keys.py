"""Answer keys published apart from their questions: {"id", "answerKey"} a line, or rows of id and label."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from assay.errors import AssayError, Fault, FaultyInput
from assay.questions.formats.containers import read_head, records_of
from assay.questions.formats.fields import answer_key, record_id
from assay.questions.formats.format import Log, Record
from assay.questions.model import Question
from assay.questions.records import csv_rows
from assay.questions.sources import Source, open_source

_IDS = ("id", "questionID", "question_id")
_KEYS = ("answerKey", "AnswerKey", "answer", "key")


@dataclass(frozen=True, slots=True)
class KeyFile:
    """Keys by question id, each with the line it stands on."""

    file: str
    keys: Mapping[str, tuple[str, int]]


def read_keys(path: str | Path) -> KeyFile:
    """Keys as the leaderboards publish them: JSON lines with id and answerKey, or rows `id,label`.

    A header is allowed. Raises FaultyInput listing every repeated or empty id and empty key, AssayError when
    the file can't be opened.
    """
    keys: dict[str, tuple[str, int]] = {}
    with open_source(path) as source:
        log = Log(source.name)
        for line, question_id, key in filter(None, _pairs(source, log)):
            if not question_id or not key:
                log.fault("no answer key" if question_id else "no id", line, question_id)
            elif question_id in keys:
                log.fault(
                    f"id appears a second time (first on line {keys[question_id][1]})", line, question_id
                )
            else:
                keys[question_id] = (key, line)
        if log.faults:
            raise FaultyInput(log.faults)
        if not keys:
            raise AssayError("holds no answer key", file=source.name)
        return KeyFile(source.name, keys)


def _pairs(source: Source, log: Log) -> list[tuple[int, str, str] | None]:
    """Line, id and key of each row; None for one whose fault was reported."""
    head = read_head(source)
    if head.kind in ("csv", "tsv") and not _named(dict.fromkeys(head.columns)):
        rows = csv_rows(source, log.report, "\t" if head.kind == "tsv" else ",")
        return [_cells(line, cells, log) for line, cells in rows]
    found: list[tuple[int, str, str] | None] = []
    for line, record in records_of(source, head.kind, log)():
        names = _named(record)
        if names is None:
            log.fault("no id or no answerKey", line)
            continue
        question_id = record_id(record[names[0]], line, log)
        found.append((line, question_id, answer_key(record[names[1]], line, question_id, log) or ""))
    return found


def _cells(line: int, cells: list[str], log: Log) -> tuple[int, str, str] | None:
    if len(cells) != 2:
        log.fault(f"{len(cells)} cells, not an id and a label", line)
        return None
    return line, cells[0], cells[1].strip()


def _named(record: Record) -> tuple[str, str] | None:
    question_id = next((name for name in _IDS if name in record), None)
    key = next((name for name in _KEYS if name in record), None)
    return None if question_id is None or key is None else (question_id, key)


def with_keys(questions: Iterable[Question], keys: KeyFile) -> list[Question]:
    """The questions with their keys filled in.

    Raises FaultyInput for a key without its question or that is none of its labels, a question without a key,
    and a key that contradicts the question's own.
    """
    listed = list(questions)
    known = {question.id for question in listed}
    faults = [
        Fault("no such question", keys.file, line, question_id)
        for question_id, (_, line) in keys.keys.items()
        if question_id not in known
    ]
    keyed = []
    for question in listed:
        key, line = keys.keys.get(question.id, (None, None))
        if key is None:
            faults.append(Fault("no answer key for this question", keys.file, None, question.id))
        elif key not in question.labels:
            labels = ", ".join(question.labels)
            faults.append(Fault(f"answer key {key} is not one of {labels}", keys.file, line, question.id))
        elif question.answer not in (None, key):
            what = f"answer key {key} contradicts the question's own, {question.answer}"
            faults.append(Fault(what, keys.file, line, question.id))
        keyed.append(replace(question, answer=key))
    if faults:
        raise FaultyInput(faults)
    return keyed

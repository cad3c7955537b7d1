"""QASC as published: ARC's shape with fact1, fact2, combinedfact and the formatted question beside it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import IO, Any

from assay.questions.formats.arc_jsonl import is_nested, nested_record, read_nested
from assay.questions.formats.fields import FORMATTED, facts_record, formatted, lost_of
from assay.questions.formats.format import Format, Head
from assay.questions.formats.writers import write_json_lines
from assay.questions.model import Question


def _recognises(head: Head) -> bool:
    own = {"fact2", "combinedfact", FORMATTED}
    return any(is_nested(record) and not own.isdisjoint(record) for record in head.records)


def _record(question: Question) -> dict[str, Any]:
    record = nested_record(question)
    return {**record, **facts_record(question.facts), FORMATTED: formatted(question)}


def _write(questions: Iterable[Question], file: IO[bytes]) -> None:
    write_json_lines(map(_record, questions), file)


def _lost(question: Question) -> list[str]:
    return lost_of(question, facts=True)


QASC = Format("qasc", "QASC, JSON lines with facts", "jsonl", _recognises, read_nested, _write, _lost)

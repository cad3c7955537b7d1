"""ARC as published, one JSON object a line: {"id", "question": {"stem", "choices": [...]}, "answerKey"}."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import IO, Any

from assay.questions.formats.fields import (
    FACTS,
    answer_key,
    choices_of,
    facts_of,
    lost_of,
    record_id,
    text_of,
    without_formatted,
)
from assay.questions.formats.format import Format, Head, Log, Record, each_record
from assay.questions.formats.writers import write_json_lines
from assay.questions.model import Origin, Question

_KNOWN = {"id", "question", "answerKey", *FACTS}


def is_nested(record: Record) -> bool:
    """Whether a record has ARC's shape: a question object with the stem and choices inside."""
    return isinstance(record.get("question"), Mapping)


def nested_question(record: Record, line: int, log: Log) -> Question | None:
    """A question of ARC's shape. QASC and OpenBookQA share it; facts are read wherever they stand."""
    question_id = record_id(record.get("id"), line, log)
    inner = record.get("question")
    if not isinstance(inner, Mapping):
        log.fault("no question object with stem and choices", line, question_id)
        return None
    choices = choices_of(inner.get("choices"), line, question_id, log)
    if choices is None:
        return None
    question = Question(
        id=question_id,
        stem=text_of(inner.get("stem"), "stem", line, question_id, log),
        choices=choices,
        answer=answer_key(record.get("answerKey"), line, question_id, log),
        facts=facts_of(record, line, question_id, log),
        origin=Origin(log.file or "", line),
    )
    metadata = {key: value for key, value in inner.items() if key not in ("stem", "choices")}
    metadata |= {key: value for key, value in record.items() if key not in _KNOWN}
    return replace(question, metadata=without_formatted(question, metadata))


def nested_record(question: Question, **beside: Any) -> dict[str, Any]:
    """The record of ARC's shape, other fields before the key; a hidden key is left out."""
    record: dict[str, Any] = {
        "id": question.id,
        "question": {
            "stem": question.stem,
            "choices": [{"text": choice.text, "label": choice.label} for choice in question.choices],
        },
        **beside,
    }
    if question.answer is not None:
        record["answerKey"] = question.answer
    return record


read_nested = each_record(nested_question)


def _recognises(head: Head) -> bool:
    return any(is_nested(record) for record in head.records)


def _write(questions: Iterable[Question], file: IO[bytes]) -> None:
    write_json_lines(map(nested_record, questions), file)


ARC_JSONL = Format("arc-jsonl", "ARC, JSON lines", "jsonl", _recognises, read_nested, _write, lost_of)

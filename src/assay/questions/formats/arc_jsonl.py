"""ARC as published, one JSON object a line: {"id", "question": {"stem", "choices": [...]}, "answerKey"}."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import IO, Any

from assay.questions.formats.fields import answer_key, listed_choices, record_id, text_of
from assay.questions.formats.format import Format, Head, Log, Settings
from assay.questions.model import Facts, Origin, Question
from assay.questions.records import json_lines
from assay.questions.sources import Source
from assay.storage import to_json

_KNOWN = {"id", "question", "answerKey", "fact1", "fact2", "combinedfact"}


def is_nested(record: Mapping[str, Any]) -> bool:
    """Whether a record has ARC's shape: a question object with the stem and choices inside."""
    return isinstance(record.get("question"), Mapping)


def nested_question(record: Any, line: int, log: Log) -> Question | None:
    """A question of ARC's shape. QASC and OpenBookQA share it; facts are read wherever they stand."""
    if not isinstance(record, Mapping):
        log.fault("not a JSON object", line)
        return None
    question_id = record_id(record.get("id"), line, log)
    inner = record.get("question")
    if not isinstance(inner, Mapping):
        log.fault("no question object with stem and choices", line, question_id)
        return None
    choices = listed_choices(inner.get("choices"), line, question_id, log)
    if choices is None:
        return None
    facts = Facts(
        *(
            text_of(record.get(name), name, line, question_id, log) or None
            for name in ("fact1", "fact2", "combinedfact")
        )
    )
    metadata = {key: value for key, value in inner.items() if key not in ("stem", "choices")}
    metadata |= {key: value for key, value in record.items() if key not in _KNOWN}
    return Question(
        id=question_id,
        stem=text_of(inner.get("stem"), "stem", line, question_id, log),
        choices=choices,
        answer=answer_key(record.get("answerKey"), line, question_id, log),
        facts=None if facts == Facts() else facts,
        metadata=metadata,
        origin=Origin(log.file or "", line),
    )


def nested_record(question: Question) -> dict[str, Any]:
    """The record of ARC's shape; a hidden key is left out."""
    record: dict[str, Any] = {
        "id": question.id,
        "question": {
            "stem": question.stem,
            "choices": [{"text": choice.text, "label": choice.label} for choice in question.choices],
        },
    }
    if question.answer is not None:
        record["answerKey"] = question.answer
    return record


def read_nested(source: Source, settings: Settings, log: Log) -> Iterator[Question]:
    """Questions of ARC's shape, one JSON object a line."""
    for line, record in json_lines(source, log.report):
        question = nested_question(record, line, log)
        if question is not None:
            yield question


def write_json_lines(records: Iterable[Mapping[str, Any]], file: IO[bytes]) -> None:
    """One object a line; Unicode line ends are escaped, so that no reader takes them for ends of records."""
    for record in records:
        line = to_json(record)
        for mark in "\u0085\u2028\u2029":
            if mark in line:
                line = line.replace(mark, f"\\u{ord(mark):04x}")
        file.write(line.encode("utf-8", errors="backslashreplace") + b"\n")


def _recognises(head: Head) -> bool:
    return head.kind == "jsonl" and any(is_nested(record) for record in head.objects)


def _write(questions: Iterable[Question], file: IO[bytes]) -> None:
    write_json_lines(map(nested_record, questions), file)


def _lost(question: Question) -> Iterator[str]:
    if question.facts is not None:
        yield "facts"
    if question.tags:
        yield "tags"
    for column in question.metadata:
        yield f"metadata {column}"


ARC_JSONL = Format("arc-jsonl", "ARC, JSON lines", _recognises, read_nested, _write, _lost)

"""Assay's own JSON lines: every field of the item model; what is written reads back the same."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import IO, Any

from assay.questions.formats.fields import answer_key, choices_of, facts_record, record_id, shown, text_of
from assay.questions.formats.format import Format, Head, Log, Record, each_record
from assay.questions.formats.writers import write_json_lines
from assay.questions.model import Facts, Origin, Question, Tags

_FACTS = ("seed", "second", "composed")
_FIELDS = {"id", "stem", "choices", "answer", "facts", "tags", "metadata"}


def _recognises(head: Head) -> bool:
    return any("stem" in record and _is_listed(record.get("choices")) for record in head.records)


def _is_listed(choices: Any) -> bool:
    return isinstance(choices, list) and (not choices or isinstance(choices[0], Mapping))


def _object(record: Record, name: str, line: int, question_id: str, log: Log) -> Mapping[str, Any]:
    value = record.get(name)
    if value is None:
        return {}
    if isinstance(value, Mapping):
        return value
    log.fault(f"{name} is not an object: {shown(value)}", line, question_id)
    return {}


def _tags(record: Record, line: int, question_id: str, log: Log) -> Tags:
    tags = {}
    for kind, labels in _object(record, "tags", line, question_id, log).items():
        if isinstance(labels, list) and all(isinstance(label, str) for label in labels):
            tags[kind] = tuple(labels)
        else:
            log.fault(f"tags of kind {kind} are not a list of texts: {shown(labels)}", line, question_id)
    return tags


def _question(record: Record, line: int, log: Log) -> Question | None:
    question_id = record_id(record.get("id"), line, log)
    choices = choices_of(record.get("choices"), line, question_id, log)
    if choices is None:
        return None
    given = _object(record, "facts", line, question_id, log)
    facts = Facts(
        *(None if given.get(name) is None else _fact(given, name, line, question_id, log) for name in _FACTS)
    )
    metadata = dict(_object(record, "metadata", line, question_id, log))
    for extra in [key for key in record if key not in _FIELDS]:
        log.count(f"field {extra!r} taken as metadata")
        metadata.setdefault(extra, record[extra])
    return Question(
        id=question_id,
        stem=text_of(record.get("stem"), "stem", line, question_id, log),
        choices=choices,
        answer=answer_key(record.get("answer"), line, question_id, log),
        facts=facts if record.get("facts") is not None else None,
        tags=_tags(record, line, question_id, log),
        metadata=metadata,
        origin=Origin(log.file or "", line),
    )


def _fact(given: Mapping[str, Any], name: str, line: int, question_id: str, log: Log) -> str:
    return text_of(given[name], f"fact {name}", line, question_id, log)


def question_record(question: Question) -> dict[str, Any]:
    """A question as one JSON object, without the fields it doesn't have (and without its origin)."""
    record: dict[str, Any] = {
        "id": question.id,
        "stem": question.stem,
        "choices": [{"label": choice.label, "text": choice.text} for choice in question.choices],
    }
    if question.answer is not None:
        record["answer"] = question.answer
    if question.facts is not None:
        record["facts"] = facts_record(question.facts, _FACTS)
    if question.tags:
        record["tags"] = {kind: list(labels) for kind, labels in question.tags.items()}
    if question.metadata:
        record["metadata"] = dict(question.metadata)
    return record


def _write(questions: Iterable[Question], file: IO[bytes]) -> None:
    write_json_lines(map(question_record, questions), file)


def _lost(question: Question) -> list[str]:
    return []


_read = each_record(_question)
OWN = Format(
    "assay",
    "Assay's own JSON lines, every field",
    "jsonl",
    _recognises,
    _read,
    _write,
    _lost,
)

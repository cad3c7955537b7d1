"""OpenBookQA as published: ARC's shape with fact1 and what the annotators said beside it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import IO, Any

from assay.questions.formats.arc_jsonl import is_nested, nested_record, read_nested
from assay.questions.formats.fields import lost_of
from assay.questions.formats.format import Format, Head
from assay.questions.formats.writers import write_json_lines
from assay.questions.model import Question

ANNOTATIONS = ("humanScore", "clarity", "turkIdAnonymized")


def _recognises(head: Head) -> bool:
    own = {"fact1", *ANNOTATIONS}
    return any(is_nested(record) and not own.isdisjoint(record) for record in head.records)


def _record(question: Question) -> dict[str, Any]:
    beside: dict[str, Any] = {}
    if question.facts is not None and question.facts.seed is not None:
        beside["fact1"] = question.facts.seed
    beside |= {name: question.metadata[name] for name in ANNOTATIONS if name in question.metadata}
    return nested_record(question, **beside)


def _write(questions: Iterable[Question], file: IO[bytes]) -> None:
    write_json_lines(map(_record, questions), file)


def _lost(question: Question) -> list[str]:
    lost = lost_of(question, facts=True, metadata=ANNOTATIONS)
    facts = question.facts
    if facts is not None and (facts.second is not None or facts.composed is not None):
        lost.append("second and composed facts")
    return lost


OPENBOOKQA = Format(
    "openbookqa", "OpenBookQA, JSON lines with fact1", "jsonl", _recognises, read_nested, _write, _lost
)

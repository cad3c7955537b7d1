"""Passage questions as records, one each: our own, SQuAD's as flat rows, and SciQ's with a support."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from assay.passages.checking import Log, occurrences, shown
from assay.passages.passage import PassageQuestion, Span
from assay.questions.formats.place import id_by_position

NO_SUPPORT = "without a support"
ELSEWHERE = "whose answer doesn't stand in the support"
Reader = Callable[[Mapping[str, Any], int, int, Log], PassageQuestion | None]
"""Takes a record, its line, its position in the file from 1."""


def record_reader(record: Mapping[str, Any]) -> Reader | None:
    """How records with these fields are read; None where no format has such."""
    if "passage" in record:
        return _own
    if "context" in record:
        return _flat
    return _sciq if "support" in record and "correct_answer" in record else None


def own_record(one: PassageQuestion) -> dict[str, Any]:
    """The question as our own format has it: one JSON object a line."""
    answers = [{"start": span.start, "text": span.text} for span in one.answers]
    group = {} if one.group is None else {"group": one.group}
    return {"id": one.id, **group, "question": one.question, "passage": one.passage, "answers": answers}


def _own(record: Mapping[str, Any], line: int, position: int, log: Log) -> PassageQuestion:
    return _made(record, line, "passage", "group", _pairs(record, line, log), log)


def _pairs(record: Mapping[str, Any], line: int, log: Log) -> list[tuple[Any, Any]]:
    given = record.get("answers") or []
    if not isinstance(given, list) or not all(isinstance(answer, dict) for answer in given):
        log.fault(f"answers must be a list of objects. Got {shown(given)}", line)
        return []
    return [(answer.get("start"), answer.get("text")) for answer in given]


def _flat(record: Mapping[str, Any], line: int, position: int, log: Log) -> PassageQuestion:
    given = record.get("answers") or {"text": [], "answer_start": []}
    texts, starts = (
        given.get(name) if isinstance(given, dict) else None for name in ("text", "answer_start")
    )
    if not isinstance(texts, list) or not isinstance(starts, list) or len(texts) != len(starts):
        log.fault("answers must hold two lists of one length, text and answer_start", line)
        texts, starts = [], []
    return _made(record, line, "context", "title", list(zip(starts, texts, strict=True)), log)


def _made(
    record: Mapping[str, Any], line: int, passage: str, group: str, given: list[tuple[Any, Any]], log: Log
) -> PassageQuestion:
    question_id = log.text(record.get("id"), "the id", line, None)
    question = log.text(record.get("question"), "the question", line, question_id)
    text = log.text(record.get(passage), f"the {passage}", line, question_id)
    name = record.get(group)
    if name is not None and not isinstance(name, str):
        log.fault(f"the {group} must be a text. Got {shown(name)}", line, question_id)
        name = None
    spans: list[Span] = []
    for start, answer in given if text.strip() else ():
        span = log.span(start, answer, text, line, question_id)
        if span is not None:
            spans.append(span)
    return PassageQuestion(question_id, text, question, tuple(spans), name)


def _sciq(record: Mapping[str, Any], line: int, position: int, log: Log) -> PassageQuestion | None:
    """References are all places where the correct answer stands in the support: none is published."""
    question_id = record.get("id")
    if question_id is None:
        question_id = id_by_position(log.file, position)
    question_id = log.text(question_id, "the id", line, None)
    question = log.text(record.get("question"), "the question", line, question_id)
    answer = log.text(record.get("correct_answer"), "the correct_answer", line, question_id)
    support = record.get("support")
    if not isinstance(support, str):
        log.fault(f"the support must be a text. Got {shown(support)}", line, question_id)
        return None
    if not support.strip():
        log.left_out[NO_SUPPORT] += 1
        return None
    spans = occurrences(support, answer)
    if not spans:
        log.left_out[ELSEWHERE] += 1
        return None
    return PassageQuestion(question_id, support, question, spans)

"""What makes a question unusable, and what makes it suspicious. Checks questions; readers only read."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from assay.errors import Fault, Severity
from assay.questions.model import Question
from assay.questions.records import lone_surrogate


def faults(question: Question) -> Iterator[Fault]:
    """The faults of one question by itself: what makes any score of it meaningless."""
    if not question.id.strip():
        yield _fault(question, "no id")
    if not question.stem.strip():
        yield _fault(question, "no stem")
    if len(question.choices) < 2:
        yield _fault(question, "fewer than two choices")
    seen: set[str] = set()
    for place, choice in enumerate(question.choices, 1):
        if not choice.label.strip():
            yield _fault(question, f"choice {place} has no label")
        elif choice.label in seen:
            yield _fault(question, f"label {choice.label} stands twice")
        seen.add(choice.label)
        if not choice.text.strip():
            yield _fault(question, f"choice {choice.label or place} is empty")
    if question.answer is not None and question.answer not in seen:
        labels = ", ".join(question.labels)
        yield _fault(question, f"answer key {question.answer} is not one of {labels}")
    for what, text in _texts(question):
        escape = lone_surrogate(text)
        if escape is not None:
            yield _fault(question, f"lone surrogate {escape} in {what}")


def warnings(question: Question) -> Iterator[Fault]:
    """What is odd about one question by itself, and may be meant."""
    places: dict[str, list[str]] = {}
    for choice in question.choices:
        places.setdefault(choice.text, []).append(choice.label)
    for labels in places.values():
        if len(labels) > 1:
            yield _fault(question, f"choices {' and '.join(labels)} have the same text", "warning")


def _texts(question: Question) -> Iterator[tuple[str, str]]:
    yield "the id", question.id
    yield "the stem", question.stem
    for choice in question.choices:
        yield "a label", choice.label
        yield f"choice {choice.label}", choice.text
    if question.facts is not None:
        for fact in (question.facts.seed, question.facts.second, question.facts.composed):
            if fact is not None:
                yield "a fact", fact
    for kind, labels in question.tags.items():
        for label in (kind, *labels):
            yield "a tag", label
    for column, value in question.metadata.items():
        for text in _strings([column, value]):
            yield "metadata", text


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield from _strings(key)
            yield from _strings(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from _strings(inner)


def _fault(question: Question, what: str, severity: Severity = "error") -> Fault:
    origin = question.origin
    return Fault(
        what,
        file=origin.file if origin else None,
        line=origin.line if origin else None,
        question_id=question.id or None,
        severity=severity,
    )

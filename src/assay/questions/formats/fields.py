"""From the values of a record to the fields of a question; what isn't of the right kind is a fault."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from assay.questions.formats.format import Log, Record
from assay.questions.model import Choice, Facts, Question

FACTS = ("fact1", "fact2", "combinedfact")
FORMATTED = "formatted_question"
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def letter(place: int) -> str:
    """The label of a choice that has none, by its place from 0: A to Z, then 27, 28, ..."""
    return LETTERS[place] if place < len(LETTERS) else str(place + 1)


def record_id(value: Any, line: int | None, log: Log) -> str:
    """An id as text: integers are taken as their digits; absent: the empty string (a fault later)."""
    return opaque(value, "id", line, None, log)


def answer_key(value: Any, line: int | None, question_id: str, log: Log) -> str | None:
    """A key as text; absent, null or empty: None."""
    return opaque(value, "answer key", line, question_id, log) or None


def opaque(value: Any, what: str, line: int | None, question_id: str | None, log: Log) -> str:
    """An id or a label: text as it is, an integer as its digits; absent: the empty string."""
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    if isinstance(value, int) and not isinstance(value, bool):
        log.count(f"{what} given as an integer, taken as its digits")
        return str(value)
    log.fault(f"{what} is not text: {shown(value)}", line, question_id)
    return ""


def text_of(value: Any, what: str, line: int | None, question_id: str, log: Log) -> str:
    """A text; absent or null: the empty string. Anything else is a fault."""
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    log.fault(f"{what} is not text: {shown(value)}", line, question_id)
    # A placeholder, so that the same trouble isn't reported again as an empty text.
    return "?"


def choices_of(value: Any, line: int | None, question_id: str, log: Log) -> tuple[Choice, ...] | None:
    """Choices in any of their shapes; None (and a fault) for anything else.

    A list of {"label", "text"}, a list of texts (labelled A, B, ...), {"text": [...], "label": [...]}, or an
    object of labels and texts.
    """
    if value is None:
        return ()
    if isinstance(value, Mapping):
        pairs = _pairs(value, line, question_id, log)
    elif isinstance(value, Sequence) and not isinstance(value, str):
        pairs = [_pair(item, place, line, question_id, log) for place, item in enumerate(value)]
    else:
        log.fault(f"choices are not a list: {shown(value)}", line, question_id)
        return None
    if pairs is None:
        return None
    choices = []
    for place, (label, text) in enumerate(pairs, 1):
        name = opaque(label, "label of a choice", line, question_id, log)
        choices.append(Choice(name, text_of(text, f"choice {name or place}", line, question_id, log)))
    return tuple(choices)


def _pairs(
    value: Mapping[str, Any], line: int | None, question_id: str, log: Log
) -> list[tuple[Any, Any]] | None:
    texts, labels = value.get("text"), value.get("label")
    if not (isinstance(texts, list) or isinstance(labels, list)):
        return list(value.items())
    if not isinstance(texts, list) or not isinstance(labels, list) or len(texts) != len(labels):
        log.fault("choices need a list of texts and a list of as many labels", line, question_id)
        return None
    return list(zip(labels, texts, strict=True))


def _pair(item: Any, place: int, line: int | None, question_id: str, log: Log) -> tuple[Any, Any]:
    if not isinstance(item, Mapping):
        return letter(place), item
    for extra in item.keys() - {"label", "text"}:
        log.count(f"left out: field {extra!r} of a choice")
    return item.get("label"), item.get("text")


def facts_of(record: Record, line: int | None, question_id: str, log: Log) -> Facts | None:
    """Facts as QASC and OpenBookQA name them; an empty one is none."""
    facts = Facts(*(text_of(record.get(name), name, line, question_id, log) or None for name in FACTS))
    return None if facts == Facts() else facts


def facts_record(facts: Facts | None, names: Sequence[str] = FACTS) -> dict[str, str]:
    """Those facts that there are, under the published names or others; seed, second, composed."""
    if facts is None:
        return {}
    pairs = zip(names, (facts.seed, facts.second, facts.composed), strict=True)
    return {name: fact for name, fact in pairs if fact is not None}


def formatted(question: Question) -> str:
    """Stem and choices in one text, "stem (A) text (B) text", as QASC publishes it beside them."""
    return " ".join([question.stem, *(f"({choice.label}) {choice.text}" for choice in question.choices)])


def without_formatted(question: Question, metadata: dict[str, Any]) -> dict[str, Any]:
    """Metadata without the formatted question where it says no more than the question."""
    if metadata.get(FORMATTED) == formatted(question):
        del metadata[FORMATTED]
    return metadata


def lost_of(
    question: Question, *, facts: bool = False, metadata: Sequence[str] = (), tags: bool = False
) -> list[str]:
    """What a format loses that carries facts and tags or not, and only the metadata named."""
    lost = [] if facts or question.facts is None else ["facts"]
    lost += [] if tags or not question.tags else ["tags"]
    return lost + [f"metadata {column}" for column in question.metadata if column not in metadata]


def turned_to_text(question: Question, columns: Sequence[str]) -> list[str]:
    """What a format loses that writes the metadata named as text: their kinds, and texts that are empty."""
    return [
        f"metadata {column} (kept as text)"
        for column in columns
        if column in question.metadata
        and not (question.metadata[column] and isinstance(question.metadata[column], str))
    ]


def shown(value: Any) -> str:
    """A value, short enough for a message."""
    text = repr(value)
    return text if len(text) <= 40 else f"{text[:37]}..."

"""From the values of a JSON record to the fields of a question; what isn't of the right kind is a fault."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from assay.questions.formats.format import Log
from assay.questions.model import Choice


def record_id(value: Any, line: int | None, log: Log) -> str:
    """An id as text: integers are taken as they are written; absent: the empty string (a fault later)."""
    return _opaque(value, "id", line, None, log)


def answer_key(value: Any, line: int | None, question_id: str, log: Log) -> str | None:
    """A key as text; absent, null or empty: None."""
    return _opaque(value, "answer key", line, question_id, log) or None


def _opaque(value: Any, what: str, line: int | None, question_id: str | None, log: Log) -> str:
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    if isinstance(value, int) and not isinstance(value, bool):
        log.count(f"{what} is a JSON integer, taken as its digits")
        return str(value)
    log.fault(f"{what} is not text: {_shown(value)}", line, question_id)
    return ""


def text_of(value: Any, what: str, line: int | None, question_id: str, log: Log) -> str:
    """A text; absent or null: the empty string. Anything else is a fault."""
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    log.fault(f"{what} is not text: {_shown(value)}", line, question_id)
    # A placeholder, so that the same trouble isn't reported again as an empty text.
    return "?"


def listed_choices(value: Any, line: int | None, question_id: str, log: Log) -> tuple[Choice, ...] | None:
    """Choices from `[{"label", "text"}, ...]`; None (and a fault) when it is no such list."""
    if value is None:
        return ()
    if not isinstance(value, list):
        log.fault(f"choices are not a list: {_shown(value)}", line, question_id)
        return None
    choices = []
    for place, item in enumerate(value, 1):
        if not isinstance(item, Mapping):
            log.fault(f"choice {place} is not an object: {_shown(item)}", line, question_id)
            return None
        label = _opaque(item.get("label"), f"label of choice {place}", line, question_id, log)
        choices.append(Choice(label, text_of(item.get("text"), f"choice {label}", line, question_id, log)))
        for extra in item.keys() - {"label", "text"}:
            log.count(f"left out: field {extra} of choices")
    return tuple(choices)


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 40 else f"{text[:37]}..."

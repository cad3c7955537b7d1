"""How a table's answers are to be read: as labels, letters, texts, or indexes from 0 or 1."""

from __future__ import annotations

import hashlib
import unicodedata
from collections.abc import Sequence
from typing import Any

from assay.questions.formats.fields import LETTERS, letter
from assay.questions.formats.format import ANSWER_READINGS, AnswerReading, Log
from assay.questions.model import Choice

NAMES: dict[AnswerReading, str] = {
    "label": "labels",
    "letter": "letters by position",
    "text": "texts of choices",
    "0-based": "indexes from 0",
    "1-based": "indexes from 1",
}


def answer_text(value: Any) -> str:
    """An answer cell as text, outer white space (of any kind) gone; null and blank: empty."""
    if value is None or isinstance(value, bool | list | dict):
        return "" if value is None else repr(value)
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return str(value).strip()


def read_answer(value: Any, choices: Sequence[Choice], reading: AnswerReading) -> str | None:
    """The label that an answer means, or None when it fits no choice (or the texts of several)."""
    text = answer_text(value)
    labels = [choice.label for choice in choices]
    if reading == "label":
        return text if text in labels else None
    if reading == "text":
        wanted = unicodedata.normalize("NFC", text)
        same = [c.label for c in choices if unicodedata.normalize("NFC", c.text).strip() == wanted]
        return same[0] if len(same) == 1 else None
    if reading == "letter":
        place = LETTERS.find(text.upper()) if len(text) == 1 else -1
    else:
        place = (
            int(text) - (reading == "1-based") if text.isascii() and text.isdigit() and len(text) < 4 else -1
        )
    return labels[place] if 0 <= place < len(labels) else None


class Inference:
    """Finds the one reading that fits every row. Readings that agree on every row count as one."""

    def __init__(self) -> None:
        self._fits = dict.fromkeys(ANSWER_READINGS, 0)
        self._outcomes = {reading: hashlib.sha256() for reading in ANSWER_READINGS}
        self._rows = 0
        self._own_labels = False

    def see(self, value: Any, choices: Sequence[Choice]) -> None:
        """Take one row's answer into account; a blank one says nothing."""
        if not answer_text(value):
            return
        self._rows += 1
        self._own_labels = self._own_labels or any(
            c.label != letter(place) for place, c in enumerate(choices)
        )
        for reading in ANSWER_READINGS:
            label = read_answer(value, choices, reading)
            if label is not None:
                self._fits[reading] += 1
                self._outcomes[reading].update(f"{len(label)}:{label}".encode("utf-8", "backslashreplace"))

    def decide(self, log: Log) -> AnswerReading | None:
        """The reading, with a note; None, with a fault, when several fit every row.

        A table with labels of its own, other than A, B, ..., answers by them if they fit every row. When
        nothing fits every row, what fits most is taken, so that the rows it doesn't fit are named.
        """
        if self._own_labels and self._fits["label"] == self._rows:
            return "label"
        fitting = [reading for reading in ANSWER_READINGS if self._rows and self._fits[reading] == self._rows]
        distinct = {self._outcomes[reading].digest(): reading for reading in reversed(fitting)}
        if len(distinct) > 1:
            names = " or ".join(NAMES[reading] for reading in fitting)
            said = " or ".join(fitting)
            log.fault(f"answers can be read as {names}: say which, answers {said}", None)
            return None
        if fitting:
            reading = fitting[0]
            base = f", base {reading[0]} inferred" if reading.endswith("-based") else ""
            log.note(f"answers read as {NAMES[reading]} (inferred: no other reading fits every row{base})")
            return reading
        best = max(ANSWER_READINGS, key=lambda reading: self._fits[reading])
        if self._rows and self._fits[best]:
            log.note(f"answers read as {NAMES[best]}, the reading that fits most rows")
        return best if self._fits[best] else "label"

"""Predictions as one JSON object: {id: label}, {id: "A;B"} or {id: [labels]}."""

from __future__ import annotations

import json
from collections.abc import Iterator
from json import JSONDecoder
from typing import Any

from assay.questions.predictions.prediction import Found, Labels, labels_of
from assay.questions.records import lines
from assay.questions.sources import Source

_VALUES = JSONDecoder()


class _Torn(Exception):
    """The text stops being a JSON object: at which offset, and what was expected there."""

    def __init__(self, offset: int, expected: str) -> None:
        super().__init__(expected)
        self.offset, self.expected = offset, expected


def read_json_map(source: Source, found: Found, first: str) -> None:
    """Each id with its line; a key that stands twice is a fault, and so is a value that is no label."""
    text = "\n".join(line for _, line in lines(source, found.report))
    if found.faults:
        return
    line, counted = 1, 0
    seen: set[str] = set()
    try:
        for start, key, value in _entries(text):
            line, counted = line + text.count("\n", counted, start), start
            labels = labels_of(value)
            if key in seen:
                found.fault(f"duplicate key {json.dumps(key)}", line, key)
            elif not key.strip():
                found.fault("empty id", line)
            elif labels is None:
                got = json.dumps(value)
                found.fault(f"must be a label or a list of labels. Got {got[:60]}.", line, key)
            else:
                found.add(Labels(key, line, labels))
            seen.add(key)
    except _Torn as torn:
        found.fault(f"not JSON: {torn.expected} expected", text.count("\n", 0, torn.offset) + 1)


def _entries(text: str) -> Iterator[tuple[int, str, Any]]:
    """Offset, key and value of each entry, in order. Raises _Torn."""
    position = _past(text, _blank(text, 0), "{")
    while not text.startswith("}", position):
        start = position
        if not text.startswith('"', position):
            raise _Torn(position, "a quoted id")
        try:
            key, position = _VALUES.raw_decode(text, position)
            position = _past(text, _blank(text, position), ":")
            value, position = _VALUES.raw_decode(text, position)
        except json.JSONDecodeError as error:
            raise _Torn(error.pos, error.msg.removesuffix(" starting at").lower() + ": a value") from None
        except (RecursionError, ValueError):
            raise _Torn(position, "a label") from None
        yield start, key, value
        position = _blank(text, position)
        if text.startswith(",", position):
            position = _past(text, position, ",")
            if text.startswith("}", position):
                raise _Torn(position, "a quoted id")
        elif not text.startswith("}", position):
            raise _Torn(position, "',' or '}'")
    end = _blank(text, position + 1)
    if end < len(text):
        raise _Torn(end, "the end of the file")


def _blank(text: str, position: int) -> int:
    while text[position : position + 1] in (" ", "\t", "\r", "\n"):
        position += 1
    return position


def _past(text: str, position: int, mark: str) -> int:
    if not text.startswith(mark, position):
        raise _Torn(position, f"'{mark}'")
    return _blank(text, position + 1)

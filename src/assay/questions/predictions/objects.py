"""JSON objects of a predictions file, one a line or in one list, each with its line and id."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from assay.questions.predictions.prediction import Found
from assay.questions.records import BadJson, json_list, lines, parse_json
from assay.questions.sources import Source

Record = dict[str, Any]


def objects(source: Source, found: Found, first: str) -> Iterator[tuple[int, Record]]:
    """The objects with their lines; every line that holds none is a fault."""
    if first.lstrip().startswith("["):
        values = json_list(source, found.report)
    else:
        values = _one_a_line(source, found)
    for line, value in values:
        if isinstance(value, dict):
            yield line, value
        else:
            found.fault(f"must be a JSON object. Got {json.dumps(value)[:60]}.", line)


def id_of(record: Record, line: int, found: Found) -> str | None:
    """The record's id as text; None, and a fault, where there is none."""
    value = record.get("id", record.get("question_id"))
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    if value is None:
        found.fault("no id", line)
    elif not isinstance(value, str):
        found.fault(f"'id' must be text. Got {json.dumps(value)[:60]}.", line)
    elif not value.strip():
        found.fault("empty id", line)
    else:
        return value
    return None


def _one_a_line(source: Source, found: Found) -> Iterator[tuple[int, Any]]:
    for line, text in lines(source, found.report):
        if not text.strip():
            continue
        try:
            yield line, parse_json(text)
        except BadJson as error:
            record = _with_nan(text) if "NaN" in text or "Infinity" in text else None
            if record is None:
                found.fault(str(error), line)
            else:
                yield line, record


def _with_nan(text: str) -> Record | None:
    """The record of a line that is JSON but for NaN: whoever reads the number can name its choice."""

    def distinct(pairs: list[tuple[str, Any]]) -> Record:
        if len(dict(pairs)) != len(pairs):
            raise ValueError
        return dict(pairs)

    try:
        record = json.loads(text, object_pairs_hook=distinct)
    except (ValueError, RecursionError):
        return None
    return record if isinstance(record, dict) else None

"""Predictions as JSON objects: ours with status and scores; others' with id and pred, answer or output."""

from __future__ import annotations

import json
from typing import Any

from assay.questions.predictions.objects import Record, id_of, objects
from assay.questions.predictions.prediction import Found, Labels, OwnRecord, WrittenReply, labels_of
from assay.questions.sources import Source

OUTPUT = "output"
FIELDS = ("pred", "prediction", OUTPUT, "answer")
OWN_FIELDS = ("status", "chosen", "scores")


def read_answers(source: Source, found: Found, first: str) -> None:
    """Our own answers file."""
    for line, record in objects(source, found, first):
        name = id_of(record, line, found)
        if name is not None:
            found.add(OwnRecord(name, line, record))


def read_jsonl(source: Source, found: Found, first: str) -> None:
    """A label (or several) under pred, prediction or answer, or free text under output.

    Where a record has several, pred goes before output, and output before answer, which may be the key.
    """
    passed_over = 0
    for line, record in objects(source, found, first):
        name = id_of(record, line, found)
        if name is None:
            continue
        given = [field for field in FIELDS if field in record]
        passed_over += len(given) > 1
        if not given:
            found.fault(f"no pred, answer or output (its fields: {', '.join(record)})", line, name)
        elif given[0] == OUTPUT:
            _reply(found, record, line, name)
        else:
            _labels(found, given[0], record[given[0]], line, name)
    if passed_over:
        found.notes.append(
            f"{passed_over:,} records hold more than one of pred, output, answer: the first was read"
        )


def _reply(found: Found, record: Record, line: int, name: str) -> None:
    value = record[OUTPUT]
    if value is None or isinstance(value, str):
        found.add(WrittenReply(name, line, value or ""))
    else:
        found.fault(f"'output' must be text. Got {json.dumps(value)[:60]}.", line, name)


def _labels(found: Found, field: str, value: Any, line: int, name: str) -> None:
    labels = labels_of(value)
    if labels is None:
        found.fault(
            f"'{field}' must be a label or a list of labels. Got {json.dumps(value)[:60]}.", line, name
        )
    else:
        found.add(Labels(name, line, labels))

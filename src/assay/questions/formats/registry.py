"""All question formats, the more particular first, and telling which one a file is in."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import islice
from typing import Any

from assay.errors import AssayError, Fault, FaultyInput
from assay.questions.formats.arc_jsonl import ARC_JSONL
from assay.questions.formats.format import Format, Head
from assay.questions.records import BadJson, csv_rows, json_list, lines, parse_json
from assay.questions.sources import Source

FORMATS: tuple[Format, ...] = (ARC_JSONL,)
HEAD_LINES = 50


def format_named(name: str) -> Format:
    """The format of that name; AssayError that lists them all if there is none."""
    for known in FORMATS:
        if known.name == name:
            return known
    names = ", ".join(known.name for known in FORMATS)
    raise AssayError(f"no question format is called {name!r}", hint=f"the formats: {names}")


def recognise(source: Source) -> Format:
    """The format of a source, from its content alone.

    Raises FaultyInput when it is empty or in no known format; says then what was found instead.
    """
    head = read_head(source)
    for known in FORMATS:
        if known.recognises(head):
            return known
    raise FaultyInput([Fault(f"in no known question format: {_found(head)}", source.name)])


def read_head(source: Source) -> Head:
    """The first objects or the first row of a source. Raises FaultyInput when there is nothing in it."""
    faults: list[Fault] = []
    opening = list(islice(lines(source, faults.append), HEAD_LINES))
    first = next((text for _, text in opening if text and not text.isspace()), None)
    if first is None:
        raise FaultyInput(faults or [Fault("is empty", source.name)])
    mark = first.lstrip()[0]
    if mark == "[":
        elements = islice(json_list(source, faults.append), HEAD_LINES)
        return Head("json", tuple(item for _, item in elements if isinstance(item, Mapping)))
    if mark == "{":
        return Head("jsonl", tuple(_objects(opening)))
    delimiter = "\t" if "\t" in first else ","
    row = next((cells for _, cells in csv_rows(source, faults.append, delimiter)), [])
    return Head("tsv" if delimiter == "\t" else "csv", header=tuple(row))


def _objects(opening: list[tuple[int, str]]) -> list[Mapping[str, Any]]:
    found = []
    for _, text in opening:
        try:
            value = parse_json(text)
        except BadJson:
            continue
        if isinstance(value, Mapping):
            found.append(value)
    return found


def _found(head: Head) -> str:
    if head.header:
        cells = ", ".join(cell[:40] for cell in head.header[:20])
        return f"columns {cells}"
    if head.objects:
        return f"objects with the fields {', '.join(map(str, list(head.objects[0])[:20]))}"
    return "no JSON object at its beginning"

"""All question formats, the more particular first, and telling which one a file is in."""

from __future__ import annotations

from collections.abc import Mapping

from assay.errors import AssayError, Fault, FaultyInput
from assay.questions.formats.arc_csv import ARC_CSV
from assay.questions.formats.arc_jsonl import ARC_JSONL
from assay.questions.formats.format import Columns, Format, Head, Kind
from assay.questions.formats.hugging_face import HF_JSONL, HF_PARQUET
from assay.questions.formats.openbookqa import OPENBOOKQA
from assay.questions.formats.own import OWN
from assay.questions.formats.qasc import QASC
from assay.questions.formats.sciq import SCIQ
from assay.questions.formats.table import CSV, FLAT, TSV

FORMATS: tuple[Format, ...] = (
    *(OWN, QASC, OPENBOOKQA, ARC_JSONL, HF_PARQUET, HF_JSONL, SCIQ, ARC_CSV, CSV, TSV, FLAT),
)
_TABLES: Mapping[Kind, Format] = {"csv": CSV, "tsv": TSV}
SHOWN_COLUMNS = 16
KEY_FIELDS = {"id", "answerKey"}
WHAT_TO_DO = "say what its columns are, --map stem=... --map choices=... --map answer=..., or force a format"


def format_named(name: str) -> Format:
    """The format of that name; AssayError that lists them all if there is none."""
    for known in FORMATS:
        if known.name == name:
            return known
    names = ", ".join(f"{known.name} ({known.about})" for known in FORMATS)
    raise AssayError(f"no question format is called {name!r}", hint=f"the formats: {names}")


def recognise(head: Head, file: str | None, columns: Columns | None = None) -> Format:
    """The format of an input by its head; with a column map it is a table.

    Raises FaultyInput when it is in no known format; says then what was found instead.
    """
    if columns is not None:
        return _TABLES.get(head.kind, FLAT)
    for known in FORMATS:
        if known.recognises(head):
            return known
    if head.records and all(record.keys() == KEY_FIELDS for record in head.records):
        raise FaultyInput(
            [Fault("holds answer keys, not questions: give it as keys, beside the questions", file)]
        )
    fields = ", ".join(name[:40] for name in head.columns[:SHOWN_COLUMNS])
    fields += ", ..." if len(head.columns) > SHOWN_COLUMNS else ""
    what = "columns" if head.kind in _TABLES else "fields"
    nothing = "objects without fields" if head.records else "no record at its beginning"
    found = f"{what} {fields}" if fields else nothing
    what = f"in no known question format: {found} ({WHAT_TO_DO})"
    raise FaultyInput([*head.faults, Fault(what, file, 1 if fields else None)])

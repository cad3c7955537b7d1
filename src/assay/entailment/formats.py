"""Telling, from a file's beginning, where it has premise, hypothesis, label and id."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from assay.entailment.labels import Labels
from assay.errors import AssayError, Fault
from assay.questions.formats.containers import records_of
from assay.questions.formats.format import Head, Log, Record
from assay.questions.records import csv_rows
from assay.questions.sources import Source

NAMES: Mapping[str, tuple[str, ...]] = {
    "premise": ("premise", "sentence1", "sentence_a"),
    "hypothesis": ("hypothesis", "sentence2", "sentence_b"),
    "label": ("gold_label", "label", "entailment_judgment", "entailment_label"),
    "id": ("id", "pairid", "pair_id", "index", "idx"),
}
"""Names of columns, lower case, the first of them that a file has: our own files, SciTail and SNLI
(sentence1, gold_label, pairID), MultiNLI alike, SICK (sentence_A, entailment_judgment), GLUE (index, idx)."""
BARE = {"premise": "1", "hypothesis": "2", "label": "3"}
"""SciTail's tables have no header; a fourth column, DGEM's structure of the hypothesis, isn't read."""


@dataclass(frozen=True, slots=True)
class Layout:
    """What a file is: its records, and the name of each part's column (None: it has none)."""

    name: str
    columns: Mapping[str, str | None]
    records: Callable[[Log], Iterator[tuple[int, Record]]]


def layout(head: Head, source: Source, labels: Labels) -> Layout:
    """Where the file keeps what. Raises AssayError where it isn't one of premises and hypotheses."""
    by_name = {name.strip().lower(): name for name in reversed(head.columns)}
    found = {
        part: next((by_name[name] for name in names if name in by_name), None)
        for part, names in NAMES.items()
    }
    if found["premise"] is not None and found["hypothesis"] is not None:
        kind = head.kind
        return Layout(kind, found, lambda log: records_of(source, kind, log)())
    if head.kind == "tsv" and _is_label(head.columns, labels):
        width = len(head.columns)
        return Layout(
            "tsv without a header", {**dict.fromkeys(NAMES), **BARE}, lambda log: _bare(source, log, width)
        )
    names = ", ".join(repr(name[:40]) for name in head.columns[:8]) or "none"
    raise AssayError(
        f"no pairs of premise and hypothesis are to be seen here. Its columns or fields: {names}",
        file=source.name,
        hint="columns premise and hypothesis (or sentence1 and sentence2, sentence_A and sentence_B) with "
        "label or gold_label; or a table without a header: premise, hypothesis, label, parted by tabs",
    )


def _is_label(cells: tuple[str, ...], labels: Labels) -> bool:
    return len(cells) in (3, 4) and labels.meaning(cells[2]) is not None


def _bare(source: Source, log: Log, width: int) -> Iterator[tuple[int, Record]]:
    for line, cells in csv_rows(source, log.report, "\t"):
        if len(cells) == width:
            yield line, {str(number): cell for number, cell in enumerate(cells, 1)}
        else:
            log.report(Fault(f"{len(cells)} cells, but the first line has {width}", source.name, line))

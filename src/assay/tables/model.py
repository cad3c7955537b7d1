"""Tables of facts: one fact a row, cells under headers that say what part of the fact they are."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

Holds = Literal["knowledge", "filler", "nothing"]


@dataclass(frozen=True, slots=True)
class Column:
    """A column: its header as written, without marks, and what its cells are.

    "knowledge": parts of the fact. "filler": words that connect these to a sentence. "nothing": notes and
    ids, no part of the sentence.
    """

    header: str
    holds: Holds = "knowledge"


@dataclass(frozen=True, slots=True)
class Row:
    """A fact: one cell a column, white space trimmed, empty where the fact lacks that part; line from 1."""

    cells: tuple[str, ...]
    line: int


@dataclass(frozen=True)
class Table:
    """A table: `name` is its file's, `rows` in the file's order."""

    name: str
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]

    @cached_property
    def knowledge(self) -> tuple[int, ...]:
        """The places of the columns that hold knowledge."""
        return tuple(place for place, column in enumerate(self.columns) if column.holds == "knowledge")

    def sentence(self, row: Row) -> str:
        """The row as it reads from left to right, connecting words included."""
        cells = zip(self.columns, row.cells, strict=True)
        return " ".join(cell for column, cell in cells if cell and column.holds != "nothing")


@dataclass(frozen=True)
class Tables:
    """Tables in the order of their names; `notes` say what was left out, in words.

    `alignments`: pairs of (table, column) whose cells may be tied across tables, each pair in both orders,
    columns by place; None where any may.
    """

    tables: tuple[Table, ...]
    notes: tuple[str, ...] = ()
    alignments: frozenset[tuple[tuple[str, int], tuple[str, int]]] | None = field(default=None)

    @cached_property
    def fingerprint(self) -> str:
        """SHA-256 (hex) over names, columns and rows; lines and notes don't count."""
        digest = hashlib.sha256()
        for table in self.tables:
            said = [table.name, *(f"{column.holds}={column.header}" for column in table.columns)]
            for row in table.rows:
                said += row.cells
            for text in (str(len(table.columns)), *said):
                encoded = text.encode("utf-8", "backslashreplace")
                digest.update(f"{len(encoded)}:".encode() + encoded)
        digest.update(repr(None if self.alignments is None else sorted(self.alignments)).encode("utf-8"))
        return digest.hexdigest()

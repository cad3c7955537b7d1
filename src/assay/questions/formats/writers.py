"""Writing JSON lines and csv, the same way for every format that has them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import IO, Any

from assay.storage import csv_line, to_json

_UNICODE_LINE_ENDS = "\u0085\u2028\u2029"


def write_json_lines(records: Iterable[Mapping[str, Any]], file: IO[bytes]) -> None:
    """One object a line; Unicode line ends are escaped, so that no reader takes them for ends of records."""
    for record in records:
        line = to_json(record)
        for mark in _UNICODE_LINE_ENDS:
            if mark in line:
                line = line.replace(mark, f"\\u{ord(mark):04x}")
        file.write(line.encode("utf-8", errors="backslashreplace") + b"\n")


def write_csv_rows(rows: Iterable[Sequence[str]], file: IO[bytes]) -> None:
    """Rows of cells, ended by line feeds."""
    for row in rows:
        file.write(csv_line(row).encode("utf-8", errors="backslashreplace"))

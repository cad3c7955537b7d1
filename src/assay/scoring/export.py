"""Tables as CSV that any spreadsheet reads alike: points as decimal marks, no cell that runs as a formula."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterable, Sequence

Cell = str | int | float | None
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "|", "%")


def safe_text(text: str) -> str:
    """The text, led by an apostrophe if a spreadsheet could take it for a formula."""
    return "'" + text if text.startswith(_FORMULA) or text.lstrip().startswith(("=", "+", "-", "@")) else text


def csv_table(columns: Sequence[str], rows: Iterable[Sequence[Cell]]) -> str:
    """CSV (RFC 4180, line feeds): text made safe, numbers as Python writes them whatever the locale, None and
    what is no finite number empty."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([safe_text(column) for column in columns])
    writer.writerows([_written(cell) for cell in row] for row in rows)
    return out.getvalue()


def _written(cell: Cell) -> str:
    if cell is None or (isinstance(cell, float) and not math.isfinite(cell)):
        return ""
    return safe_text(cell) if isinstance(cell, str) else repr(cell)

"""Tables as CSV that any spreadsheet reads alike: points as decimal marks, no cell that runs as a formula."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from assay.storage import csv_line

Cell = str | int | float | bool | None
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "|", "%")


def safe_text(text: str) -> str:
    """The text, led by an apostrophe if a spreadsheet could take it for a formula."""
    return "'" + text if text.startswith(_FORMULA) or text.lstrip().startswith(("=", "+", "-", "@")) else text


def csv_table(columns: Sequence[str], rows: Iterable[Sequence[Cell]], *, end: str = "\n") -> str:
    """CSV (RFC 4180), rows ended by `end`: text made safe, numbers as Python writes them whatever the locale,
    yes and no, None and what is no finite number empty."""
    heading = csv_line([safe_text(column) for column in columns], end)
    return heading + "".join(csv_line([_written(cell) for cell in row], end) for row in rows)


def _written(cell: Cell) -> str:
    if cell is None or (isinstance(cell, float) and not math.isfinite(cell)):
        return ""
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    return safe_text(cell) if isinstance(cell, str) else repr(cell)

"""Every figure's data as CSV inside the page: a data: link, safe to open in a spreadsheet."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from urllib.parse import quote

from assay.report.markup import Html, el

Cell = str | int | float | bool | None


def safe(cell: Cell) -> str:
    """A cell as CSV text: numbers stay numbers, text that a spreadsheet would run is led by an apostrophe."""
    if cell is None:
        return ""
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    if isinstance(cell, str):
        return f"'{cell}" if cell.startswith(("=", "+", "-", "@", "\t", "\r")) else cell
    return repr(cell)


def csv_text(heading: Sequence[str], rows: Iterable[Sequence[Cell]]) -> str:
    """A heading and rows as RFC 4180 says: lines ended by carriage return and line feed."""
    out = io.StringIO(newline="")
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow([safe(name) for name in heading])
    writer.writerows([safe(cell) for cell in row] for row in rows)
    return out.getvalue()


def csv_link(name: str, what: str, heading: Sequence[str], rows: Iterable[Sequence[Cell]]) -> Html:
    """A link that saves the rows as `name`.csv; `what` names them for those who can't see the figure."""
    data = csv_text(heading, rows).encode("utf-8", "backslashreplace")
    return el(
        "a",
        "CSV",
        class_="download",
        download=f"{name}.csv",
        href=f"data:text/csv;charset=utf-8,{quote(data)}",
        aria_label=f"Download {what} as CSV",
    )

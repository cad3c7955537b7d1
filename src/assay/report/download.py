"""Every figure's data as CSV inside the page: a data: link, safe to open in a spreadsheet."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from urllib.parse import quote

from assay.report.markup import Html, el
from assay.scoring.export import Cell, csv_table


def csv_link(name: str, what: str, heading: Sequence[str], rows: Iterable[Sequence[Cell]]) -> Html:
    """A link that saves the rows as `name`.csv; `what` names them for those who can't see the figure."""
    data = csv_table(heading, rows, end="\r\n").encode("utf-8", "backslashreplace")
    return el(
        "a",
        "CSV",
        class_="download",
        download=f"{name}.csv",
        href=f"data:text/csv;charset=utf-8,{quote(data)}",
        aria_label=f"Download {what} as CSV",
    )

"""What every section is made of: headings, tables a screen reader can read, folded details, notes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from assay.report.markup import Child, Html, el, join


@dataclass(frozen=True, slots=True)
class Section:
    """A part of the page. `id` is its anchor, `short` its word in the navigation."""

    id: str
    title: str
    short: str
    body: Html


def render(section: Section) -> Html:
    """The section with its heading."""
    title = el("h2", section.title, id=f"{section.id}-title")
    return el(
        "section", title, section.body, id=section.id, aria_labelledby=f"{section.id}-title", tabindex="-1"
    )


def lead(*children: Child) -> Html:
    """The paragraph that says how to read what follows."""
    return el("p", *children, class_="lead")


def note(*children: Child) -> Html:
    """A remark under a figure."""
    return el("p", *children, class_="note")


def folded(summary: str, *children: Child, open_: bool = False) -> Html:
    """Details that open on demand (and in print)."""
    return el("details", el("summary", summary), *children, open=open_)


def score_and_interval(score: str, interval: str) -> Html:
    """A number with its interval, in two spans that keep together."""
    return join(el("span", score, class_="score"), " ", el("span", interval, class_="interval"))


Kind = Literal["text", "number", "track"]


def table(
    caption: str,
    columns: Sequence[tuple[str, Kind]],
    rows: Iterable[Sequence[Child]],
    *,
    download: Html | None = None,
    class_: str = "",
    heads: Sequence[Html | None] | None = None,
) -> Html:
    """A table in a frame that scrolls sideways where it must. The first cell of a row is its heading.

    `columns`: heading and kind, "number" cells stand right. `heads` replaces the text of headings (an axis).
    """
    shown = heads or [None] * len(columns)
    head = [
        el("th", replaced or name, scope="col", class_=kind)
        for (name, kind), replaced in zip(columns, shown, strict=True)
    ]
    body = [
        el(
            "tr",
            *(
                el("th", cell, scope="row") if number == 0 else el("td", cell, class_=kind)
                for number, (cell, (_, kind)) in enumerate(zip(row, columns, strict=True))
            ),
        )
        for row in rows
    ]
    title = el("caption", el("span", caption), *([" ", download] if download else []))
    drawn = el("table", title, el("thead", el("tr", *head)), el("tbody", *body), class_=class_ or None)
    return el("div", drawn, class_="scroll", tabindex="0", role="region", aria_label=caption)

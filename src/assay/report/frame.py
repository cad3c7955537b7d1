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
    stacked: bool = False,
) -> Html:
    """A table in a frame that scrolls sideways where it must. The first cell of a row is its heading.

    `columns`: heading and kind, "number" cells stand right. `heads` replaces the text of headings (an axis).
    `stacked`: on a phone every row becomes a small block, with the headings before its numbers.
    """
    # A browser forgets that a table is one when its parts are drawn as blocks; the roles keep it said.
    names = ("table", "rowgroup", "row", "columnheader", "rowheader", "cell")
    role = {name: name if stacked else None for name in names}
    shown = heads or [None] * len(columns)
    head = [
        el("th", replaced or name, scope="col", class_=kind, role=role["columnheader"])
        for (name, kind), replaced in zip(columns, shown, strict=True)
    ]
    body = []
    for row in rows:
        first, *rest = zip(row, columns, strict=True)
        cells = [
            el(
                "td",
                cell,
                class_=kind,
                role=role["cell"],
                data_head=name if stacked and kind != "track" else None,
            )
            for cell, (name, kind) in rest
        ]
        body.append(
            el("tr", el("th", first[0], scope="row", role=role["rowheader"]), *cells, role=role["row"])
        )
    drawn = el(
        "table",
        el("caption", captioned(caption, download)),
        el("thead", el("tr", *head, role=role["row"]), role=role["rowgroup"]),
        el("tbody", *body, role=role["rowgroup"]),
        class_=" ".join(part for part in (class_, "stacked" if stacked else "") if part) or None,
        role=role["table"],
    )
    return el("div", drawn, class_="scroll", tabindex="0", role="region", aria_label=caption)


def captioned(caption: str, download: Html | None) -> Html:
    """A caption that stays in sight when its table scrolls, with the link to its data."""
    return el("span", caption, download, class_="caption")

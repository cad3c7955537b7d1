"""Shares of types with their intervals as one SVG file that stands alone: a panel a taxonomy."""

from __future__ import annotations

from collections.abc import Sequence

from assay.report.charts.axis import Axis, percent_axis
from assay.report.charts.curves import COLOURS, FONT
from assay.report.markup import Html, el, join
from assay.scoring.types import Share, TypeRow, TypeTable

NAMES, TRACK, SAID = 250, 420, 150
BAR, GAP, TOP, FOOT = 15, 11, 46, 36
LEGEND = 3
"""Groups named in a row."""
ENDS = 4
"""Half the height of an interval's ends, in pixels."""


def shares_picture(tables: Sequence[TypeTable]) -> str:
    """An SVG file: a bar a type, of all labelled questions or, where there are several groups, of each."""
    panels, at = [], 0
    for table in tables:
        panel, height = _panel(table)
        panels.append(el("g", panel, transform=f"translate(0 {at})"))
        at += height
    width = NAMES + TRACK + SAID
    return el(
        "svg", el("rect", width=width, height=at, fill="#fff"), *panels,
        xmlns="http://www.w3.org/2000/svg", viewBox=f"0 0 {width} {at}", width=width, height=at,
        style=FONT, role="img", aria_label=_told(tables),
    )  # fmt: skip


def drawn(row: TypeRow) -> tuple[Share, ...]:
    """The shares that are drawn: each group's, or that of all where there is one group."""
    return row.shares[1:] or row.shares


def _panel(table: TypeTable) -> tuple[Html, int]:
    axis = percent_axis([0.0, *(100 * (share.high or 0.0) for row in table.rows for share in drawn(row))])
    groups = drawn(table.rows[0])
    step = BAR * len(groups) + GAP
    floor = TOP + step * len(table.rows)
    heading = f"{table.taxonomy}: share of {table.labelled:,} labelled questions, percent"
    shapes = [el("text", heading, x=12, y=22, font_weight=600)]
    for tick in axis.ticks:
        x = _x(axis, tick)
        shapes.append(el("line", x1=x, x2=x, y1=TOP - 6, y2=floor - GAP + 6, stroke="#ddd"))
        shapes.append(el("text", f"{tick:.0f}", x=x, y=floor + 10, text_anchor="middle", fill="#555"))
    for place, row in enumerate(table.rows):
        top = TOP + step * place
        middle = top + BAR * len(groups) / 2 + 4
        shapes.append(el("text", row.name, x=NAMES - 12, y=middle, text_anchor="end"))
        shapes += [
            _bar(axis, share, top + BAR * number, _colour(number, share))
            for number, share in enumerate(drawn(row))
        ]
    if len(groups) == 1:
        return join(*shapes), floor + FOOT
    legend = floor + 34
    for number, share in enumerate(groups):
        down, along = divmod(number, LEGEND)
        x, y = NAMES + TRACK / LEGEND * along, legend + 18 * down
        shapes.append(el("rect", x=x, y=y - 10, width=11, height=11, fill=_colour(number, share)))
        shapes.append(el("text", share.group, x=x + 17, y=y))
    return join(*shapes), legend + 18 * ((len(groups) - 1) // LEGEND) + FOOT


def _colour(place: int, share: Share) -> str:
    """Easy and Challenge keep theirs, others go by their place."""
    known = {"easy": 0, "challenge": 1}.get(share.group.lower(), place)
    return COLOURS[known % len(COLOURS)]


def _x(axis: Axis, value: float) -> float:
    return NAMES + TRACK * (value - axis.low) / (axis.high - axis.low)


def _bar(axis: Axis, share: Share, top: float, colour: str) -> Html:
    if share.share is None or share.low is None or share.high is None:
        return el("text", "no labelled question", x=NAMES + 6, y=top + 12, fill="#555")
    left, right = _x(axis, 100 * share.low), _x(axis, 100 * share.high)
    middle = top + BAR / 2
    ends = (el("line", x1=x, x2=x, y1=middle - ENDS, y2=middle + ENDS, stroke="#222") for x in (left, right))
    return join(
        el("rect", x=NAMES, y=top + 1, width=f"{_x(axis, 100 * share.share) - NAMES:.1f}", height=BAR - 2,
           fill=colour, opacity=0.75),
        el("line", x1=f"{left:.1f}", x2=f"{right:.1f}", y1=middle, y2=middle, stroke="#222"),
        *ends,
        el("text", f"{100 * share.share:.1f} [{100 * share.low:.1f}, {100 * share.high:.1f}]",
           x=NAMES + TRACK + 14, y=top + 12, font_size=12),
    )  # fmt: skip


def _told(tables: Sequence[TypeTable]) -> str:
    return ". ".join(
        f"{table.taxonomy}: "
        + "; ".join(f"{row.name} {100 * (row.shares[0].share or 0.0):.1f}%" for row in table.rows)
        for table in tables
    )

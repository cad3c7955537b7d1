"""Curves with intervals as one SVG file that stands alone: a panel a measure, a line a method."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from assay.report.markup import Html, el, join

COLOURS = ("#0b5fa5", "#c8500a", "#0a7f5b", "#a4348a", "#8a6d00", "#5c5c5c", "#c0263a", "#3a9bc9")
"""Dark enough on white, and told apart by the colour-blind in this order; then they come again, dashed."""
WIDTH, HEIGHT = 380, 250
LEFT, TOP, GAP, ROW, LABEL = 44, 40, 56, 20, 30
FONT = "font-family: system-ui, 'Helvetica Neue', Arial, sans-serif; font-size: 13px; fill: #222"


@dataclass(frozen=True, slots=True)
class Across:
    """The axis below: what it says, and where x values stand.

    `ticks`: those that are labelled, on a scale from the first to the last. None: every x value that there
    is, at equal steps.
    """

    said: str
    ticks: tuple[int, ...] | None = None


@dataclass(frozen=True, slots=True)
class CurvePoint:
    """A value at x with its interval, all but x from 0 to 100; ends are None where there is no interval."""

    x: int
    value: float
    low: float | None
    high: float | None


Curves = Mapping[str, Sequence[CurvePoint]]


@dataclass(frozen=True, slots=True)
class _Scale:
    """Where x values stand, in pixels from the left; intervals at one of several equal steps side by side."""

    labelled: Sequence[int]
    known: Sequence[int] | None

    def at(self, x: int) -> float:
        if self.known is None:
            first, last = self.labelled[0], self.labelled[-1]
            return WIDTH * (x - first) / (last - first)
        return WIDTH * (self.known.index(x) + 0.5) / len(self.known)

    @property
    def shift(self) -> int:
        return 0 if self.known is None else 5


def _scale(panels: Mapping[str, Curves], across: Across) -> _Scale:
    if across.ticks is not None:
        return _Scale(across.ticks, None)
    xs = sorted({point.x for one in panels.values() for line in one.values() for point in line})
    # Where x values stand closer than their labels are wide, some go without.
    return _Scale(xs[:: -(-len(xs) * LABEL // WIDTH)], xs)


def curves(panels: Mapping[str, Curves], across: Across) -> str:
    """An SVG file: `panels` by heading, each with its curves by name. Every panel has the same names."""
    scale = _scale(panels, across)
    names = list(next(iter(panels.values())))
    width = LEFT + len(panels) * (WIDTH + GAP)
    legend = TOP + HEIGHT + 68
    shapes = [
        el(
            "g",
            _panel(heading, one, scale, across.said),
            transform=f"translate({LEFT + place * (WIDTH + GAP)} {TOP})",
        )
        for place, (heading, one) in enumerate(panels.items())
    ]
    shapes += [_named(name, place, legend + place * ROW) for place, name in enumerate(names)]
    height = legend + len(names) * ROW
    return el(
        "svg", el("rect", width=width, height=height, fill="#fff"), *shapes,
        xmlns="http://www.w3.org/2000/svg", viewBox=f"0 0 {width} {height}", width=width, height=height,
        style=FONT, role="img", aria_label=_told(panels),
    )  # fmt: skip


def _panel(heading: str, lines: Curves, scale: _Scale, across: str) -> Html:
    grid = [
        join(
            el("line", x1=0, x2=WIDTH, y1=_y(tick), y2=_y(tick), stroke="#ddd"),
            el("text", str(tick), x=-8, y=float(_y(tick)) + 4, text_anchor="end", fill="#555"),
        )
        for tick in (0, 20, 40, 60, 80, 100)
    ]
    under = [
        el("text", str(x), x=f"{scale.at(x):.1f}", y=HEIGHT + 20, text_anchor="middle", fill="#555")
        for x in scale.labelled
    ]
    return join(
        el("text", heading, x=0, y=-16, font_weight=600),
        *grid,
        *under,
        el("text", across, x=WIDTH / 2, y=HEIGHT + 38, text_anchor="middle", fill="#555"),
        *(_curve(line, place, len(lines), scale) for place, line in enumerate(lines.values())),
    )


def _curve(line: Sequence[CurvePoint], place: int, of: int, scale: _Scale) -> Html:
    shift = scale.shift * (place - (of - 1) / 2)
    colour = COLOURS[place % len(COLOURS)]
    at = [(f"{scale.at(point.x) + shift:.1f}", point) for point in line]
    whiskers = [
        el(
            "line",
            x1=x,
            x2=x,
            y1=_y(point.low),
            y2=_y(point.high),
            stroke=colour,
            stroke_width=1.2,
            opacity=0.6,
        )
        for x, point in at
        if point.low is not None and point.high is not None
    ]
    path = el(
        "polyline",
        points=" ".join(f"{x},{_y(point.value)}" for x, point in at),
        fill="none", stroke=colour, stroke_width=2, stroke_dasharray=_dashes(place),
    )  # fmt: skip
    dots = [el("circle", cx=x, cy=_y(point.value), r=3, fill=colour) for x, point in at]
    return join(*whiskers, path, *dots)


def _named(name: str, place: int, y: float) -> Html:
    colour = COLOURS[place % len(COLOURS)]
    return join(
        el("line", x1=LEFT, x2=LEFT + 26, y1=y - 4, y2=y - 4, stroke=colour, stroke_width=2,
           stroke_dasharray=_dashes(place)),
        el("circle", cx=LEFT + 13, cy=y - 4, r=3, fill=colour),
        el("text", name, x=LEFT + 34, y=y),
    )  # fmt: skip


def _dashes(place: int) -> str | None:
    return "5 3" if place // len(COLOURS) % 2 else None


def _y(value: float) -> str:
    return f"{HEIGHT * (1 - min(max(value, 0.0), 100.0) / 100):.1f}"


def _told(panels: Mapping[str, Curves]) -> str:
    parts = [
        f"{name}: " + ", ".join(f"{point.value:.1f} at {point.x}" for point in line)
        for lines in panels.values()
        for name, line in lines.items()
    ]
    headings = list(panels)
    each = len(parts) // max(len(headings), 1)
    return ". ".join(
        f"{heading}: " + "; ".join(parts[place * each : (place + 1) * each])
        for place, heading in enumerate(headings)
    )

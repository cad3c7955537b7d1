"""Curves with intervals as one SVG file that stands alone: a panel a measure, a line a method."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from textwrap import wrap
from types import MappingProxyType

from assay.report.markup import Html, el, join

COLOURS = ("#0b5fa5", "#c8500a", "#0a7f5b", "#a4348a", "#8a6d00", "#5c5c5c", "#c0263a", "#3a9bc9")
"""Dark enough on white, and told apart by the colour-blind in this order; then they come again, dashed."""
WIDTH, HEIGHT = 380, 250
LEFT, TOP, GAP, ROW, LABEL = 44, 40, 56, 20, 30
LETTER, LINE = 7, 15
"""A letter's width, about, and a line's height, in pixels."""
STEP = 20
"""Between two marks of the upright scale, in percent."""
FONT = "font-family: system-ui, 'Helvetica Neue', Arial, sans-serif; font-size: 13px; fill: #222"


@dataclass(frozen=True, slots=True)
class Across:
    """The axis below: what it says, and where x values stand.

    `ticks`: those that are labelled, on a scale from the first to the last. None: every x value that there
    is, at equal steps; `labels` then name x = 0, 1, 2, ... where x is no number.
    """

    said: str
    ticks: tuple[int, ...] | None = None
    labels: tuple[str, ...] = ()

    def label(self, x: int) -> str:
        """What stands below x."""
        return self.labels[x] if self.labels else str(x)


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
    """Where x values stand, in pixels from the left; intervals at one of several equal steps side by side.

    `top`: the value at the upper end, the lower one being 0.
    """

    labelled: Sequence[int]
    known: Sequence[int] | None
    top: int

    def y(self, value: float) -> str:
        return f"{HEIGHT * (1 - min(max(value, 0.0), float(self.top)) / self.top):.1f}"

    def at(self, x: int) -> float:
        if self.known is None:
            first, last = self.labelled[0], self.labelled[-1]
            return WIDTH * (x - first) / (last - first)
        return WIDTH * (self.known.index(x) + 0.5) / len(self.known)

    def shift(self, lines: int) -> float:
        """How far the points of lines at one x stand apart: all of them within half a step."""
        if self.known is None:
            return 0.0
        return min(5.0, WIDTH / max(1, len(self.known)) / 2 / max(1, lines - 1))


def _scale(panels: Mapping[str, Curves], across: Across) -> _Scale:
    points = [point for one in panels.values() for line in one.values() for point in line]
    highest = max((max(point.value, point.high or 0.0) for point in points), default=100.0)
    top = min(100, max(20, STEP * -(-int(highest + 0.999) // STEP)))
    if across.ticks is not None:
        return _Scale(across.ticks, None, top)
    xs = sorted({point.x for point in points} | set(range(len(across.labels))))
    # Where x values stand closer than their labels are wide, some go without.
    every = 1 if across.labels else -(-len(xs) * LABEL // WIDTH)
    return _Scale(xs[:: every or 1], xs, top)


def curves(
    panels: Mapping[str, Curves], across: Across, chance: Mapping[str, float | None] = MappingProxyType({})
) -> Html:
    """An SVG file: `panels` by heading, each with its curves by name. Every panel has the same names.

    `chance`: by heading, where a dashed line goes across.
    """
    scale = _scale(panels, across)
    names = list(next(iter(panels.values())))
    width = LEFT + len(panels) * (WIDTH + GAP)
    legend = TOP + HEIGHT + 53 + LINE * _deepest(across, scale)
    shapes = [
        el(
            "g",
            _panel(heading, one, scale, across, chance.get(heading)),
            transform=f"translate({LEFT + place * (WIDTH + GAP)} {TOP})",
        )
        for place, (heading, one) in enumerate(panels.items())
    ]
    shapes += [_named(name, place, legend + place * ROW) for place, name in enumerate(names)]
    height = legend + len(names) * ROW
    return el(
        "svg", el("rect", width=width, height=height, fill="#fff", class_="ground"), *shapes,
        xmlns="http://www.w3.org/2000/svg", viewBox=f"0 0 {width} {height}", width=width, height=height,
        style=FONT, role="img", aria_label=_told(panels, across), class_="curves",
    )  # fmt: skip


def panel(
    heading: str, lines: Curves, panels: Mapping[str, Curves], across: Across, chance: float | None = None
) -> Html:
    """One of the `panels` as a picture of its own, on the scale of all of them, without the lines' names."""
    scale = _scale(panels, across)
    height = TOP + HEIGHT + 32 + LINE * _deepest(across, scale)
    return el(
        "svg",
        el("g", _panel(heading, lines, scale, across, chance), transform=f"translate({LEFT} {TOP})"),
        viewBox=f"0 0 {LEFT + WIDTH + LABEL // 2} {height}",
        role="img",
        aria_label=_told({heading: lines}, across),
        class_="curves",
    )


def legend(name: str, place: int) -> Html:
    """The sign of the line at `place` with its name, for a page."""
    sign = el("svg", _sign(place, 0, 10), viewBox="0 0 26 12", width=26, height=12, aria_hidden="true")
    return el("li", sign, " ", name)


def _panel(heading: str, lines: Curves, scale: _Scale, across: Across, chance: float | None) -> Html:
    grid = [
        join(
            el("line", x1=0, x2=WIDTH, y1=scale.y(tick), y2=scale.y(tick), stroke="#ddd", class_="grid"),
            el("text", str(tick), x=-8, y=float(scale.y(tick)) + 4, text_anchor="end", fill="#555"),
        )
        for tick in range(0, scale.top + 1, STEP)
    ]
    if chance is not None:
        dashed = el(
            "line", x1=0, x2=WIDTH, y1=scale.y(chance), y2=scale.y(chance),
            stroke="#777", stroke_dasharray="2 3", class_="chance",
        )  # fmt: skip
        said = el(
            "text", "chance", x=WIDTH, y=float(scale.y(chance)) - 4, text_anchor="end", fill="#555",
            font_size="11px",
        )  # fmt: skip
        grid += [dashed, said]
    under = [_under(across, x, scale) for x in scale.labelled]
    return join(
        el("text", heading, x=0, y=-16, font_weight=600),
        *grid,
        *under,
        el(
            "text",
            across.said,
            x=WIDTH / 2,
            y=HEIGHT + 23 + LINE * _deepest(across, scale),
            text_anchor="middle",
            fill="#555",
        ),
        *(_curve(line, place, len(lines), scale) for place, line in enumerate(lines.values())),
    )


def _under(across: Across, x: int, scale: _Scale) -> Html:
    """What stands below x, in as many lines as its place is too narrow for."""
    room = WIDTH // max(len(scale.labelled), 1) // LETTER
    lines = wrap(across.label(x), max(room, 6)) or [""]
    at = f"{scale.at(x):.1f}"
    parts = [el("tspan", line, x=at, dy="0" if not place else "1.15em") for place, line in enumerate(lines)]
    return el("text", *parts, y=HEIGHT + 18, text_anchor="middle", fill="#555")


def _deepest(across: Across, scale: _Scale) -> int:
    """How many lines the labels below take."""
    room = max(WIDTH // max(len(scale.labelled), 1) // LETTER, 6)
    return max((len(wrap(across.label(x), room)) for x in scale.labelled), default=1)


def _curve(line: Sequence[CurvePoint], place: int, of: int, scale: _Scale) -> Html:
    shift = scale.shift(of) * (place - (of - 1) / 2)
    colour = COLOURS[place % len(COLOURS)]
    at = [(f"{scale.at(point.x) + shift:.1f}", point) for point in line]
    whiskers = [
        el(
            "line",
            x1=x,
            x2=x,
            y1=scale.y(point.low),
            y2=scale.y(point.high),
            stroke=colour,
            stroke_width=1.2,
            opacity=0.6,
            class_=_series(place),
        )
        for x, point in at
        if point.low is not None and point.high is not None
    ]
    path = el(
        "polyline",
        points=" ".join(f"{x},{scale.y(point.value)}" for x, point in at),
        fill="none", stroke=colour, stroke_width=2, stroke_dasharray=_dashes(place), class_=_series(place),
    )  # fmt: skip
    dots = [
        el("circle", cx=x, cy=scale.y(point.value), r=3, fill=colour, class_=f"dot {_series(place)}")
        for x, point in at
    ]
    return join(*whiskers, path, *dots)


def _named(name: str, place: int, y: float) -> Html:
    return join(_sign(place, LEFT, y), el("text", name, x=LEFT + 34, y=y))


def _sign(place: int, x: float, y: float) -> Html:
    colour, series = COLOURS[place % len(COLOURS)], _series(place)
    return join(
        el("line", x1=x, x2=x + 26, y1=y - 4, y2=y - 4, stroke=colour, stroke_width=2,
           stroke_dasharray=_dashes(place), class_=series),
        el("circle", cx=x + 13, cy=y - 4, r=3, fill=colour, class_=f"dot {series}"),
    )  # fmt: skip


def _series(place: int) -> str:
    """The class by which a page colours a line anew, for dark paper."""
    return f"series-{place % len(COLOURS)}"


def _dashes(place: int) -> str | None:
    return "5 3" if place // len(COLOURS) % 2 else None


def _told(panels: Mapping[str, Curves], across: Across) -> str:
    parts = [
        f"{name}: " + ", ".join(f"{point.value:.1f} at {across.label(point.x)}" for point in line)
        for lines in panels.values()
        for name, line in lines.items()
    ]
    headings = list(panels)
    each = len(parts) // max(len(headings), 1)
    return ". ".join(
        f"{heading}: " + "; ".join(parts[place * each : (place + 1) * each])
        for place, heading in enumerate(headings)
    )

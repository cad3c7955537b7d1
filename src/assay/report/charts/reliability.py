"""Two square pictures of probabilities: stated against scored, and score against coverage."""

from __future__ import annotations

from collections.abc import Sequence

from assay.report import numbers
from assay.report.data import CalibrationBin, SelectivePoint
from assay.report.markup import Html, el, join

SIDE = 240
EDGE = 34


def _x(value: float) -> str:
    return f"{EDGE + value / 100 * SIDE:.1f}"


def _y(value: float) -> str:
    return f"{10 + (100 - value) / 100 * SIDE:.1f}"


def _square(label: str, across: str, *shapes: Html | None) -> Html:
    ticks = [
        join(
            el("line", x1=_x(0), x2=_x(100), y1=_y(tick), y2=_y(tick), class_="grid"),
            el("text", str(tick), x=EDGE - 6, y=float(_y(tick)) + 4, class_="tick end"),
            el("text", str(tick), x=_x(tick), y=SIDE + 26, class_="tick"),
        )
        for tick in (0, 25, 50, 75, 100)
    ]
    under = el("text", across, x=_x(50), y=SIDE + 42, class_="tick")
    return el(
        "svg", *ticks, under, *shapes,
        viewBox=f"0 0 {SIDE + EDGE + 16} {SIDE + 50}", class_="square", role="img", aria_label=label,
    )  # fmt: skip


def reliability(bins: Sequence[CalibrationBin]) -> Html:
    """Score of each bin over its mean stated probability; bigger dots, more questions."""
    most = max((part.n for part in bins), default=1) or 1
    shapes = []
    for part in bins:
        if part.confidence is None or part.score is None:
            continue
        if part.score_low is not None and part.score_high is not None:
            x = _x(part.confidence)
            shapes.append(
                el("line", x1=x, x2=x, y1=_y(part.score_low), y2=_y(part.score_high), class_="whisker plain")
            )
        radius = f"{2.5 + 4 * (part.n / most) ** 0.5:.1f}"
        shapes.append(el("circle", cx=_x(part.confidence), cy=_y(part.score), r=radius, class_="mark plain"))
    diagonal = el("line", x1=_x(0), y1=_y(0), x2=_x(100), y2=_y(100), class_="chance")
    said = "; ".join(
        f"stated {numbers.percent(part.confidence)}, scored {numbers.percent(part.score)}" for part in bins
    )
    return _square(f"Reliability: {said}", "stated probability, percent; upwards: score", diagonal, *shapes)


def coverage_curve(points: Sequence[SelectivePoint]) -> Html:
    """Score on the surest share of the questions."""
    line = el("polyline", points=" ".join(f"{_x(p.coverage)},{_y(p.score)}" for p in points), class_="curve")
    said = "; ".join(f"{p.coverage:.0f} percent covered, score {numbers.percent(p.score)}" for p in points)
    return _square(f"Selective score: {said}", "surest share of questions; upwards: score", line)

"""Tracks: one row of a forest plot, an Easy-Challenge pair, a paired difference, a bar of moved questions.

A track is as wide and as high as its place in the page: x in percent, everything else from the middle.
"""

from __future__ import annotations

from collections.abc import Sequence

from assay.report.charts.axis import Axis
from assay.report.markup import Html, el, join

Band = tuple[float | None, float | None, float | None]
"""The chance band: its low end, its high end, chance itself."""
HEIGHT, GROUP = 34, 14
"""Of a track, and of one of several bars in it, in pixels; the first stands in style/charts.css."""


def _track(*shapes: Html | None) -> Html:
    # The numbers stand beside every track, so the picture itself is silent.
    return el("svg", *shapes, class_="track", aria_hidden="true")


def _middle(*shapes: Html | None) -> Html:
    """Shapes around y = 0, moved to half the track's height."""
    return el("svg", *shapes, y="50%", overflow="visible")


def _upright(axis: Axis, value: float, kind: str) -> Html:
    return el("line", x1=axis.at(value), x2=axis.at(value), y1=0, y2="100%", class_=kind)


def _mark(axis: Axis, value: float, kind: str) -> Html:
    """The sign at a value: a ring for "easy", a square for "challenge", else a dot."""
    if kind == "challenge":
        shape = el("rect", x=-4, y=-4, width=8, height=8, class_="mark challenge")
    else:
        shape = el("circle", r=4, class_=f"mark {kind}")
    # A nested picture takes its x in percent and lets the sign keep its size.
    return el("svg", shape, x=axis.at(value), overflow="visible")


def _diamond(axis: Axis, value: float) -> Html:
    """A hollow diamond: another's number, that isn't measured here."""
    return el(
        "svg",
        el("path", d="M0,-6 L5,0 L0,6 L-5,0 Z", class_="reported"),
        x=axis.at(value),
        overflow="visible",
    )


def _band(axis: Axis, band: Band) -> Html:
    low, high, chance = band
    stretch = (
        None
        if low is None or high is None
        else el("rect", x=axis.at(low), y=0, width=axis.width(low, high), height="100%", class_="band")
    )
    return join(stretch, None if chance is None else _upright(axis, chance, "chance"))


def _whisker(axis: Axis, low: float | None, high: float | None, kind: str) -> Html | None:
    """An interval; its ends stand higher than the sign, so that a narrow one still shows."""
    if low is None or high is None:
        return None
    ends = (el("line", x1=axis.at(x), x2=axis.at(x), y1=-6, y2=6) for x in (low, high))
    return el("g", el("line", x1=axis.at(low), x2=axis.at(high), y1=0, y2=0), *ends, class_=f"whisker {kind}")


def score_track(
    axis: Axis,
    score: float | None,
    interval: tuple[float | None, float | None],
    kind: str,
    band: Band = (None, None, None),
    reported: float | None = None,
) -> Html:
    """A score with its interval over the chance band; a score reported elsewhere as a diamond below."""
    sign = None if score is None else _mark(axis, score, kind)
    other = None if reported is None else _diamond(axis, reported)
    return _track(_band(axis, band), axis.grid(), _middle(other, _whisker(axis, *interval, kind), sign))


def pair_track(axis: Axis, easy: float | None, challenge: float | None, chance: float | None) -> Html:
    """Easy and Challenge of one system on one line, joined."""
    joined = (
        None
        if easy is None or challenge is None
        else el("line", x1=axis.at(challenge), x2=axis.at(easy), y1=0, y2=0, class_="joined")
    )
    signs = (
        _mark(axis, value, kind)
        for value, kind in ((challenge, "challenge"), (easy, "easy"))
        if value is not None
    )
    return _track(axis.grid(), _band(axis, (None, None, chance)), _middle(joined, *signs))


def difference_track(
    axis: Axis,
    value: float | None,
    low: float | None,
    high: float | None,
    band: Band = (None, None, None),
    filled: bool | None = None,
) -> Html:
    """A difference around zero, over a chance band where there is one; filled where `filled` says so, or
    else where its interval leaves zero out."""
    apart = low is not None and high is not None and (low > 0 or high < 0) if filled is None else filled
    sign = None if value is None else _mark(axis, value, "apart" if apart else "open")
    return _track(
        _band(axis, band),
        axis.grid(),
        _upright(axis, 0, "zero"),
        _middle(_whisker(axis, low, high, "plain"), sign),
    )


def share_track(
    axis: Axis, shares: Sequence[tuple[float | None, float | None, float | None]], classes: Sequence[str]
) -> Html:
    """Shares with their intervals as bars from zero, one below the other."""
    height = 100 / max(len(shares), 1)
    bars = []
    for place, ((share, low, high), kind) in enumerate(zip(shares, classes, strict=True)):
        if share is None:
            continue
        bar = el(
            "rect", x=0, y=f"{height * place + height / 8:.1f}%", width=axis.width(0, share),
            height=f"{0.75 * height:.1f}%", class_=kind,
        )  # fmt: skip
        line = el("svg", _whisker(axis, low, high, "plain"), y=f"{height * (place + 0.5):.1f}%",
                  overflow="visible")  # fmt: skip
        bars.append(join(bar, line))
    # Where groups are many their bars need more room than a track has.
    style = f"height: {GROUP * len(shares)}px" if GROUP * len(shares) > HEIGHT else None
    return el("svg", axis.grid(), *bars, class_="track", style=style, aria_hidden="true")


def moved_track(axis: Axis, to_easy: int, to_challenge: int) -> Html:
    """Questions that moved to Challenge (leftwards) and to Easy (rightwards)."""
    bars = (
        el("rect", x=axis.at(low), y=-8, width=axis.width(low, high), height=16, class_=f"bar {kind}")
        for low, high, kind in ((-to_challenge, 0, "challenge"), (0, to_easy, "easy"))
    )
    return _track(axis.grid(), _middle(*bars), _upright(axis, 0, "zero"))

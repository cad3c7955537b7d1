"""A horizontal scale: values to percent of a track's width, round ticks."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Literal

from assay.report.markup import Html, el, join


@dataclass(frozen=True, slots=True)
class Axis:
    """Values from `low` to `high` across a track; `ticks` lie within."""

    low: float
    high: float
    ticks: tuple[float, ...]

    def at(self, value: float) -> str:
        """Where a value lies, in percent of the track; outside values stand at the rim."""
        share = (min(max(value, self.low), self.high) - self.low) / (self.high - self.low)
        return f"{100 * share:.2f}%"

    def width(self, low: float, high: float) -> str:
        """How wide the stretch from low to high is."""
        low, high = max(low, self.low), min(high, self.high)
        return f"{100 * max(0.0, high - low) / (self.high - self.low):.2f}%"

    def grid(self) -> Html:
        """Hairlines at the ticks, as high as the picture."""
        return join(
            *(
                el("line", x1=self.at(tick), x2=self.at(tick), y1=0, y2="100%", class_="grid")
                for tick in self.ticks
            )
        )

    def few_labels(self) -> Html:
        """Signed numbers of at most five ticks, zero among them: as many as a narrow track has room for."""
        if len(self.ticks) <= 5:
            return self.labels("signed")
        return replace(self, ticks=(self.ticks[0], 0.0, self.ticks[-1])).labels("signed")

    def labels(self, kind: Literal["plain", "signed", "sizes"] = "plain") -> Html:
        """The ticks' numbers, as a small picture of its own that stands over the tracks.

        "signed" writes a plus too; "sizes" drops the signs, where left and right are two directions.
        """
        said = [
            f"{tick:+,.0f}" if kind == "signed" and tick else f"{abs(tick) if kind == 'sizes' else tick:,.0f}"
            for tick in self.ticks
        ]
        return el(
            "svg",
            *(
                el("text", label.replace("-", "\u2212"), x=self.at(tick), y=11, class_="tick")
                for tick, label in zip(self.ticks, said, strict=True)
            ),
            class_="axis",
            height=14,
            aria_hidden="true",
        )


def percent_axis(values: Iterable[float | None]) -> Axis:
    """A round axis within 0 to 100 that holds all values."""
    known = [value for value in values if value is not None]
    low = max(0.0, 10 * math.floor((min(known, default=0.0) - 1) / 10))
    high = min(100.0, 10 * math.ceil((max(known, default=100.0) + 1) / 10))
    return _axis(low, max(high, low + 10))


def difference_axis(values: Iterable[float | None]) -> Axis:
    """A round axis around zero that holds all values."""
    reach = max((abs(value) for value in values if value is not None), default=1.0)
    step = _step(2 * max(reach, 1.0))
    rim = step * math.ceil(max(reach, 1.0) / step)
    return _axis(-rim, rim)


def _step(span: float) -> float:
    """The smallest of 1, 2, 5, 10, 20, 50, ... that cuts the span into at most six."""
    power = 1.0
    while span / (5 * power) > 6:
        power *= 10
    return next(digit * power for digit in (1, 2, 5) if span / (digit * power) <= 6)


def _axis(low: float, high: float) -> Axis:
    step = _step(high - low)
    first, last = math.ceil(low / step), math.floor(high / step)
    return Axis(low, high, tuple(step * number for number in range(first, last + 1)))

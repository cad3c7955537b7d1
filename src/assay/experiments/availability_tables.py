"""Tables and plot of availability: how many sources answer a question, which ones, and what systems score."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from assay.experiments.availability import (
    Availability,
    Span,
    gap_within,
    guessing,
    one_sided,
    profile_name,
    spans,
)
from assay.experiments.experiment import Figure, Line, Measure, Panel, Plot, Point, Row, Table
from assay.experiments.grouped import Bools, Floats, Grouped
from assay.experiments.scored import point, share

PROFILES = 15
"""So many of the commonest profiles are listed."""


@dataclass(frozen=True, eq=False)
class Asked:
    """What the filters answered over each source, question by question.

    `points`: of every system of the run, 0..1, (n,) each. `filters`, `needed`: how many there are, and
    how many of them make an answer.
    """

    availability: Availability
    grouped: Grouped
    points: Mapping[str, Floats]
    filters: int
    needed: int

    def guessed(self, chosen: Bools) -> Floats:
        """Shares of questions by number of sources, were the filters guessing."""
        choices = [n for n, own in zip(self.grouped.choices, chosen, strict=True) if own]
        return guessing(choices, len(self.availability.sources), self.filters, self.needed)


def by_number(asked: Asked) -> Table:
    """Questions by the number of sources that answer them; what independence and guessing would give."""
    measures = (
        Measure("questions", "count"),
        Measure("share", "percent", drawn=True),
        Measure("independent sources", "percent"),
        Measure("guessing filters", "percent"),
    )
    rows = []
    for group, chosen in asked.grouped.groups.items():
        own = asked.availability.of(chosen)
        independent, guessed = own.independent(), asked.guessed(chosen)
        clusters = asked.grouped.clusters_of(chosen)
        for span in spans(len(own.sources)):
            held = span.holds(own.counts)
            numbers = slice(span.low, span.high + 1)
            figures = (
                Figure(int(held.sum())),
                share(held, clusters),
                Figure(100 * float(independent[numbers].sum())),
                Figure(100 * float(guessed[numbers].sum())),
            )
            rows.append(Row((group, span.name), figures))
    return Table("Questions by how many sources answer them", ("set", "sources"), measures, tuple(rows))


def profiles(asked: Asked) -> Table:
    """The commonest availability profiles."""
    sets = asked.grouped.sets
    measures = (
        Measure("questions", "count"),
        *(Measure(name, "count") for name in sets),
        Measure("share", "percent", drawn=True),
        Measure("independent sources", "percent"),
    )
    whole = asked.availability
    rows = []
    for profile, count in whole.profiles()[:PROFILES]:
        held = (whole.answered == np.array(profile, np.bool_)).all(axis=1)
        figures = (
            Figure(count),
            *(Figure(int((held & asked.grouped.groups[name]).sum())) for name in sets),
            share(held, asked.grouped.clusters),
            Figure(100 * whole.independent_profile(profile)),
        )
        rows.append(Row((profile_name(whole.sources, profile),), figures))
    caption = f"The commonest of {len(whole.profiles()):,} availability profiles"
    return Table(caption, ("answered over",), measures, tuple(rows))


def systems(asked: Asked, group: str) -> Table:
    """Every system's score by the number of sources that answer."""
    chosen, counts = asked.grouped.groups[group], asked.availability.counts
    steps = spans(len(asked.availability.sources))
    held = [chosen & span.holds(counts) for span in steps]
    measures = tuple(
        Measure(f"{span.name} ({own.sum():,} questions)", "percent")
        for span, own in zip(steps, held, strict=True)
    )
    rows = tuple(
        Row((name,), tuple(asked.grouped.score(asked.points[name], own) for own in held))
        for name in asked.points
    )
    return Table(f"{group}: score by how many sources answer", ("system",), measures, rows)


def gaps(asked: Asked) -> Table | None:
    """Easy minus Challenge, as it is, and among questions that equally many sources answer.

    The filters' own rows stand in it, but how many sources answer is theirs: `gap_said` leaves them out.
    """
    if not {"Easy", "Challenge"} <= set(asked.grouped.groups):
        return None
    easy, either = (
        asked.grouped.groups["Easy"],
        asked.grouped.groups["Easy"] | asked.grouped.groups["Challenge"],
    )
    counts = asked.availability.counts
    equal = [either & span.holds(counts) for span in spans(len(asked.availability.sources))]
    measures = (
        Measure("Easy minus Challenge", "difference", drawn=True),
        Measure("at equal numbers of sources", "difference", drawn=True),
    )
    rows = tuple(
        Row((name,), (gap_within(points, easy, [either]), gap_within(points, easy, equal)))
        for name, points in asked.points.items()
    )
    left = one_sided(easy, equal)
    said = "The gap, and what is left of it where equally many sources answer"
    if left:
        said += f" ({left:,} questions whose like are of one set alone don't count)"
    return Table(said, ("system",), measures, rows)


def gap_said(asked: Asked, filters: Sequence[str]) -> tuple[str, ...]:
    """How much of the gap is left, on average over the systems that have one and are no filters."""
    table = gaps(asked)
    others = [row.figures for row in (table.rows if table is not None else ()) if row.names[0] not in filters]
    told = [
        (whole.value, within.value)
        for whole, within in others
        if whole is not None and within is not None and (whole.low or 0.0) > 0 and within.value is not None
    ]
    if not told:
        return ()
    before, after = (sum(values) / len(told) for values in zip(*told, strict=True))
    return (
        f"Easy minus Challenge is {before:.1f} points on average over {len(told)} systems that have a gap "
        "and are no filters; "
        f"among questions that equally many sources answer it is {after:.1f}.",
    )


def plot(asked: Asked) -> Plot:
    """Scores over the number of sources that answer, a line a system."""
    steps = spans(len(asked.availability.sources))
    panels = []
    for group, chosen in asked.grouped.groups.items():
        lines = tuple(Line(name, _points(asked, name, chosen, steps)) for name in asked.points)
        panels.append(
            Panel(f"{group} ({chosen.sum():,}), score in percent", lines, asked.grouped.chance(chosen))
        )
    labels = tuple(span.name for span in steps)
    return Plot("Score by how many sources answer", "sources that answer", tuple(panels), labels)


def _points(asked: Asked, name: str, chosen: Bools, steps: Sequence[Span]) -> tuple[Point, ...]:
    counts = asked.availability.counts
    made = (
        point(x, asked.grouped.score(asked.points[name], chosen & span.holds(counts)))
        for x, span in enumerate(steps)
    )
    return tuple(one for one in made if one is not None)

"""What an experiment shows, as plain values: sentences, tables, plots. Units stand with each measure."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from assay.errors import AssayError

Unit = Literal["percent", "difference", "count", "number", "p"]
"""percent: 0 to 100. difference: of percents, -100 to 100. count: whole. p: 0 to 1. number: any other."""


@dataclass(frozen=True, slots=True)
class Figure:
    """A number with its 95% interval, in its measure's unit; None where it is undefined.

    `p`: of the test that the measure names. `chance`: what guessing gives here, in the same unit.
    """

    value: float | None
    low: float | None = None
    high: float | None = None
    p: float | None = None
    chance: float | None = None


@dataclass(frozen=True, slots=True)
class Measure:
    """A column of figures. `drawn`: a picture of each stands beside it. `test`: what a figure's p is of."""

    name: str
    unit: Unit
    drawn: bool = False
    test: str = ""


@dataclass(frozen=True, slots=True)
class Row:
    """What a row is about, aligned with the table's heads, and its figures, aligned with its measures."""

    names: tuple[str, ...]
    figures: tuple[Figure | None, ...]


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of figures. `heads`: what the names of a row are ("system", "set")."""

    caption: str
    heads: tuple[str, ...]
    measures: tuple[Measure, ...]
    rows: tuple[Row, ...]


@dataclass(frozen=True, slots=True)
class Point:
    """A value over `x` with its interval, from 0 to 100."""

    x: int
    value: float
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True, slots=True)
class Line:
    """The points of one system or method, by rising x."""

    name: str
    points: tuple[Point, ...]


@dataclass(frozen=True, slots=True)
class Panel:
    """Lines over the same x. `chance`: a dashed line across."""

    title: str
    lines: tuple[Line, ...]
    chance: float | None = None


@dataclass(frozen=True, slots=True)
class Plot:
    """Panels side by side with the same lines, by name.

    `across`: what x is. `labels`: names of x = 0, 1, 2, ... where x is no number.
    """

    title: str
    across: str
    panels: tuple[Panel, ...]
    labels: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Experiment:
    """One experiment as a report shows it. `name` is unique in a run, `kind` one of the kinds there are.

    `says`: what it found, a sentence each. `notes`: what was left out and how things were counted.
    """

    name: str
    kind: str
    title: str
    says: tuple[str, ...]
    tables: tuple[Table, ...] = ()
    plots: tuple[Plot, ...] = ()
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Raises AssayError for a row that isn't as long as its table is wide, or panels that differ."""
        for misfit in _misfits(self):
            raise AssayError(f"experiment {self.name}: {misfit}")


def _misfits(experiment: Experiment) -> Iterator[str]:
    for table in experiment.tables:
        for row in table.rows:
            if len(row.names) != len(table.heads) or len(row.figures) != len(table.measures):
                yield f"a row of {table.caption!r} hasn't a cell for each column: {', '.join(row.names)}"
    for plot in experiment.plots:
        drawn = {tuple(line.name for line in panel.lines) for panel in plot.panels}
        if len(drawn) > 1:
            yield f"the panels of {plot.title!r} have different lines"
        xs = {point.x for panel in plot.panels for line in panel.lines for point in line.points}
        if plot.labels and not xs <= set(range(len(plot.labels))):
            yield f"{plot.title!r} has points without a label"

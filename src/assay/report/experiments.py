"""Experiments: what each found in sentences, its plots, its tables with a picture beside the numbers."""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import quote

from assay.experiments import Experiment, Figure, Measure, Plot, Table
from assay.report import numbers
from assay.report.charts.axis import Axis, difference_axis, percent_axis
from assay.report.charts.curves import Across, CurvePoint, curves, legend, panel
from assay.report.charts.tracks import difference_track, score_track
from assay.report.data import ReportData
from assay.report.download import csv_link
from assay.report.frame import Kind, Section, note, score_and_interval, table
from assay.report.markup import Child, Html, el, join
from assay.scoring.export import Cell


def sections(data: ReportData) -> list[Section]:
    """One section for all experiments, if there are any."""
    if not data.experiments:
        return []
    body = join(_index(data.experiments), *map(_experiment, data.experiments))
    return [Section("experiments", "Experiments", "Experiments", body)]


def _index(experiments: Sequence[Experiment]) -> Html | None:
    """Where each stands, when there are several."""
    if len(experiments) < 2:
        return None
    links = (el("li", el("a", one.title, href=f"#{quote(_anchor(one))}")) for one in experiments)
    return el("ul", *links, class_="index")


def _anchor(one: Experiment) -> str:
    """An id may hold any character but white space."""
    return f"experiment-{'_'.join(one.name.split())}"


def plot_files(experiment: Experiment) -> dict[str, str]:
    """The plots as SVG files that stand alone, by file name."""
    several = len(experiment.plots) > 1
    return {
        f"{experiment.name}{f'-{number}' if several else ''}.svg": _drawn(plot) + "\n"
        for number, plot in enumerate(experiment.plots, 1)
    }


def _experiment(one: Experiment) -> Html:
    return el(
        "article",
        el("h3", one.title, id=_anchor(one)),
        *(el("p", said) for said in one.says),
        *map(_plot, one.plots),
        *(_table(one, number, shown) for number, shown in enumerate(one.tables, 1)),
        *map(note, one.notes),
        class_="experiment",
    )


def _plot(plot: Plot) -> Html:
    panels = _lines(plot)
    names = list(next(iter(panels.values()), {}))
    across = Across(plot.across, labels=plot.labels)
    drawn = (
        el("div", panel(one.title, panels[one.title], panels, across, one.chance)) for one in plot.panels
    )
    said = el("ul", *(legend(name, place) for place, name in enumerate(names)), class_="legend")
    return el("figure", el("figcaption", plot.title), el("div", *drawn, class_="plots"), said, class_="plot")


def _drawn(plot: Plot) -> Html:
    chance = {panel.title: panel.chance for panel in plot.panels}
    return curves(_lines(plot), Across(plot.across, labels=plot.labels), chance)


def _lines(plot: Plot) -> dict[str, dict[str, list[CurvePoint]]]:
    return {
        panel.title: {
            line.name: [CurvePoint(point.x, point.value, point.low, point.high) for point in line.points]
            for line in panel.lines
        }
        for panel in plot.panels
    }


def _table(one: Experiment, number: int, shown: Table) -> Html:
    columns: list[tuple[str, Kind]] = [(head.capitalize(), "text") for head in shown.heads]
    heads: list[Html | None] = [None] * len(columns)
    axes: list[Axis | None] = []
    for place, measure in enumerate(shown.measures):
        axis = _axis(measure, [row.figures[place] for row in shown.rows]) if measure.drawn else None
        axes.append(axis)
        if axis is not None:
            columns.append((_heading(measure), "track"))
            heads.append(axis.labels("signed" if measure.unit == "difference" else "plain"))
        columns.append((_heading(measure), "number"))
        heads.append(None)
    rows: list[list[Child]] = []
    for row in shown.rows:
        cells: list[Child] = list(row.names)
        for measure, axis, figure in zip(shown.measures, axes, row.figures, strict=True):
            if axis is not None:
                cells.append(None if figure is None else _track(measure, axis, figure))
            cells.append(numbers.NONE if figure is None else _number(measure, figure))
        rows.append(cells)
    tests = dict.fromkeys(measure.test for measure in shown.measures if measure.test)
    said = f"{shown.caption}; p: {'; '.join(tests)}" if tests else shown.caption
    download = csv_link(f"{one.name}-{number}", shown.caption, *csv_rows(shown))
    drawn = any(measure.drawn for measure in shown.measures)
    return table(
        said, columns, rows, heads=heads, class_="tracks" if drawn else "", download=download, stacked=drawn
    )


def _heading(measure: Measure) -> str:
    return measure.name[:1].upper() + measure.name[1:]


def csv_rows(shown: Table) -> tuple[list[str], list[list[Cell]]]:
    """Heading and rows: a measure's value, then what else any of its figures has."""
    parts = [_parts([row.figures[place] for row in shown.rows]) for place in range(len(shown.measures))]
    heading = list(shown.heads)
    for measure, own in zip(shown.measures, parts, strict=True):
        heading += [measure.name if part == "value" else f"{measure.name} {part}" for part in own]
    rows: list[list[Cell]] = []
    for row in shown.rows:
        cells: list[Cell] = list(row.names)
        for figure, own in zip(row.figures, parts, strict=True):
            cells += [None if figure is None else getattr(figure, part) for part in own]
        rows.append(cells)
    return heading, rows


def _parts(figures: Sequence[Figure | None]) -> list[str]:
    known = [figure for figure in figures if figure is not None]
    more = ("low", "high", "p", "chance")
    return ["value", *(part for part in more if any(getattr(one, part) is not None for one in known))]


def _axis(measure: Measure, figures: Sequence[Figure | None]) -> Axis:
    known = [figure for figure in figures if figure is not None]
    values = [x for one in known for x in (one.value, one.low, one.high, one.chance)]
    return difference_axis(values) if measure.unit == "difference" else percent_axis(values)


def _track(measure: Measure, axis: Axis, figure: Figure) -> Html:
    if measure.unit == "difference":
        return difference_track(axis, figure.value, figure.low, figure.high)
    return score_track(axis, figure.value, (figure.low, figure.high), "plain", (None, None, figure.chance))


def _number(measure: Measure, figure: Figure) -> Child:
    value = figure.value
    if value is None:
        return numbers.NONE
    if measure.unit == "count":
        said, between = numbers.count(int(value)), ""
    elif measure.unit == "p":
        said, between = numbers.probability(value), ""
    elif measure.unit == "difference":
        said, between = numbers.signed(value), numbers.signed_interval(figure.low, figure.high)
    elif measure.unit == "percent":
        said, between = numbers.percent(value), numbers.interval(figure.low, figure.high)
    else:
        said = numbers.decimals(value)
        between = f"[{numbers.decimals(figure.low)}, {numbers.decimals(figure.high)}]"
    shown = said if figure.low is None or figure.high is None else score_and_interval(said, between)
    if figure.p is None:
        return shown
    return join(shown, " ", el("span", f"p {numbers.probability(figure.p)}", class_="interval"))

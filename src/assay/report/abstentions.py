"""Where systems tell no choice from the others, and how their support graphs were found."""

from __future__ import annotations

from collections.abc import Sequence

from assay.report import numbers
from assay.report.data import Abstention, ReportData
from assay.report.download import csv_link
from assay.report.frame import Kind, folded, note, table
from assay.report.markup import Child, Html
from assay.scoring.export import Cell


def abstained(data: ReportData) -> Html | None:
    """A folded table of the systems that abstained or drew graphs, None where there is none."""
    guessers = {system.name for system in data.systems if system.kind == "guess-all"}
    shown = [one for one in data.abstentions if (one.count or one.graphs) and one.system not in guessers]
    if not shown:
        return None
    how = note(
        "Abstained: all choices tie, which earns what a guess does. "
        "The others: the score on the questions where some choice stands out."
    )
    graphs = [one for one in shown if one.graphs]
    return folded("Abstentions", _ties(shown), how, _graphs(graphs) if graphs else None)


def _ties(shown: Sequence[Abstention]) -> Html:
    columns: list[tuple[str, Kind]] = [
        ("System", "text"), ("Set", "text"), ("n", "number"), ("Abstained", "number"), ("Percent", "number"),
        ("Score on the others", "number"), ("95% interval", "number"),
    ]  # fmt: skip
    rows: list[list[Child]] = [
        [
            one.system, one.column, numbers.count(one.n), numbers.count(one.count),
            numbers.percent(_share(one)), numbers.percent(one.score), numbers.interval(one.low, one.high),
        ]
        for one in shown
    ]  # fmt: skip
    cells: list[list[Cell]] = [
        [one.system, one.column, one.n, one.count, _share(one), one.score, one.low, one.high] for one in shown
    ]
    heading = ["system", "column", "n", "abstained", "percent", "score_on_others", "low", "high"]
    caption = "Questions on which a system tells no choice from the others"
    return table(caption, columns, rows, download=csv_link("abstentions", caption.lower(), heading, cells))


def _share(one: Abstention) -> float | None:
    return 100 * one.count / one.n if one.n else None


def _graphs(shown: Sequence[Abstention]) -> Html:
    statuses = list(dict.fromkeys(status for one in shown for status in one.graphs))
    columns: list[tuple[str, Kind]] = [("System", "text"), ("Set", "text")]
    columns += [(status.capitalize(), "number") for status in statuses]
    rows: list[list[Child]] = [
        [one.system, one.column, *(numbers.count(one.graphs.get(status, 0)) for status in statuses)]
        for one in shown
    ]
    cells: list[list[Cell]] = [
        [one.system, one.column, *(one.graphs.get(status, 0) for status in statuses)] for one in shown
    ]
    caption = "Choices by how the search for their support graph ended"
    download = csv_link("graphs", caption.lower(), ["system", "column", *statuses], cells)
    return table(caption, columns, rows, download=download)

"""How far a system's probabilities can be trusted: reliability, and the score of what it is surest of."""

from __future__ import annotations

from assay.report import numbers
from assay.report.charts.reliability import coverage_curve, reliability
from assay.report.data import Calibration, ReportData
from assay.report.download import csv_link
from assay.report.frame import Kind, Section, folded, lead, score_and_interval, table
from assay.report.markup import Child, Html, el, join
from assay.report.scores import pictured
from assay.scoring.export import Cell


def sections(data: ReportData) -> list[Section]:
    """Calibration of the systems that give probabilities."""
    if not data.calibration:
        return []
    how = lead(
        "Of the answers given with a probability of 70 percent, 70 in 100 should be right: the diagonal. "
        "The second curve scores only the share of questions the system is surest of."
    )
    last = pictured(data)[-1].name
    main = [one for one in data.calibration if one.column == last] or list(data.calibration)
    parts = [_one(one) for one in main]
    for column in dict.fromkeys(one.column for one in data.calibration if one not in main):
        others = (_one(one) for one in data.calibration if one.column == column)
        parts.append(folded(f"On {column}", *others))
    return [Section("calibration", "Are the probabilities honest", "Calibration", join(how, *parts))]


def _one(one: Calibration) -> Html:
    ece = numbers.percent(one.ece)
    brier = numbers.decimals(one.brier, 3)
    words = (
        f"{one.system}, on {one.column}: {numbers.questions(one.n)}, "
        f"expected calibration error {ece}, Brier {brier}"
    )
    pictures = el(
        "div",
        reliability(one.bins),
        coverage_curve(one.selective) if one.selective else None,
        class_="pictures",
    )
    return el("div", el("h3", words), pictures, folded("Every number", _table(one)))


def _table(one: Calibration) -> Html:
    columns: list[tuple[str, Kind]] = [
        ("Stated probability", "text"), ("n", "number"), ("Mean stated", "number"), ("Score", "number"),
    ]  # fmt: skip
    rows: list[list[Child]] = [
        [
            f"{part.low:.0f} to {part.high:.0f}",
            numbers.count(part.n),
            numbers.percent(part.confidence),
            score_and_interval(
                numbers.percent(part.score), numbers.interval(part.score_low, part.score_high)
            ),
        ]
        for part in one.bins
    ]
    cells: list[list[Cell]] = [
        [one.system, one.column, p.low, p.high, p.n, p.confidence, p.score, p.score_low, p.score_high]
        for p in one.bins
    ]
    heading = ["system", "column", "low", "high", "n", "confidence", "score", "score_low", "score_high"]
    caption = f"Calibration of {one.system}"
    return table(caption, columns, rows, download=csv_link("calibration", caption.lower(), heading, cells))

"""Easy against Challenge: how much of a system's score comes from the questions that filters can do."""

from __future__ import annotations

from collections.abc import Mapping

from assay.report import numbers
from assay.report.charts.axis import percent_axis
from assay.report.charts.tracks import pair_track
from assay.report.data import ReportData, Score
from assay.report.download import csv_link
from assay.report.frame import Kind, Section, folded, lead, score_and_interval, table
from assay.report.markup import Child, Html, el, join
from assay.report.scores import BASIS, by_score, pictured, sign


def sections(data: ReportData) -> list[Section]:
    """The gaps, if there are two sets."""
    if not data.gaps:
        return []
    return [Section("gap", "Easy against Challenge", "Easy–Challenge", _gaps(data))]


def _on(data: ReportData, basis: str, which: str) -> Mapping[str, Score]:
    """System to its score on the Easy or Challenge column of a basis."""
    names = {column.name for column in data.columns if column.basis == basis and sign(column) == which}
    return {score.system: score for score in data.scores if score.column in names}


def _gaps(data: ReportData) -> Html:
    shown = [column.basis for column in pictured(data)]
    bases = sorted({gap.basis for gap in data.gaps}, key=lambda basis: basis not in shown)
    first, *rest = [_table(data, basis) for basis in bases]
    how = lead(
        el("span", "Ring", class_="set easy"),
        ": Easy. ",
        el("span", "Square", class_="set challenge"),
        ": Challenge. Dashed: chance. "
        "A long line is a system that lives on the questions the filters can do.",
    )
    return join(how, first, *(folded("On the sets made here", one) for one in rest))


def _table(data: ReportData, basis: str) -> Html:
    gaps = {gap.system: gap for gap in data.gaps if gap.basis == basis}
    easy, challenge = _on(data, basis, "easy"), _on(data, basis, "challenge")
    both = [*easy.values(), *challenge.values()]
    axis = percent_axis(x for score in both for x in (score.score, score.chance))
    last = pictured(data)[-1]
    ranks = {rank.system: rank for rank in data.ranks if rank.column == last.name}
    columns: list[tuple[str, Kind]] = [
        ("System", "text"), ("Challenge to Easy", "track"), ("Easy minus Challenge", "number"),
    ]  # fmt: skip
    if ranks:
        columns.append((f"Rank on {last.name}", "number"))
    rows: list[list[Child]] = []
    for system in by_score(data, last):
        if (gap := gaps.get(system.name)) is None:
            continue
        on_easy, on_challenge = easy.get(system.name), challenge.get(system.name)
        track = pair_track(
            axis,
            None if on_easy is None else on_easy.score,
            None if on_challenge is None else on_challenge.score,
            None if on_challenge is None else on_challenge.chance,
        )
        said = score_and_interval(numbers.signed(gap.gap), numbers.signed_interval(gap.low, gap.high))
        row: list[Child] = [system.name, track, said]
        if ranks:
            rank = ranks.get(system.name)
            row.append(
                numbers.NONE
                if rank is None
                else score_and_interval(str(rank.rank), f"[{rank.low}, {rank.high}]")
            )
        rows.append(row)
    cells = [[gap.system, gap.basis, gap.gap, gap.low, gap.high] for gap in gaps.values()]
    caption = f"Easy minus Challenge in points, with its 95% interval, {BASIS[basis]}"
    return table(
        caption,
        columns,
        rows,
        heads=[None, axis.labels(), *([None] * (len(columns) - 2))],
        class_="tracks",
        stacked=True,
        download=csv_link("gaps", "gaps", ["system", "sets", "gap", "low", "high"], cells),
    )

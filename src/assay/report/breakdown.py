"""Scores by what questions are: a panel a system, a row a group, and the numbers under it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from assay.report import numbers
from assay.report.charts.axis import Axis, percent_axis
from assay.report.charts.tracks import score_track
from assay.report.data import Breakdown, Group, ReportData
from assay.report.download import csv_link
from assay.report.frame import Kind, Section, folded, lead, note, score_and_interval, table
from assay.report.links import browse
from assay.report.markup import Child, Html, el, join
from assay.report.scores import by_score, pictured
from assay.scoring.export import Cell

GROUPS_DRAWN = 24
"""A picture of more groups than this helps nobody; the table and the CSV have them all."""


def sections(data: ReportData) -> list[Section]:
    """The breakdowns, if there are any; the first one open."""
    if not data.breakdowns:
        return []
    how = lead("Line: 95% interval. Dashed: chance. A hollow dot is a group too small to say anything.")
    last = pictured(data)[-1].name
    main = [one for one in data.breakdowns if one.column == last] or list(data.breakdowns)
    parts = [_breakdown(data, one, number == 0) for number, one in enumerate(main)]
    for column in dict.fromkeys(one.column for one in data.breakdowns if one not in main):
        tables = [_table(data, one) for one in data.breakdowns if one.column == column]
        parts.append(folded(f"On {column}: the numbers", *tables))
    return [Section("breakdown", "By what the questions are", "Breakdown", join(how, *parts))]


def _breakdown(data: ReportData, one: Breakdown, opened: bool) -> Html:
    known = [score for group in one.groups for score in group.scores if score is not None]
    axis = percent_axis(x for score in known for x in (score.low, score.high, score.score))
    chance = {score.system: score.chance for score in data.scores if score.column == one.column}
    drawn = _largest(one.groups)
    guessers = {system.name for system in data.systems if system.kind == "guess-all"}
    panels = [
        _panel(one, drawn, one.systems.index(name), axis, chance)
        for name in _order(data, one)
        if name not in guessers
    ]
    several = (
        note("A question with several values counts in each, so the groups add up to more than all.")
        if one.several
        else None
    )
    small = sum(group.small for group in one.groups)
    warned = (
        note(f"{small} of {len(one.groups)} groups are too small: read no difference into them.")
        if small
        else None
    )
    pictures = el("div", *panels, class_="panels")
    some = (
        note(f"Drawn: the {len(drawn)} largest of {len(one.groups)} groups. The numbers are of all.")
        if len(drawn) < len(one.groups)
        else None
    )
    every = folded("Every number", _table(data, one))
    summary = f"By {one.by}: {len(one.groups)} groups, on {one.column}"
    return folded(summary, pictures, some, several, warned, every, open_=opened)


def _order(data: ReportData, one: Breakdown) -> list[str]:
    return [system.name for system in by_score(data, pictured(data)[-1]) if system.name in one.systems]


def _largest(groups: Sequence[Group]) -> Sequence[Group]:
    """The groups to draw, in their own order."""
    kept = sorted(range(len(groups)), key=lambda number: (-groups[number].n, number))[:GROUPS_DRAWN]
    return [groups[number] for number in sorted(kept)]


def _panel(
    one: Breakdown,
    groups: Sequence[Group],
    number: int,
    axis: Axis,
    chance: Mapping[str, float | None],
) -> Html:
    name = one.systems[number]
    rows = []
    for group in groups:
        score = group.scores[number]
        kind = "open" if group.small else "plain"
        if score is None:
            track, said = None, numbers.NONE
        else:
            band = (None, None, chance.get(name))
            track = score_track(axis, score.score, (score.low, score.high), kind, band)
            said = numbers.percent(score.score)
        rows.append(
            el(
                "div",
                el("span", group.value, class_="group"),
                el("span", track, class_="holder"),
                el("span", said, class_="number"),
            )
        )
    scale = el("div", el("span"), el("span", axis.labels(), class_="holder"), el("span"), class_="scale")
    longest = max((len(group.value) for group in groups), default=0)
    width = "short" if longest <= 4 else "long" if longest > 14 else ""
    return el("figure", el("figcaption", name), scale, *rows, class_=f"panel {width}", aria_hidden="true")


def _table(data: ReportData, one: Breakdown) -> Html:
    order = _order(data, one)
    columns: list[tuple[str, Kind]] = [(one.by.capitalize(), "text"), ("n", "number")]
    columns += [(name, "number") for name in order]
    rows: list[list[Child]] = []
    for group in one.groups:
        head = browse(group.value, f"{one.key}={group.value}") if one.key else group.value
        small = el("span", " small", class_="warn") if group.small else None
        row: list[Child] = [head, join(numbers.count(group.n), small)]
        for name in order:
            score = group.scores[one.systems.index(name)]
            row.append(
                numbers.NONE
                if score is None
                else score_and_interval(numbers.percent(score.score), numbers.interval(score.low, score.high))
            )
        rows.append(row)
    cells: list[list[Cell]] = [
        [
            one.by,
            one.column,
            group.value,
            group.n,
            group.small,
            name,
            *((s.score, s.low, s.high) if s else (None,) * 3),
        ]
        for group in one.groups
        for name, s in zip(one.systems, group.scores, strict=True)
    ]
    heading = ["by", "column", "group", "n", "small", "system", "score", "low", "high"]
    caption = f"By {one.by}, on {one.column}: score and 95% interval"
    return table(caption, columns, rows, download=csv_link(f"by-{one.by}", caption.lower(), heading, cells))

"""Scores by what questions are: a panel a system, a row a group, and the numbers under it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from assay.report import numbers
from assay.report.charts.axis import Axis, difference_axis, percent_axis
from assay.report.charts.tracks import difference_track, score_track
from assay.report.data import Breakdown, Group, GroupScore, ReportData
from assay.report.download import csv_link
from assay.report.frame import Kind, Section, folded, lead, note, score_and_interval, table
from assay.report.links import browse
from assay.report.markup import Child, Html, el, join
from assay.report.scores import by_score, pictured
from assay.scoring.export import Cell

ALPHA = 0.05
"""A Holm p below this is shown as a difference."""
WIDE = 22
"""Names longer than this are given more room."""
GROUPS_DRAWN = 24
"""A picture of more groups than this helps nobody; the table and the CSV have them all."""


def sections(data: ReportData) -> list[Section]:
    """The breakdowns, if there are any; the first one open."""
    if not data.breakdowns:
        return []
    how = lead(
        "Line: 95% interval. Dashed: chance on these very questions. A full dot differs from chance, by Holm "
        "over all systems and groups of its table; a hollow one doesn't, or is of a group too small to test."
    )
    last = pictured(data)[-1].name
    main = [one for one in data.breakdowns if one.column == last] or list(data.breakdowns)
    parts = [_breakdown(data, one, number == 0) for number, one in enumerate(main)]
    for column in dict.fromkeys(one.column for one in data.breakdowns if one not in main):
        tables = [
            part
            for one in data.breakdowns
            if one.column == column
            for part in (
                _table(data, one),
                _rest_table(data, one) if _against_rest(one) else None,
                _equal_table(data, one) if _held_equal(one) else None,
            )
        ]
        parts.append(folded(f"On {column}: the numbers", *tables))
    return [Section("breakdown", "By what the questions are", "Breakdown", join(how, *parts))]


def _breakdown(data: ReportData, one: Breakdown, opened: bool) -> Html:
    drawn = _drawn_groups(one.groups)
    known = [score for group in drawn for score in group.scores if score is not None]
    axis = percent_axis(x for score in known for x in (score.low, score.high, score.score))
    overall = {score.system: score.chance for score in data.scores if score.column == one.column}
    panels = [
        _panel(one, drawn, name, axis, partial(_score, axis, overall.get(name))) for name in _drawn(data, one)
    ]
    several = (
        note("A question with several values counts in each, so the groups add up to more than all.")
        if one.several
        else None
    )
    pictures = el("div", *panels, class_=_panels(drawn))
    small = sum(group.small for group in one.groups)
    some = (
        note(f"Drawn: the {len(drawn)} largest of {len(one.groups)} groups. The numbers are of all.")
        if len(drawn) < len(one.groups)
        else None
    )
    warned = (
        note(f"{small} of {len(one.groups)} groups are too small: read no difference into them.")
        if small
        else None
    )
    every = folded("Every number", _table(data, one))
    rest = _rest(data, one, drawn) if _against_rest(one) else None
    summary = f"By {one.by}: {len(one.groups)} groups, on {one.column}"
    return folded(summary, pictures, some, several, warned, every, rest, open_=opened)


def _against_rest(one: Breakdown) -> bool:
    scores = [score for group in one.groups for score in group.scores]
    return any(score is not None and score.difference is not None for score in scores)


def _rest(data: ReportData, one: Breakdown, groups: Sequence[Group]) -> Html:
    """Each group against the rest of the questions: what groups that overlap can be told apart by."""
    shown = [group for group in groups if group.rest]
    known = [score for group in shown for score in group.scores if score is not None]
    axis = difference_axis(
        x for score in known for x in (score.difference_low, score.difference, score.difference_high)
    )
    panels = [_panel(one, shown, name, axis, partial(_difference, axis)) for name in _drawn(data, one)]
    overlap = " Groups overlap: another that its questions are of as well may be why." if one.several else ""
    equal = _equal_table(data, one) if _held_equal(one) else None
    if equal is not None:
        overlap += " The numbers give what goes with each when the others are held equal, too."
    how = note(
        "Score on the group minus score on the other questions, with its 95% interval. A full dot differs "
        f"from 0, by Holm over all systems and groups.{overlap}"
    )
    every = folded("Every difference", _rest_table(data, one), equal)
    pictures = el("div", *panels, class_=_panels(shown))
    return folded(f"Each {one.by} against the rest", how, pictures, every, open_=True)


def _score(axis: Axis, overall: float | None, group: Group, score: GroupScore) -> tuple[Html, str]:
    differs = score.p_chance is not None and score.p_chance < ALPHA
    band = (None, None, group.chance if group.chance is not None else overall)
    track = score_track(axis, score.score, (score.low, score.high), "plain" if differs else "open", band)
    return track, numbers.percent(score.score)


def _difference(axis: Axis, group: Group, score: GroupScore) -> tuple[Html, str]:
    filled = score.p_rest is not None and score.p_rest < ALPHA
    ends = score.difference_low, score.difference_high
    return difference_track(axis, score.difference, *ends, filled=filled), numbers.signed(score.difference)


def _drawn(data: ReportData, one: Breakdown) -> list[str]:
    """Systems that are drawn: guessers stand at chance anyway."""
    guessers = {system.name for system in data.systems if system.kind == "guess-all"}
    return [name for name in _order(data, one) if name not in guessers]


def _order(data: ReportData, one: Breakdown) -> list[str]:
    return [system.name for system in by_score(data, pictured(data)[-1]) if system.name in one.systems]


def _drawn_groups(groups: Sequence[Group], most: int | None = GROUPS_DRAWN) -> Sequence[Group]:
    """The groups to draw, in their own order: the largest, and small ones only where there are no others,
    since their intervals would make the scale too wide for all."""
    some = [number for number, group in enumerate(groups) if not group.small] or list(range(len(groups)))
    kept = sorted(some, key=lambda number: (-groups[number].n, number))[:most]
    return [groups[number] for number in sorted(kept)]


def _panels(groups: Sequence[Group]) -> str:
    return "panels wide" if max((len(group.value) for group in groups), default=0) > WIDE else "panels"


def _panel(
    one: Breakdown,
    groups: Sequence[Group],
    name: str,
    axis: Axis,
    drawn: Callable[[Group, GroupScore], tuple[Html, str]],
) -> Html:
    number = one.systems.index(name)
    rows = []
    for group in groups:
        score = group.scores[number]
        track, said = (None, numbers.NONE) if score is None else drawn(group, score)
        rows.append(
            el(
                "div",
                el("span", group.value, class_="group", title=group.value),
                el("span", track, class_="holder"),
                el("span", said, class_="number"),
            )
        )
    labels = axis.few_labels() if axis.low < 0 else axis.labels()
    scale = el("div", el("span"), el("span", labels, class_="holder"), el("span"), class_="scale")
    longest = max((len(group.value) for group in groups), default=0)
    width = "short" if longest <= 4 else "long" if longest > 14 else ""
    return el("figure", el("figcaption", name), scale, *rows, class_=f"panel {width}", aria_hidden="true")


def _head(one: Breakdown, group: Group) -> Child:
    return browse(group.value, f"{one.key}={group.value}") if one.key else group.value


def _n(group: Group, n: int) -> Html:
    return join(numbers.count(n), el("span", " small", class_="warn") if group.small else None)


def _table(data: ReportData, one: Breakdown) -> Html:
    order = _order(data, one)
    columns: list[tuple[str, Kind]] = [(one.by.capitalize(), "text"), ("n", "number"), ("chance", "number")]
    columns += [(name, "number") for name in order]
    rows: list[list[Child]] = []
    for group in one.groups:
        row: list[Child] = [_head(one, group), _n(group, group.n), numbers.percent(group.chance)]
        row += [_score_cell(group.scores[one.systems.index(name)]) for name in order]
        rows.append(row)
    cells: list[list[Cell]] = [
        [
            *(one.by, one.column, group.value, group.n, group.small, group.chance, name),
            *((s.score, s.low, s.high, s.p_chance) if s else (None,) * 4),
            group.rest,
            *((s.difference, s.difference_low, s.difference_high, s.p_rest) if s else (None,) * 4),
            *((s.equal, s.equal_low, s.equal_high, s.p_equal) if s else (None,) * 4),
        ]
        for group in one.groups
        for name, s in zip(one.systems, group.scores, strict=True)
    ]
    heading = [
        *("by", "column", "group", "n", "small", "chance", "system", "score", "low", "high"),
        *("p_chance_holm", "rest", "minus_rest", "minus_rest_low", "minus_rest_high", "p_rest_holm"),
        *("held_equal", "held_equal_low", "held_equal_high", "p_held_equal_holm"),
    ]
    caption = f"By {one.by}, on {one.column}: score and 95% interval"
    return table(caption, columns, rows, download=csv_link(f"by-{one.by}", caption.lower(), heading, cells))


def _score_cell(score: GroupScore | None) -> Child:
    if score is None:
        return numbers.NONE
    told = score_and_interval(numbers.percent(score.score), numbers.interval(score.low, score.high))
    as_chance = score.p_chance is not None and score.p_chance >= ALPHA
    return join(told, el("small", "as chance") if as_chance else None)


def _rest_table(data: ReportData, one: Breakdown) -> Html:
    order = _drawn(data, one)
    shown = [group for group in _drawn_groups(one.groups, most=None) if group.rest]
    columns: list[tuple[str, Kind]] = [(one.by.capitalize(), "text"), ("n", "number"), ("rest", "number")]
    columns += [(name, "number") for name in order]
    rows: list[list[Child]] = [
        [
            _head(one, group),
            _n(group, group.n),
            numbers.count(group.rest),
            *(_rest_cell(group.scores[one.systems.index(name)]) for name in order),
        ]
        for group in shown
    ]
    caption = f"Each {one.by} minus the rest, on {one.column}: difference, 95% interval, Holm p"
    others = sum(group.rest > 0 for group in one.groups) - len(shown)
    left_out = note(f"{others} groups too small to say anything are left out; the CSV above has them.")
    return join(table(caption, columns, rows), left_out if others else None)


def _rest_cell(score: GroupScore | None) -> Child:
    if score is None:
        return numbers.NONE
    return _difference_cell(score.difference, score.difference_low, score.difference_high, score.p_rest)


def _difference_cell(value: float | None, low: float | None, high: float | None, p: float | None) -> Child:
    if value is None:
        return numbers.NONE
    told = score_and_interval(numbers.signed(value), numbers.signed_interval(low, high))
    return join(told, None if p is None else el("small", f"p {numbers.probability(p)}"))


def _held_equal(one: Breakdown) -> bool:
    return any(
        score is not None and score.equal is not None for group in one.groups for score in group.scores
    )


def _equal_table(data: ReportData, one: Breakdown) -> Html:
    order = _drawn(data, one)
    columns: list[tuple[str, Kind]] = [(one.by.capitalize(), "text"), ("n", "number")]
    columns += [(name, "number") for name in order]
    rows: list[list[Child]] = []
    for group in one.groups:
        scores = [group.scores[one.systems.index(name)] for name in order]
        if any(s is not None and s.equal is not None for s in scores):
            cells = (
                numbers.NONE if s is None else _difference_cell(s.equal, s.equal_low, s.equal_high, s.p_equal)
                for s in scores
            )
            rows.append([_head(one, group), _n(group, group.n), *cells])
    caption = f"What goes with each {one.by}, the others held equal, on {one.column}: 95% interval, Holm p"
    return table(caption, columns, rows)

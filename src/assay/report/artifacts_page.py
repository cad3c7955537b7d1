"""The page of `assay check --artifacts --html`: every shortcut against chance, drawn."""

from __future__ import annotations

from assay.construction.artifacts.figures import PROBES, Artifacts, Figure, GroupArtifacts
from assay.report import numbers
from assay.report.charts.axis import Axis, difference_axis
from assay.report.charts.bars import cell_bars
from assay.report.charts.tracks import difference_track
from assay.report.frame import Kind, Section, folded, lead, note, score_and_interval, table
from assay.report.markup import Child, Html, el, join
from assay.report.plain_page import plain_page
from assay.solvers.shortcut_rules import shortcuts

STYLES = ("base.css", "charts.css", "describe.css")
ALPHA = 0.05


def artifacts_page(found: Artifacts, title: str, command: str) -> str:
    """The whole page. `title` names the set, `command` is what made the page."""
    axis = _axis(found)
    sections = []
    for number, group in enumerate(found.groups):
        sections.append(_shortcuts(group, axis, number, found))
        sections.append(_keys(group, number))
    return plain_page(title, _sentence(found), sections, command, STYLES)


def _axis(found: Artifacts) -> Axis:
    """One scale for all groups; what few questions say (under 30) is cut at its rim."""
    ends = [
        100 * end
        for group in found.groups
        for figure in group.figures
        if not figure.small
        for end in (figure.above.low, figure.above.high)
        if end is not None
    ]
    return difference_axis(ends or [10.0])


def _sentence(found: Artifacts) -> str:
    """What gets furthest, in each group."""
    parts = []
    for group in found.groups:
        told = [figure for figure in group.figures if not figure.small and _holds(figure)]
        above = [figure for figure in told if (figure.above.mean or 0.0) > 0]
        best = max(above, key=lambda figure: figure.above.mean or 0.0, default=None)
        said = (
            "no shortcut gets further above chance than luck may"
            if best is None
            else f"{best.name} gets furthest, {100 * (best.above.mean or 0.0):+.1f} points above chance"
        )
        parts.append(f"{group.group}, {numbers.questions(group.n)}: {said}.")
    return " ".join(parts)


def _holds(figure: Figure) -> bool:
    return figure.holm_p is not None and figure.holm_p < ALPHA


def _shortcuts(group: GroupArtifacts, axis: Axis, number: int, found: Artifacts) -> Section:
    meanings = {one.name: one.meaning for one in shortcuts()} | dict(PROBES)
    columns: list[tuple[str, Kind]] = [
        ("Shortcut", "text"), ("Above chance", "track"), ("Points above chance", "number"),
        ("Score", "number"), ("Chance", "number"), ("Questions", "number"), ("p, Holm", "number"),
    ]  # fmt: skip
    heads = [None, axis.labels("signed"), *([None] * 5)]
    rows = [_row(figure, axis, meanings.get(figure.name)) for figure in group.figures]
    drawn = table("Shortcuts, points above chance", columns, rows, heads=heads, class_="tracks", stacked=True)
    clustered = "" if found.cluster is None else f", clustered by {found.cluster}"
    how = lead(
        f"The line is the 95% interval{clustered}; the dot is filled where p, Holm, is below {ALPHA:g}. "
        "The grey band is where 95% of guessers of one choice a question fall. Ties share the point."
    )
    telling = [_telling(figure) for figure in group.figures if figure.telling]
    notes = [note(said) for said in group.notes]
    return Section(f"shortcuts-{number}", group.group, group.group, join(how, drawn, *notes, *telling))


def _row(figure: Figure, axis: Axis, meaning: str | None) -> list[Child]:
    above = figure.above
    value, low, high = (None if one is None else 100 * one for one in (above.mean, above.low, above.high))
    half = 100 * figure.chance_half
    name = el("b", figure.name)
    return [
        join(name, el("small", meaning)) if meaning else name,
        difference_track(axis, value, low, high, (-half, half, None), filled=_holds(figure)),
        score_and_interval(numbers.signed(value), numbers.signed_interval(low, high)),
        numbers.percent(None if figure.score.mean is None else 100 * figure.score.mean),
        numbers.percent(100 * figure.chance),
        join(numbers.count(figure.n), el("small", "few", class_="warn") if figure.small else None),
        numbers.probability(figure.holm_p),
    ]


def _telling(figure: Figure) -> Html:
    rows = [[name, f"{weight:+.2f}", numbers.count(count)] for name, weight, count in figure.telling]
    columns: list[tuple[str, Kind]] = [("feature", "text"), ("weight", "number"), ("choices", "number")]
    return folded(f"What {figure.name} goes by", table("By weight times root of choices", columns, rows))


def _keys(group: GroupArtifacts, number: int) -> Section:
    keys = group.keys
    most = max(*keys.counts, *keys.expected)
    rows: list[list[Child]] = [
        [
            f"{place}",
            cell_bars([count], most, ["g3"], expected),
            f"{numbers.count(count)} ({numbers.percent(100 * count / group.n)}%)",
            f"{expected:,.1f}",
        ]
        for place, (count, expected) in enumerate(zip(keys.counts, keys.expected, strict=True), 1)
    ]
    columns: list[tuple[str, Kind]] = [
        ("place", "text"), ("", "track"), ("questions", "number"), ("expected", "number"),
    ]  # fmt: skip
    how = "by draws" if keys.drawn else f"chi-square with {keys.df} degrees of freedom"
    said = [
        f"Even places (the stroke): p = {numbers.probability(keys.p)}, {how}.",
        f"The same choice twice: {numbers.questions(len(group.same_choices))}, of these the key twice: "
        f"{len(group.repeated_keys):,}. Stems that stood before: {group.duplicates:,}.",
    ]
    drawn = table("Questions by the place of the right choice", columns, rows)
    return Section(f"keys-{number}", f"Keys of {group.group}", "keys", join(drawn, *map(note, said)))

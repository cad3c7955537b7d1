"""Systems against each other: paired differences, and how often they say the same."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence

from assay.report import numbers
from assay.report.charts.axis import difference_axis
from assay.report.charts.tracks import difference_track
from assay.report.data import Agreement, Comparison, ReportData
from assay.report.download import csv_link
from assay.report.frame import Kind, Section, folded, lead, note, score_and_interval, table
from assay.report.markup import Child, Html, el, join
from assay.report.scores import by_score, pictured

FIELDS = [
    "a", "b", "column", "n", "difference", "low", "high", "p", "p_holm", "only_a", "only_b", "mcnemar_p",
    "right_only_a", "right_only_b", "detectable", "opposite",
]  # fmt: skip

PAIRS_SHOWN = 200
"""Pairs in one table of the page; with more systems than make so many, nobody reads them all."""
HEAT_SHOWN = 30
"""Systems in the agreement's table, the best ones; a wider one fits no screen."""


def sections(data: ReportData) -> list[Section]:
    """Comparisons and agreement, as far as there are any."""
    found = []
    if data.comparisons:
        found.append(Section("compare", "Which systems differ", "Differences", _comparisons(data)))
    if data.agreement:
        found.append(Section("agreement", "Who answers alike", "Agreement", _agreements(data)))
    return found


def _comparisons(data: ReportData) -> Html:
    parts: list[Html] = []
    columns = list(dict.fromkeys(one.column for one in data.comparisons))
    last = pictured(data)[-1].name
    for column in sorted(columns, key=lambda name: name != last):
        ranked = by_score(data, next(c for c in data.columns if c.name == column))
        places = {system.name: place for place, system in enumerate(ranked)}
        pairs = [_oriented(one, places) for one in data.comparisons if one.column == column]
        pairs.sort(key=lambda one: (places[one.a], places[one.b]))
        neighbours = [one for one in pairs if places[one.b] - places[one.a] == 1]
        if len(neighbours) == len(pairs):
            parts.append(_pairs(f"Paired differences on {column}", pairs))
            continue
        if column == last:
            parts.append(_pairs(f"Neighbours in rank on {column}", neighbours))
        parts.append(folded(f"All {len(pairs)} pairs on {column}", _pairs(f"All pairs on {column}", pairs)))
    smallest = [
        one.detectable for one in data.comparisons if one.detectable is not None and one.column == last
    ]
    power = (
        f" With these questions, pairs like these show differences from about {max(smallest):.1f} points on "
        f"{last} in four of five tries."
        if smallest
        else ""
    )
    how = lead(
        "The same questions, paired. A filled dot is a difference whose 95% interval leaves zero out. "
        "p: sign-flip permutation on points, Holm over all pairs. First only, second only: questions on "
        "which one of the two earns more points.",
        power,
    )
    return join(how, *parts)


def _oriented(one: Comparison, places: Mapping[str, int]) -> Comparison:
    """The comparison with the system that ranks higher first."""
    if places[one.a] < places[one.b]:
        return one
    difference, low, high = (
        None if value is None else -value for value in (one.difference, one.high, one.low)
    )
    return dataclasses.replace(
        one,
        a=one.b,
        b=one.a,
        only_a=one.only_b,
        only_b=one.only_a,
        right_only_a=one.right_only_b,
        right_only_b=one.right_only_a,
        difference=difference,
        low=low,
        high=high,
    )


def _pairs(caption: str, pairs: Sequence[Comparison]) -> Html:
    axis = difference_axis(x for one in pairs for x in (one.low, one.high, one.difference))
    columns: list[tuple[str, Kind]] = [
        ("Pair", "text"), ("Difference", "track"), ("Points", "number"), ("p", "number"),
        ("p, Holm", "number"),
        ("First only", "number"), ("Second only", "number"), ("McNemar p", "number"),
    ]  # fmt: skip
    rows: list[list[Child]] = []
    for one in pairs[:PAIRS_SHOWN]:
        name = join(one.a, el("span", " against ", class_="soft"), one.b)
        if one.opposite:
            name = join(name, el("small", one.opposite, class_="warn"))
        rows.append(
            [
                name,
                difference_track(axis, one.difference, one.low, one.high),
                score_and_interval(
                    numbers.signed(one.difference), numbers.signed_interval(one.low, one.high)
                ),
                numbers.probability(one.p),
                numbers.probability(one.p_holm),
                numbers.count(one.only_a),
                numbers.count(one.only_b),
                numbers.probability(one.mcnemar_p),
            ]
        )
    cells = [[getattr(one, name) for name in FIELDS] for one in pairs]
    download = csv_link("comparisons", caption.lower(), FIELDS, cells)
    heads = [None, axis.labels("signed"), *([None] * 6)]
    kind = "tracks pairs-of-systems"
    drawn = table(caption, columns, rows, heads=heads, download=download, class_=kind, stacked=True)
    cut = f"The first {len(rows)} of {len(pairs):,}, by rank; the CSV has them all."
    return join(drawn, note(cut) if len(rows) < len(pairs) else None)


def _agreements(data: ReportData) -> Html:
    last = pictured(data)[-1].name
    first, *rest = (_best(data, one) for one in sorted(data.agreement, key=lambda one: one.column != last))
    how = lead(
        "Two systems answer alike when they choose the same set of choices. Columns are numbered as rows."
    )
    cut = note(f"The {HEAT_SHOWN} best systems of {len(data.systems)}.")
    return join(
        how,
        _agreement(first),
        *(folded(f"On {one.column}", _agreement(one)) for one in rest),
        cut if len(data.systems) > HEAT_SHOWN else None,
    )


def _best(data: ReportData, one: Agreement) -> Agreement:
    """The agreement of the best HEAT_SHOWN systems, in their own order."""
    column = next(column for column in data.columns if column.name == one.column)
    ranked = [system.name for system in by_score(data, column) if system.name in one.systems]
    kept = [number for number, name in enumerate(one.systems) if name in ranked[:HEAT_SHOWN]]
    share, kappa = (
        tuple(tuple(matrix[i][j] for j in kept) for i in kept) for matrix in (one.share, one.kappa)
    )
    return Agreement(one.column, tuple(one.systems[i] for i in kept), share, kappa)


def _agreement(one: Agreement) -> Html:
    share = _heat(one, one.share, f"Share of equal answers on {one.column}, percent", 100)
    kappa = _heat(one, one.kappa, f"Cohen's kappa on {one.column}", 1)
    return join(share, folded(f"Corrected for chance (kappa), on {one.column}", kappa))


def _heat(one: Agreement, values: Sequence[Sequence[float | None]], caption: str, scale: int) -> Html:
    columns: list[tuple[str, Kind]] = [("System", "text")]
    columns += [(str(number + 1), "number") for number in range(len(one.systems))]
    numbered = enumerate(one.systems, start=1)
    heads = [None, *(el("abbr", str(number), title=name, aria_label=name) for number, name in numbered)]
    rows = []
    for i, name in enumerate(one.systems):
        head = join(el("span", f"{i + 1}", class_="soft number"), " ", name)
        rows.append([head, *(_cell(values[i][j], i == j, scale) for j in range(len(one.systems)))])
    cells = [
        [one.column, a, b, one.share[i][j], one.kappa[i][j]]
        for i, a in enumerate(one.systems)
        for j, b in enumerate(one.systems)
        if j < i
    ]
    download = csv_link("agreement", caption.lower(), ["column", "a", "b", "share", "kappa"], cells)
    return table(caption, columns, rows, heads=heads, download=download, class_="heat")


def _cell(value: float | None, same: bool, scale: int) -> Html:
    if same:
        return el("span", "·", class_="same")
    level = 0 if value is None else min(9, max(0, int(10 * value)))
    said = (
        numbers.decimals(value, 2) if scale == 1 else numbers.percent(None if value is None else 100 * value)
    )
    return el("span", said, class_=f"h{level}")

"""Tables of each source as its own corpus: scores, what it alone answers, what is lost without it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from assay.experiments.availability_tables import Asked
from assay.experiments.experiment import Figure, Measure, Row, Table
from assay.experiments.grouped import ALL, Bools, Floats, with_holm
from assay.experiments.scored import said, share

ByFilter = Mapping[str, Floats]
"""Points of each filter, 0..1, (n,) each."""


@dataclass(frozen=True, eq=False)
class Over:
    """The filters' points over the whole corpus, over each source alone, and without each.

    `sizes`: sentences of each source. `answered`: which questions are answered over the whole; bool (n,).
    """

    sizes: Mapping[str, int]
    whole: ByFilter
    alone: Mapping[str, ByFilter]
    without: Mapping[str, ByFilter]
    answered: Bools


def scores(asked: Asked, over: Over, corpus: str, sentences: int) -> Table:
    """Each filter's score over the whole corpus, then over each source."""
    measures = (
        Measure("sentences", "count"),
        *(
            Measure(name, "percent", drawn=len(asked.grouped.groups) == 1 or name != ALL)
            for name in asked.grouped.groups
        ),
    )
    rows = []
    for name, (size, by) in _all_of(over, corpus, sentences).items():
        for solver, points in by.items():
            figures = (asked.grouped.score(points, chosen) for chosen in asked.grouped.groups.values())
            rows.append(Row((name, solver), (Figure(size), *figures)))
    return Table("Score over each source alone", ("corpus", "solver"), measures, tuple(rows))


def _all_of(over: Over, corpus: str, sentences: int) -> dict[str, tuple[int, ByFilter]]:
    alone = {source: (over.sizes[source], by) for source, by in over.alone.items()}
    return {f"all of {corpus}": (sentences, over.whole), **alone}


def adds(asked: Asked, over: Over) -> Table:
    """How many questions each source answers, and those that no other one does."""
    measures = (
        Measure("sentences", "count"),
        Measure("answered", "percent", drawn=True),
        Measure("by no other source", "count"),
        *(Measure(f"of these {name}", "count") for name in asked.grouped.sets),
        Measure("of these answered over the whole corpus", "percent"),
    )
    rows = []
    for place, source in enumerate(asked.availability.sources):
        held, alone = asked.availability.answered[:, place], asked.availability.alone[:, place]
        figures = (
            Figure(over.sizes[source]),
            share(held, asked.grouped.clusters),
            Figure(int(alone.sum())),
            *(Figure(int((alone & asked.grouped.groups[name]).sum())) for name in asked.grouped.sets),
            share(over.answered[alone], asked.grouped.clusters_of(alone)),
        )
        rows.append(Row((source,), figures))
    return Table("What each source answers", ("source",), measures, tuple(rows))


def losses(asked: Asked, over: Over, seed: int) -> Table | None:
    """Score without a source minus score with all, each filter; Holm over each column."""
    pairs = [(source, solver) for source, by in over.without.items() for solver in by]
    if not pairs:
        return None
    columns = [
        with_holm(
            [
                asked.grouped.difference(over.without[source][solver], over.whole[solver], chosen, seed)
                for source, solver in pairs
            ]
        )
        for chosen in asked.grouped.groups.values()
    ]
    measures = tuple(
        Measure(name, "difference", drawn=name == "All", test="sign flips, Holm")
        for name in asked.grouped.groups
    )
    rows = tuple(Row(pair, figures) for pair, figures in zip(pairs, zip(*columns, strict=True), strict=True))
    return Table("Score without a source, minus score with it", ("without", "solver"), measures, rows)


def sentences(asked: Asked, over: Over, corpus: str, missed: Table | None) -> tuple[str, ...]:
    """What was found, a sentence each."""
    own = asked.availability
    rates = dict(zip(own.sources, (100 * own.rates).tolist(), strict=True))
    best = max(rates, key=lambda source: rates[source])
    everything = np.ones(len(own.answered), np.bool_)
    none, all_ = float(np.mean(own.counts == 0)), float(np.mean(own.counts == len(own.sources)))
    independent, guessed = own.independent(), asked.guessed(everything)
    says = [
        f"Over all of {corpus} the filters answer {said(share(over.answered))} percent of "
        f"{len(own.answered):,} questions; over its best single source, {best}, {rates[best]:.1f}.",
        f"No source answers {100 * none:.1f} percent of them; were the sources independent it would be "
        f"{100 * independent[0]:.1f}, were the filters guessing {100 * guessed[0]:.1f}. "
        f"Every source answers {100 * all_:.1f} ({100 * independent[-1]:.1f}; {100 * guessed[-1]:.1f}).",
    ]
    alone = own.alone.sum(axis=0)
    if len(own.sources) > 1 and alone.any():
        most = int(np.argmax(alone))
        says.append(
            f"{own.sources[most]} answers most of the {int(alone.sum()):,} questions that one source alone "
            f"answers: {int(alone[most]):,}."
        )
    if missed is not None:
        says.append(_missed(missed))
    return tuple(says)


def _missed(table: Table) -> str:
    """Which source's absence costs most, and how many cost something."""
    costs = [(row, row.figures[-1]) for row in table.rows]
    told = [
        (row.names, one)
        for row, one in costs
        if one is not None and one.value is not None and one.p is not None and one.p < 0.05 and one.value < 0
    ]
    if not told:
        return "Without any one source no score falls by more than chance (Holm)."
    (source, solver), most = min(told, key=lambda item: item[1].value or 0.0)
    return (
        f"{len(told)} of {len(costs)} scores fall without a source (Holm); most that of {solver} without "
        f"{source}, by {-(most.value or 0.0):.1f} points."
    )

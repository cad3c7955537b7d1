"""Gold facts in a sweep over depths: precision, recall, rank, and what the corpus hasn't got at all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from assay.evidence.depths import cut_choices, pool
from assay.experiments import Figure, Line, Measure, Panel, Plot, Point, Row, Table
from assay.experiments.gold_ranks import (
    AtDepth,
    Held,
    Ranked,
    Same,
    alike,
    at_depth,
    held_and_found,
    held_by,
    rank_summary,
    ranked,
    verbatim,
)
from assay.experiments.scored import clusters_of, point, said
from assay.pipeline.experiments.context import Context, Group
from assay.pipeline.experiments.deep_evidence import Deep
from assay.pipeline.experiments.facts import Gold, read_gold
from assay.questions.model import Question
from assay.text.shares import Shares

VERBATIM, ALIKE = "verbatim", "or in other words"
SAID = {VERBATIM: "verbatim", ALIKE: "verbatim or in other words"}
AT_DEPTH = (
    Measure("distinct", "number"),
    Measure("precision", "percent"),
    Measure("facts found", "percent", drawn=True),
    Measure("with any", "percent"),
    Measure("with all", "percent"),
)
RANKS = (
    Measure("gold facts", "count"),
    Measure("in the corpus", "percent"),
    Measure("found", "percent"),
    Measure("of those in the corpus", "percent"),
    Measure("rank: quarter", "number"),
    Measure("median", "number"),
    Measure("three quarters", "number"),
    Measure("mean of 1 / rank", "percent"),
)


class Asks(Protocol):
    """The settings that say which facts are gold, and how deep one looks."""

    @property
    def depths(self) -> tuple[int, ...]: ...
    @property
    def facts(self) -> tuple[str, ...]: ...
    @property
    def sentences(self) -> str | None: ...
    @property
    def roles(self) -> tuple[str, ...]: ...
    @property
    def match(self) -> float: ...


@dataclass(frozen=True)
class Shown:
    """A part of an experiment."""

    says: tuple[str, ...] = ()
    tables: tuple[Table, ...] = ()
    plots: tuple[Plot, ...] = ()
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class _Matched:
    """Questions held against their facts in one of two ways, in the order of the gold questions."""

    how: str
    ranked: tuple[Ranked, ...]
    held: tuple[tuple[bool, ...], ...] | None

    def of(self, places: Sequence[int]) -> tuple[Ranked, ...]:
        return tuple(self.ranked[place] for place in places)


def gold_shown(context: Context, settings: Asks, deep: Deep, pooled: bool) -> Shown:
    """Tables and a plot over the questions with gold facts; where none has any, a note that says so."""
    if not settings.facts and not any(map(_carries, context.questions)):
        said = "No question carries gold facts, and no file of explanations is named: precision and rank are "
        return Shown(notes=(f"{said}left out (setting `facts`).",))
    gold = read_gold(context.questions, settings.facts, settings.sentences, settings.roles)
    matched = _matched(context, settings, gold, deep, pooled)
    groups = context.groups(tuple(gold.questions))
    place = {question.id: number for number, question in enumerate(gold.questions)}
    whose = "sentences of a question" if pooled else "sentences of the key"
    tables, summaries = [], []
    for group in groups:
        places = [place[question.id] for question in group.questions]
        tables.append(_by_depth(group, settings.depths, matched, places, whose))
        summaries += _ranks(group, matched, places)
    deepest = f"{settings.depths[-1]} {whose}"
    ranks = Table(f"Rank of gold facts among the best {deepest}", ("set", "facts"), RANKS, tuple(summaries))
    notes = (
        *gold.notes,
        f"In other words: from {settings.match:g} in common on (twice the common content stems over those of "
        "both), or verbatim: the same letters and digits. Both are told by the words alone.",
        "Found: among the sentences shown. What isn't in the corpus can't be found at any depth.",
    )
    return Shown(_says(ranks, deepest), (*tables, ranks), (_plot(matched, settings.depths, whose),), notes)


def _carries(question: Question) -> bool:
    facts = question.facts
    return facts is not None and bool((facts.seed or "").strip() or (facts.second or "").strip())


def _matched(
    context: Context, settings: Asks, gold: Gold, deep: Deep, pooled: bool
) -> tuple[_Matched, _Matched]:
    """Gold facts held against what was retrieved, verbatim and by what they have in common."""
    shares = Shares(None if deep.corpus is None else deep.corpus.analyser)
    facts = {q.id: tuple(fact.text for fact in gold.facts[q.id]) for q in gold.questions}
    clusters = clusters_of(tuple(gold.questions), context.cluster)
    numbers = np.arange(len(gold.questions)) if clusters is None else clusters
    sentences = {q.id: _best(q, deep, settings.depths[-1], pooled) for q in gold.questions}

    def held_against(same: Same) -> tuple[Ranked, ...]:
        return tuple(
            ranked(sentences[q.id], facts[q.id], same, int(number))
            for q, number in zip(gold.questions, numbers, strict=True)
        )

    there = None
    if deep.corpus is not None:
        every = [fact for own in facts.values() for fact in own]
        there = held_by(deep.corpus, every, settings.match, progress=context.progress)
    sizes = [len(own) for own in facts.values()]
    return (
        _Matched(VERBATIM, held_against(verbatim), _apart(there, sizes, "verbatim")),
        _Matched(ALIKE, held_against(alike(shares, settings.match)), _apart(there, sizes, "alike")),
    )


def _apart(held: Held | None, sizes: Sequence[int], how: str) -> tuple[tuple[bool, ...], ...] | None:
    if held is None:
        return None
    flat = iter(getattr(held, how))
    return tuple(tuple(next(flat) for _ in range(size)) for size in sizes)


def _best(question: Question, deep: Deep, depth: int, pooled: bool) -> list[str]:
    """The texts of the question's best sentences, or of its key's."""
    evidence = deep.evidence[question.id]
    if pooled:
        return [piece.text for piece in pool(evidence)[:depth]]
    assert question.answer is not None
    cut = cut_choices(evidence, depth)
    return [piece.text for piece in cut[question.labels.index(question.answer)]] if cut else []


def _by_depth(
    group: Group, depths: Sequence[int], matched: Sequence[_Matched], places: Sequence[int], whose: str
) -> Table:
    rows = []
    for one in matched:
        for depth in depths:
            found = at_depth(one.of(places), depth)
            rows.append(Row((one.how, str(depth)), _figures(found)))
    caption = f"{group.name}, {len(places):,} questions with gold facts: the best {whose}"
    return Table(caption, ("facts", "sentences"), AT_DEPTH, tuple(rows))


def _figures(found: AtDepth) -> tuple[Figure, ...]:
    return found.sentences, found.precision, found.recall, found.any, found.all


def _ranks(group: Group, matched: Sequence[_Matched], places: Sequence[int]) -> list[Row]:
    rows = []
    for one in matched:
        own = one.of(places)
        summary = rank_summary(own)
        quartiles = summary.quartiles or (None, None, None)
        held: tuple[Figure | None, Figure | None] = (None, None)
        if one.held is not None:
            held = held_and_found(own, [one.held[place] for place in places])
        there, of_those = held
        figures = (Figure(summary.facts), there, summary.found, of_those, *map(Figure, quartiles))
        rows.append(Row((group.name, one.how), (*figures, summary.reciprocal)))
    return rows


def _plot(matched: Sequence[_Matched], depths: Sequence[int], whose: str) -> Plot:
    panels = []
    for one in matched:
        found = [at_depth(one.ranked, depth) for depth in depths]
        lines = (
            Line("gold facts found", _points(found, "recall")),
            Line("questions with any gold fact", _points(found, "any")),
            Line("questions with all", _points(found, "all")),
            Line("precision", _points(found, "precision")),
        )
        panels.append(Panel(f"{SAID[one.how]}, percent", lines))
    return Plot("Gold facts by depth", f"best {whose}", tuple(panels))


def _points(found: Sequence[AtDepth], what: str) -> tuple[Point, ...]:
    points = (point(one.depth, getattr(one, what)) for one in found)
    return tuple(one for one in points if one is not None)


def _says(ranks: Table, deepest: str) -> tuple[str, ...]:
    """Of all questions: what the corpus holds, what was found, and where the found ones stand."""
    says = []
    for row in ranks.rows[-2:]:
        facts, held, found, _, _, median, _, _ = row.figures
        assert facts is not None
        there = "" if held is None else f"{said(held)}% are in the corpus, "
        middle = (
            "" if median is None or median.value is None else f"; their median rank is {median.value:.0f}"
        )
        says.append(
            f"Of {facts.value or 0:,.0f} gold facts, taken {SAID[row.names[1]]}, {there}"
            f"{said(found or Figure(None))}% among the best {deepest}{middle}."
        )
    return tuple(says)

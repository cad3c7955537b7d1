"""Corpus diagnosis: is it the corpus or the retrieval? Words, gold facts, support of choices, IR's margin."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from assay.errors import AssayError
from assay.experiments import (
    Experiment,
    Figure,
    Plot,
    Table,
    fact_coverage,
    funnel,
    margins,
    support,
    vocabulary,
)
from assay.experiments.grouped import with_holm
from assay.experiments.scored import said, said_p
from assay.pipeline.experiments.context import Context
from assay.pipeline.experiments.corpora import contamination, corpus_named
from assay.pipeline.experiments.corpus_facts import GoldInCorpus
from assay.pipeline.experiments.corpus_look import IR_HERE, CorpusSettings, Look
from assay.pipeline.experiments.facts import Gold, read_gold

Scores = Sequence[tuple[Figure | None, ...]]
"""Of one corpus by set: IR's score and, of several corpora, how far it is above the first's."""


class CorpusDiagnosis:
    """The three measures of the ARC paper's section on its corpus: words, knowledge, exploitability."""

    name = "corpus"
    about = "is it the corpus or the retrieval? Words, gold facts, supported choices, IR's margin, the funnel"
    declared: type[Any] = CorpusSettings
    paths: tuple[str, ...] = ("facts", "sentences")
    needs_facts: bool = False

    def make(self, context: Context, settings: CorpusSettings) -> Experiment:
        """A row or table a corpus for each measure; the gold facts' are left out where there are none."""
        names = settings.corpora or tuple(context.corpora)
        corpora = [corpus_named(context, name, "corpora") for name in names]
        if not corpora:
            raise AssayError(f"{context.where}: the run has no corpus")
        gold = _gold(context, settings)
        looks = [Look.at(context, settings, one, first=one is corpora[0]) for one in corpora]
        facts = [] if gold is None else [GoldInCorpus.of(look, gold) for look in looks]
        scores = _scores_of_ir(looks)
        notes = [note for name in names for note in contamination(context, name)]
        notes += (
            ["No question has gold facts: what is about them is left out."] if gold is None else gold.notes
        )
        return Experiment(
            context.name,
            self.name,
            _title(settings),
            (
                *(told for look in looks for told in look.says()),
                *_says_of_ir(looks, scores),
                *(told for one in facts for told in one.says()),
            ),
            (*_tables(looks, scores), *(_fact_tables(facts, settings) if facts else ())),
            tuple(_plots(looks, facts)),
            (*notes, *_notes(settings, facts)),
        )


def _title(settings: CorpusSettings) -> str:
    roles = f", by facts of the role {', '.join(settings.roles)}" if settings.roles else ""
    return f"The corpus: is it what there is, or what is found{roles}?"


def _gold(context: Context, settings: CorpusSettings) -> Gold | None:
    """The gold facts; None where no file is named and no question carries one."""
    own = any(one.facts and (one.facts.seed or one.facts.second) for one in context.questions)
    if not settings.facts and not own:
        return None
    return read_gold(context.questions, settings.facts, settings.sentences, settings.roles)


def _tables(looks: Sequence[Look], scores: Sequence[Scores]) -> Iterator[Table]:
    yield vocabulary.coverage_table([row for look in looks for row in look.coverage()])
    for look in looks:
        lacking = vocabulary.missing(look.words, look.grouped, look.holding.known, look.called)
        if lacking is not None:
            yield lacking
    yield margins.table(
        [
            row
            for one, own in zip(looks, scores, strict=True)
            for row in margins.rows(one.margins, one.grouped, one.called, own)
        ],
        len(looks) > 1,
    )
    yield support.rates_table(
        [row for one in looks for row in support.rates(one.supported, one.grouped, one.called)]
    )
    yield support.classes_table(
        [
            row
            for one in looks
            for row in support.classes(one.half[1], one.grouped, one.called, one.points[IR_HERE])
        ],
        looks[0].half[0],
    )
    for one in looks:
        yield support.systems_table(one.half[1], one.grouped, one.called, one.points)


def _scores_of_ir(looks: Sequence[Look]) -> list[Scores]:
    """By corpus, by set: IR's score and, where there are several, how far it is above the first's."""
    first, *others = looks
    groups, seed = first.grouped.groups.values(), first.context.seed
    above = with_holm(
        [
            first.grouped.difference(one.points[IR_HERE], first.points[IR_HERE], chosen, seed)
            for one in others
            for chosen in groups
        ]
    )
    rises: list[Figure | None] = [*[None] * len(groups), *above]
    scores = [one.grouped.score(one.points[IR_HERE], chosen) for one in looks for chosen in groups]
    made = [(score, rise) if others else (score,) for score, rise in zip(scores, rises, strict=True)]
    return [list(made[start : start + len(groups)]) for start in range(0, len(made), len(groups))]


def _says_of_ir(looks: Sequence[Look], scores: Sequence[Scores]) -> Iterator[str]:
    """What IR scores over each corpus, on all questions."""
    for look, by_set in zip(looks, scores, strict=True):
        score, *above = by_set[-1]
        rise = above[0] if above else None
        compared = "" if rise is None else f", {rise.value or 0.0:+.1f} beside the first ({said_p(rise.p)})"
        yield f"IR over {look.called} scores {said(score or Figure(None))}{compared}."


def _fact_tables(facts: Sequence[GoldInCorpus], settings: CorpusSettings) -> Iterator[Table]:
    every = [(one, one.look.called) for one in facts]
    yield fact_coverage.facts_table(
        [
            row
            for one, name in every
            for row in fact_coverage.facts_rows(one.coverage, name, settings.near, one.grouped.clusters)
        ],
        settings.near,
    )
    yield fact_coverage.nearest_table(
        [
            row
            for one, name in every
            for row in fact_coverage.nearest_rows(one.coverage, name, one.grouped.clusters)
        ]
    )
    yield funnel.table(
        [row for one, name in every for row in funnel.rows(one.reached, one.grouped, name, one.points)],
        settings.near,
        settings.k,
    )
    for one, name in every:
        rows = funnel.conditional_rows(one.reached, one.grouped, name, one.points)
        yield funnel.conditional_table(rows, list(one.points))


def _plots(looks: Sequence[Look], facts: Sequence[GoldInCorpus]) -> Iterator[Plot]:
    if facts:
        answered = {one.look.called: one.best for one in facts}
        reached = {one.look.called: one.reached for one in facts}
        yield funnel.plot(reached, facts[0].grouped, answered)
    yield margins.plot({one.called: one.margins for one in looks}, looks[0].grouped)


def _notes(settings: CorpusSettings, facts: Sequence[GoldInCorpus]) -> Iterator[str]:
    yield (
        "Words are content stems. A sentence supports a choice if it holds all words of the choice and part "
        "of the question's; a word in both counts for both. Were any choice the key: as many choices are "
        "supported, and the key is any one of all choices."
    )
    yield "IR's margin: the key's best score minus the best distractor's, in percent of the larger one."
    if facts:
        retrieved = settings.evidence or "the method single"
        yield (
            f"Retrieved: {retrieved}, asked with the question and its key, the best {settings.k}. As many "
            "random words: drawn from all facts. A long sentence can be near a short fact and say something "
            "else."
        )
        last = ", ".join(f"{one.best[0]} ({one.look.called})" for one in facts)
        yield f"The last point of each line: retrieved, and right by {last}."

"""Each source of a corpus as its own corpus: what it answers, what goes without it, who depends on it."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Any

import numpy as np

from assay.construction.partition import Rule, answers_it
from assay.corpus import Corpus, only_sources, source_sizes, without_sources
from assay.errors import AssayError
from assay.experiments import Experiment
from assay.experiments.availability import Availability
from assay.experiments.availability_tables import Asked, by_number, gap_said, gaps, plot, profiles, systems
from assay.experiments.grouped import Bools
from assay.experiments.source_tables import ByFilter, Over, adds, losses, scores, sentences
from assay.pipeline.experiments.context import Context
from assay.pipeline.experiments.corpora import contamination, corpus_named, grouped, label
from assay.pipeline.systems import uses_corpus
from assay.questions.model import Answer
from assay.scoring.points import mark
from assay.settings import declared_settings, setting
from assay.solvers.registry import is_plugin, solver_class

FILTERS = ("ir", "pmi")
"""Kinds that are asked where neither `solvers` nor [partition] names any."""
MINIMUM = 1000
LONGEST = 40
"""Letters of a source's name in a file name."""

Parts = Mapping[str, tuple[str, ...]]
"""What is asked as a corpus of its own: name to sources."""
Answers = Mapping[str, Sequence[Answer]]
"""By filter, in the questions' order."""


@dataclass(frozen=True)
class SourcesSettings:
    """Which corpus, which sources of it, who is asked over them."""

    corpus: str | None = setting(None, "whose sources; the only corpus, unless set")
    sources: tuple[str, ...] = setting(
        (), "sources by name; a pattern (openstax-*) takes all that fit together as one; none: each one"
    )
    minimum: int = setting(MINIMUM, "sources with fewer sentences are left out, unless named", minimum=1)
    solvers: tuple[str, ...] | None = setting(
        None, "who is asked over each: the [partition]'s filters, else every ir and pmi, unless set"
    )
    rule: str | int | None = setting(
        None, "how many of them must answer (any, all, a number); as [partition] has it, unless set"
    )
    credit: str | None = setting(
        None, "exact or any; as [partition] has it, unless set", one_of=("exact", "any")
    )
    leave_one_out: bool = setting(True, "ask them over the whole corpus less each source as well")


class Sources:
    """The partition over several corpora that the ARC paper leaves open, over the parts of one corpus."""

    name = "sources"
    about = "each source of a corpus as its own corpus: scores, availability profiles, what goes without it"
    declared: type[Any] = SourcesSettings
    paths: tuple[str, ...] = ()
    needs_facts: bool = False

    def make(self, context: Context, settings: SourcesSettings) -> Experiment:
        """Tables by source, by number of sources, by profile; systems by number of sources."""
        corpus = corpus_named(context, settings.corpus)
        parts, notes = _parts(context, settings, corpus)
        filters = _filters(context, settings)
        rule = _rule(context, settings, len(filters))
        whole = _whole(context, corpus, filters)
        alone = {
            part: _over(context, filters, only_sources(corpus, own), f"only-{_slug(part)}")
            for part, own in parts.items()
        }
        without = {
            part: _over(context, filters, without_sources(corpus, own), f"without-{_slug(part)}")
            for part, own in parts.items()
            if settings.leave_one_out and len(own) < len(source_sizes(corpus))
        }
        if settings.leave_one_out and len(without) < len(parts):
            notes.append("Without its only source nothing is left of the corpus, so that it isn't asked.")
        over = Over(
            {part: sum(source_sizes(corpus)[one] for one in own) for part, own in parts.items()},
            _points(context, whole),
            {part: _points(context, answers) for part, answers in alone.items()},
            {part: _points(context, answers) for part, answers in without.items()},
            _answered(context, whole, rule),
        )
        asked = _asked(
            context, {part: _answered(context, by, rule) for part, by in alone.items()}, rule, filters
        )
        called, lost = label(context, corpus.name), losses(asked, over, context.seed)
        tables = (
            scores(asked, over, called, len(corpus)),
            adds(asked, over),
            lost,
            by_number(asked),
            profiles(asked),
            *(systems(asked, group) for group in asked.grouped.groups if asked.points),
            gaps(asked) if asked.points else None,
        )
        return Experiment(
            context.name,
            self.name,
            _title(called, len(parts)),
            (*sentences(asked, over, called, lost), *gap_said(asked, filters)),
            tuple(table for table in tables if table is not None),
            (plot(asked),) if asked.points else (),
            (*contamination(context, corpus.name), *notes, *_notes(context, rule, filters, asked)),
        )


def _title(corpus: str, parts: int) -> str:
    return (
        f"The {parts} sources of {corpus}, each as its own corpus" if parts > 1 else f"The source of {corpus}"
    )


def _parts(context: Context, settings: SourcesSettings, corpus: Corpus) -> tuple[Parts, list[str]]:
    """The corpora that are asked, and what is to be said of sources left out."""
    sizes = source_sizes(corpus)
    if not settings.sources:
        kept = {name: (name,) for name, size in sizes.items() if size >= settings.minimum}
        small = [name for name in sizes if name not in kept]
        if not kept:
            raise AssayError(
                f"{context.where}: no source of {corpus.name} has {settings.minimum:,} sentences",
                hint=f"the largest has {max(sizes.values(), default=0):,}; see minimum",
            )
        sentences = sum(sizes[name] for name in small)
        said = f"{len(small):,} sources of fewer than {settings.minimum:,} sentences aren't asked alone: "
        return kept, [f"{said}{sentences:,} sentences."] if small else []
    parts: dict[str, tuple[str, ...]] = {}
    for wanted in settings.sources:
        own = (wanted,) if wanted in sizes else tuple(name for name in sizes if fnmatchcase(name, wanted))
        if not own:
            raise AssayError(
                f"{context.where}.sources: {corpus.name} has no sentence of {wanted!r}",
                hint=f"it has {', '.join(list(sizes)[:20])}",
            )
        if twice := sorted(set(own) & {name for before in parts.values() for name in before}):
            raise AssayError(f"{context.where}.sources names {twice[0]!r} twice")
        parts[wanted] = own
    rest = sorted(set(sizes) - {name for own in parts.values() for name in own})
    return parts, [f"{len(rest):,} sources aren't named: {', '.join(rest[:10])}."] if rest else []


def _filters(context: Context, settings: SourcesSettings) -> tuple[str, ...]:
    """Who is asked. Raises AssayError for one that searches no corpus or wasn't asked all questions."""
    solvers, where = context.configuration.solvers, f"{context.where}.solvers"
    named = settings.solvers or context.configuration.partition.filters
    named = named or tuple(name for name, one in solvers.items() if one.kind in FILTERS)
    if not named:
        raise AssayError(f"{where} names nobody, and there is no ir and no pmi")
    for name in named:
        if not _searches(context, name):
            raise AssayError(f"{where} names {name!r}, which has no setting corpus")
    return tuple(named)


def _searches(context: Context, name: str) -> bool:
    kind = context.configuration.solvers[name].kind
    if is_plugin(kind):
        return uses_corpus(context.configuration.solvers[name]) is not None
    return any(one.name == "corpus" for one in declared_settings(solver_class(kind).declared))


def _rule(context: Context, settings: SourcesSettings, filters: int) -> Rule:
    partition = context.configuration.partition
    needed = partition.rule if settings.rule is None else settings.rule
    try:
        return Rule.named(needed, filters, settings.credit or partition.credit)
    except AssayError as error:
        raise AssayError(f"{context.where}.{error.faults[0].what}") from None


def _whole(context: Context, corpus: Corpus, filters: Sequence[str]) -> dict[str, Sequence[Answer]]:
    """Over the whole corpus: the run's own answers of a filter that searches it."""
    found: dict[str, Sequence[Answer]] = {}
    for name in filters:
        own = uses_corpus(context.configuration.solvers[name]) or next(iter(context.corpora))
        known = context.answers.get(name, {})
        if own == corpus.name and all(question.id in known for question in context.questions):
            found[name] = context.own(name, context.questions)
        else:
            found.update(_over(context, (name,), corpus, "whole"))
    return found


def _over(
    context: Context, filters: Sequence[str], corpus: Corpus, condition: str
) -> dict[str, Sequence[Answer]]:
    changed, corpora = {"corpus": corpus.name}, {corpus.name: corpus}
    return {
        name: context.again(name, condition, context.questions, changed=changed, corpora=corpora)
        for name in filters
    }


def _points(context: Context, answers: Answers) -> ByFilter:
    questions = tuple(context.questions)
    return {name: mark(questions, given).points for name, given in answers.items()}


def _answered(context: Context, answers: Answers, rule: Rule) -> Bools:
    """Which questions are answered under the rule."""
    found = [
        sum(answers_it(question, answer, rule.credit) for answer in given) >= rule.needed
        for question, given in zip(context.questions, zip(*answers.values(), strict=True), strict=True)
    ]
    return np.array(found, np.bool_)


def _asked(context: Context, answered: Mapping[str, Bools], rule: Rule, filters: Sequence[str]) -> Asked:
    questions = tuple(context.questions)
    whole = [name for name, known in context.answers.items() if all(one.id in known for one in questions)]
    return Asked(
        Availability(tuple(answered), np.stack(list(answered.values()), axis=1)),
        grouped(context, questions),
        {name: mark(questions, context.own(name, questions)).points for name in whole},
        len(filters),
        rule.needed,
    )


def _slug(part: str) -> str:
    """A source's name as part of a file name, different for different names."""
    plain = re.sub(r"[^A-Za-z0-9._-]+", "-", part)[:LONGEST]
    return plain if plain == part else f"{plain}-{hashlib.sha256(part.encode()).hexdigest()[:8]}"


def _notes(context: Context, rule: Rule, filters: Sequence[str], asked: Asked) -> tuple[str, ...]:
    credit = "exactly the key" if rule.credit == "exact" else "the key, alone or among others"
    missing = [name for name in context.configuration.solvers if name not in asked.points]
    return (
        f"A question is answered over a source if {rule.needed} of {len(filters)} ({', '.join(filters)}) "
        f"choose {credit} there.",
        "Independent sources: each answers as many questions as it does, whichever. Guessing filters: each "
        "chooses one choice at random over each source.",
        *(f"{name} isn't shown: it wasn't asked all of these questions." for name in missing),
    )

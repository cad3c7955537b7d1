"""Gold facts among ranked sentences: how much of what was shown is gold, what was found, and where it stood.

A fact is found where a sentence is the same by letters and digits ("verbatim"), or says it in nearly the same
words ("alike"): gold facts were written by people, and a corpus seldom has them word for word.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from assay.corpus.model import Corpus
from assay.evidence.sentence_filter import FilterRules
from assay.experiments.experiment import Figure
from assay.experiments.grouped import within
from assay.experiments.scored import percent
from assay.progress import SILENT, Progress
from assay.scoring.gold import find_facts
from assay.scoring.interval import Codes, Floats, estimate, t_estimate
from assay.scoring.recall import fact_key
from assay.text.analysis import is_stop
from assay.text.shares import Shares

Same = Callable[[str, str], bool]
"""Whether a sentence (second) is taken to be a fact (first)."""
LEAST_STEMS = 2
"""A fact with fewer content stems is found verbatim alone: one word in common says nothing."""


def verbatim(fact: str, sentence: str) -> bool:
    """Equal by letters and digits, without case."""
    return fact_key(fact) == fact_key(sentence)


def alike(shares: Shares, least: float) -> Same:
    """Verbatim, or with at least so much in common (`Shares.alike`), 0 to 1."""

    def same(fact: str, sentence: str) -> bool:
        if verbatim(fact, sentence):
            return True
        return shares.stems(fact) >= LEAST_STEMS and shares.alike(fact, sentence) >= least

    return same


@dataclass(frozen=True, slots=True)
class Ranked:
    """One question's sentences, best first, held against its gold facts.

    `gold`: for each sentence whether it is one; `new`: whether it is the first of its text; `ranks`: for each
    fact the 1-based rank of the first sentence that is it, None where none is. `cluster`: what the question
    stands with for intervals.
    """

    gold: tuple[bool, ...]
    new: tuple[bool, ...]
    ranks: tuple[int | None, ...]
    cluster: int


def ranked(sentences: Sequence[str], facts: Sequence[str], same: Same, cluster: int) -> Ranked:
    """Hold a question's sentences, best first, against its facts."""
    matches = [[same(fact, sentence) for fact in facts] for sentence in sentences]
    seen: set[str] = set()
    new = []
    for sentence in sentences:
        new.append(fact_key(sentence) not in seen)
        seen.add(fact_key(sentence))
    ranks = tuple(
        next((rank for rank, held in enumerate(matches, 1) if held[place]), None)
        for place in range(len(facts))
    )
    return Ranked(tuple(map(any, matches)), tuple(new), ranks, cluster)


@dataclass(frozen=True, slots=True)
class AtDepth:
    """What the best `depth` sentences hold; all but `sentences` in percent, intervals clustered by question.

    `sentences`: the mean number of distinct ones a question; `precision`: how many of them are gold facts;
    `recall`: how many of all gold facts are among them; `any`, `all`: questions with any, with all of theirs.
    """

    depth: int
    sentences: Figure
    precision: Figure
    recall: Figure
    any: Figure
    all: Figure


def at_depth(questions: Sequence[Ranked], depth: int) -> AtDepth:
    """Figures over questions that have gold facts, at least one each."""
    shown = [[g for g, new in zip(q.gold[:depth], q.new[:depth], strict=True) if new] for q in questions]
    found = [[rank is not None and rank <= depth for rank in q.ranks] for q in questions]
    clusters = np.array([question.cluster for question in questions], np.int64)
    # Numbers of sentences are no shares, even where all are 1.
    mean = t_estimate(np.array([len(own) for own in shown], np.float64), _numbered(clusters))
    return AtDepth(
        depth,
        Figure(mean.mean, mean.low, mean.high),
        _share(shown, clusters),
        _share(found, clusters),
        _share([[any(own)] for own in found], clusters),
        _share([[all(own)] for own in found], clusters),
    )


@dataclass(frozen=True, slots=True)
class RankSummary:
    """Where gold facts stand. `facts`: how many; `found`: how many have a rank, in percent.

    `quartiles`: ranks below which a quarter, half, three quarters of those found stand; None for none found.
    `reciprocal`: the mean of 1 / rank, 0 for what isn't found, in percent.
    """

    facts: int
    found: Figure
    quartiles: tuple[float, float, float] | None
    reciprocal: Figure


def rank_summary(questions: Sequence[Ranked]) -> RankSummary:
    """Over all gold facts of all questions."""
    clusters = np.array([question.cluster for question in questions], np.int64)
    ranks = [rank for question in questions for rank in question.ranks if rank is not None]
    inverse = [[0.0 if rank is None else 1 / rank for rank in q.ranks] for q in questions]
    low, middle, high = np.quantile(ranks, (0.25, 0.5, 0.75), method="inverted_cdf") if ranks else (0, 0, 0)
    return RankSummary(
        sum(len(question.ranks) for question in questions),
        _share([[rank is not None for rank in question.ranks] for question in questions], clusters),
        (float(low), float(middle), float(high)) if ranks else None,
        within(percent(estimate(*_flat(inverse, clusters)))),
    )


def held_and_found(questions: Sequence[Ranked], held: Sequence[Sequence[bool]]) -> tuple[Figure, Figure]:
    """The share of facts that a corpus holds, and the share of these that have a rank; in percent.

    `held`: a question each, a fact each. Of none the share is undefined.
    """
    clusters = np.array([question.cluster for question in questions], np.int64)
    pairs = [list(zip(q.ranks, own, strict=True)) for q, own in zip(questions, held, strict=True)]
    found = [[rank is not None for rank, there in own if there] for own in pairs]
    return _share(held, clusters), _share(found, clusters)


def _share(values: Sequence[Sequence[bool]], clusters: Codes) -> Figure:
    """In percent, with what of its interval lies within 0 and 100, ends that t of clusters doesn't know."""
    return within(percent(estimate(*_flat(values, clusters))))


def _flat(values: Sequence[Sequence[float]], clusters: Codes) -> tuple[Floats, Codes | None]:
    """The values end to end, with their questions' clusters, numbered anew from 0."""
    flat = np.array([value for own in values for value in own], np.float64)
    return flat, _numbered(np.repeat(clusters, [len(own) for own in values]))


def _numbered(clusters: Codes) -> Codes | None:
    """Clusters numbered from 0; None where each value stands alone."""
    known, numbers = np.unique(clusters, return_inverse=True)
    return None if len(known) == len(clusters) else numbers.astype(np.int64)


@dataclass(frozen=True, slots=True)
class Held:
    """Facts in a corpus, in the order asked: is there a sentence that is it, verbatim or alike?"""

    verbatim: tuple[bool, ...]
    alike: tuple[bool, ...]


def held_by(corpus: Corpus, facts: Sequence[str], least: float, *, progress: Progress = SILENT) -> Held:
    """Look for facts in the whole corpus: all texts are read for `verbatim`, postings for `alike`."""
    there = find_facts(corpus, {fact_key(fact) for fact in facts}, FilterRules(), progress=progress)
    exact = tuple(fact_key(fact) in there for fact in facts)
    index = _Alike(corpus, least)
    known: dict[str, bool] = {}
    for fact in facts:
        if fact not in known:
            known[fact] = index.holds(fact)
    return Held(exact, tuple(one or known[fact] for one, fact in zip(exact, facts, strict=True)))


class _Alike:
    """`Shares.alike` of a fact with every sentence of a corpus, by its postings."""

    def __init__(self, corpus: Corpus, least: float) -> None:
        self._corpus, self._least = corpus, least
        postings = corpus.postings
        sizes = np.diff(postings.starts)
        content = np.repeat(~corpus.vocabulary.stop, sizes)
        self._stems = np.bincount(postings.sentences[content], minlength=len(corpus))

    def holds(self, fact: str) -> bool:
        """Whether any sentence has so much in common with it."""
        stems = {term for term in self._corpus.analyser.all_terms(fact) if not is_stop(term)}
        if len(stems) < LEAST_STEMS:
            return False
        ids = self._corpus.vocabulary.ids
        starts, sentences = self._corpus.postings.starts, self._corpus.postings.sentences
        numbers = [ids[stem] for stem in sorted(stems) if stem in ids]
        if not numbers:
            return False
        every = np.concatenate([sentences[starts[n] : starts[n + 1]] for n in numbers])
        common = np.bincount(every, minlength=len(self._corpus))
        return bool(np.any(2 * common >= self._least * (len(stems) + self._stems) - 1e-9))

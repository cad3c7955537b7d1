"""Two-step retrieval (Khot et al. 2019, QASC, section 5): what a first fact adds, with what it leaves out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from assay.evidence.engine import Hits, Query
from assay.evidence.explained import Floats, Ints, rounded
from assay.evidence.query_words import QueryWords
from assay.evidence.retrieval import FirstStep, RetrievalSettings, Retrieved
from assay.questions.model import Question


class Asked(NamedTuple):
    """The content stems of a stem and of a choice, each once, in order."""

    stem: tuple[str, ...]
    choice: tuple[str, ...]


class Pairs(NamedTuple):
    """The pairs of one choice, arrays of shape (n,), best first.

    `firsts`, `seconds`: sentences; `ranks`, `places`: where they stand in their lists, from 0.
    """

    scores: Floats
    ranks: Ints
    places: Ints
    firsts: Ints
    seconds: Ints

    def scored(self, scores: Floats) -> Pairs:
        """Under new scores, best first; of equal ones the better first fact, then the better partner."""
        order = np.lexsort((self.places, self.ranks, -scores))
        return self._replace(scores=scores).at(order)

    def at(self, which: Ints | slice) -> Pairs:
        """Some of them, or all in another order."""
        return Pairs(
            self.scores[which], self.ranks[which], self.places[which], self.firsts[which], self.seconds[which]
        )


def two_step(step: FirstStep, questions: Sequence[Question]) -> Iterator[list[Retrieved]]:
    """For each choice of each question, one after another, the sentences of its best pairs.

    All second queries of all these questions are searched together.
    """
    firsts = step.best(questions, step.settings.facts)
    for hits, pairs in zip(firsts, find_pairs(step, questions, firsts), strict=True):
        yield walk(step, hits, pairs)


def find_pairs(step: FirstStep, questions: Sequence[Question], firsts: Sequence[Hits]) -> Iterator[Pairs]:
    """For each choice of each question, one after another, the pairs that its first facts make."""
    settings = step.settings
    asked = list(_asked(step.words, questions))
    stems = _Stems(step.words)
    places: list[tuple[int, int]] = []
    queries: list[Query] = []
    for number, (terms, hits) in enumerate(zip(asked, firsts, strict=True)):
        for rank, query in _second_queries(terms, [stems[fact] for fact in hits.ids.tolist()], settings):
            places.append((number, rank))
            queries.append(query)
    partners = settings.partners
    if settings.partners_by_walk:
        partners = max(partners, -(-settings.sentences // settings.facts))
    seconds = step.fetcher.best(queries, partners, settings.fetched_partners)
    choices, pairs = _pairs(firsts, places, seconds)
    scores = _scores(step, asked, choices, pairs)
    bounds = np.searchsorted(choices, np.arange(len(asked) + 1)).tolist()
    for start, stop in pairwise(bounds):
        yield pairs.at(slice(start, stop)).scored(scores[start:stop])


def second_query(asked: Asked, fact: Sequence[str], settings: RetrievalSettings) -> Query | None:
    """The query for partners of a first fact with these content stems; None where there is nothing to ask.

    Scored: what the fact leaves out of stem and choice, and what it adds; of both at least one must be met.
    """
    held, wanted = set(fact), {*asked.stem, *asked.choice}
    left_out = tuple(term for term in dict.fromkeys((*asked.stem, *asked.choice)) if term not in held)
    added = tuple(term for term in dict.fromkeys(fact) if term not in wanted)
    if not left_out or not added:
        return None
    required = tuple(
        part
        for part, on in (
            (asked.stem, settings.question_term_second),
            (asked.choice, settings.choice_term_second),
        )
        if on and part and held.isdisjoint(part)
    )
    return Query((left_out, added), every_group=True, required=required)


def _second_queries(
    asked: Asked, facts: Sequence[Sequence[str]], settings: RetrievalSettings
) -> list[tuple[int, Query]]:
    """The ranks of the facts that have a query, with it; those that leave out the same stand together."""
    by_left_out: dict[tuple[str, ...], list[tuple[int, Query]]] = {}
    for rank, fact in enumerate(facts):
        query = second_query(asked, fact, settings)
        if query is not None:
            alike = by_left_out.setdefault(query.groups[0], [])
            if alike:
                # One object: the engine then reads its terms once for all of them.
                query = Query((alike[0][1].groups[0], query.groups[1]), True, query.required)
            alike.append((rank, query))
    return [entry for alike in by_left_out.values() for entry in alike]


def _asked(words: QueryWords, questions: Sequence[Question]) -> Iterator[Asked]:
    for question in questions:
        stem = tuple(dict.fromkeys(words.content(question.stem)))
        for choice in question.choices:
            yield Asked(stem, tuple(dict.fromkeys(words.content(choice.text))))


class _Stems(dict[int, tuple[str, ...]]):
    """The content stems of a sentence that a query may hold, read once."""

    def __init__(self, words: QueryWords) -> None:
        self._content, self._terms = words.corpus.content, words.corpus.vocabulary.terms
        self._asks = words.asks
        self._known: dict[int, str] = {}

    def __missing__(self, sentence: int) -> tuple[str, ...]:
        start, stop = self._content.starts[sentence : sentence + 2].tolist()
        self[sentence] = stems = tuple(
            term
            for number in self._content.ids[start:stop].tolist()
            if self._asks(term := self._term(number))
        )
        return stems

    def _term(self, number: int) -> str:
        known = self._known.get(number)
        if known is None:
            known = self._known[number] = self._terms[number]
        return known


def _pairs(
    firsts: Sequence[Hits], places: Sequence[tuple[int, int]], seconds: Sequence[Hits]
) -> tuple[Ints, Pairs]:
    """The choice of each pair, rising, and the pairs with the sums of their sentences' scores."""
    sizes = [len(found.ids) for found in seconds]
    if not sum(sizes):
        none = np.zeros(0, np.int64)
        return none, Pairs(np.zeros(0), none, none, none, none)
    choices, ranks = (np.repeat(np.array(column), sizes) for column in zip(*places, strict=True))
    first = np.repeat([firsts[number].scores[rank] for number, rank in places], sizes)
    pairs = Pairs(
        first + np.concatenate([found.scores for found in seconds]),
        ranks,
        np.concatenate([np.arange(size) for size in sizes]),
        np.repeat([firsts[number].ids[rank] for number, rank in places], sizes),
        np.concatenate([found.ids for found in seconds]),
    )
    by_choice = np.argsort(choices, kind="stable")
    return choices[by_choice], pairs.at(by_choice)


def _scores(step: FirstStep, asked: Sequence[Asked], choices: Ints, pairs: Pairs) -> Floats:
    """Sums of scores, less what `added_weight` and `unexplained` take from them."""
    settings = step.settings
    if settings.added_weight == 1 and not settings.unexplained:
        return pairs.scores
    stems = step.explained.asked([[*terms.stem, *terms.choice] for terms in asked])
    sentences, constants = (pairs.firsts, pairs.seconds), (settings.k1, settings.b)
    added, unexplained = step.explained.pairs(stems, choices, sentences, constants)
    lost = (1 - settings.added_weight) * added + settings.unexplained * unexplained
    return rounded(pairs.scores - lost)


def walk(step: FirstStep, firsts: Hits, pairs: Pairs) -> list[Retrieved]:
    """From the best pair down, first then second fact, each once, until there are enough."""
    settings, key = step.settings, step.fetcher.filter.key
    taken: dict[int, Retrieved] = {}
    for entry in _line(settings, firsts, pairs):
        if len(taken) == settings.sentences:
            break
        taken.setdefault(key(entry.sentence), entry)
    return list(taken.values())


def _line(settings: RetrievalSettings, firsts: Hits, pairs: Pairs) -> Iterator[Retrieved]:
    alone = [
        Retrieved(fact, score, "first")
        for fact, score in zip(firsts.ids.tolist(), firsts.scores.tolist(), strict=True)
    ]
    yield from alone[: settings.keep_first]
    for first, second, score in zip(
        pairs.firsts.tolist(), pairs.seconds.tolist(), pairs.scores.tolist(), strict=True
    ):
        yield Retrieved(first, score, "first", second)
        yield Retrieved(second, score, "second", first)
    if settings.fill:
        yield from alone

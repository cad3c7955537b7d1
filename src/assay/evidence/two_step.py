"""Two-step retrieval (Khot et al. 2019, QASC, section 5): what a first fact adds, with what it leaves out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from assay.corpus.model import Corpus
from assay.evidence.engine import Hits, Query
from assay.evidence.retrieval import Fetcher, RetrievalSettings, Retrieved, first_queries
from assay.evidence.sentence_filter import SentenceFilter
from assay.questions.model import Question


class Asked(NamedTuple):
    """The content stems of a stem and of a choice, each once, in order."""

    stem: tuple[str, ...]
    choice: tuple[str, ...]


class Pair(NamedTuple):
    """A first and a second fact and the sum of their scores, with their places in their lists."""

    score: float
    rank: int
    partner_rank: int
    first: int
    second: int


def two_step(
    fetcher: Fetcher[Query], corpus: Corpus, questions: Sequence[Question], settings: RetrievalSettings
) -> Iterator[list[Retrieved]]:
    """For each choice of each question, one after another, the sentences of its best pairs.

    All second queries of all these questions are searched together.
    """
    firsts = fetcher.best(first_queries(corpus, questions, settings), settings.facts, settings.fetched)
    for hits, pairs in zip(firsts, find_pairs(fetcher, corpus, questions, firsts, settings), strict=True):
        yield walk(fetcher.filter, hits, pairs, settings)


def find_pairs(
    fetcher: Fetcher[Query],
    corpus: Corpus,
    questions: Sequence[Question],
    firsts: Sequence[Hits],
    settings: RetrievalSettings,
) -> list[list[Pair]]:
    """For each choice of each question, one after another, the pairs that its first facts make."""
    asked = list(_asked(corpus, questions))
    stems = _Stems(corpus)
    places: list[tuple[int, int]] = []
    queries: list[Query] = []
    for number, (terms, hits) in enumerate(zip(asked, firsts, strict=True)):
        for rank, query in _second_queries(terms, [stems[fact] for fact in hits.ids.tolist()], settings):
            places.append((number, rank))
            queries.append(query)
    partners = settings.partners
    if settings.partners_by_walk:
        partners = max(partners, -(-settings.sentences // settings.facts))
    pairs: list[list[Pair]] = [[] for _ in asked]
    seconds = fetcher.best(queries, partners, settings.fetched_partners)
    for (number, rank), found in zip(places, seconds, strict=True):
        pairs[number] += _pairs(firsts[number], rank, found)
    return pairs


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


def _asked(corpus: Corpus, questions: Sequence[Question]) -> Iterator[Asked]:
    content = corpus.analyser.content
    for question in questions:
        stem = tuple(dict.fromkeys(content(question.stem)))
        for choice in question.choices:
            yield Asked(stem, tuple(dict.fromkeys(content(choice.text))))


class _Stems(dict[int, tuple[str, ...]]):
    """The content stems of a sentence, read once."""

    def __init__(self, corpus: Corpus) -> None:
        self._content, self._terms = corpus.content, corpus.vocabulary.terms
        self._known: dict[int, str] = {}

    def __missing__(self, sentence: int) -> tuple[str, ...]:
        start, stop = self._content.starts[sentence : sentence + 2].tolist()
        self[sentence] = stems = tuple(
            self._term(number) for number in self._content.ids[start:stop].tolist()
        )
        return stems

    def _term(self, number: int) -> str:
        known = self._known.get(number)
        if known is None:
            known = self._known[number] = self._terms[number]
        return known


def _pairs(firsts: Hits, rank: int, found: Hits) -> list[Pair]:
    first, score = int(firsts.ids[rank]), float(firsts.scores[rank])
    return [
        Pair(score + partner_score, rank, place, first, partner)
        for place, (partner, partner_score) in enumerate(
            zip(found.ids.tolist(), found.scores.tolist(), strict=True)
        )
    ]


def in_order(pairs: Sequence[Pair]) -> list[Pair]:
    """Best first; of equal ones the better first fact, then the better partner."""
    return sorted(pairs, key=lambda pair: (-pair.score, pair.rank, pair.partner_rank))


def walk(
    sentence_filter: SentenceFilter, firsts: Hits, pairs: Sequence[Pair], settings: RetrievalSettings
) -> list[Retrieved]:
    """From the best pair down, first then second fact, each once, until there are enough."""
    line = [
        Retrieved(sentence, pair.score, role)
        for pair in in_order(pairs)
        for sentence, role in ((pair.first, "first"), (pair.second, "second"))
    ]
    if settings.fill:
        rest = zip(firsts.ids.tolist(), firsts.scores.tolist(), strict=True)
        line += [Retrieved(fact, score, "first") for fact, score in rest]
    taken: dict[int, Retrieved] = {}
    for entry in line:
        if len(taken) == settings.sentences:
            break
        taken.setdefault(sentence_filter.key(entry.sentence), entry)
    return list(taken.values())

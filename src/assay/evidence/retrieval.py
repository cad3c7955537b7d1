"""Evidence for each choice: the settings of retrieval, fetching under the filter, and the single step."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

import numpy as np
import numpy.typing as npt

from assay.evidence.engine import Hits, Query
from assay.evidence.engines import ENGINES
from assay.evidence.explained import Explained, rounded
from assay.evidence.query_words import QueryWords
from assay.evidence.sentence_filter import (
    KEPT,
    NOT_REACHED,
    RULES,
    FilterRules,
    Rule,
    SentenceFilter,
    Verdicts,
)
from assay.questions.model import Question
from assay.settings import setting

Asked = TypeVar("Asked", contravariant=True)
GROWTH = 4
"""Where too few hits pass the filter, so many times as many are fetched next."""


@dataclass(frozen=True)
class RetrievalSettings:
    """Every constant of retrieval (Khot et al. 2019, QASC, section 5; the rest from the baselines' code)."""

    k: int = setting(10, "sentences a choice (the paper's M)", minimum=1)
    facts: int = setting(20, "two-step: facts kept of the first step (K)", minimum=1)
    partners: int = setting(4, "two-step: second facts kept for each first one (L)", minimum=1)
    fetched: int = setting(500, "hits of the first query that the filter may look at", minimum=1)
    fetched_partners: int = setting(500, "hits of each second query that the filter may look at", minimum=1)
    walk: int = setting(1, "two-step: pairs are taken until there are walk times k sentences", minimum=1)
    partners_by_walk: bool = setting(
        False, "two-step: more partners where walk * k / facts is more than `partners`"
    )
    fill: bool = setting(False, "two-step: where the pairs run out, go on with the other first facts")
    keep_first: int = setting(
        0, "two-step: so many of the best first facts stand first, whatever their pairs", minimum=0
    )
    added_weight: float = setting(
        1.0, "two-step: what a pair's score counts of the part for what the first fact adds", minimum=0
    )
    unexplained: float = setting(
        0.0,
        "two-step: what a pair loses for each nat of idf of the stems that one of its facts has, and neither "
        "the other nor stem and choice",
        minimum=0,
    )
    unexplained_first: float = setting(
        0.0, "what a hit of the first query loses for each nat of idf of the stems it adds", minimum=0
    )
    pool: int = setting(
        100, "hits of the first query that `unexplained_first` puts in a new order", minimum=1
    )
    query_stop_words: str = setting(
        "none", "more stop words, for questions, choices and what first facts add: a list's name or file"
    )
    choice_term_first: bool = setting(False, "the first query's hits must hold a term of the choice")
    question_term_second: bool = setting(
        True, "two-step: where the first fact shares no term with the stem, the second must"
    )
    choice_term_second: bool = setting(
        True, "two-step: where the first fact shares no term with the choice, the second must"
    )
    max_characters: int | None = setting(300, "longer sentences are dropped", minimum=1)
    negation: bool = setting(False, "drop sentences with not, n't or except")
    duplicates: bool = setting(False, "drop sentences that differ from a better one in marks alone")
    clean: bool = setting(True, "drop sentences that aren't clean")
    engine: str = setting("exact", "search engine", one_of=ENGINES)
    k1: float = setting(1.2, "BM25's k1", minimum=0)
    b: float = setting(0.75, "BM25's b", minimum=0, maximum=1)

    @property
    def rules(self) -> FilterRules:
        """The sentence filter's rules."""
        return FilterRules(self.max_characters, self.negation, self.duplicates, self.clean)

    @property
    def sentences(self) -> int:
        """Sentences a choice in the end, at most."""
        return self.k * self.walk


PRESETS: Mapping[str, Mapping[str, Any]] = {
    "paper": {},
    "lineage": {"walk": 2, "partners_by_walk": True, "choice_term_second": False},
    "best": {
        "facts": 30,
        "partners": 8,
        "added_weight": 0.5,
        "keep_first": 1,
        "unexplained": 0.25,
        "unexplained_first": 0.05,
        "query_stop_words": "questions",
    },
}
"""Settings by name: the paper's reading (the defaults); that of the code it grew from; what found most."""


class Retrieved(NamedTuple):
    """A sentence for a choice: its id, the score it was taken by, and its role: single, first, second.

    `partner`: the other sentence of the pair it was taken with.
    """

    sentence: int
    score: float
    role: str
    partner: int | None = None


class Searcher(Protocol[Asked]):
    """A `SearchEngine`, or one whose queries are of another kind (vectors)."""

    def search(self, queries: Sequence[Asked], k: int) -> Iterator[Hits]:
        """The best k sentences of each query, in the order of the queries."""
        ...


class Judged(NamedTuple):
    """The hits of one query down to the last one kept, and what the filter says of each.

    `verdicts`: int8, shape (h,): KEPT, or the number of a rule. `more`: not all hits may have been fetched.
    """

    hits: Hits
    verdicts: Verdicts
    more: bool

    @property
    def kept(self) -> Hits:
        """Those that the filter keeps."""
        mask = self.verdicts == KEPT
        return Hits(self.hits.ids[mask], self.hits.scores[mask])


class Fetcher(Generic[Asked]):
    """An engine under a sentence filter; counts queries, and the hits that each rule dropped.

    Counted are the hits that stood before the last one kept, so that no count depends on how many were
    fetched at once.
    """

    def __init__(self, engine: Searcher[Asked], sentence_filter: SentenceFilter) -> None:
        self._engine = engine
        self.filter = sentence_filter
        self.dropped: dict[Rule, int] = dict.fromkeys(RULES, 0)
        self.queries = 0

    def best(self, queries: Sequence[Asked], wanted: int, fetched: int) -> list[Hits]:
        """Of each query's best `fetched` hits the best `wanted` that the filter keeps."""
        return [judged.kept for judged in self.judged(queries, wanted, fetched)]

    def judged(self, queries: Sequence[Asked], wanted: int, fetched: int) -> list[Judged]:
        """As `best`, with the hits that the filter dropped before the last one kept."""
        self.queries += len(queries)
        done: list[Judged | None] = [None] * len(queries)
        still, size = list(range(len(queries))), min(fetched, 2 * wanted)
        while still:
            found = list(self._engine.search([queries[number] for number in still], size))
            again = []
            for number, hits, verdicts in zip(still, found, self._verdicts(found, wanted), strict=True):
                full = len(hits.ids) == size
                if full and size < fetched and np.count_nonzero(verdicts == KEPT) < wanted:
                    again.append(number)
                    continue
                reached = verdicts != NOT_REACHED
                judged = Judged(Hits(hits.ids[reached], hits.scores[reached]), verdicts[reached], full)
                done[number] = judged
                dropped = judged.verdicts[judged.verdicts >= 0]
                if len(dropped):
                    for rule, count in enumerate(np.bincount(dropped, minlength=len(RULES))):
                        self.dropped[RULES[rule]] += int(count)
            still, size = again, min(fetched, GROWTH * size)
        return [judged for judged in done if judged is not None]

    def _verdicts(self, found: Sequence[Hits], wanted: int) -> list[Any]:
        sizes = [len(hits.ids) for hits in found]
        ids = np.concatenate([hits.ids for hits in found])
        lists = np.repeat(np.arange(len(found)), sizes)
        return np.split(self.filter.judge(ids, lists, wanted), np.cumsum(sizes)[:-1])


def first_queries(
    words: QueryWords, questions: Sequence[Question], settings: RetrievalSettings
) -> list[Query]:
    """One query a choice, stem + choice, for the questions one after another."""
    queries = []
    for question in questions:
        stem = tuple(words.content(question.stem))
        for choice in question.choices:
            terms = tuple(words.choice(choice.text))
            queries.append(Query((stem, terms), required=(terms,) if settings.choice_term_first else ()))
    return queries


class FirstStep:
    """The first query of each choice: BM25 less what the question leaves unexplained, by its weight."""

    def __init__(self, fetcher: Fetcher[Query], words: QueryWords, settings: RetrievalSettings) -> None:
        self.fetcher, self.words, self.settings = fetcher, words, settings

    @cached_property
    def explained(self) -> Explained:
        """The corpus's stems, read once."""
        return Explained(self.words)

    def best(self, questions: Sequence[Question], wanted: int) -> list[Hits]:
        """For each choice of each question, one after another, the best `wanted` sentences."""
        asked = self.settings
        queries = first_queries(self.words, questions, asked)
        if not asked.unexplained_first:
            return self.fetcher.best(queries, wanted, asked.fetched)
        found = self.fetcher.best(queries, max(wanted, asked.pool), asked.fetched)
        stems = self.explained.asked(
            [[term for group in query.groups for term in group] for query in queries]
        )
        choices = np.repeat(np.arange(len(found)), [len(hits.ids) for hits in found])
        ids = np.concatenate([hits.ids for hits in found])
        losses = asked.unexplained_first * self.explained.alone(stems, choices, ids)
        ends = np.cumsum([len(hits.ids) for hits in found])[:-1]
        return [
            _ordered(hits, rounded(hits.scores - lost), wanted)
            for hits, lost in zip(found, np.split(losses, ends), strict=True)
        ]

    def single(self, questions: Sequence[Question]) -> Iterator[list[Retrieved]]:
        """For each choice of each question, one after another, the best k sentences of stem + choice."""
        for hits in self.best(questions, self.settings.k):
            pairs = zip(hits.ids.tolist(), hits.scores.tolist(), strict=True)
            yield [Retrieved(sentence, score, "single") for sentence, score in pairs]


def _ordered(hits: Hits, scores: npt.NDArray[np.float64], wanted: int) -> Hits:
    best = np.argsort(-scores, kind="stable")[:wanted]
    return Hits(hits.ids[best], scores[best])

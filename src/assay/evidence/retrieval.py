"""Evidence for each choice: the settings of retrieval, fetching under the filter, and the single step."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

import numpy as np

from assay.corpus.model import Corpus
from assay.evidence.engine import Hits, Query
from assay.evidence.engines import ENGINES
from assay.evidence.sentence_filter import KEPT, RULES, FilterRules, Rule, SentenceFilter
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
}
"""Settings by name: the paper's reading (the defaults), and that of the code it grew from."""


class Retrieved(NamedTuple):
    """A sentence for a choice: its id, the score it was taken by, and its role: single, first, second."""

    sentence: int
    score: float
    role: str


class Searcher(Protocol[Asked]):
    """A `SearchEngine`, or one whose queries are of another kind (vectors)."""

    def search(self, queries: Sequence[Asked], k: int) -> Iterator[Hits]:
        """The best k sentences of each query, in the order of the queries."""
        ...


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
        self.queries += len(queries)
        kept: list[Hits | None] = [None] * len(queries)
        still, size = list(range(len(queries))), min(fetched, 2 * wanted)
        while still:
            found = list(self._engine.search([queries[number] for number in still], size))
            again = []
            for number, hits, verdicts in zip(still, found, self._verdicts(found, wanted), strict=True):
                mask = verdicts == KEPT
                if np.count_nonzero(mask) < wanted and len(hits.ids) == size < fetched:
                    again.append(number)
                    continue
                kept[number] = Hits(hits.ids[mask], hits.scores[mask])
                if not mask.all():
                    for rule, count in enumerate(np.bincount(verdicts[verdicts >= 0], minlength=len(RULES))):
                        self.dropped[RULES[rule]] += int(count)
            still, size = again, min(fetched, GROWTH * size)
        return [hits for hits in kept if hits is not None]

    def _verdicts(self, found: Sequence[Hits], wanted: int) -> list[Any]:
        sizes = [len(hits.ids) for hits in found]
        ids = np.concatenate([hits.ids for hits in found])
        lists = np.repeat(np.arange(len(found)), sizes)
        return np.split(self.filter.judge(ids, lists, wanted), np.cumsum(sizes)[:-1])


def first_queries(corpus: Corpus, questions: Sequence[Question], settings: RetrievalSettings) -> list[Query]:
    """One query a choice, stem + choice, for the questions one after another."""
    analyser = corpus.analyser
    queries = []
    for question in questions:
        stem = tuple(analyser.content(question.stem))
        for choice in question.choices:
            terms = tuple(analyser.query_terms(choice.text))
            queries.append(Query((stem, terms), required=(terms,) if settings.choice_term_first else ()))
    return queries


def single(
    fetcher: Fetcher[Query], corpus: Corpus, questions: Sequence[Question], settings: RetrievalSettings
) -> Iterator[list[Retrieved]]:
    """For each choice of each question, one after another, the best k sentences of stem + choice."""
    queries = first_queries(corpus, questions, settings)
    for hits in fetcher.best(queries, settings.k, settings.fetched):
        pairs = zip(hits.ids.tolist(), hits.scores.tolist(), strict=True)
        yield [Retrieved(sentence, score, "single") for sentence, score in pairs]

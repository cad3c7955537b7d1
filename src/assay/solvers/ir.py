"""IR: a choice is as good as the best sentence that speaks of both the stem and the choice.

Clark et al. 2016 ("Combining retrieval, statistics, and inference to answer elementary science questions")
and the ARC paper, section 4.1: the query is stem + choice, the confidence the engine's score of the best
sentence that shares at least one non-stopword stem with the stem and one with the choice.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from assay.corpus.model import Corpus
from assay.evidence.engine import Hits, Query, SearchEngine
from assay.evidence.engines import ENGINES, open_engine
from assay.questions.model import Answer, Question, SentenceEvidence
from assay.questions.ties import choose
from assay.solvers.settings import named_corpus, read_settings, setting

BATCH = 2048
"""Questions searched together: enough that the engine shares its work, few enough that progress is seen."""


@dataclass(frozen=True)
class IRSettings:
    """What decides an answer of IR."""

    corpus: str | None = setting(None, "name of the corpus; the only one, unless set")
    engine: str = setting("exact", "search engine", one_of=ENGINES)
    k1: float = setting(1.2, "BM25's k1: how slowly repeats of a term saturate", minimum=0)
    b: float = setting(0.75, "BM25's b: how much long sentences are held back", minimum=0, maximum=1)
    stem_characters: int | None = setting(
        None, "use only the last so many characters of the stem (the lineage: 1000)", minimum=1
    )
    fetched: int | None = setting(
        None, "look only among the best so many hits of stem + choice (the lineage: 100)", minimum=1
    )


class IR:
    """Retrieval with the overlap rule, over all hits unless `fetched` caps them."""

    declared = IRSettings

    def __init__(self, name: str, corpus: Corpus, settings: IRSettings | None = None) -> None:
        """Raises AssayError when the engine can't be opened."""
        self.name = name
        self._corpus = corpus
        self._asked = settings or IRSettings()
        self._engine: SearchEngine = open_engine(
            self._asked.engine, corpus, k1=self._asked.k1, b=self._asked.b
        )

    @classmethod
    def build(cls, name: str, settings: Mapping[str, Any], corpora: Mapping[str, Corpus]) -> IR:
        """Raises AssayError for a setting that is unknown or wrong, or when there is no such corpus."""
        read = read_settings(cls.declared, settings, f"solver {name!r}")
        return cls(name, named_corpus(corpora, read.corpus, f"solver {name!r}"), read)

    @property
    def settings(self) -> Mapping[str, Any]:
        """The engine's settings (constants, corpus fingerprint), the analyser's, and the options."""
        return {
            "solver": "ir",
            "engine": dict(self._engine.settings),
            "analyser": dict(self._corpus.analyser.settings),
            "stem_characters": self._asked.stem_characters,
            "fetched": self._asked.fetched,
        }

    def answer(self, questions: Iterable[Question]) -> Iterator[Answer]:
        """One answer a question, in order; a choice without a sentence that fits scores 0."""
        remaining = iter(questions)
        while batch := list(islice(remaining, BATCH)):
            queries = [query for question in batch for query in self._queries(question)]
            found = self._capped(queries) if self._asked.fetched else self._engine.search(queries, 1)
            for question in batch:
                yield self._answer(question, list(islice(found, len(question.choices))))

    def _queries(self, question: Question) -> list[Query]:
        analyser = self._corpus.analyser
        stem = question.stem
        if self._asked.stem_characters is not None:
            stem = stem[-self._asked.stem_characters :]
        terms = tuple(analyser.content(stem))
        return [
            Query((terms, tuple(analyser.query_terms(choice.text))), every_group=True)
            for choice in question.choices
        ]

    def _capped(self, queries: Sequence[Query]) -> Iterator[Hits]:
        """Of the best `fetched` hits of any term, the first that meets both groups."""
        plain = (Query(query.groups) for query in queries)
        for query, hits in zip(queries, self._engine.search(plain, self._asked.fetched or 1), strict=True):
            at = next((i for i, s in enumerate(hits.ids.tolist()) if self._meets(query, s)), len(hits.ids))
            yield Hits(hits.ids[at : at + 1], hits.scores[at : at + 1])

    def _meets(self, query: Query, sentence: int) -> bool:
        tokens, terms = self._corpus.tokens, self._corpus.vocabulary.terms
        start, stop = int(tokens.starts[sentence]), int(tokens.starts[sentence + 1])
        held = {terms[term] for term in tokens.ids[start:stop].tolist()}
        return all(not held.isdisjoint(group) for group in query.groups)

    def _answer(self, question: Question, found: Sequence[Hits]) -> Answer:
        scores = tuple(float(hits.scores[0]) if len(hits.ids) else 0.0 for hits in found)
        evidence = tuple(
            (self._sentence(int(hits.ids[0]), score),) if len(hits.ids) else ()
            for hits, score in zip(found, scores, strict=True)
        )
        return Answer(question.id, "answered", choose(question, scores), scores, evidence)

    def _sentence(self, sentence: int, score: float) -> SentenceEvidence:
        return SentenceEvidence(
            self._corpus.texts[sentence], score, sentence, self._corpus.sources[sentence], "best"
        )

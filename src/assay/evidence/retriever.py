"""Retrieval as a solver that chooses nothing: questions in, evidence out, so that answer files hold it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from assay.corpus.model import Corpus
from assay.errors import AssayError
from assay.evidence.dense_retrieval import DenseRetriever, DenseSettings
from assay.evidence.engines import open_engine
from assay.evidence.hybrid import dense, hybrid, hybrid_two_step, reranked_single, reranked_two_step
from assay.evidence.premises import Premises
from assay.evidence.query_words import QueryWords
from assay.evidence.retrieval import Fetcher, FirstStep, RetrievalSettings, Retrieved
from assay.evidence.sentence_filter import RULES, Rule, SentenceFilter
from assay.evidence.two_step import two_step
from assay.evidence.vectors import TextEncoder, Vectors
from assay.questions.model import Answer, Question, SentenceEvidence

BATCH = 128
"""Questions retrieved for together: with 8 choices up to 20,480 second queries. Changes no result."""
METHODS = ("single", "two-step", "dense", "hybrid", "hybrid-two-step")
NEED_VECTORS = ("dense", "hybrid", "hybrid-two-step")
WITH_VECTORS = {
    "single": reranked_single,
    "two-step": reranked_two_step,
    "dense": dense,
    "hybrid": hybrid,
    "hybrid-two-step": hybrid_two_step,
}


def settings_of(method: str, *, rerank: bool = False) -> type[RetrievalSettings]:
    """The dataclass that declares a method's constants: `DenseSettings` where it needs vectors.

    Raises AssayError for an unknown method, or one that can't be reranked.
    """
    if method not in METHODS:
        known = ", ".join((*METHODS, Premises.name))
        raise AssayError(f"no retrieval method {method!r}", hint=f"one of {known}")
    if rerank and method in NEED_VECTORS:
        raise AssayError(f"method {method!r} looks at vectors itself: --rerank is for single and two-step")
    return DenseSettings if rerank or method in NEED_VECTORS else RetrievalSettings


def _check_kind(method: str, settings: RetrievalSettings) -> None:
    rerank = settings.rerank if isinstance(settings, DenseSettings) else None
    if not isinstance(settings, settings_of(method, rerank=rerank is not None)):
        raise AssayError(f"method {method!r} looks at vectors: DenseSettings are due")
    if isinstance(settings, DenseSettings) and method not in NEED_VECTORS and rerank is None:
        raise AssayError(f"method {method!r} looks at no vectors unless `rerank` is set")


class Retriever:
    """One method over one corpus. Its answers are "unanswered": evidence for each choice, best first."""

    def __init__(
        self,
        method: str,
        corpus: Corpus,
        settings: RetrievalSettings | None = None,
        *,
        vectors: Vectors | None = None,
        encoder: TextEncoder | None = None,
    ) -> None:
        """`settings`: of the method's own kind (see `settings_of`); `DenseSettings` need the other two.

        Raises AssayError for an unknown method, settings of another's kind, when the engine can't be opened,
        or where vectors are needed and none are given, or another encoder's.
        """
        self.name = method
        self._corpus = corpus
        self._asked = asked = settings or settings_of(method)()
        _check_kind(method, asked)
        sentence_filter = SentenceFilter(corpus, asked.rules)
        self._engine = open_engine(asked.engine, corpus, k1=asked.k1, b=asked.b)
        self.fetcher = Fetcher(self._engine, sentence_filter)
        self._first = FirstStep(self.fetcher, QueryWords(corpus, asked.query_stop_words), asked)
        self._dense: DenseRetriever | None = None
        if isinstance(asked, DenseSettings):
            if vectors is None or encoder is None:
                raise AssayError(f"method {method!r} needs vectors and their encoder")
            self._dense = DenseRetriever(vectors, encoder, sentence_filter)

    @property
    def settings(self) -> Mapping[str, Any]:
        """Every constant; what engine (with the corpus's fingerprint), analyser and vectors are."""
        return {
            "retrieval": self.name,
            **{name: value for name, value in vars(self._asked).items() if name not in ("engine", "k1", "b")},
            **self._first.words.settings,
            "engine": dict(self._engine.settings),
            "analyser": dict(self._corpus.analyser.settings),
            **({} if self._dense is None else {"dense": dict(self._dense.settings)}),
        }

    @property
    def queries(self) -> int:
        """Queries searched so far."""
        return sum(fetcher.queries for fetcher in self._fetchers)

    @property
    def dropped(self) -> dict[Rule, int]:
        """Hits that each rule of the sentence filter dropped so far."""
        return {rule: sum(fetcher.dropped[rule] for fetcher in self._fetchers) for rule in RULES}

    @property
    def _fetchers(self) -> list[Fetcher[Any]]:
        return [self.fetcher, *([] if self._dense is None else [self._dense.fetcher])]

    def _found(self, questions: Sequence[Question]) -> Iterator[list[Retrieved]]:
        if self._dense is not None:
            assert isinstance(self._asked, DenseSettings)
            return WITH_VECTORS[self.name](self._first, self._dense, questions, self._asked)
        return two_step(self._first, questions) if self.name == "two-step" else self._first.single(questions)

    def answer(self, questions: Iterable[Question]) -> Iterator[Answer]:
        """The evidence of each question, in order."""
        remaining = iter(questions)
        while batch := list(islice(remaining, BATCH)):
            found = self._found(batch)
            for question in batch:
                evidence = tuple(self._evidence(next(found)) for _ in question.choices)
                yield Answer(question.id, "unanswered", evidence=evidence)

    def _evidence(self, found: Iterable[Retrieved]) -> tuple[SentenceEvidence, ...]:
        texts, sources = self._corpus.texts, self._corpus.sources
        return tuple(
            SentenceEvidence(texts[sentence], score, sentence, sources[sentence], role, partner)
            for sentence, score, role, partner in found
        )

"""Retrieval as a solver that chooses nothing: questions in, evidence out, so that answer files hold it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from assay.corpus.model import Corpus
from assay.errors import AssayError
from assay.evidence.dense_retrieval import DenseRetriever, DenseSettings, dense
from assay.evidence.engines import open_engine
from assay.evidence.retrieval import Fetcher, RetrievalSettings, Retrieved, single
from assay.evidence.sentence_filter import RULES, Rule, SentenceFilter
from assay.evidence.two_step import two_step
from assay.evidence.vectors import TextEncoder, Vectors
from assay.questions.model import Answer, Question, SentenceEvidence

BATCH = 128
"""Questions retrieved for together: with 8 choices up to 20,480 second queries. Changes no result."""
METHODS = ("single", "two-step", "dense")
NEED_VECTORS = ("dense",)


def settings_of(method: str) -> type[RetrievalSettings]:
    """The dataclass that declares a method's constants. Raises AssayError for an unknown method."""
    if method not in METHODS:
        raise AssayError(f"no retrieval method {method!r}", hint=f"one of {', '.join(METHODS)}")
    return DenseSettings if method in NEED_VECTORS else RetrievalSettings


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
        """`settings`: of the method's own kind (see `settings_of`). `vectors`, `encoder`: see NEED_VECTORS.

        Raises AssayError for an unknown method, when the engine can't be opened, or where vectors are needed
        and none are given, or another encoder's.
        """
        kind = settings_of(method)
        self.name = method
        self._corpus = corpus
        self._asked = asked = settings or kind()
        sentence_filter = SentenceFilter(corpus, asked.rules)
        self._engine = open_engine(asked.engine, corpus, k1=asked.k1, b=asked.b)
        self.fetcher = Fetcher(self._engine, sentence_filter)
        self._dense: DenseRetriever | None = None
        if method in NEED_VECTORS:
            if vectors is None or encoder is None:
                raise AssayError(f"method {method!r} needs vectors and their encoder")
            self._dense = DenseRetriever(vectors, encoder, sentence_filter)

    @property
    def settings(self) -> Mapping[str, Any]:
        """Every constant; what engine (with the corpus's fingerprint), analyser and vectors are."""
        return {
            "retrieval": self.name,
            **{name: value for name, value in vars(self._asked).items() if name not in ("engine", "k1", "b")},
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
            return dense(self._dense, questions, self._asked)
        by_words = two_step if self.name == "two-step" else single
        return by_words(self.fetcher, self._corpus, questions, self._asked)

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
            SentenceEvidence(texts[sentence], score, sentence, sources[sentence], role)
            for sentence, score, role in found
        )

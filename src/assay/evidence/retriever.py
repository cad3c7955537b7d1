"""Retrieval as a solver that chooses nothing: questions in, evidence out, so that answer files hold it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import Any

from assay.corpus.model import Corpus
from assay.errors import AssayError
from assay.evidence.engines import open_engine
from assay.evidence.retrieval import METHODS, Fetcher, RetrievalSettings, Retrieved, single
from assay.evidence.sentence_filter import SentenceFilter
from assay.evidence.two_step import two_step
from assay.questions.model import Answer, Question, SentenceEvidence

BATCH = 128
"""Questions retrieved for together: with 8 choices up to 20,480 second queries. Changes no result."""
STEPS = {"single": single, "two-step": two_step}


class Retriever:
    """One method over one corpus. Its answers are "unanswered": evidence for each choice, best first."""

    def __init__(self, method: str, corpus: Corpus, settings: RetrievalSettings | None = None) -> None:
        """Raises AssayError for an unknown method, or when the engine can't be opened."""
        if method not in METHODS:
            raise AssayError(f"no retrieval method {method!r}", hint=f"one of {', '.join(METHODS)}")
        self.name = method
        self._corpus = corpus
        self._asked = asked = settings or RetrievalSettings()
        self._engine = open_engine(asked.engine, corpus, k1=asked.k1, b=asked.b)
        self.fetcher = Fetcher(self._engine, SentenceFilter(corpus, asked.rules))

    @property
    def settings(self) -> Mapping[str, Any]:
        """Every constant, the engine's and analyser's settings (with the corpus's fingerprint)."""
        return {
            "retrieval": self.name,
            **{name: value for name, value in vars(self._asked).items() if name not in ("engine", "k1", "b")},
            "engine": dict(self._engine.settings),
            "analyser": dict(self._corpus.analyser.settings),
        }

    def answer(self, questions: Iterable[Question]) -> Iterator[Answer]:
        """The evidence of each question, in order."""
        remaining = iter(questions)
        while batch := list(islice(remaining, BATCH)):
            found = STEPS[self.name](self.fetcher, self._corpus, batch, self._asked)
            for question in batch:
                evidence = tuple(self._evidence(next(found)) for _ in question.choices)
                yield Answer(question.id, "unanswered", evidence=evidence)

    def _evidence(self, found: Iterable[Retrieved]) -> tuple[SentenceEvidence, ...]:
        texts, sources = self._corpus.texts, self._corpus.sources
        return tuple(
            SentenceEvidence(texts[sentence], score, sentence, sources[sentence], role)
            for sentence, score, role in found
        )

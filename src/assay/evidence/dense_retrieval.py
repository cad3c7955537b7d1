"""Retrieval by vectors: an encoder, a corpus's vectors and a search among them, under the sentence filter."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from assay.evidence.dense import DenseIndex, Floats
from assay.evidence.engine import Hits
from assay.evidence.retrieval import Fetcher, RetrievalSettings, Retrieved
from assay.evidence.sentence_filter import SentenceFilter
from assay.evidence.vectors import TextEncoder, Vectors
from assay.questions.model import Question


@dataclass(frozen=True)
class DenseSettings(RetrievalSettings):
    """The constants of methods that use vectors, beside those of methods by words."""


class DenseRetriever:
    """The sentences nearest to each stem + choice."""

    def __init__(self, vectors: Vectors, encoder: TextEncoder, sentence_filter: SentenceFilter) -> None:
        """Raises AssayError when the vectors are another encoder's."""
        vectors.check_encoder(encoder)
        self.vectors, self.encoder = vectors, encoder
        self._index = DenseIndex(vectors)
        self.fetcher: Fetcher[Floats] = Fetcher(self._index, sentence_filter)

    @property
    def settings(self) -> Mapping[str, Any]:
        """What decides the hits: search, vectors, and the encoder of the queries."""
        return {**self._index.settings, "encoder": dict(self.encoder.settings)}

    def queries(self, questions: Sequence[Question]) -> list[Floats]:
        """The vector of stem + choice, for each choice of the questions one after another."""
        # A question at a time: what stands beside a text in a batch changes its vector's last bits.
        return [
            vector
            for question in questions
            for vector in self.encoder.encode(
                [f"{question.stem} {choice.text}" for choice in question.choices]
            )
        ]

    def best(self, queries: Sequence[Floats], wanted: int, fetched: int) -> list[Hits]:
        """Of each query's nearest `fetched` sentences the best `wanted` that the filter keeps."""
        return self.fetcher.best(queries, wanted, fetched)


def dense(
    retriever: DenseRetriever, questions: Sequence[Question], settings: RetrievalSettings
) -> Iterator[list[Retrieved]]:
    """For each choice of each question, one after another, the k sentences nearest to stem + choice."""
    for hits in retriever.best(retriever.queries(questions), settings.k, settings.fetched):
        pairs = zip(hits.ids.tolist(), hits.scores.tolist(), strict=True)
        yield [Retrieved(sentence, score, "dense") for sentence, score in pairs]

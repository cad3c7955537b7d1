"""Retrieval by vectors: an encoder, a corpus's vectors and a search among them, under the sentence filter."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from assay.evidence.dense import DenseIndex, Floats
from assay.evidence.retrieval import Fetcher, RetrievalSettings
from assay.evidence.sentence_filter import SentenceFilter
from assay.evidence.vectors import TextEncoder, Vectors
from assay.questions.model import Question
from assay.settings import setting


@dataclass(frozen=True)
class DenseSettings(RetrievalSettings):
    """The constants of methods that use vectors, beside those of methods by words."""

    depth: int = setting(100, "hybrid: best sentences by words, and by vectors, that are joined", minimum=1)
    rank_constant: float = setting(60.0, "hybrid: added to a rank before it divides", minimum=0)
    dense_weight: float = setting(
        1.0, "hybrid: weight of the list by vectors; that by words has 1", minimum=0
    )
    cosine_weight: float = setting(
        30.0, "rerank, hybrid-two-step: what a cosine of 1 adds to a sentence's BM25", minimum=0
    )
    rerank: int | None = setting(
        None, "single, two-step: so many best sentences or pairs are judged by vectors too", minimum=1
    )


class DenseRetriever:
    """What methods that look at vectors share: the queries as vectors, and a fetcher of what is near them."""

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

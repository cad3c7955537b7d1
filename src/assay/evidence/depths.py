"""Evidence cut to its best few: what there would be, had the search stopped earlier."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from assay.evidence.premises import ROLE
from assay.questions.model import Evidence, SentenceEvidence

Choices = Sequence[Sequence[Evidence]]
"""A question's evidence, choice by choice, best first."""
Cut = tuple[tuple[SentenceEvidence, ...], ...]


def cut_choices(evidence: Choices, depth: int) -> Cut:
    """The best `depth` sentences of each choice."""
    return tuple(sentences(own)[:depth] for own in evidence)


def cut_pool(evidence: Choices, depth: int) -> Cut:
    """The best `depth` sentences over all choices, each still with its own choice.

    By score; equal ones as premises are pooled: the lower sentence id first, then the earlier choice. A
    sentence that was found for two choices counts twice.
    """
    kept = {(place, rank) for place, rank, _ in _pooled(evidence)[:depth]}
    return tuple(
        tuple(piece for rank, piece in enumerate(sentences(own)) if (place, rank) in kept)
        for place, own in enumerate(evidence)
    )


def pool(evidence: Choices) -> tuple[SentenceEvidence, ...]:
    """The sentences of all choices in the order that `cut_pool` takes them."""
    return tuple(piece for _, _, piece in _pooled(evidence))


def sentences(pieces: Iterable[Evidence]) -> tuple[SentenceEvidence, ...]:
    """The sentences among pieces of evidence."""
    return tuple(piece for piece in pieces if isinstance(piece, SentenceEvidence))


def is_pooled(evidence: Iterable[Choices]) -> bool:
    """Whether the sentences of questions are premises, the best of all choices together."""
    roles = {piece.role for one in evidence for own in one for piece in sentences(own)}
    return ROLE in roles


def _pooled(evidence: Choices) -> list[tuple[int, int, SentenceEvidence]]:
    """Place of the choice, rank within it, sentence; the best first."""
    found = [
        (place, rank, piece)
        for place, own in enumerate(evidence)
        for rank, piece in enumerate(sentences(own))
    ]
    return sorted(found, key=lambda one: (-one[2].score, _number(one[2]), one[0], one[1]))


def _number(piece: SentenceEvidence) -> int:
    return -1 if piece.sentence_id is None else piece.sentence_id

"""What the statement of a choice is held against: the premises that it is offered, single or joined."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from assay.evidence.premises import ROLE
from assay.questions.model import SentenceEvidence
from assay.solvers.premise_source import Pieces, premises
from assay.text.sentences import with_full_stop

COMBINATIONS = ("max", "pairs", "joined")
"""Single premises; these and any two joined; all as one text."""
WHOSE = ("own", "pool")
"""Whose premises speak for a choice: those found for it, or all of its question's."""


def offered(pieces: Pieces, whose: str, most: int, combine: str) -> list[list[SentenceEvidence]]:
    """For each choice its best `most` premises, single or joined; `pieces`: as they were found for each.

    In the order they were found, but the pool by falling score, each text once.
    """
    own = [premises(found) for found in pieces]
    if whose == "pool":
        pool: dict[str, SentenceEvidence] = {}
        for piece in sorted((piece for held in own for piece in held), key=lambda one: -one.score):
            pool.setdefault(piece.text, piece)
        own = [list(pool.values())] * len(own)
    return [_combined(held[:most], combine) for held in own]


def won(piece: SentenceEvidence, score: float) -> SentenceEvidence:
    """The premise that decided, with what it scored, as the answer's evidence."""
    return SentenceEvidence(piece.text, score, piece.sentence_id, piece.source, ROLE, piece.partner)


def _combined(pieces: list[SentenceEvidence], combine: str) -> list[SentenceEvidence]:
    if combine == "pairs":
        return [*pieces, *(_joined(two) for two in combinations(pieces, 2))]
    return [_joined(pieces)] if combine == "joined" and pieces[1:] else pieces


def _joined(pieces: Sequence[SentenceEvidence]) -> SentenceEvidence:
    """Premises one after another, full stops added; of two, the ids of both are kept."""
    text = " ".join(with_full_stop(piece.text) for piece in pieces)
    first, second = (pieces[0].sentence_id, pieces[1].sentence_id) if len(pieces) == 2 else (None, None)
    return SentenceEvidence(text, 0.0, first, None, ROLE, second)

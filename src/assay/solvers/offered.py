"""What the statement of a choice is held against: the premises that it is offered, single or joined."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from assay.evidence.premises import ROLE
from assay.questions.model import SentenceEvidence
from assay.solvers.premise_source import Pieces, premises
from assay.solvers.settings import setting
from assay.text.sentences import with_full_stop
from assay.text.statements import METHODS

COMBINATIONS = ("max", "pairs", "joined")
"""Single premises; these and any two joined; all as one text."""
WHOSE = ("own", "pool")
"""Whose premises speak for a choice: those found for it, or all of its question's."""


@dataclass(frozen=True)
class StatementSettings:
    """What solvers share that hold each choice's statement against premises."""

    evidence: str | None = setting(
        None, "premises: an evidence file, as assay retrieve writes it, best with --method premises"
    )
    corpus: str | None = setting(
        None,
        "without an evidence file: name of the corpus to retrieve premises from; the only one, unless set",
    )
    statements: str = setting("grammatical", "how stem and choice become a statement", one_of=METHODS)
    combine: str = setting(
        "max",
        "max: the best single premise; pairs: the best of single ones and any two joined; joined: all as one",
        one_of=COMBINATIONS,
    )
    premises: str = setting(
        "own", "whose premises speak for a choice: its own, or all of its question's", one_of=WHOSE
    )
    most: int = setting(8, "premises read of a choice (own) or question (pool), the best", minimum=1)
    allow_missing: bool = setting(
        False, "a question that the evidence file lacks has no premises instead of being a fault"
    )


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

"""Recall of several methods side by side: paired tests, and which questions one wins and loses to another."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Literal, get_args

import numpy as np

from assay.errors import AssayError
from assay.questions.model import Question
from assay.scoring.columns import cluster_numbers
from assay.scoring.comparison import Comparison, compare_all
from assay.scoring.interval import CONFIDENCE
from assay.scoring.points import OUTCOMES, Marks
from assay.scoring.recall import CLUSTER, Recall

Facts = Literal["both", "either"]
FACTS: tuple[Facts, ...] = get_args(Facts)
Ranks = tuple[int | None, int | None]


@dataclass(frozen=True, slots=True)
class Swap:
    """A question that one method finds and another doesn't, at some k.

    `both`, `either`: "won" by the first, "lost" to the second, or "" where they are alike. Ranks, from 1, of
    the first and the second fact in each method's list, None where a fact isn't in it.
    """

    first: str
    second: str
    question: Question
    both: str
    either: str
    first_ranks: Ranks
    second_ranks: Ranks


def compare_recalls(
    recalls: Mapping[str, Recall],
    k: int,
    *,
    cluster: str | None = CLUSTER,
    confidence: float = CONFIDENCE,
    seed: int = 0,
) -> dict[Facts, tuple[Comparison, ...]]:
    """All pairs of methods by recall at k of both facts, and of either; Holm's correction within each.

    Raises AssayError unless all are of the same questions.
    """
    questions = _questions(recalls)
    clusters = None if cluster is None else cluster_numbers(questions, cluster)
    return {
        facts: compare_all(
            {name: _marks(found, k, facts) for name, found in recalls.items()},
            clusters,
            confidence=confidence,
            seed=seed,
        )
        for facts in FACTS
    }


def swaps(recalls: Mapping[str, Recall], k: int) -> Iterator[Swap]:
    """For each pair of methods, in order, the questions that one finds at k and the other doesn't."""
    questions = _questions(recalls)
    for (first, one), (second, other) in combinations(recalls.items(), 2):
        for number, question in enumerate(questions):
            ranks = one.hits[number], other.hits[number]
            said = {
                facts: _said(found_at(ranks[0], k, facts), found_at(ranks[1], k, facts)) for facts in FACTS
            }
            if any(said.values()):
                yield Swap(first, second, question, said["both"], said["either"], *ranks)


def found_at(ranks: Ranks, k: int, facts: Facts) -> bool:
    """Whether both facts, or either, stand among the best k."""
    held = [rank is not None and rank <= k for rank in ranks]
    return all(held) if facts == "both" else any(held)


def _said(first: bool, second: bool) -> str:
    return "" if first == second else "won" if first else "lost"


def _questions(recalls: Mapping[str, Recall]) -> tuple[Question, ...]:
    found = [one.questions for one in recalls.values()]
    if not found or any([q.id for q in one] != [q.id for q in found[0]] for one in found):
        raise AssayError("recalls can be compared on the same questions only")
    return found[0]


def _marks(found: Recall, k: int, facts: Facts) -> Marks:
    """A question found is right, another wrong: the machinery of scores then compares recalls."""
    right = np.array([found_at(ranks, k, facts) for ranks in found.hits])
    codes = np.where(right, OUTCOMES.index("right"), OUTCOMES.index("wrong")).astype(np.int8)
    return Marks(right.astype(np.int64), codes, ((),) * len(right))

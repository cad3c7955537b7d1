"""Abstentions: answers that tell no choice from the others, and how support graphs were found."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from assay.questions.model import Answer, GraphEvidence, Question
from assay.scoring.interval import Codes, Estimate, estimate
from assay.scoring.points import mark

NO_GRAPH = "no graph"


@dataclass(frozen=True, slots=True)
class Abstentions:
    """Of `n` questions with two choices and more, a system tied all choices of `count`; `others`: its score
    on the rest, in points from 0 to 1. `graphs`: choices of all n questions by the status of their support
    graph; empty for systems that give none.
    """

    system: str
    n: int
    count: int
    others: Estimate
    graphs: Mapping[str, int]


def abstentions(
    system: str, questions: Sequence[Question], answers: Sequence[Answer], clusters: Codes | None = None
) -> Abstentions:
    """Count them over answers in the questions' order. Raises AssayError as `points.mark` does."""
    points = mark(questions, answers).points
    pairs = list(zip(questions, answers, strict=True))
    kept = [
        place
        for place, (question, answer) in enumerate(pairs)
        if len(question.choices) > 1 and len(answer.chosen) == len(question.choices)
    ]
    told = sorted(set(range(len(pairs))) - set(kept))
    own = None if clusters is None else _renumbered(clusters, told)
    several = sum(len(question.choices) > 1 for question in questions)
    return Abstentions(system, several, len(kept), estimate(points[told], own), _graphs(pairs))


def _renumbered(clusters: Codes, places: Sequence[int]) -> Codes:
    return np.asarray(np.unique(clusters[list(places)], return_inverse=True)[1], dtype=np.int64)


def _graphs(pairs: Sequence[tuple[Question, Answer]]) -> dict[str, int]:
    """Choices by status. A graph without nodes says why there is none; a choice with nothing has none."""
    counts: Counter[str] = Counter()
    found = False
    for question, answer in pairs:
        for evidence in answer.evidence or ((),) * len(question.choices):
            graph = next((one for one in evidence if isinstance(one, GraphEvidence)), None)
            found |= graph is not None
            counts[NO_GRAPH if graph is None else graph.status] += 1
    return dict(sorted(counts.items(), key=lambda one: (one[0] == NO_GRAPH, one[0]))) if found else {}

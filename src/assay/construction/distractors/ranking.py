"""Which candidates adversaries take for the answer: preferences first, then differences on one scale."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from assay.construction.distractors.pool import Pool
from assay.errors import AssayError
from assay.questions.model import Answer, Choice, Question
from assay.questions.ties import TIE_TOLERANCE

FARTHEST = 10.0
"""Differences are cut at so many spreads; an infinite score stands there."""


def contest(pool: Pool) -> Question:
    """What adversaries are asked: the question with its own choices and all candidates, labelled 1, 2, ..."""
    texts = [choice.text for choice in pool.question.choices] + [one.text for one in pool.candidates]
    key = pool.question.labels.index(str(pool.question.answer))
    choices = tuple(Choice(str(number), text) for number, text in enumerate(texts, 1))
    question = pool.question
    return Question(
        question.id, question.stem, choices, str(key + 1), question.facts, question.tags, question.metadata
    )


@dataclass(frozen=True, slots=True)
class Judged:
    """What adversaries say of one choice against the key, by adversary.

    `scores` as they gave them; `differences`: score less the key's, in spreads; `preferred_by`: who scores it
    above the key, ties not counted.
    """

    scores: Mapping[str, float]
    differences: Mapping[str, float]
    preferred_by: tuple[str, ...]

    @property
    def difference(self) -> float:
        """The mean of the differences; 0 without adversaries."""
        return sum(self.differences.values()) / len(self.differences) if self.differences else 0.0

    def easy(self, threshold: float) -> bool:
        """Whether every adversary puts it more than `threshold` spreads below the key."""
        return bool(self.differences) and max(self.differences.values()) < -threshold


def spread(contests: Sequence[Question], answers: Sequence[Answer]) -> float:
    """The scale of an adversary: standard deviation of its finite scores within questions, pooled (ddof 0).

    0 where it scores all choices of each question alike. Raises AssayError for scores too large to square.
    """
    total, count = 0.0, 0
    for question, answer in zip(contests, answers, strict=True):
        scores = np.array([score for score in _scores(question, answer) if math.isfinite(score)])
        if len(scores):
            with np.errstate(over="ignore", invalid="ignore"):
                total += float(((scores - scores.mean()) ** 2).sum())
            if not math.isfinite(total):
                raise AssayError(
                    "an adversary's scores are too large for their spread to be told",
                    question_id=question.id,
                    hint="scale them, or give their logarithms",
                )
            count += len(scores)
    return math.sqrt(total / count) if count else 0.0


def judge(contests: Sequence[Question], answers: Mapping[str, Sequence[Answer]]) -> list[tuple[Judged, ...]]:
    """For each contest what the adversaries say of its choices, in their order.

    Raises AssayError for an adversary that gives no scores.
    """
    spreads = {name: spread(contests, given) for name, given in answers.items()}
    return [
        _judged(question, {name: given[place] for name, given in answers.items()}, spreads)
        for place, question in enumerate(contests)
    ]


def _scores(question: Question, answer: Answer) -> tuple[float, ...]:
    if answer.scores is None:
        raise AssayError(
            f"an adversary gives no scores ({answer.status})",
            question_id=question.id,
            hint="adversaries must score every choice: candidates are ranked by scores",
        )
    return answer.scores


def _judged(
    question: Question, answers: Mapping[str, Answer], spreads: Mapping[str, float]
) -> tuple[Judged, ...]:
    key = question.labels.index(str(question.answer))
    scores = {name: _scores(question, answer) for name, answer in answers.items()}
    return tuple(
        Judged(
            {name: own[place] for name, own in scores.items()},
            {name: _difference(own[place], own[key], spreads[name]) for name, own in scores.items()},
            tuple(name for name, own in scores.items() if _above(own[place], own[key])),
        )
        for place in range(len(question.choices))
    )


def _above(score: float, key: float) -> bool:
    """Whether it beats the key, beyond what counts as a tie."""
    if math.isinf(score) or math.isinf(key):
        return score > key
    return score - key > TIE_TOLERANCE * max(1.0, abs(score))


def _difference(score: float, key: float, scale: float) -> float:
    if score == key:
        return 0.0
    if math.isinf(score) or math.isinf(key):
        return FARTHEST if score > key else -FARTHEST
    return max(-FARTHEST, min(FARTHEST, (score - key) / scale)) if scale else 0.0

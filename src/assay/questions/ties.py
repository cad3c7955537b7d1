"""The tie rule, stated once: which choices have the highest score."""

from __future__ import annotations

import math
from collections.abc import Sequence

from assay.errors import AssayError
from assay.questions.model import Question

TIE_TOLERANCE = 1e-6
"""Scores closer to the best than this, relative to max(1, |best|), are equal to it."""


def choose(question: Question, scores: Sequence[float], tolerance: float = TIE_TOLERANCE) -> tuple[str, ...]:
    """Labels of the choices whose score ties with the highest, in the question's order.

    `scores`: one a choice, aligned with `question.choices`; infinities are allowed, NaN is not.
    Raises AssayError when the numbers don't align or a score is NaN, naming the choice.
    """
    if len(scores) != len(question.choices):
        raise AssayError(f"{len(scores)} scores for {len(question.choices)} choices", question_id=question.id)
    for choice, score in zip(question.choices, scores, strict=True):
        if math.isnan(score):
            raise AssayError(f"the score of choice {choice.label} is not a number", question_id=question.id)
    return tuple(question.choices[place].label for place in highest(scores, tolerance))


def highest(scores: Sequence[float], tolerance: float = TIE_TOLERANCE) -> tuple[int, ...]:
    """Places of the scores that tie with the highest; infinities tie with their like, none may be NaN."""
    best = max(scores, default=0.0)
    floor = best if math.isinf(best) else best - tolerance * max(1.0, abs(best))
    return tuple(place for place, score in enumerate(scores) if score >= floor)

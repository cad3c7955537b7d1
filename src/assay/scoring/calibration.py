"""Calibration and selective accuracy, where a system gives probabilities."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from assay.errors import AssayError
from assay.questions.model import Answer, Question
from assay.scoring.interval import Floats
from assay.scoring.points import Marks

BINS = 10
_SLACK = 1e-6


@dataclass(frozen=True, slots=True)
class ReliabilityBin:
    """Answers with confidence in (low, high] (the first bin holds 0 too): mean confidence and mean points."""

    low: float
    high: float
    n: int
    confidence: float | None
    points: float | None


@dataclass(frozen=True, slots=True)
class Coverage:
    """Points over the `answered` most confident answers, a share `coverage` of all."""

    coverage: float
    threshold: float
    answered: int
    points: float


@dataclass(frozen=True, slots=True)
class Calibration:
    """Of the `n` answers with probabilities, of `of` answers.

    `expected_error` (ECE, Guo et al. 2017): mean |confidence - points| over equal-width bins, weighted by
    their answers. `brier`: mean over questions of the sum over choices of (p - [choice is the key])^2, 0 to
    2. `risk_area` (AURC, Geifman & El-Yaniv 2017): mean of 1 - points over all coverages; equal confidences
    are averaged over their orders.
    """

    system: str
    n: int
    of: int
    expected_error: float
    brier: float
    risk_area: float
    bins: tuple[ReliabilityBin, ...]
    selective: tuple[Coverage, ...]


def calibration(
    system: str, questions: Sequence[Question], answers: Sequence[Answer], marks: Marks, bins: int = BINS
) -> Calibration | None:
    """Calibration of one system; None when no answer carries probabilities.

    The confidence of an answer is its highest probability. Raises AssayError naming the question when
    probabilities don't align with the choices, leave [0, 1], or sum to more than 1.
    """
    confidence: list[float] = []
    places: list[int] = []
    squares: list[float] = []
    for place, (question, answer) in enumerate(zip(questions, answers, strict=True)):
        given = answer.probabilities
        if given is None:
            continue
        _check(question, given)
        confidence.append(max(given))
        places.append(place)
        labels = question.labels
        pairs = zip(labels, given, strict=True)
        squares.append(sum((p - (label == question.answer)) ** 2 for label, p in pairs))
    if not places:
        return None
    sure = np.array(confidence)
    earned = marks.points[places]
    table = reliability(sure, earned, bins)
    error = sum(
        row.n * abs(row.confidence - row.points)
        for row in table
        if row.confidence is not None and row.points is not None
    )
    curve, area = selective_accuracy(sure, earned)
    return Calibration(
        system, len(places), len(marks), error / len(places), float(np.mean(squares)), area, table, curve
    )


def _check(question: Question, given: Sequence[float]) -> None:
    if len(given) != len(question.choices):
        what = f"{len(given)} probabilities for {len(question.choices)} choices"
        raise AssayError(what, question_id=question.id)
    if not all(-_SLACK <= p <= 1 + _SLACK for p in given) or sum(given) > 1 + 1e-3:
        what = f"no probabilities: {', '.join(f'{p:g}' for p in given)}"
        raise AssayError(what, question_id=question.id, hint="each within 0 and 1, together at most 1")


def reliability(confidence: Floats, points: Floats, bins: int = BINS) -> tuple[ReliabilityBin, ...]:
    """Equal-width bins over [0, 1] of float64 (n,) confidences and points; empty bins are kept."""
    # Rounded, so that 0.1 + 0.2 stands on the edge 0.3 and not past it.
    places = np.clip(np.ceil(np.round(confidence * bins, 9)).astype(int) - 1, 0, bins - 1)
    rows = []
    for place in range(bins):
        inside = places == place
        n = int(inside.sum())
        means = (float(confidence[inside].mean()), float(points[inside].mean())) if n else (None, None)
        rows.append(ReliabilityBin(place / bins, (place + 1) / bins, n, *means))
    return tuple(rows)


def selective_accuracy(confidence: Floats, points: Floats) -> tuple[tuple[Coverage, ...], float]:
    """Risk and coverage: one row a distinct confidence, most confident first, and the area under the risk."""
    n = len(confidence)
    thresholds, block, sizes = np.unique(-confidence, return_inverse=True, return_counts=True)
    ends = np.cumsum(sizes)
    earned = np.cumsum(np.bincount(block, weights=points))
    curve = tuple(
        Coverage(float(end / n), float(-threshold), int(end), float(total / end))
        for threshold, end, total in zip(thresholds, ends, earned, strict=True)
    )
    # Inside a block of equal confidence the expected points grow in a straight line.
    answered = np.arange(n + 1)
    expected = np.interp(answered, np.concatenate([[0], ends]), np.concatenate([[0.0], earned]))
    area = float(np.mean(1 - expected[1:] / answered[1:]))
    return curve, area

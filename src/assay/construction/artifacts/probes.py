"""Probes: linear readers that don't see what they would need, trained and judged fold by fold."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from assay.construction.artifacts.conditional_logit import (
    Codes,
    Floats,
    fit_conditional_logit,
    question_softmax,
)
from assay.construction.artifacts.features import Features
from assay.questions.ties import highest

PENALTIES = (100.0, 30.0, 10.0, 3.0, 1.0)
TELLING = 20
"""This many features are named."""


@dataclass(frozen=True, slots=True, eq=False)
class Probed:
    """A probe's points on each question, float64 (n,), each by weights that never saw its group.

    `penalties`: what each fold's training settled on. `telling`: the features that decide most, with their
    weight (mean over folds) and how many choices have them.
    """

    points: Floats
    penalties: tuple[float, ...]
    telling: tuple[tuple[str, float, int], ...]


def cross_validate(features: Features, fold_of: Codes, penalties: Sequence[float] = PENALTIES) -> Probed:
    """Train on all folds but one, judge on that one, for each; ties share the point.

    `fold_of`: int64 (n,), folds 0 to F - 1, F >= 3. The penalty is the one of `penalties` under which weights
    learned without the next fold, too, find that fold's keys likeliest: the judged fold has no say in it.
    """
    points, used = np.zeros(len(features.starts)), []
    weights = np.zeros(features.matrix.shape[1])
    folds = int(fold_of.max()) + 1
    for fold in range(folds):
        test, after = fold_of == fold, fold_of == (fold + 1) % folds
        begin, tried = None, []
        for penalty in penalties:
            begin = fit(features, np.flatnonzero(~test & ~after), penalty, begin)
            tried.append((likelihood(features, np.flatnonzero(after), begin), penalty))
        used.append(max(tried)[1])
        learned = fit(features, np.flatnonzero(~test), used[-1], begin)
        weights += learned / folds
        points[test] = probe_points(features, np.flatnonzero(test), learned)
    return Probed(points, tuple(used), _telling(features, weights))


def fit(features: Features, places: Codes, penalty: float, begin: Floats | None = None) -> Floats:
    """Weights learned from the questions at `places`."""
    rows, starts, keys = rows_of(features, places)
    return fit_conditional_logit(features.matrix[rows], starts, keys, penalty=penalty, begin=begin)


def rows_of(features: Features, places: Codes) -> tuple[Codes, Codes, Codes]:
    """The choices' rows of some questions, and where questions begin and keys lie among these rows."""
    ends = np.append(features.starts[1:], features.matrix.shape[0])
    sizes = (ends - features.starts)[places]
    starts = np.cumsum(sizes) - sizes
    rows = np.repeat(features.starts[places] - starts, sizes) + np.arange(int(sizes.sum()))
    return rows, starts, starts + (features.keys - features.starts)[places]


def likelihood(features: Features, places: Codes, weights: Floats) -> float:
    """Sum of the log probabilities of the keys of the questions at `places`."""
    rows, starts, keys = rows_of(features, places)
    scores = features.matrix[rows] @ weights
    _, logs = question_softmax(scores, starts)
    return float(np.sum(scores[keys]) - np.sum(logs))


def probe_points(features: Features, places: Codes, weights: Floats) -> Floats:
    """Points of the questions at `places`, float64 (len(places),): 1/k where the key is among k that tie."""
    rows, starts, keys = rows_of(features, places)
    scores = (features.matrix[rows] @ weights).tolist()
    ends = [*starts[1:].tolist(), len(scores)]
    points = np.zeros(len(places))
    for place, (start, end, key) in enumerate(zip(starts.tolist(), ends, keys.tolist(), strict=True)):
        chosen = highest(scores[start:end])
        points[place] = (key - start in chosen) / len(chosen)
    return points


def _telling(features: Features, weights: Floats) -> tuple[tuple[str, float, int], ...]:
    """The features whose weight, times the root of how many choices have it, is largest either way."""
    counts = np.bincount(features.matrix.indices, minlength=len(weights))
    order = np.argsort(-np.abs(weights) * np.sqrt(counts), kind="stable")[:TELLING]
    return tuple((features.names[place], float(weights[place]), int(counts[place])) for place in order)

"""Conditional logit (McFadden 1974): a linear score a choice, softmax over each question's choices."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Codes = npt.NDArray[np.int64]
Loss = Callable[[Floats], tuple[float, Floats]]
MEMORY = 10
"""Steps that L-BFGS remembers."""


def question_softmax(scores: Floats, starts: Codes) -> tuple[Floats, Floats]:
    """Probability of each choice within its question, float64 (rows,), and log of each question's sum, (n,).

    `starts`: int64 (n,), the row at which each question's choices begin.
    """
    sizes = np.diff(np.append(starts, len(scores)))
    highest = np.maximum.reduceat(scores, starts)
    raised = np.exp(scores - np.repeat(highest, sizes))
    sums = np.add.reduceat(raised, starts)
    return raised / np.repeat(sums, sizes), np.log(sums) + highest


def fit_conditional_logit(
    features: Any,
    starts: Codes,
    keys: Codes,
    *,
    penalty: float,
    begin: Floats | None = None,
    iterations: int = 200,
    tolerance: float = 1e-4,
) -> Floats:
    """Weights, float64 (columns,), that make the keys likeliest less `penalty` / 2 times their squares.

    `features`: a SciPy CSR matrix, a row a choice; `starts` as above; `keys`: int64 (n,), the key's row of
    each question. The sum over questions is minimised by L-BFGS (Nocedal 1980), from `begin` or zero, until
    no slope exceeds `tolerance` times the number of questions, or `iterations` steps are done. No number of
    threads changes a bit of it.
    """
    turned = features.T.tocsr()
    chosen = np.asarray(features[keys].sum(axis=0)).ravel()

    def loss(weights: Floats) -> tuple[float, Floats]:
        scores = features @ weights
        probabilities, logs = question_softmax(scores, starts)
        value = float(np.sum(logs) - np.sum(scores[keys]) + penalty / 2 * np.sum(weights * weights))
        return value, turned @ probabilities - chosen + penalty * weights

    begin = np.zeros(features.shape[1]) if begin is None else begin
    return _lbfgs(loss, begin, iterations, tolerance * len(keys))


def _lbfgs(loss: Loss, point: Floats, iterations: int, tolerance: float) -> Floats:
    """Minimise a smooth convex function. Sums by NumPy, not BLAS: the same on any number of cores."""
    value, slope = loss(point)
    steps: list[tuple[Floats, Floats, float]] = []
    for _ in range(iterations):
        if not len(point) or float(np.max(np.abs(slope))) <= tolerance:
            break
        direction = -_curved(slope, steps)
        descent = float(np.sum(direction * slope))
        length = 1.0 if steps else 1.0 / max(1.0, float(np.sum(np.abs(slope))))
        while True:
            nearer = point + length * direction
            lower, new_slope = loss(nearer)
            if lower <= value + 1e-4 * length * descent:
                break
            length /= 2
            if length < 1e-12:
                return point
        moved, bent = nearer - point, new_slope - slope
        curvature = float(np.sum(moved * bent))
        if curvature > 0:
            steps = [*steps[-(MEMORY - 1) :], (moved, bent, curvature)]
        point, value, slope = nearer, lower, new_slope
    return point


def _curved(slope: Floats, steps: list[tuple[Floats, Floats, float]]) -> Floats:
    """The two-loop recursion: the inverse of the curvature seen so far, times the slope."""
    result = slope.copy()
    shares: list[float] = []
    for moved, bent, curvature in reversed(steps):
        share = float(np.sum(moved * result)) / curvature
        shares.append(share)
        result -= share * bent
    if steps:
        _, bent, curvature = steps[-1]
        result *= curvature / float(np.sum(bent * bent))
    for (moved, bent, curvature), share in zip(steps, reversed(shares), strict=True):
        result += (share - float(np.sum(bent * result)) / curvature) * moved
    return result

"""What each of several overlapping tags adds to a score, with the others held equal.

A difference between questions with a tag and those without it is also one of every other tag that the two
have in unequal shares. Least squares of points on all tags at once take these apart, as far as the questions
allow: where two tags nearly always come together, the intervals are wide.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from assay.scoring.interval import CONFIDENCE, SMALL, Codes, Floats, t_p_value, t_quantile


@dataclass(frozen=True, slots=True)
class HeldEqual:
    """`difference` in points (-1 to 1) that goes with a tag, with its interval and two-sided p. `df`:
    questions less coefficients, or clusters - 1."""

    difference: float
    se: float
    low: float
    high: float
    df: int
    p: float


def held_equal(
    points: Floats,
    tags: Mapping[str, np.ndarray],
    clusters: Codes | None = None,
    *,
    confidence: float = CONFIDENCE,
) -> dict[str, HeldEqual]:
    """Linear model of `points`, float64 (n,), on `tags`, bool (n,) each.

    Standard errors: HC3 (MacKinnon and White 1985), or CR0 with `clusters`. Only tags of at least SMALL
    questions, and as many without it, take part, and of tags that the earlier ones determine none: those
    have no entry. Empty where no two tags take part, or too few questions are left to judge by.
    """
    n = len(points)
    design, names = np.ones((n, 1)), list[str]()
    for name, inside in tags.items():
        wider = np.column_stack([design, inside])
        if min(inside.sum(), n - inside.sum()) >= SMALL and np.linalg.matrix_rank(wider) == wider.shape[1]:
            design = wider
            names.append(name)
    df = n - design.shape[1] if clusters is None else len(np.unique(clusters)) - 1
    if len(names) < 2 or df < SMALL:
        return {}
    inverse = np.linalg.inv(design.T @ design)
    coefficients = inverse @ design.T @ points
    errors = _errors(design, points - design @ coefficients, inverse, clusters)
    reach, found = t_quantile(confidence, df), {}
    for name, value, error in zip(names, coefficients[1:], errors[1:], strict=True):
        if error < 1e-12:
            continue
        ends = float(value - reach * error), float(value + reach * error)
        found[name] = HeldEqual(float(value), float(error), *ends, df, t_p_value(float(value / error), df))
    return found


def _errors(
    design: np.ndarray, residuals: Floats, inverse: np.ndarray, clusters: Codes | None
) -> list[float]:
    if clusters is None:
        leverage = np.einsum("ij,jk,ik->i", design, inverse, design)
        scores = design * (residuals / np.maximum(1 - leverage, 1e-12))[:, None]
    else:
        _, numbers = np.unique(clusters, return_inverse=True)
        scores = np.zeros((numbers.max() + 1, design.shape[1]))
        np.add.at(scores, numbers, design * residuals[:, None])
    spread = inverse @ (scores.T @ scores) @ inverse
    return [math.sqrt(max(float(value), 0.0)) for value in np.diag(spread)]

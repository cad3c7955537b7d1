"""The gap between two parts of a set: Easy minus Challenge, with its interval."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from assay.scoring.interval import CONFIDENCE, Codes, Floats, standard_error, t_p_value, t_quantile

EASY, CHALLENGE = "Easy", "Challenge"


@dataclass(frozen=True, slots=True)
class Gap:
    """`first` minus `second` mean points (0 to 1) of one system, on different questions. `df`: Welch's, or
    clusters - 1. None where a part has too few questions."""

    system: str
    first: str
    second: str
    n_first: int
    n_second: int
    difference: float | None
    se: float | None
    low: float | None
    high: float | None
    df: float | None
    p: float | None


def gap(
    system: str,
    points: Floats,
    parts: tuple[str, str],
    members: tuple[np.ndarray, np.ndarray],
    clusters: Codes | None = None,
    *,
    confidence: float = CONFIDENCE,
) -> Gap:
    """Gap of `points`, float64 (n,), between two disjoint `members`, bool (n,) each.

    Independent questions: Welch (1947). With `clusters`, which may reach across the parts: CR0 of the
    difference, residuals over the size of their part summed by cluster.
    """
    one, two = points[members[0]], points[members[1]]
    sizes = len(one), len(two)
    if not len(one) or not len(two):
        return Gap(system, *parts, *sizes, None, None, None, None, None, None)
    difference = float(one.mean() - two.mean())
    error: float | None
    df: float | None
    if clusters is None:
        error, df = _welch(one, two)
    else:
        error, df = _clustered(points, members, clusters)
    if not error or not df:
        return Gap(system, *parts, *sizes, difference, None, None, None, None, None)
    half = t_quantile(confidence, df) * error
    p = t_p_value(difference / error, df)
    return Gap(system, *parts, *sizes, difference, error, difference - half, difference + half, df, p)


def _welch(one: Floats, two: Floats) -> tuple[float | None, float | None]:
    errors = standard_error(one), standard_error(two)
    if errors[0] is None or errors[1] is None:
        return None, None
    a, b = errors[0] ** 2, errors[1] ** 2
    if a + b == 0:
        return None, None
    return math.sqrt(a + b), (a + b) ** 2 / (a * a / (len(one) - 1) + b * b / (len(two) - 1))


def _clustered(
    points: Floats, members: tuple[np.ndarray, np.ndarray], clusters: Codes
) -> tuple[float | None, float | None]:
    influence = np.zeros(len(points))
    for sign, inside in zip((1, -1), members, strict=True):
        influence[inside] = sign * (points[inside] - points[inside].mean()) / inside.sum()
    inside = members[0] | members[1]
    _, numbers = np.unique(clusters[inside], return_inverse=True)
    sums = np.bincount(numbers, weights=influence[inside])
    return math.sqrt(float(np.sum(sums * sums))), float(len(sums) - 1)

"""A mean of points with its standard error and interval: t, Wilson, bootstrap; clustered where asked."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
import numpy.typing as npt

from assay.errors import AssayError
from assay.scoring.bootstrap import DRAWS, bootstrap_interval

Floats = npt.NDArray[np.float64]
Codes = npt.NDArray[np.int64]
Method = Literal["t", "wilson", "percentile", "bca"]
METHODS: tuple[Method, ...] = get_args(Method)
Correction = Literal["CR0", "CR1"]
CORRECTIONS: tuple[Correction, ...] = get_args(Correction)
CONFIDENCE = 0.95
SMALL = 30
"""Fewer questions than this carry a warning: they say little."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean, all numbers in the unit of the values (points: 0 to 1), with what it rests on.

    `se` is None where the values don't show it (n < 2, or all 0 or all 1); `low` and `high` are None where no
    interval can be given. `df` are the degrees of freedom of t. `clusters` counts them, None: questions are
    independent; then `naive_se` is the standard error without clusters and `design_effect` (se / naive_se)^2,
    which may be below 1. `degenerate`: the interval has no width because the values have no spread.
    """

    n: int
    mean: float | None
    se: float | None
    low: float | None
    high: float | None
    method: Method
    confidence: float
    df: int | None
    clusters: int | None
    naive_se: float | None
    design_effect: float | None
    degenerate: bool
    notes: tuple[str, ...]

    @property
    def half_width(self) -> float | None:
        """Half the width of the interval."""
        return None if self.low is None or self.high is None else (self.high - self.low) / 2


def t_quantile(confidence: float, df: float) -> float:
    """Two-sided critical value of Student's t."""
    from scipy.special import stdtrit

    return float(stdtrit(df, 0.5 + confidence / 2))


def t_p_value(t: float, df: float) -> float:
    """Two-sided p of Student's t."""
    from scipy.special import stdtr

    return float(min(1.0, 2 * stdtr(df, -abs(t))))


def normal_quantile(share: float) -> float:
    """The standard normal's quantile."""
    from scipy.special import ndtri

    return float(ndtri(share))


def standard_error(values: Floats) -> float | None:
    """Of the mean, ddof 1; None for fewer than two values."""
    return None if len(values) < 2 else float(np.std(values, ddof=1)) / math.sqrt(len(values))


def cluster_standard_error(values: Floats, clusters: Codes, correction: Correction = "CR0") -> float:
    """Cluster-robust standard error of the mean (Miller 2024, section 2.2).

    CR0 = sqrt(sum over clusters of (sum of residuals)^2) / n; CR1 = CR0 sqrt(G / (G - 1)).
    `clusters`: int64 (n,), a number 0 .. G - 1 for each value.
    """
    sums = np.bincount(clusters, weights=values - values.mean())
    error = math.sqrt(float(np.sum(sums * sums))) / len(values)
    groups = len(sums)
    if correction == "CR1":
        error *= math.sqrt(groups / (groups - 1)) if groups > 1 else math.nan
    return error


def wilson(mean: float, n: int, confidence: float = CONFIDENCE) -> tuple[float, float]:
    """Wilson's score interval (Wilson 1927) of a share of `n`; ends are exact at 0 and 1."""
    z = normal_quantile(0.5 + confidence / 2)
    centre = mean + z * z / (2 * n)
    spread = z * math.sqrt(mean * (1 - mean) / n + z * z / (4 * n * n))
    scale = 1 + z * z / n
    low, high = (centre - spread) / scale, (centre + spread) / scale
    return (0.0 if mean == 0 else low), (1.0 if mean == 1 else high)


def _without_interval(n: int, mean: float | None, method: Method, confidence: float, note: str) -> Estimate:
    return Estimate(n, mean, None, None, None, method, confidence, None, None, None, None, False, (note,))


def estimate(
    values: Floats,
    clusters: Codes | None = None,
    *,
    method: Method = "t",
    correction: Correction = "CR0",
    confidence: float = CONFIDENCE,
    seed: int = 0,
    draws: int = DRAWS,
) -> Estimate:
    """Mean of `values`, float64 (n,) in [0, 1], with its interval.

    Default: t on the values with n - 1 degrees of freedom; with `clusters` (int64 (n,), numbered from 0
    without gaps) cluster-robust with G - 1. Where all values are 0 or all 1, t would claim certainty: Wilson
    takes its place. Wilson of partial points treats the mean as a share: it is never too narrow for
    independent questions. No values: mean None. Raises AssayError for an unknown method.
    """
    if method not in METHODS:
        raise AssayError(f"no interval called {method}", hint="one of: " + ", ".join(METHODS))
    n = len(values)
    if n == 0:
        return _without_interval(0, None, method, confidence, "no question")
    mean = float(np.mean(values))
    if method in ("percentile", "bca"):
        return _bootstrapped(values, clusters, method, confidence, seed, draws, correction)
    constant = bool(np.all(values == values[0]))
    if method == "wilson" or (constant and values[0] in (0.0, 1.0)):
        return _wilson(values, mean, clusters, method, confidence, correction)
    return t_estimate(values, clusters, correction=correction, confidence=confidence)


def t_estimate(
    values: Floats,
    clusters: Codes | None = None,
    *,
    correction: Correction = "CR0",
    confidence: float = CONFIDENCE,
) -> Estimate:
    """Mean of `values`, float64 (n,) of any range (differences), with a t interval whatever they are."""
    n = len(values)
    if n == 0:
        return _without_interval(0, None, "t", confidence, "no question")
    mean = float(np.mean(values))
    if n == 1:
        return _without_interval(1, mean, "t", confidence, "one question: no interval")
    error, groups, naive, effect = _errors(values, clusters, correction)
    if error is None:
        return _without_interval(n, mean, "t", confidence, "one cluster: no interval")
    df = n - 1 if groups is None else groups - 1
    half = t_quantile(confidence, df) * error
    notes = ("no spread: the interval has no width",) if error == 0 else ()
    return Estimate(
        n,
        mean,
        error,
        mean - half,
        mean + half,
        "t",
        confidence,
        df,
        groups,
        naive,
        effect,
        error == 0,
        notes,
    )


def _errors(
    values: Floats, clusters: Codes | None, correction: Correction
) -> tuple[float | None, int | None, float | None, float | None]:
    """Standard error, number of clusters, naive standard error and design effect."""
    naive = standard_error(values)
    if clusters is None:
        return naive, None, None, None
    groups = int(clusters.max()) + 1
    if groups == 1:
        return None, 1, naive, None
    error = cluster_standard_error(values, clusters, correction)
    return error, groups, naive, (error / naive) ** 2 if naive else None


def _wilson(
    values: Floats,
    mean: float,
    clusters: Codes | None,
    asked: Method,
    confidence: float,
    correction: Correction,
) -> Estimate:
    low, high = wilson(mean, len(values), confidence)
    error, groups, naive, effect = _errors(values, clusters, correction)
    notes = []
    if mean in (0.0, 1.0):
        error = naive = effect = None
        if asked == "t":
            notes.append(f"all points are {mean:.0f}: Wilson's interval, where t would claim certainty")
    if clusters is not None:
        notes.append("Wilson's interval takes the questions as independent: clusters are not in it")
    return Estimate(
        len(values), mean, error, low, high, "wilson", confidence, None, groups, naive, effect, False,
        tuple(notes),
    )  # fmt: skip


def _bootstrapped(
    values: Floats,
    clusters: Codes | None,
    method: Literal["percentile", "bca"],
    confidence: float,
    seed: int,
    draws: int,
    correction: Correction,
) -> Estimate:
    independent = len(values) if clusters is None else int(clusters.max()) + 1
    if independent == 1:
        what = "question" if clusters is None else "cluster"
        return _without_interval(
            len(values), float(np.mean(values)), method, confidence, f"one {what}: no interval"
        )
    result = bootstrap_interval(
        values, clusters, method=method, confidence=confidence, seed=seed, draws=draws
    )
    _, groups, naive, effect = _errors(values, clusters, correction)
    notes: tuple[str, ...] = (f"{draws:,} bootstrap draws, seed {seed}",)
    if result.degenerate:
        notes += ("no spread in the points: the bootstrap claims certainty",)
    error = None if result.degenerate else result.se
    return Estimate(
        len(values), float(np.mean(values)), error, result.low, result.high, method, confidence, None, groups,
        naive, effect, result.degenerate, notes,
    )  # fmt: skip

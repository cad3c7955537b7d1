"""The bootstrap: percentile and BCa intervals, whole clusters resampled, a million points in seconds.

Clusters with equal (sum, size) are exchangeable: a draw of G clusters is a multinomial over the distinct
pairs, which are few when points are 0 or 1/k. Where they are many, clusters are drawn one by one in a
compiled loop, each draw from a stream of its own, so that the number of cores changes nothing.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Codes = npt.NDArray[np.int64]
DRAWS = 10_000
CLUSTERS_A_CLASS = 40
"""Drawing a class costs about as much as drawing this many clusters one by one (bench/scoring_speed.py)."""
FEW_CLASSES = 256
_CELLS = 1 << 21
_BLOCK = 64


@dataclass(frozen=True, slots=True)
class BootstrapInterval:
    """Ends of the interval, the standard deviation of the draws, and whether the data had no spread."""

    low: float
    high: float
    se: float
    degenerate: bool


def cluster_table(columns: Floats, clusters: Codes | None) -> Floats:
    """Sums of `columns` (n, m) by cluster, and cluster sizes last: float64 (G, m + 1)."""
    if clusters is None:
        return np.column_stack([columns, np.ones(len(columns))])
    sums = [np.bincount(clusters, weights=column) for column in columns.T]
    return np.column_stack([*sums, np.bincount(clusters)])


def resampled_totals(table: Floats, draws: int, seed: int) -> Floats:
    """Column totals of `draws` resamples of the rows: float64 (draws, m), from `table` (G, m).

    Each resample draws G rows with replacement. Same table, draws and seed: same bytes, on any number of
    cores.
    """
    # Sums of thirds that differ in the last bit would be two classes.
    classes, counts = np.unique(np.round(table, 9), axis=0, return_counts=True)
    if len(classes) <= max(FEW_CLASSES, len(table) // CLUSTERS_A_CLASS):
        return _by_class(classes, counts, draws, seed)
    return _row_by_row(table, draws, seed)


def _by_class(classes: Floats, counts: Codes, draws: int, seed: int) -> Floats:
    rows = int(counts.sum())
    # The last class takes what the others leave; the largest there saves the most.
    order = np.argsort(counts, kind="stable")
    classes, shares = classes[order], counts[order] / rows
    generator = np.random.default_rng(seed)
    totals = np.empty((draws, classes.shape[1]))
    step = max(1, _CELLS // len(classes))
    for start in range(0, draws, step):
        size = min(step, draws - start)
        drawn = generator.multinomial(rows, shares, size=size)
        for column in range(classes.shape[1]):
            # Not a matrix product: its order of summation may depend on the number of threads.
            totals[start : start + size, column] = (drawn * classes[:, column]).sum(axis=1)
    return totals


@cache
def _kernel() -> Callable[[Floats, int, int, Floats], None]:
    import numba

    def draw_rows(table: Any, seed: Any, first: Any, totals: Any) -> None:
        """Fill `totals` for draws first, first + 1, ...: SplitMix64 (Steele et al. 2014) a draw, halves of
        its words scaled to a row number without bias (Lemire 2019)."""
        rows, columns = table.shape
        golden = np.uint64(0x9E3779B97F4A7C15)
        bound = np.uint64(rows)
        low_half = np.uint64(0xFFFFFFFF)
        half = np.uint64(32)
        threshold = np.uint64((1 << 32) % rows)
        for draw in range(totals.shape[0]):
            state = np.uint64(seed) + np.uint64(first + draw) * np.uint64(0xD1342543DE82EF95)
            # Scramble, so that neighbouring draws don't walk the same sequence some steps apart.
            state = (state ^ (state >> np.uint64(32))) * np.uint64(0xDABA0B6EB09322E3)
            state = (state ^ (state >> np.uint64(29))) * np.uint64(0xDABA0B6EB09322E3)
            state = state ^ (state >> np.uint64(32))
            for column in range(columns):
                totals[draw, column] = 0.0
            taken = 0
            while taken < rows:
                state += golden
                word = (state ^ (state >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
                word = (word ^ (word >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
                word = word ^ (word >> np.uint64(31))
                for part in range(2):
                    product = (word & low_half) * bound if part == 0 else (word >> half) * bound
                    if (product & low_half) >= threshold and taken < rows:
                        row = product >> half
                        for column in range(columns):
                            totals[draw, column] += table[row, column]
                        taken += 1

    try:
        return numba.njit(cache=True, nogil=True, error_model="numpy")(draw_rows)
    except RuntimeError:
        # Nowhere to keep the compiled loop: compile it anew.
        return numba.njit(nogil=True, error_model="numpy")(draw_rows)


def _row_by_row(table: Floats, draws: int, seed: int) -> Floats:
    totals = np.empty((draws, table.shape[1]))
    table = np.ascontiguousarray(table)
    kernel = _kernel()
    stream = int(np.random.SeedSequence(seed).generate_state(1, np.uint64)[0]) >> 1
    starts = range(0, draws, _BLOCK)

    def fill(start: int) -> None:
        kernel(table, stream, start, totals[start : start + _BLOCK])

    fill(0)
    with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        list(pool.map(fill, starts[1:]))
    return totals


def bootstrap_interval(
    values: Floats,
    clusters: Codes | None = None,
    *,
    method: Literal["percentile", "bca"] = "percentile",
    confidence: float = 0.95,
    seed: int = 0,
    draws: int = DRAWS,
) -> BootstrapInterval:
    """Bootstrap interval of the mean of `values`, float64 (n,), n >= 1 (Efron & Tibshirani 1993, 13.3, 14.3).

    `clusters`, int64 (n,), numbered from 0 without gaps: whole clusters are drawn, the mean is the total over
    the number of values drawn. BCa takes bias and acceleration from a jackknife over clusters. Values without
    spread give an interval without width, flagged degenerate; never NaN.
    """
    table = cluster_table(values[:, None], clusters)
    mean = float(table[:, 0].sum() / table[:, 1].sum())
    if len(table) < 2 or np.ptp(table[:, 0] / table[:, 1]) < 1e-12:
        return BootstrapInterval(mean, mean, 0.0, True)
    totals = resampled_totals(table, draws, seed)
    means = totals[:, 0] / totals[:, 1]
    tail = (1 - confidence) / 2
    shares = np.array([tail, 1 - tail])
    if method == "bca":
        shares = _corrected(shares, table, means, mean)
    low, high = np.quantile(means, shares)
    spread = float(means.std(ddof=1)) if draws > 1 else math.nan
    return BootstrapInterval(float(low), float(high), spread, False)


def _corrected(shares: Floats, table: Floats, means: Floats, mean: float) -> Floats:
    """The quantiles to read instead of `shares`: Efron (1987), with ties with the mean counted half."""
    from scipy.special import ndtr, ndtri

    equal = np.abs(means - mean) < 1e-12
    below = float(np.mean((means < mean) & ~equal) + np.mean(equal) / 2)
    half = 0.5 / len(means)
    bias = float(ndtri(min(max(below, half), 1 - half)))
    without = (table[:, 0].sum() - table[:, 0]) / (table[:, 1].sum() - table[:, 1])
    deviation = without.mean() - without
    scale = float(np.sum(deviation**2)) ** 1.5
    acceleration = float(np.sum(deviation**3)) / (6 * scale) if scale > 0 else 0.0
    z = bias + ndtri(shares)
    corrected: Floats = ndtr(bias + z / (1 - acceleration * z))
    return corrected

"""The bootstrap: percentile and BCa intervals, whole clusters resampled, a million points in seconds.

Clusters with equal (sum, size) are exchangeable: a draw of G clusters is a multinomial over the distinct
pairs, few of which hold most clusters when points are 0 or 1/k. Only clusters of rare pairs are drawn one by
one, in a compiled loop. Each block of draws has a stream of its own, so that the number of cores changes
nothing.
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
FEW_CLASSES = 600
"""Up to this many classes all are drawn by the multinomial (half a second for 10,000 draws)."""
COMMON = 30
"""Past it, classes of fewer clusters than this are drawn one by one: cheaper (bench/scoring_speed.py)."""
_CELLS = 1 << 17
_BLOCK = 256


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
    rare = counts < COMMON if len(classes) > FEW_CLASSES else np.zeros(len(classes), dtype=bool)
    common, shares = classes[~rare], counts[~rare] / len(table)
    rest = np.repeat(classes[rare], counts[rare], axis=0)
    # The rest is one class more; the last one costs nothing, so it is the largest.
    shares = np.append(shares, len(rest) / len(table))
    order = np.argsort(shares, kind="stable")
    place_of_rest = int(np.flatnonzero(order == len(common))[0])
    common = np.vstack([common, np.zeros((1, table.shape[1]))])[order]
    totals = np.empty((draws, table.shape[1]))
    step = max(1, min(_BLOCK, _CELLS // len(common)))

    def fill(start: int) -> None:
        block = totals[start : start + step]
        generator = np.random.default_rng([seed, start])
        drawn = generator.multinomial(len(table), shares[order], size=len(block))
        for column in range(table.shape[1]):
            # Not a matrix product: its order of summation may depend on the number of threads.
            block[:, column] = (drawn * common[:, column]).sum(axis=1)
        if len(rest):
            stream = int(generator.integers(0, 1 << 62))
            _kernel()(rest, stream, np.ascontiguousarray(drawn[:, place_of_rest]), block)

    fill(0)
    with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        list(pool.map(fill, range(step, draws, step)))
    return totals


@cache
def _kernel() -> Callable[[Floats, int, Codes, Floats], None]:
    import numba

    def draw_rows(table: Any, seed: Any, takes: Any, totals: Any) -> None:
        """Add `takes[i]` rows drawn with replacement to `totals[i]`: SplitMix64 (Steele et al. 2014), halves
        of its words scaled to a row number without bias (Lemire 2019)."""
        rows, columns = table.shape
        golden = np.uint64(0x9E3779B97F4A7C15)
        bound = np.uint64(rows)
        low_half = np.uint64(0xFFFFFFFF)
        half = np.uint64(32)
        threshold = np.uint64((1 << 32) % rows)
        state = np.uint64(seed)
        for draw in range(totals.shape[0]):
            rows_due = takes[draw]
            taken = 0
            while taken < rows_due:
                state += golden
                word = (state ^ (state >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
                word = (word ^ (word >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
                word = word ^ (word >> np.uint64(31))
                for part in range(2):
                    product = (word & low_half) * bound if part == 0 else (word >> half) * bound
                    if (product & low_half) >= threshold and taken < rows_due:
                        row = product >> half
                        for column in range(columns):
                            totals[draw, column] += table[row, column]
                        taken += 1

    try:
        return numba.njit(cache=True, nogil=True, error_model="numpy")(draw_rows)
    except RuntimeError:
        # Nowhere to keep the compiled loop: compile it anew.
        return numba.njit(nogil=True, error_model="numpy")(draw_rows)


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
    # Where the correction runs off to infinity, the end is the extreme draw.
    room = np.maximum(1 - acceleration * z, 1e-9)
    corrected: Floats = ndtr(bias + z / room)
    return corrected

"""Ranks of systems with bootstrap intervals of the rank."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from assay.scoring.bootstrap import DRAWS, Codes, Floats, cluster_table, resampled_totals


@dataclass(frozen=True, slots=True)
class Rank:
    """Rank by mean points (1 is best; equal means share the better rank), with the bootstrap's central
    interval of the rank over resampled questions (or clusters), and the share of draws in which it was
    first."""

    system: str
    rank: int
    low: int
    high: int
    first_share: float


def _ranks(means: Floats) -> np.ndarray:
    """1 + how many systems are better, along the last axis; equal within 1e-9."""
    rounded = np.round(means, 9)
    columns = [(rounded > rounded[..., [place]]).sum(axis=-1) for place in range(means.shape[-1])]
    return 1 + np.stack(columns, axis=-1)


def ranks(
    points: dict[str, Floats],
    clusters: Codes | None = None,
    *,
    confidence: float = 0.95,
    seed: int = 0,
    draws: int = DRAWS,
) -> tuple[Rank, ...]:
    """Ranks of the systems in `points`, each float64 (n,) over the same questions, in the order given."""
    if not points or not len(next(iter(points.values()))):
        return ()
    columns = np.column_stack(list(points.values()))
    observed = _ranks(columns.mean(axis=0))
    totals = resampled_totals(cluster_table(columns, clusters), draws, seed)
    drawn = _ranks(totals[:, :-1] / totals[:, -1:])
    tail = (1 - confidence) / 2
    low = np.quantile(drawn, tail, axis=0, method="inverted_cdf")
    high = np.quantile(drawn, 1 - tail, axis=0, method="inverted_cdf")
    first = (drawn == 1).mean(axis=0)
    return tuple(
        Rank(name, int(observed[i]), int(low[i]), int(high[i]), float(first[i]))
        for i, name in enumerate(points)
    )

"""Repeated runs of one system (seeds, samples): clusters of a question, never more questions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from assay.errors import AssayError
from assay.scoring.interval import CONFIDENCE, Codes, Correction, Estimate, Floats, estimate
from assay.scoring.points import Marks


@dataclass(frozen=True, slots=True)
class RepeatedRuns:
    """One system over `runs` runs. `score` rests on the questions' mean points, so its n is the number of
    questions. `run_means`: each run's mean; `between_runs`: their standard deviation (ddof 1; None for one
    run).
    """

    system: str
    runs: int
    score: Estimate
    run_means: tuple[float, ...]
    between_runs: float | None


def mean_points(runs: Sequence[Marks]) -> Floats:
    """Mean points of each question over its runs, float64 (n,); AssayError when runs differ in length."""
    if len({len(marks) for marks in runs}) != 1:
        raise AssayError("repeated runs must answer the same questions")
    return np.asarray(np.mean([marks.points for marks in runs], axis=0))


def repeated_runs(
    system: str,
    runs: Sequence[Marks],
    clusters: Codes | None = None,
    *,
    correction: Correction = "CR0",
    confidence: float = CONFIDENCE,
) -> RepeatedRuns:
    """Score repeated runs of one system over the same questions; `clusters` of the questions as elsewhere."""
    points = mean_points(runs)
    score = estimate(points, clusters, correction=correction, confidence=confidence)
    means = tuple(float(marks.points.mean()) for marks in runs) if len(points) else ()
    spread = float(np.std(means, ddof=1)) if len(means) > 1 else None
    return RepeatedRuns(system, len(runs), score, means, spread)

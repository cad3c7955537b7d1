"""Two systems on the same questions: always paired, on the points and on fully right."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from assay.errors import AssayError
from assay.scoring.interval import CONFIDENCE, Codes, Correction, Estimate, t_estimate, t_p_value
from assay.scoring.points import Marks
from assay.scoring.power import questions_needed, smallest_difference
from assay.scoring.signflip import SignFlip, sign_flip

NEEDED_FOR = (0.01, 0.02, 0.03, 0.05)
"""Differences for which the number of questions needed is told."""


@dataclass(frozen=True, slots=True)
class McNemar:
    """Fully right against not (McNemar 1947): `both`, `only_first`, `only_second`, `neither`; exact two-sided
    p (binomial, at most 1) and mid-p."""

    both: int
    only_first: int
    only_second: int
    neither: int
    p: float
    mid_p: float


@dataclass(frozen=True, slots=True)
class Comparison:
    """First minus second on the same questions, differences in points (0 to 1).

    `t_p`: two-sided t, clustered where the interval is. `sign_flip`: the permutation test, whole clusters
    flipped where named; `holm_p` is its p after Holm's correction over all pairs shown together.
    `first_higher`, `second_higher`, `equal`: questions by points. `smallest_difference` with 80% power, and
    `questions_needed` by difference in points of a hundred. `opposed`: points and McNemar point in opposite
    directions; `notes` say why.
    """

    first: str
    second: str
    difference: Estimate
    t_p: float | None
    sign_flip: SignFlip
    holm_p: float
    mcnemar: McNemar
    first_higher: int
    second_higher: int
    equal: int
    smallest_difference: float | None
    questions_needed: dict[str, int]
    opposed: bool
    notes: tuple[str, ...]


def mcnemar(first: np.ndarray, second: np.ndarray) -> McNemar:
    """Exact McNemar test of two bool (n,) arrays of what each got fully right."""
    both = int(np.sum(first & second))
    only_first, only_second = int(np.sum(first & ~second)), int(np.sum(second & ~first))
    p, mid_p = mcnemar_p(only_first, only_second)
    return McNemar(both, only_first, only_second, len(first) - both - only_first - only_second, p, mid_p)


def mcnemar_p(only_first: int, only_second: int) -> tuple[float, float]:
    """Exact two-sided p and mid-p (Fagerland et al. 2013) from the two discordant counts."""
    from scipy.special import bdtr

    discordant = only_first + only_second
    if discordant == 0:
        return 1.0, 1.0
    fewer = min(only_first, only_second)
    at_most = float(bdtr(fewer, discordant, 0.5))
    below = float(bdtr(fewer - 1, discordant, 0.5)) if fewer else 0.0
    return min(1.0, 2 * at_most), min(1.0, at_most + below)


def compare(
    names: tuple[str, str],
    first: Marks,
    second: Marks,
    clusters: Codes | None = None,
    *,
    correction: Correction = "CR0",
    confidence: float = CONFIDENCE,
    seed: int = 0,
) -> Comparison:
    """Compare two systems' marks of the same questions, in the same order.

    `clusters`: int64 (n,), numbered from 0 without gaps, or None. Raises AssayError when the numbers of
    questions differ.
    """
    if len(first) != len(second):
        raise AssayError(f"{names[0]} and {names[1]} answer {len(first):,} and {len(second):,} questions")
    differences = first.points - second.points
    # 1/3 - 1/3 is 0, but sums of thirds in another order aren't.
    differences[first.credit == second.credit] = 0.0
    paired = t_estimate(differences, clusters, correction=correction, confidence=confidence)
    flipped = differences if clusters is None else np.bincount(clusters, weights=differences)
    test = sign_flip(np.asarray(flipped, dtype=np.float64), seed=seed)
    right = mcnemar(first.fully_right, second.fully_right)
    ahead = float(differences.sum())
    opposed = ahead * (right.only_first - right.only_second) < 0 and abs(ahead) > 1e-9
    error = paired.se
    return Comparison(
        first=names[0],
        second=names[1],
        difference=paired,
        t_p=_t_p(paired),
        sign_flip=test,
        holm_p=test.p,
        mcnemar=right,
        first_higher=int(np.sum(differences > 0)),
        second_higher=int(np.sum(differences < 0)),
        equal=int(np.sum(differences == 0)),
        smallest_difference=smallest_difference(error) if error else None,
        questions_needed=_needed(error, len(first)),
        opposed=opposed,
        notes=_why_opposed(names, first, second, ahead, right) if opposed else (),
    )  # fmt: skip


def _t_p(paired: Estimate) -> float | None:
    if paired.mean is None or not paired.se or not paired.df:
        return 1.0 if paired.mean == 0 else None
    return t_p_value(paired.mean / paired.se, paired.df)


def _needed(error: float | None, n: int) -> dict[str, int]:
    if not error:
        return {}
    return {f"{100 * size:g} points": questions_needed(size, error, n) for size in NEEDED_FOR}


def _why_opposed(
    names: tuple[str, str], first: Marks, second: Marks, ahead: float, right: McNemar
) -> tuple[str, ...]:
    n = len(first)
    by_points, by_right = names if ahead > 0 else names[::-1]
    partial = {name: marks.counts["partial"] for name, marks in zip(names, (first, second), strict=True)}
    more, fewer = max(right.only_first, right.only_second), min(right.only_first, right.only_second)
    return (
        f"points favour {by_points} (by {100 * abs(ahead) / n:.2f}), fully right answers favour {by_right} "
        f"({more:,} questions against {fewer:,}): ties earn {by_points} part of its points, with "
        f"{partial[by_points]:,} partial credits against {partial[by_right]:,}",
    )


def holm(p_values: Sequence[float]) -> list[float]:
    """Holm's step-down adjusted p values (Holm 1979), in the order given."""
    order = sorted(range(len(p_values)), key=lambda place: p_values[place])
    adjusted = [0.0] * len(p_values)
    reached = 0.0
    for position, place in enumerate(order):
        reached = max(reached, min(1.0, (len(p_values) - position) * p_values[place]))
        adjusted[place] = reached
    return adjusted


def holm_where_tested(p_values: Sequence[float | None]) -> list[float | None]:
    """Holm's adjusted p values over those that there are; None, where no test was made, stays None."""
    adjusted = iter(holm([p for p in p_values if p is not None]))
    return [None if p is None else next(adjusted) for p in p_values]


def compare_all(
    marks: dict[str, Marks],
    clusters: Codes | None = None,
    *,
    correction: Correction = "CR0",
    confidence: float = CONFIDENCE,
    seed: int = 0,
) -> tuple[Comparison, ...]:
    """All pairs, in the systems' order, sign-flip p corrected by Holm over them."""
    names = list(marks)
    pairs = [(a, b) for place, a in enumerate(names) for b in names[place + 1 :]]
    made = [
        compare((a, b), marks[a], marks[b], clusters, correction=correction, confidence=confidence, seed=seed)
        for a, b in pairs
    ]
    adjusted = holm([one.sign_flip.p for one in made])
    return tuple(replace(one, holm_p=p) for one, p in zip(made, adjusted, strict=True))

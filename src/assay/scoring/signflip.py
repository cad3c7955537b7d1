"""The sign-flip permutation test of paired differences: exact where it can be, else seeded."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
EXACT_WORK = 1_000_000_000
"""The exact distribution is worked out up to this many additions (about a second)."""
DRAWS = 100_000
_DENOMINATOR = 1000
_KINDS = 4096


@dataclass(frozen=True, slots=True)
class SignFlip:
    """Two-sided p of the sum of differences under random signs. `draws`: None when exact."""

    p: float
    method: Literal["exact", "drawn"]
    units: int
    draws: int | None
    seed: int | None


def on_lattice(values: Floats) -> tuple[Ints, int] | None:
    """`values` as whole numbers of 1/denominator, with the denominator; None if they are no such fractions.

    Points are 0 or 1/k, so that sums of their differences can be compared exactly.
    """
    distinct, places = np.unique(values, return_inverse=True)
    if len(distinct) > _KINDS:
        return None
    parts = [Fraction(value).limit_denominator(_DENOMINATOR) for value in distinct.tolist()]
    if any(abs(float(part) - value) > 1e-12 for part, value in zip(parts, distinct.tolist(), strict=True)):
        return None
    units = math.lcm(*(part.denominator for part in parts)) if parts else 1
    if units > 1 << 40:
        return None
    whole = np.array([int(part * units) for part in parts], dtype=np.int64)
    return whole[places], units


def _halves(n: int) -> Floats:
    """Binomial(n, 1/2), float64 (n + 1,), by ratios outward from the middle."""
    k = np.arange(n // 2, n)
    upper = np.cumprod(np.concatenate([[1.0], (n - k) / (k + 1)]))
    # `upper` starts at n // 2: the middle of an even n, the twin of its neighbour in an odd one.
    masses = np.concatenate([upper[1:][::-1], upper[n % 2 :]])
    return np.asarray(masses / masses.sum())


def exact_distribution(sizes: Ints, counts: Ints) -> Floats:
    """Distribution of the sum of +-size, `counts` of each of the distinct `sizes` (positive int64).

    Shape (total + 1,), total = sum of sizes times counts: entry i is the chance of the sum 2 i - total. Built
    by convolving one stretched binomial a size.
    """
    distribution = np.ones(1)
    for size, count in zip(sizes.tolist(), counts.tolist(), strict=True):
        masses = _halves(count)
        wider = np.zeros(len(distribution) + size * count)
        for step, mass in enumerate(masses.tolist()):
            if mass:
                wider[step * size : step * size + len(distribution)] += mass * distribution
        distribution = wider
    return distribution


def sign_flip(differences: Floats, *, seed: int = 0, draws: int = DRAWS) -> SignFlip:
    """P(|sum of +-d| >= |sum of d|) over all signs; `differences`: float64 (n,), one a question or cluster.

    Exact, by the distribution of sums on the differences' common denominator, while that takes fewer than
    EXACT_WORK additions. Else by `draws` random sign patterns, the observed one counted among them (Phipson &
    Smyth 2010), so that p is never 0.
    """
    lattice = on_lattice(differences)
    if lattice is None:
        sizes, counts = np.unique(np.abs(differences), return_counts=True)
        return _drawn(sizes, counts, float(abs(differences.sum())), seed, draws, 0)
    whole, units = lattice
    observed = abs(int(whole.sum()))
    sizes, counts = np.unique(np.abs(whole[whole != 0]), return_counts=True)
    if len(sizes) == 0:
        return SignFlip(1.0, "exact", units, None, None)
    step = math.gcd(*sizes.tolist())
    sizes, observed = sizes // step, observed // step
    order = np.argsort(-counts * sizes, kind="stable")
    sizes, counts = sizes[order], counts[order]
    total = int(np.sum(sizes * counts))
    if _work(sizes, counts) > EXACT_WORK:
        return _drawn(sizes.astype(float), counts, float(observed), seed, draws, units)
    distribution = exact_distribution(sizes, counts)
    # Sums <= -observed; the distribution is symmetric.
    tail = distribution[: (total - observed) // 2 + 1].sum()
    return SignFlip(float(min(1.0, 2 * tail)) if observed else 1.0, "exact", units, None, None)


def _work(sizes: Ints, counts: Ints) -> int:
    reach = np.cumsum(sizes * counts) - sizes * counts
    return int(np.sum(reach * (counts + 1)) + np.sum(sizes * counts))


def _drawn(sizes: Floats, counts: Ints, observed: float, seed: int, draws: int, units: int) -> SignFlip:
    generator = np.random.default_rng(seed)
    sums = np.zeros(draws)
    for size, count in zip(sizes.tolist(), counts.tolist(), strict=True):
        sums += size * (2.0 * generator.binomial(count, 0.5, size=draws) - count)
    tolerance = 1e-9 * max(1.0, float(np.sum(sizes * counts)))
    reached = int(np.sum(np.abs(sums) >= observed - tolerance))
    return SignFlip((reached + 1) / (draws + 1), "drawn", units, draws, seed)

"""Availability profiles: which sources of a corpus answer which questions, and what guessing would give."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, comb

import numpy as np
import numpy.typing as npt

from assay.experiments.experiment import Figure
from assay.experiments.grouped import Bools, Floats
from assay.scoring.interval import normal_quantile

Ints = npt.NDArray[np.int64]
MOST_STEPS = 7
"""Numbers of sources are put together until at most so many steps are left."""


@dataclass(frozen=True, eq=False)
class Availability:
    """`answered[i, j]`: whether the filters answer question i over source j alone. bool, (n, sources)."""

    sources: tuple[str, ...]
    answered: Bools

    @property
    def counts(self) -> Ints:
        """By how many sources each question is answered. int64, (n,)"""
        counts: Ints = self.answered.sum(axis=1).astype(np.int64)
        return counts

    @property
    def alone(self) -> Bools:
        """Whether a source answers a question that no other one answers. bool, (n, sources)"""
        alone: Bools = self.answered & (self.counts == 1)[:, None]
        return alone

    def of(self, chosen: Bools) -> Availability:
        """The profiles of some of the questions; `chosen`: bool, (n,)."""
        return Availability(self.sources, self.answered[chosen])

    def profiles(self) -> list[tuple[tuple[bool, ...], int]]:
        """Each profile with the number of its questions, the commonest first."""
        found = Counter(tuple(row) for row in self.answered.tolist())
        return sorted(found.items(), key=lambda item: (-item[1], item[0]))

    def independent(self) -> Floats:
        """Shares of questions that 0, 1, 2, ... sources would answer, were they independent at their rates.

        float64, (sources + 1,): the Poisson-binomial distribution.
        """
        shares = np.ones(1)
        for rate in self.rates.tolist():
            shares = np.append(shares * (1 - rate), 0.0) + np.append(0.0, shares * rate)
        return shares

    def independent_profile(self, profile: Sequence[bool]) -> float:
        """The share of questions that would have this profile, were the sources independent."""
        return float(np.prod(np.where(np.array(profile, np.bool_), self.rates, 1 - self.rates)))

    @property
    def rates(self) -> Floats:
        """The share of questions that each source answers; 0 for no questions."""
        rates: Floats = self.answered.mean(axis=0) if len(self.answered) else np.zeros(len(self.sources))
        return rates


def guessing(choices: Sequence[int], sources: int, filters: int, needed: int) -> Floats:
    """Shares of questions that 0, 1, 2, ... sources would answer, if each filter guessed one choice.

    `choices`: how many each question has. A source answers if `needed` of `filters` do. float64,
    (sources + 1,); zeros for no questions.
    """
    shares = np.zeros(sources + 1)
    for number, count in sorted(Counter(choices).items()):
        rate = float(sum(_binomial(filters, right, 1 / number) for right in range(needed, filters + 1)))
        own = [_binomial(sources, answering, rate) for answering in range(sources + 1)]
        shares += count / len(choices) * np.array(own)
    return shares


def _binomial(n: int, k: int, rate: float) -> float:
    return float(comb(n, k) * rate**k * (1 - rate) ** (n - k))


@dataclass(frozen=True, slots=True)
class Span:
    """Questions answered by `low` to `high` sources."""

    low: int
    high: int

    @property
    def name(self) -> str:
        """3, or 4 to 6"""
        return str(self.low) if self.low == self.high else f"{self.low} to {self.high}"

    def holds(self, counts: Ints) -> Bools:
        """Which of these numbers of sources lie in it."""
        return np.asarray((counts >= self.low) & (counts <= self.high))


def spans(sources: int) -> tuple[Span, ...]:
    """0, and then 1 to `sources` in steps of one width, so that there are at most MOST_STEPS in all."""
    width = max(1, ceil(sources / (MOST_STEPS - 1)))
    rest = (Span(low, min(low + width - 1, sources)) for low in range(1, sources + 1, width))
    return (Span(0, 0), *rest)


def profile_name(sources: Sequence[str], profile: Sequence[bool]) -> str:
    """a + b; all; all but c; none."""
    held = [name for name, has in zip(sources, profile, strict=True) if has]
    lacking = [name for name, has in zip(sources, profile, strict=True) if not has]
    if not held:
        return "none"
    if not lacking:
        return "all"
    return " + ".join(held) if len(held) <= len(lacking) else f"all but {', '.join(lacking)}"


def one_sided(first: Bools, strata: Sequence[Bools]) -> int:
    """Questions of the strata that `gap_within` leaves out: fewer than two are `first`, or aren't."""
    sizes = [(int((stratum & first).sum()), int((stratum & ~first).sum())) for stratum in strata]
    return sum(ours + others for ours, others in sizes if min(ours, others) < 2)


def gap_within(points: Floats, first: Bools, strata: Sequence[Bools]) -> Figure:
    """Mean of the `first` minus that of the others, in points of a hundred, compared within each stratum.

    `points` in 0..1 (n,), `first` bool (n,), each of `strata` bool (n,). Strata weigh as they have questions;
    those with fewer than two of either kind are left out (`one_sided` counts their questions). The interval
    takes questions as independent.
    """
    parts = []
    for stratum in strata:
        ours, others = points[stratum & first], points[stratum & ~first]
        if min(len(ours), len(others)) >= 2:
            error = ours.var(ddof=1) / len(ours) + others.var(ddof=1) / len(others)
            parts.append((len(ours) + len(others), ours.mean() - others.mean(), error))
    if not parts:
        return Figure(None)
    weights = np.array([part[0] for part in parts], np.float64)
    weights /= weights.sum()
    value = float(weights @ np.array([part[1] for part in parts]))
    half = normal_quantile(0.975) * float(np.sqrt(weights**2 @ np.array([part[2] for part in parts])))
    return Figure(100 * value, 100 * (value - half), 100 * (value + half))

"""What guessing earns: chance from the very questions scored, its band, the test of a score against it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from assay.questions.model import Question
from assay.scoring.interval import (
    CONFIDENCE,
    Codes,
    Floats,
    cluster_standard_error,
    normal_quantile,
    standard_error,
    t_p_value,
)

EXACT_QUESTIONS = 20_000
"""Up to this many questions the guesser's distribution is exact; past it, normal."""


@dataclass(frozen=True, slots=True)
class Chance:
    """What guess-all scores, in [0, 1] (`exact`: its points), and how far a guesser of one choice a question
    scatters around it: `se` of the guesser's score, `low` and `high` its central `confidence` band.
    `choices`: how many questions have 2, 3, ... choices.
    """

    n: int
    mean: float | None
    exact: Fraction
    se: float | None
    low: float | None
    high: float | None
    confidence: float
    choices: dict[str, int]


@dataclass(frozen=True, slots=True)
class AgainstChance:
    """How a score differs from chance: `difference` = mean - chance, `p` two-sided, by `test`:

    "t": t test on points less their chance, clustered where the score is; "guesser": the share of one-choice
    guessers at least as far off, where the points have no spread of their own; None: no test can be made.
    `guesser_p` is that share in any case.
    """

    difference: float | None
    p: float | None
    test: str | None
    df: int | None
    guesser_p: float | None


def choice_counts(questions: Sequence[Question]) -> Codes:
    """Number of choices of each question, int64 (n,)."""
    return np.array([len(question.choices) for question in questions], dtype=np.int64)


def chance(counts: Codes, confidence: float = CONFIDENCE) -> Chance:
    """Chance over questions with `counts` choices, int64 (n,), each >= 1."""
    n = len(counts)
    sizes, times = np.unique(counts, return_counts=True)
    kinds = dict(zip(map(str, sizes.tolist()), times.tolist(), strict=True))
    parts = zip(times.tolist(), sizes.tolist(), strict=True)
    exact = sum((Fraction(time, size) for time, size in parts), Fraction(0))
    if n == 0:
        return Chance(0, None, exact, None, None, None, confidence, kinds)
    mean = float(exact / n)
    shares = 1 / sizes
    error = math.sqrt(float(np.sum(times * shares * (1 - shares)))) / n
    half = normal_quantile(0.5 + confidence / 2) * error
    return Chance(n, mean, exact, error, mean - half, mean + half, confidence, kinds)


def guesser_distribution(counts: Codes) -> npt.NDArray[np.float64]:
    """Distribution of how many of the questions a one-choice guesser gets right: float64 (n + 1,).

    A sum of binomials, one a number of choices, convolved.
    """
    distribution: npt.NDArray[np.float64] = np.ones(1)
    for size, times in zip(*np.unique(counts, return_counts=True), strict=True):
        distribution = np.asarray(np.convolve(distribution, _binomial(int(times), 1 / int(size))))
    return distribution


def _binomial(n: int, share: float) -> npt.NDArray[np.float64]:
    if share == 1:
        return np.asarray(np.eye(1, n + 1, n)[0])
    from scipy.special import gammaln

    k = np.arange(n + 1)
    logs = gammaln(n + 1) - gammaln(k + 1) - gammaln(n - k + 1)
    masses = np.exp(logs + k * math.log(share) + (n - k) * math.log1p(-share))
    return np.asarray(masses / masses.sum())


def guesser_p(total: float, counts: Codes) -> float:
    """Share of one-choice guessers whose points lie at least as far from chance as `total`, two-sided."""
    centre = float(np.sum(1 / counts))
    distance = abs(total - centre)
    if len(counts) <= EXACT_QUESTIONS:
        right = np.arange(len(counts) + 1)
        masses = guesser_distribution(counts)
        return float(min(1.0, masses[np.abs(right - centre) >= distance - 1e-9].sum()))
    shares = 1 / counts
    spread = math.sqrt(float(np.sum(shares * (1 - shares))))
    if spread == 0:
        return 1.0 if distance < 1e-9 else 0.0
    return math.erfc(distance / spread / math.sqrt(2))


def against_chance(points: Floats, counts: Codes, clusters: Codes | None = None) -> AgainstChance:
    """Test `points`, float64 (n,), against chance over questions with `counts` choices.

    This is the test "against guess-all": guess-all has no variance of its own on given questions.
    """
    n = len(points)
    if n == 0:
        return AgainstChance(None, None, None, None, None)
    over = points - 1 / counts
    difference = float(over.mean())
    scattered = guesser_p(float(points.sum()), counts)
    if np.all(points == points[0]) and points[0] in (0.0, 1.0):
        return AgainstChance(difference, scattered, "guesser", None, scattered)
    if clusters is None:
        error, df = standard_error(over), n - 1
    else:
        df = int(clusters.max())
        error = cluster_standard_error(over, clusters) if df else None
    if error is None:
        return AgainstChance(difference, scattered, "guesser", None, scattered)
    if error < 1e-12:
        same = abs(difference) < 1e-12
        return AgainstChance(difference, 1.0 if same else None, "t" if same else None, df, scattered)
    return AgainstChance(difference, t_p_value(difference / error, df), "t", df, scattered)

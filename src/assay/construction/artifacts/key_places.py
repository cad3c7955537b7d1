"""Where the right choices lie, and whether they lie there evenly."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from assay.construction.artifacts.conditional_logit import Codes, Floats
from assay.questions.model import Question

DRAWS = 9_999
ENOUGH = 5.0
"""Keys expected at every place, from which on the chi-square distribution is near enough."""


@dataclass(frozen=True, slots=True)
class KeyPlaces:
    """How many keys stand at place 1, 2, ..., how many would if every choice were as likely, and the test.

    `statistic`: (O - E)' V+ (O - E), V the covariance under even chance; where all questions have the same
    number of choices this is Pearson's chi-square. `p` by chi-square with `df`, or, where some place expects
    fewer than 5 keys, by DRAWS seeded draws (`drawn`).
    """

    counts: tuple[int, ...]
    expected: tuple[float, ...]
    statistic: float
    df: int
    p: float
    drawn: bool


def key_places(questions: Sequence[Question], seed: int = 0) -> KeyPlaces:
    """Places of the keys of questions, each with a key among its labels."""
    sizes = np.array([len(question.choices) for question in questions], dtype=np.int64)
    places = np.array([question.labels.index(str(question.answer)) for question in questions], dtype=np.int64)
    most = int(sizes.max())
    counts = np.bincount(places, minlength=most).astype(np.float64)
    kinds, times = np.unique(sizes, return_counts=True)
    expected, covariance = np.zeros(most), np.zeros((most, most))
    for size, n in zip(kinds.tolist(), times.tolist(), strict=True):
        expected[:size] += n / size
        covariance[:size, :size] += n * (np.eye(size) / size - 1 / size**2)
    inverse: Floats = np.asarray(np.linalg.pinv(covariance, hermitian=True, rcond=1e-9), dtype=np.float64)
    df = int(np.linalg.matrix_rank(covariance, hermitian=True, tol=1e-9 * max(1.0, covariance.max())))
    statistic = _distance(counts - expected, inverse)
    drawn = bool(df) and float(expected.min()) < ENOUGH
    if drawn:
        p = _drawn_p(statistic, kinds, times, expected, inverse, seed)
    else:
        from scipy.special import chdtrc

        p = float(chdtrc(df, statistic)) if df else 1.0
    return KeyPlaces(tuple(map(int, counts)), tuple(map(float, expected)), statistic, df, p, drawn)


def _distance(off: Floats, inverse: Floats) -> float:
    return float(np.sum(off[:, None] * inverse * off[None, :]))


def _drawn_p(
    statistic: float, kinds: Codes, times: Codes, expected: Floats, inverse: Floats, seed: int
) -> float:
    """Share of draws at least as uneven, the observed keys being one of them (Phipson and Smyth 2010)."""
    draw = np.random.default_rng(seed)
    counts = np.zeros((DRAWS, len(expected)))
    for size, n in zip(kinds.tolist(), times.tolist(), strict=True):
        counts[:, :size] += draw.multinomial(n, np.full(size, 1 / size), size=DRAWS)
    off = counts - expected
    distances = np.sum((off[:, :, None] * inverse[None, :, :]).sum(axis=1) * off, axis=1)
    return float((1 + np.sum(distances >= statistic - 1e-9)) / (1 + DRAWS))

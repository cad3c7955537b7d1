"""Power: the smallest difference found, the questions a difference needs, one score against chance."""

from __future__ import annotations

import math

from assay.scoring.chance import Chance
from assay.scoring.interval import normal_quantile

POWER = 0.8
SIGNIFICANCE = 0.05


def _factor(power: float, significance: float) -> float:
    return normal_quantile(1 - significance / 2) + normal_quantile(power)


def smallest_difference(se: float, *, power: float = POWER, significance: float = SIGNIFICANCE) -> float:
    """The smallest paired difference found with `power`, two-sided: (z_{1-a/2} + z_power) se.

    `se` is the standard error of the paired difference as observed, so the agreement of the two systems is in
    it (Miller 2024, section 5). In the unit of `se`.
    """
    return _factor(power, significance) * se


def questions_needed(
    difference: float, se: float, n: int, *, power: float = POWER, significance: float = SIGNIFICANCE
) -> int:
    """Questions needed to find `difference` > 0, given `se` of the paired difference on `n` questions."""
    return math.ceil((_factor(power, significance) * se / difference) ** 2 * n)


def power_against_chance(score: float, chance: Chance, *, significance: float = SIGNIFICANCE) -> float | None:
    """Chance that a one-choice system whose true score is `score`, in (0, 1), is found to differ from
    guessing.

    The test rejects outside the guesser's band; the system's score scatters with variance
    score (1 - score) / n. Normal approximation; None without questions.
    """
    if chance.n == 0 or chance.mean is None or not chance.se:
        return None
    critical = normal_quantile(1 - significance / 2) * chance.se
    gap = abs(score - chance.mean)
    spread = math.sqrt(score * (1 - score) / chance.n)
    if spread == 0:
        return 1.0 if gap > critical else 0.0
    above = 0.5 * math.erfc((critical - gap) / spread / math.sqrt(2))
    below = 0.5 * math.erfc((critical + gap) / spread / math.sqrt(2))
    return above + below

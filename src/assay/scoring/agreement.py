"""How alike two systems answer: shares and Cohen's kappa."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass

from assay.scoring.points import Marks


@dataclass(frozen=True, slots=True)
class Agreement:
    """`same_choice`: share of questions with the same chosen set, and `kappa` on these sets; `same_right`:
    share where both are fully right or both are not, and `right_kappa` on that. Kappa is Cohen's (1960), None
    where chance agreement is complete. What chose nothing agrees with nothing but its like."""

    first: str
    second: str
    n: int
    same_choice: float | None
    kappa: float | None
    same_right: float | None
    right_kappa: float | None


def cohen_kappa(first: Sequence[Hashable], second: Sequence[Hashable]) -> float | None:
    """Kappa of two ratings of the same n things by any categories; None when it is undefined."""
    n = len(first)
    if n == 0:
        return None
    observed = sum(a == b for a, b in zip(first, second, strict=True)) / n
    ones, twos = Counter(first), Counter(second)
    expected = sum(count * twos[category] for category, count in ones.items()) / n**2
    return None if expected >= 1 else (observed - expected) / (1 - expected)


def agreement(names: tuple[str, str], first: Marks, second: Marks) -> Agreement:
    """Agreement of two systems' marks of the same questions."""
    n = len(first)
    if n == 0:
        return Agreement(*names, 0, None, None, None, None)
    sets = [[frozenset(chosen) for chosen in marks.chosen] for marks in (first, second)]
    alike = sum(a == b for a, b in zip(*sets, strict=True)) / n
    rights = first.fully_right.tolist(), second.fully_right.tolist()
    right = sum(a == b for a, b in zip(*rights, strict=True)) / n
    return Agreement(*names, n, alike, cohen_kappa(*sets), right, cohen_kappa(*rights))

"""How alike two systems answer: shares and Cohen's kappa."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from assay.scoring.points import Marks


@dataclass(frozen=True, slots=True)
class Agreement:
    """`same_choice`: share of questions with the same chosen set (answered by both); `same_right`: share
    where both are fully right or both are not; `kappa`: Cohen's (1960), on fully right, None where chance
    agreement is complete."""

    first: str
    second: str
    n: int
    same_choice: float | None
    same_right: float | None
    kappa: float | None


def cohen_kappa(first: np.ndarray, second: np.ndarray) -> float | None:
    """Kappa of two bool (n,) arrays; None when it is undefined."""
    if len(first) == 0:
        return None
    observed = float(np.mean(first == second))
    a, b = float(first.mean()), float(second.mean())
    expected = a * b + (1 - a) * (1 - b)
    return None if expected >= 1 else (observed - expected) / (1 - expected)


def agreement(names: tuple[str, str], first: Marks, second: Marks) -> Agreement:
    """Agreement of two systems' marks of the same questions."""
    n = len(first)
    if n == 0:
        return Agreement(*names, 0, None, None, None)
    alike = sum(1 for a, b in zip(first.chosen, second.chosen, strict=True) if a and set(a) == set(b))
    right = float(np.mean(first.fully_right == second.fully_right))
    return Agreement(*names, n, alike / n, right, cohen_kappa(first.fully_right, second.fully_right))

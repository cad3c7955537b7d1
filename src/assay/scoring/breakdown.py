"""Scores by any column or tag: exam, grade, topic, reasoning type, number of choices, set."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from assay.scoring.bootstrap import DRAWS
from assay.scoring.columns import Column
from assay.scoring.interval import CONFIDENCE, SMALL, Codes, Correction, Estimate, Floats, Method, estimate


@dataclass(frozen=True, slots=True)
class GroupScore:
    """The score of the questions with one value. `small`: too few questions to say much (under 30)."""

    group: str
    score: Estimate
    small: bool


@dataclass(frozen=True, slots=True)
class Breakdown:
    """A system's score by `column`. `macro_mean`: mean over the groups that have a question, `macro_se` its
    standard error where each group shows one and none share a question. `several`: questions with several
    tags count in each, so the counts add up to more than the questions."""

    system: str
    column: str
    groups: tuple[GroupScore, ...]
    macro_mean: float | None
    macro_se: float | None
    several: bool
    notes: tuple[str, ...]


def breakdown(
    system: str,
    points: Floats,
    column: Column,
    clusters: Codes | None = None,
    *,
    levels: Sequence[str] | None = None,
    method: Method = "t",
    correction: Correction = "CR0",
    confidence: float = CONFIDENCE,
    seed: int = 0,
    draws: int = DRAWS,
) -> Breakdown:
    """Score `points`, float64 (n,), by `column` over the same questions.

    `levels` names groups that get a row even when they have no question here (n = 0, mean None). Questions
    without a value form the last group, "(no <column>)".
    """
    without = f"(no {column.name})"
    names = list(dict.fromkeys([*(levels or ()), *column.levels])) if levels else list(column.levels)
    members: dict[str, list[int]] = {name: [] for name in names}
    none: list[int] = []
    for place, values in enumerate(column.values):
        for value in values:
            members[value].append(place)
        if not values:
            none.append(place)
    if none:
        members[without] = none
    groups = []
    for name, places in members.items():
        chosen = np.array(places, dtype=np.int64)
        inside = None if clusters is None else np.unique(clusters[chosen], return_inverse=True)[1]
        score = estimate(
            points[chosen], inside, method=method, correction=correction, confidence=confidence, seed=seed,
            draws=draws,
        )  # fmt: skip
        groups.append(GroupScore(name, score, score.n < SMALL))
    means = [group.score.mean for group in groups if group.score.mean is not None]
    notes = []
    if column.several:
        notes.append(f"a question with several values of {column.name} counts in each")
    few = sum(group.small for group in groups)
    if few:
        notes.append(f"{few} of {len(groups)} groups have fewer than {SMALL} questions: too few to say much")
    macro = float(np.mean(means)) if means else None
    error = None if column.several or clusters is not None else _macro_error(groups)
    return Breakdown(system, column.name, tuple(groups), macro, error, column.several, tuple(notes))


def _macro_error(groups: Sequence[GroupScore]) -> float | None:
    errors = [group.score.se for group in groups if group.score.n]
    known = [error for error in errors if error is not None]
    if not known or len(known) < len(errors):
        return None
    return math.sqrt(sum(error * error for error in known)) / len(known)

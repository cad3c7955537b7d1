"""Scores by any column or tag: exam, grade, topic, reasoning type, number of choices, set.

Each group is held against chance on its own questions and against the other questions of the set. Groups of
tags overlap: a score alone says little of a type whose questions are nearly all of other types as well.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from assay.scoring.bootstrap import DRAWS
from assay.scoring.chance import against_chance
from assay.scoring.columns import Column
from assay.scoring.comparison import holm_where_tested
from assay.scoring.gap import Gap, gap
from assay.scoring.held_equal import HeldEqual, held_equal
from assay.scoring.interval import CONFIDENCE, SMALL, Codes, Correction, Estimate, Floats, Method, estimate

OVERLAP = 0.5
"""Of the questions that carry a column, more than this share must have several values before the others can
be held equal: where nearly all have one, a value is told from the few left over, which says nothing."""


@dataclass(frozen=True, slots=True)
class GroupScore:
    """The score of the questions with one value. `small`: too few questions to say much (under 30).

    `chance`: mean of 1/choices of these questions, None where choices aren't given. `p_chance`: of the test
    against it, `p_chance_holm` corrected for all groups and systems of the table. `rest`: this group minus
    the other questions that carry the column, `rest_holm` its p so corrected. `held_equal`, where most
    questions are of several groups (OVERLAP): what goes with this one, the others held equal, and
    `held_equal_holm` its p so corrected. No test is made of a small group (or against a small rest), nor of
    a system that only guesses.
    """

    group: str
    score: Estimate
    small: bool
    chance: float | None = None
    p_chance: float | None = None
    p_chance_holm: float | None = None
    rest: Gap | None = None
    rest_holm: float | None = None
    held_equal: HeldEqual | None = None
    held_equal_holm: float | None = None


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
    counts: Codes | None = None,
) -> Breakdown:
    """Score `points`, float64 (n,), by `column` over the same questions. `counts`, int64 (n,): their numbers
    of choices, for chance. p values are not yet corrected: see `corrected`.

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
    known = np.array(column.known, dtype=bool)
    guesses = counts is not None and _only_guesses(points, counts)
    named = {name: places for name, places in members.items() if name != without}
    carried = sum(column.known)
    overlap = not guesses and sum(len(own) > 1 for own in column.values) > OVERLAP * carried
    equal = _held_equal(points, known, named, clusters, confidence) if overlap else {}
    groups = []
    for name, places in members.items():
        chosen = np.array(places, dtype=np.int64)
        inside = None if clusters is None else np.unique(clusters[chosen], return_inverse=True)[1]
        score = estimate(
            points[chosen], inside, method=method, correction=correction, confidence=confidence, seed=seed,
            draws=draws,
        )  # fmt: skip
        group = GroupScore(name, score, score.n < SMALL)
        if counts is not None and score.n:
            group = _beside_chance(group, points[chosen], counts[chosen], inside)
        if name != without and not guesses:
            rest = _rest(system, points, known, chosen, clusters, confidence)
            group = replace(group, rest=rest, held_equal=equal.get(name))
        groups.append(group)
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


def _beside_chance(group: GroupScore, points: Floats, counts: Codes, clusters: Codes | None) -> GroupScore:
    tested = not group.small and not _only_guesses(points, counts)
    p = against_chance(points, counts, clusters).p if tested else None
    return replace(group, chance=float(np.mean(1 / counts)), p_chance=p)


def _only_guesses(points: Floats, counts: Codes) -> bool:
    """Whether every question earns exactly its chance: then there is nothing to test."""
    return bool(np.all(np.abs(points - 1 / counts) < 1e-12))


def _rest(
    system: str,
    points: Floats,
    known: np.ndarray,
    chosen: Codes,
    clusters: Codes | None,
    confidence: float,
) -> Gap | None:
    """The group minus the other questions that carry the column; None where there is no other."""
    inside = np.zeros(len(points), dtype=bool)
    inside[chosen] = True
    outside = known & ~inside
    if not inside.any() or not outside.any():
        return None
    found = gap(system, points, ("the group", "the rest"), (inside, outside), clusters, confidence=confidence)
    if np.ptp(points[inside]) and np.ptp(points[outside]):
        return found
    # A side whose points are all the same shows no spread, but has one: the interval would be too narrow.
    return replace(found, se=None, low=None, high=None, df=None, p=None)


def _held_equal(
    points: Floats,
    known: np.ndarray,
    members: Mapping[str, Sequence[int]],
    clusters: Codes | None,
    confidence: float,
) -> dict[str, HeldEqual]:
    """Each group's part among the questions that carry the column."""
    tags = {}
    for name, places in members.items():
        inside = np.zeros(len(points), dtype=bool)
        inside[places] = True
        tags[name] = inside[known]
    inner = None if clusters is None else clusters[known]
    return held_equal(points[known], tags, inner, confidence=confidence)


def corrected(breakdowns: Sequence[Breakdown]) -> tuple[Breakdown, ...]:
    """Breakdowns of several systems by one column, with p values by Holm over all systems and groups: those
    against chance, those of a group against the rest, and those with the others held equal."""
    groups = [group for one in breakdowns for group in one.groups]
    chances = holm_where_tested([group.p_chance for group in groups])
    rests = holm_where_tested([_tested(group) for group in groups])
    equals = holm_where_tested([None if group.held_equal is None else group.held_equal.p for group in groups])
    made = iter(
        replace(group, p_chance_holm=chance, rest_holm=rest, held_equal_holm=equal)
        for group, chance, rest, equal in zip(groups, chances, rests, equals, strict=True)
    )
    return tuple(replace(one, groups=tuple(next(made) for _ in one.groups)) for one in breakdowns)


def _tested(group: GroupScore) -> float | None:
    rest = group.rest
    return None if rest is None or min(rest.n_first, rest.n_second) < SMALL else rest.p


def _macro_error(groups: Sequence[GroupScore]) -> float | None:
    errors = [group.score.se for group in groups if group.score.n]
    known = [error for error in errors if error is not None]
    if not known or len(known) < len(errors):
        return None
    return math.sqrt(sum(error * error for error in known)) / len(known)

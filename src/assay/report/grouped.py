"""Scores by what questions are, as a page shows them: groups of questions, and systems on them. Units as in
`assay.report.data`."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class GroupScore:
    """One system on one group of a breakdown.

    `p_chance`: of its score against chance, `p_rest`: of the `difference` between this group and the rest of
    the questions, `p_equal` of the difference `equal` with other groups held equal (where they overlap), each
    by Holm over all systems and groups; None where no test is made (small groups).
    """

    score: float | None
    low: float | None
    high: float | None
    p_chance: float | None = None
    difference: float | None = None
    difference_low: float | None = None
    difference_high: float | None = None
    p_rest: float | None = None
    equal: float | None = None
    equal_low: float | None = None
    equal_high: float | None = None
    p_equal: float | None = None


@dataclass(frozen=True, slots=True)
class Group:
    """The n questions that share a value; `scores` aligned with the breakdown's systems (None: not asked).

    `small`: n too small to say anything. `chance`: mean of 1/choices over these questions. `rest`: how many
    other questions the group is held against.
    """

    value: str
    n: int
    small: bool
    scores: tuple[GroupScore | None, ...]
    chance: float | None = None
    rest: int = 0


@dataclass(frozen=True, slots=True)
class Breakdown:
    """Scores by a metadata column, a tag kind or a property ("choices"), on one report column.

    `several`: a question may carry several values and counts in each, so the groups' n add up to more.
    `key` is how the browser finds the questions: "metadata:grade", "tag:reasoning", "choices"; None: it
    can't.
    """

    by: str
    column: str
    systems: tuple[str, ...]
    groups: tuple[Group, ...]
    several: bool = False
    key: str | None = None

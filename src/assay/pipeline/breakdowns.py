"""Breakdowns as the report shows them: in percent, with where the browser finds a group's questions."""

from __future__ import annotations

from collections.abc import Sequence

from assay.pipeline.results import ScoredColumn
from assay.report import data as shown
from assay.scoring.breakdown import GroupScore


def shown_breakdowns(column: ScoredColumn) -> list[shown.Breakdown]:
    """A breakdown a grouping of the column's questions, all systems in it."""
    names = tuple(system.system for system in column.scores.systems)
    rows = []
    for name in dict.fromkeys(one.column for one in column.scores.breakdowns):
        ours = [one for one in column.scores.breakdowns if one.column == name]
        groups = tuple(_group([one.groups[number] for one in ours]) for number in range(len(ours[0].groups)))
        rows.append(
            shown.Breakdown(name, column.name, names, groups, ours[0].several, _browser_key(column, name))
        )
    return rows


def _group(scores: Sequence[GroupScore]) -> shown.Group:
    first = scores[0]
    return shown.Group(
        first.group,
        first.score.n,
        first.small,
        tuple(map(_score, scores)),
        _percent(first.chance),
        max((one.rest.n_second for one in scores if one.rest is not None), default=0),
    )


def _score(one: GroupScore) -> shown.GroupScore:
    rest, equal = one.rest, one.held_equal
    return shown.GroupScore(
        _percent(one.score.mean),
        _percent(one.score.low),
        _percent(one.score.high),
        one.p_chance_holm,
        None if rest is None else _percent(rest.difference),
        None if rest is None else _percent(rest.low),
        None if rest is None else _percent(rest.high),
        one.rest_holm,
        None if equal is None else _percent(equal.difference),
        None if equal is None else _percent(equal.low),
        None if equal is None else _percent(equal.high),
        one.held_equal_holm,
    )


def _percent(value: float | None) -> float | None:
    return None if value is None else 100 * value


def _browser_key(column: ScoredColumn, name: str) -> str | None:
    if any(name in question.tags for question in column.questions):
        return f"tag:{name}"
    if any(name in question.metadata for question in column.questions):
        return f"metadata:{name}"
    return "choices" if name == "choices" else None

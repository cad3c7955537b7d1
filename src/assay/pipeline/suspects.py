"""Suspect keys: questions on which strong systems agree against the key."""

from __future__ import annotations

from assay.pipeline.finished_run import Run
from assay.pipeline.systems import by_question
from assay.report import data as shown

SUSPECT_SYSTEMS = 3
"""So many systems above chance must agree against the key before a key is shown as suspect."""


def suspects(run: Run) -> tuple[shown.SuspectKey, ...]:
    """Questions that SUSPECT_SYSTEMS or more strong systems (all, where there are fewer, but two at least)
    answer alike, against the key. Strong: no filter, and above the chance band on a headline column."""
    strong = _strong(run)
    given = {name: by_question(run.answers[name]) for name in strong}
    needed = max(min(SUSPECT_SYSTEMS, len(strong)), 2)
    suspects = []
    for question in run.results.scored:
        votes: dict[str, list[str]] = {}
        for name in strong:
            answer = given[name].get(question.id)
            if answer is not None and len(answer.chosen) == 1:
                votes.setdefault(answer.chosen[0], []).append(name)
        label, systems = max(votes.items(), key=lambda vote: len(vote[1]), default=("", []))
        if label != question.answer and len(systems) >= needed:
            suspects.append(shown.SuspectKey(question.id, label, tuple(systems)))
    return tuple(sorted(suspects, key=lambda suspect: -len(suspect.systems)))


def no_suspects(run: Run) -> tuple[str, ...]:
    """Why there are none to look for, where that is so."""
    strong = len(_strong(run))
    if strong > 1:
        return ()
    return (
        f"Suspect keys: two systems above chance are needed beside the filters, there is {strong or 'none'}.",
    )


def _strong(run: Run) -> list[str]:
    above = {
        system.system
        for column in run.results.columns
        if column.headline and column.scores.chance.high is not None
        for system in column.scores.systems
        if (system.score.mean or 0.0) > column.scores.chance.high
    }
    return [name for name in run.systems if name in above - set(run.configuration.partition.filters)]

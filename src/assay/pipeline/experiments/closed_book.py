"""Closed book: what systems score with no evidence, by question and choices alone, and by their evidence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from assay.errors import AssayError
from assay.evidence.gold import gold_evidence
from assay.experiments import Experiment, Table
from assay.experiments.scored import signed
from assay.pipeline.configuration import SolverSettings
from assay.pipeline.experiments.conditions import ByCondition, compared, drawn, the_one_before, told
from assay.pipeline.experiments.context import Context
from assay.pipeline.experiments.oracle import READS
from assay.pipeline.systems import by_question
from assay.settings import declared_settings, setting
from assay.solvers.registry import is_plugin, solver_class

NOTHING, ALONE, EVIDENCE = "no evidence", "choices alone", "its evidence"
DRAWN = (ALONE, EVIDENCE)
"""Without evidence all but readers of choices tie: a plot would show one point for all."""
WORDS = {
    NOTHING: "with no evidence",
    ALONE: "by question and choices alone",
    EVIDENCE: "with its evidence",
}
NEVER_READS = ("guess-all", "random", "shortcut", "odd-one-out", "vector-similarity")
"""Solvers that see a question and its choices, and nothing else."""
RETRIEVES = ("evidence", "method", "corpus")
"""Settings of a reader that say where its evidence is from."""


@dataclass(frozen=True)
class ClosedBookSettings:
    """Who closes the book, and who never opened one."""

    solvers: tuple[str, ...] | None = setting(
        None, "readers asked without evidence; those that read evidence, unless set"
    )
    beside: tuple[str, ...] | None = setting(
        None,
        "solvers that never read anything, shown beside them; guess-all, random, shortcut, odd-one-out, "
        "vector-similarity and readers of 0 sentences, unless set",
    )


class ClosedBook:
    """How much of each score is in the choices alone (Clark et al. 2018 leave it open)."""

    name = "closed-book"
    about = "readers without evidence, beside systems that never read any"
    declared: type[Any] = ClosedBookSettings
    paths: tuple[str, ...] = ()
    needs_facts: bool = False

    def make(self, context: Context, settings: ClosedBookSettings) -> Experiment:
        """Scores by what is read, each against guessing, and paired against the row before."""
        names = context.chosen(settings.solvers, "evidence", READS)
        beside = _beside(context, settings.beside)
        if asked_too := [name for name in beside if name in names]:
            raise AssayError(
                f"{context.where}.beside names {asked_too[0]!r}, which is asked without evidence already",
                hint="name it in `solvers` or in `beside`",
            )
        empty = context.evidence_file("none", context.questions, gold_evidence(context.questions, {}))
        asked = {name: _closed(context, name, empty) for name in names}
        asked |= {name: _as_it_was(context, name) for name in beside}
        groups = context.groups(tuple(context.questions))
        tables = compared(
            context,
            groups,
            asked,
            head="reads",
            above="above the row before",
            reference=the_one_before,
            guessing=True,
        )
        plot = drawn(
            context,
            groups,
            asked,
            title="Score by what is read",
            across="what is read",
            conditions={condition: x for x, condition in enumerate(DRAWN)},
            named=True,
        )
        return Experiment(
            context.name,
            self.name,
            "Closed book: how much is in the choices alone?",
            (*told(tables[-1], WORDS), *_in_the_choices(tables[-1])),
            tables,
            (plot,),
            context.left_out(settings.solvers, names, "evidence"),
        )


def _beside(context: Context, named: Sequence[str] | None) -> tuple[str, ...]:
    solvers = context.configuration.solvers
    able = [name for name, one in solvers.items() if named is not None or _never_reads(one)]
    if not able or named == ():
        return ()
    what = "a system that reads nothing"
    hint = "leave `beside` away, or let it answer all questions"
    return context.chosen_of(named, able, what, hint, "beside")


def _as_it_was(context: Context, name: str) -> ByCondition:
    """The run's own answers, under what they were made by: one that searches a corpus has read it."""
    solver = context.configuration.solvers[name]
    reads = not is_plugin(solver.kind) and any(
        one.name == "corpus" for one in declared_settings(solver_class(solver.kind).declared)
    )
    condition = EVIDENCE if reads and not _never_reads(solver) else ALONE
    return {condition: by_question(context.own(name, context.questions))}


def _never_reads(solver: SolverSettings) -> bool:
    return solver.kind in NEVER_READS or (solver.kind == "reader" and solver.settings.get("sentences") == 0)


def _closed(context: Context, name: str, empty: Path) -> ByCondition:
    """A reader's answers by what it reads; `empty`: a file with no sentence for any question."""
    kind = context.configuration.solvers[name].kind
    nothing: dict[str, Any] = {"evidence": str(empty)}
    found = {}
    if kind != "reader":
        answers = context.again(
            name, "nothing", context.questions, changed=nothing, without=("corpus", "without")
        )
        found[NOTHING] = by_question(answers)
    if kind == "entailment":
        answers = context.again(
            name, "alone", context.questions, changed={**nothing, "without": "read"}, without=("corpus",)
        )
        found[ALONE] = by_question(answers)
    elif kind == "reader":
        answers = context.again(name, "alone", context.questions, changed={"sentences": 0}, without=RETRIEVES)
        found[ALONE] = by_question(answers)
    found[EVIDENCE] = by_question(context.own(name, context.questions))
    return found


def _in_the_choices(table: Table) -> list[str]:
    """What of a reader's score above guessing it has without evidence as well."""
    above: dict[str, dict[str, float]] = {}
    for row in table.rows:
        name, condition = row.names
        score = row.figures[0]
        if score is not None and score.value is not None and score.chance is not None:
            above.setdefault(name, {})[condition] = score.value - score.chance
    return [
        f"{name}: {own[EVIDENCE]:.1f} points above guessing with its evidence, {signed(own[ALONE])} without."
        for name, own in above.items()
        if ALONE in own and own.get(EVIDENCE, 0) > 0
    ]

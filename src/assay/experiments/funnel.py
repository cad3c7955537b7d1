"""The funnel: words known, facts in the corpus, facts retrieved, question answered; what is lost where."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from assay.experiments.experiment import Figure, Line, Measure, Panel, Plot, Point, Row, Table
from assay.experiments.fact_coverage import Ints
from assay.experiments.grouped import ALL, Bools, Floats, Grouped
from assay.experiments.scored import point

WORDS, NEAR, RETRIEVED, EXACT = "its words", "in the corpus", "retrieved", "in the corpus to the letter"
RANDOM = "random words in the corpus"
STEPS = (WORDS, NEAR, RETRIEVED)
SOME, EVERY = "some fact", "every fact"
LOST = {WORDS: "for want of words", NEAR: "for want of a sentence", RETRIEVED: "in retrieval"}


@dataclass(frozen=True, eq=False)
class Reached:
    """Which facts of which questions came through each step; every step's are among those of the one before.

    `owners`: each fact's question by place, rising, each question having facts. `facts`: by step, bool
    (facts,). `exact`: those that are in the corpus to the letter. `random`: those for which as many random
    words are in one sentence of it.
    """

    owners: Ints
    facts: Mapping[str, Bools]
    exact: Bools
    random: Bools

    def questions(self, step: str, mode: str) -> Bools:
        """Questions of which some fact, or every fact, came through; bool, (questions,)."""
        reached = {EXACT: self.exact, RANDOM: self.random, **self.facts}[step]
        starts = np.flatnonzero(np.diff(self.owners, prepend=-1))
        if not len(starts):
            return np.zeros(0, np.bool_)
        through = np.logical_or if mode == SOME else np.logical_and
        return np.asarray(through.reduceat(reached, starts))


def rows(reached: Reached, grouped: Grouped, corpus: str, points: Mapping[str, Floats]) -> list[Row]:
    """Rows of `table`. `points`: of every system, 0..1, (questions,)."""
    made = []
    for group, chosen in grouped.groups.items():
        for step in (WORDS, NEAR, RANDOM, EXACT, RETRIEVED):
            own = [reached.questions(step, mode) for mode in (SOME, EVERY)]
            made.append(Row((corpus, group, step), tuple(grouped.share(one, chosen) for one in own)))
        retrieved = [reached.questions(RETRIEVED, mode) for mode in (SOME, EVERY)]
        for system, given in points.items():
            scores = (grouped.score(given * own, chosen) for own in retrieved)
            figures = tuple(Figure(one.value, one.low, one.high) for one in scores)
            made.append(Row((corpus, group, f"retrieved, and {system} right"), figures))
    return made


def table(given: Sequence[Row], near: float, k: int) -> Table:
    """Shares of the questions with gold facts that come through each step."""
    caption = (
        f"Questions of which some or every gold fact is there, near (a sentence has {100 * near:.0f} percent "
        f"of its words), among the best {k} sentences for the key"
    )
    measures = (Measure(SOME, "percent", drawn=True), Measure(EVERY, "percent", drawn=True))
    return Table(caption, ("corpus", "set", "step"), measures, tuple(given))


CONDITIONS = (
    (NEAR, "none"),
    (NEAR, SOME),
    (NEAR, EVERY),
    (RETRIEVED, "none"),
    (RETRIEVED, SOME),
    (RETRIEVED, EVERY),
)


def _held(reached: Reached, step: str, mode: str) -> Bools:
    return ~reached.questions(step, SOME) if mode == "none" else reached.questions(step, mode)


def conditional_rows(
    reached: Reached, grouped: Grouped, corpus: str, points: Mapping[str, Floats]
) -> list[Row]:
    """Rows of `conditional_table`: scores where facts are there, where some are, where none is."""
    made = []
    for group, chosen in grouped.groups.items():
        for step, mode in CONDITIONS:
            held = chosen & _held(reached, step, mode)
            figures = (Figure(int(held.sum())), *(grouped.score(given, held) for given in points.values()))
            made.append(
                Row((corpus, group, f"{mode} {step}" if mode != "none" else f"no fact {step}"), figures)
            )
    return made


def conditional_table(given: Sequence[Row], systems: Sequence[str]) -> Table:
    """Every system's score by what of the gold facts is there."""
    measures = (Measure("questions", "count"), *(Measure(system, "percent") for system in systems))
    caption = "Score where gold facts are in the corpus, or retrieved, and where they aren't"
    return Table(caption, ("corpus", "set", "gold facts"), measures, tuple(given))


def plot(found: Mapping[str, Reached], grouped: Grouped, answered: Mapping[str, tuple[str, Floats]]) -> Plot:
    """Questions that come through each step, a panel a corpus, a line a set and mode.

    `answered`: by corpus the system that stands for the last step, and its points.
    """
    sets = grouped.sets or (ALL,)
    panels = []
    for corpus, reached in found.items():
        lines = []
        for name in sets:
            for mode in (SOME, EVERY):
                lines.append(
                    Line(f"{name}, {mode}", _line(reached, grouped, name, mode, answered.get(corpus)))
                )
        title = f"{corpus}, questions in percent"
        panels.append(Panel(title, tuple(lines)))
    last = ("right",) if answered else ()
    return Plot("From words to answers", "what there is of the gold facts", tuple(panels), (*STEPS, *last))


def _line(
    reached: Reached, grouped: Grouped, group: str, mode: str, answered: tuple[str, Floats] | None
) -> tuple[Point, ...]:
    chosen = grouped.groups[group]
    figures = [grouped.share(reached.questions(step, mode), chosen) for step in STEPS]
    if answered is not None:
        figures.append(grouped.score(answered[1] * reached.questions(RETRIEVED, mode), chosen))
    return tuple(one for one in (point(x, figure) for x, figure in enumerate(figures)) if one is not None)


def said(reached: Reached, corpus: str, answered: tuple[str, Floats] | None) -> tuple[str, ...]:
    """How much is lost at each step, of all questions with gold facts, a sentence a mode."""
    says = []
    for mode in (SOME, EVERY):
        left = [100.0, *(100 * float(reached.questions(step, mode).mean()) for step in STEPS)]
        lost = {
            LOST[step]: before - after for step, (before, after) in zip(STEPS, pairwise(left), strict=True)
        }
        if answered is not None:
            right = 100 * float((answered[1] * reached.questions(RETRIEVED, mode)).mean())
            lost[f"in answering ({answered[0]})"] = left[-1] - right
            left.append(right)
        told = ", ".join(f"{value:.1f} {where}" for where, value in lost.items())
        says.append(
            f"Over {corpus}, asking for {mode}, of 100 questions are lost {told}; {left[-1]:.1f} are left. "
            f"Most are lost {max(lost, key=lambda where: lost[where])}."
        )
    return tuple(says)

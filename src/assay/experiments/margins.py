"""IR's margin: the best sentence of the key against the best of the distractors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from assay.experiments.experiment import Figure, Line, Measure, Panel, Plot, Point, Row, Table
from assay.experiments.grouped import Bools, Floats, Grouped
from assay.questions.model import Answer, Question

EDGES = (-40.0, -30.0, -20.0, -10.0, 0.0)
"""Upper ends of the steps below a tie, in percent; those above it mirror them."""
LABELS = ("−−", "−40", "−30", "−20", "−10", "tie", "+10", "+20", "+30", "+40", "++")
"""How far from a tie a step reaches; beyond 40 for the outermost."""


@dataclass(frozen=True, eq=False)
class Margins:
    """Best scores of the key and of the best distractor, 0 without a sentence; float64, (n,) each."""

    key: Floats
    distractor: Floats

    @property
    def relative(self) -> Floats:
        """(key - distractor) over the larger of the two, in percent, -100 to 100; 0 where neither has one."""
        larger = np.maximum(self.key, self.distractor)
        found = np.zeros(len(larger))
        np.divide(100 * (self.key - self.distractor), larger, out=found, where=larger > 0)
        return found

    def steps(self) -> Floats:
        """The share of the questions in each of LABELS, in percent; zeros for none."""
        margins, steps = self.relative, len(EDGES)
        below = np.digitize(margins[margins < 0], EDGES[:-1])
        above = 2 * steps - np.digitize(-margins[margins > 0], EDGES[:-1])
        counts = np.bincount(np.concatenate([below, above]).astype(np.int64), minlength=len(LABELS))
        counts[steps] += int((margins == 0).sum())
        return 100 * counts / max(1, len(margins))

    def of(self, chosen: Bools) -> Margins:
        """Those of some of the questions; `chosen`: bool, (n,)."""
        return Margins(self.key[chosen], self.distractor[chosen])


def margins(questions: Sequence[Question], answers: Sequence[Answer]) -> Margins:
    """Of IR's answers to questions with a key, in order; they carry a score for each choice."""
    key, rest = [], []
    for question, answer in zip(questions, answers, strict=True):
        place = question.labels.index(question.answer or "")
        scores = answer.scores or (0.0,) * len(question.choices)
        key.append(scores[place] or 0.0)
        rest.append(max((one or 0.0 for n, one in enumerate(scores) if n != place), default=0.0))
    return Margins(np.array(key, np.float64), np.array(rest, np.float64))


def rows(
    found: Margins, grouped: Grouped, corpus: str, score: Sequence[Sequence[Figure | None]]
) -> list[Row]:
    """Rows of `table`; `score`: of each group, IR's score (and how far it is above the first corpus's)."""
    made = []
    for (group, chosen), own in zip(grouped.groups.items(), score, strict=True):
        outcomes = (
            found.key > found.distractor,
            (found.key == found.distractor) & (found.key > 0),
            found.key < found.distractor,
            (found.key == 0) & (found.distractor == 0),
        )
        figures = (*own, *(grouped.share(outcome, chosen) for outcome in outcomes))
        made.append(Row((corpus, group), figures))
    return made


def table(given: Sequence[Row], several: bool) -> Table:
    """Whose best sentence is best. `several`: there are corpora to compare with the first."""
    above = Measure("above the first corpus", "difference", test="sign flips, Holm")
    measures = (
        Measure("score of IR", "percent", drawn=True),
        *((above,) if several else ()),
        Measure("the key's", "percent"),
        Measure("equally good", "percent"),
        Measure("a distractor's", "percent"),
        Measure("there is none", "percent"),
    )
    return Table("IR: whose best sentence is best", ("corpus", "set"), measures, tuple(given))


def plot(found: Mapping[str, Margins], grouped: Grouped) -> Plot:
    """Distribution of the margins, a panel a corpus, a line a set."""
    sets = grouped.sets or tuple(grouped.groups)
    panels = []
    for corpus, own in found.items():
        lines = []
        for name in sets:
            shares = own.of(grouped.groups[name]).steps().tolist()
            lines.append(Line(name, tuple(Point(x, share) for x, share in enumerate(shares))))
        panels.append(Panel(f"{corpus}, questions in percent", tuple(lines)))
    across = "margin in percent, up to (−−, ++: beyond 40)"
    return Plot("Margin of the key's best sentence", across, tuple(panels), LABELS)

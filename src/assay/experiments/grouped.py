"""Questions by set, with what figures on parts of them need: chance, clusters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from assay.experiments.experiment import Figure
from assay.experiments.scored import clusters_of, percent, share
from assay.questions.model import Question
from assay.scoring.comparison import holm_where_tested
from assay.scoring.interval import Codes, estimate, t_estimate
from assay.scoring.signflip import sign_flip

Bools = npt.NDArray[np.bool_]
Floats = npt.NDArray[np.float64]
ALL = "All"


@dataclass(frozen=True, eq=False)
class Grouped:
    """`groups`: Easy, Challenge, All, as far as there are, bool (n,) each, All last. `choices`: how many each
    question has. `clusters`: of the questions; (n,) or None."""

    groups: Mapping[str, Bools]
    choices: tuple[int, ...]
    clusters: Codes | None = None

    @classmethod
    def of(
        cls,
        questions: Sequence[Question],
        groups: Mapping[str, Sequence[Question]],
        cluster: str | None = None,
    ) -> Grouped:
        """From the questions and the questions of each group. Raises AssayError where one has no cluster."""
        inside = {name: {question.id for question in own} for name, own in groups.items()}
        return cls(
            {name: np.array([one.id in ids for one in questions], np.bool_) for name, ids in inside.items()},
            tuple(len(question.choices) for question in questions),
            clusters_of(questions, cluster),
        )

    @property
    def sets(self) -> tuple[str, ...]:
        """The groups but All."""
        return tuple(name for name in self.groups if name != ALL)

    @property
    def everything(self) -> Bools:
        """All questions; bool, (n,), all true."""
        return np.ones(len(self.choices), np.bool_)

    def score(self, points: Floats, chosen: Bools) -> Figure:
        """The score of some of the questions in percent, with chance beside it. `points`: 0..1, (n,)."""
        found = within(percent(estimate(points[chosen], self.clusters_of(chosen))))
        return Figure(found.value, found.low, found.high, chance=self.chance(chosen))

    def difference(self, first: Floats, second: Floats, chosen: Bools, seed: int) -> Figure:
        """Score of the first minus that of the second on some of the questions, in points of a hundred.

        Points as for `score`. p: sign flips, whole clusters flipped.
        """
        differences, clusters = (first - second)[chosen], self.clusters_of(chosen)
        if not len(differences):
            return Figure(None)
        flipped = differences if clusters is None else np.bincount(clusters, weights=differences)
        p = sign_flip(np.asarray(flipped, np.float64), seed=seed).p
        return percent(t_estimate(differences, clusters), p=p)

    def share(self, values: Bools, chosen: Bools) -> Figure:
        """The share of some of the questions that is true, in percent. `values`: (n,)."""
        return within(share(values[chosen], self.clusters_of(chosen)))

    def chance(self, chosen: Bools) -> float | None:
        """What guessing one choice of each earns, in percent; None for no questions."""
        own = np.array(self.choices, np.float64)[chosen]
        return 100 * float(np.mean(1 / own)) if len(own) else None

    def clusters_of(self, chosen: Bools) -> Codes | None:
        """The clusters of some of the questions, numbered from 0 without gaps."""
        if self.clusters is None:
            return None
        return np.unique(self.clusters[chosen], return_inverse=True)[1].astype(np.int64)


def within(figure: Figure) -> Figure:
    """The figure with its interval cut off at 0 and 100 percent: nothing lies beyond."""
    low = None if figure.low is None else max(0.0, figure.low)
    high = None if figure.high is None else min(100.0, figure.high)
    return Figure(figure.value, low, high, figure.p, figure.chance)


def with_holm(figures: Sequence[Figure]) -> list[Figure]:
    """The figures with their p adjusted over all of them that have one (Holm)."""
    adjusted = holm_where_tested([one.p for one in figures])
    return [replace(one, p=p) for one, p in zip(figures, adjusted, strict=True)]

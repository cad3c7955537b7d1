"""Points to the figures of an experiment: means with their interval, paired differences, chance."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from assay.experiments.experiment import Figure, Point
from assay.questions.model import Answer, Question
from assay.scoring.chance import against_chance, choice_counts
from assay.scoring.columns import cluster_numbers
from assay.scoring.comparison import compare
from assay.scoring.interval import Codes, Estimate, Floats, estimate
from assay.scoring.points import Marks, mark

Bools = npt.NDArray[np.bool_]


def percent(found: Estimate, *, p: float | None = None, chance: float | None = None) -> Figure:
    """An estimate of points (0 to 1) in percent."""
    return Figure(_hundred(found.mean), _hundred(found.low), _hundred(found.high), p, chance)


def share(values: Sequence[bool] | Bools | Floats, clusters: Codes | None = None) -> Figure:
    """The share of true values in percent, with its interval (without clusters Wilson's); None for none.

    Values between 0 and 1 have a t interval, as points have.
    """
    given = np.asarray(values, np.float64)
    counted = clusters is None and bool(np.isin(given, (0.0, 1.0)).all())
    return percent(estimate(given, clusters, method="wilson" if counted else "t"))


def score(questions: Sequence[Question], answers: Sequence[Answer], cluster: str | None = None) -> Figure:
    """The score of answers to these questions, in order, in percent, with chance beside it."""
    points = mark(questions, answers).points
    return percent(estimate(points, clusters_of(questions, cluster)), chance=chance(questions))


def difference(
    questions: Sequence[Question], first: Sequence[Answer], second: Sequence[Answer],
    cluster: str | None = None, *, seed: int = 0,
) -> Figure:  # fmt: skip
    """Score of the first minus that of the second on the same questions, in points of a hundred.

    p: sign-flip permutation on points, whole clusters flipped where there is a `cluster` column.
    """
    marks: tuple[Marks, Marks] = mark(questions, first), mark(questions, second)
    found = compare(("first", "second"), *marks, clusters_of(questions, cluster), seed=seed)
    return percent(found.difference, p=found.sign_flip.p)


def against_guessing(
    questions: Sequence[Question], answers: Sequence[Answer], cluster: str | None = None
) -> float | None:
    """p of the answers' points against guessing on these questions.

    None where no test can be made, or none is needed: every answer earns just what guessing does.
    """
    points = mark(questions, answers).points
    if all(own == 1 / len(question.choices) for own, question in zip(points, questions, strict=True)):
        return None
    return against_chance(points, choice_counts(questions), clusters_of(questions, cluster)).p


def clusters_of(questions: Sequence[Question], cluster: str | None) -> Codes | None:
    """Cluster numbers by the column, None without one. Raises AssayError for questions that have no value."""
    return None if cluster is None else cluster_numbers(questions, cluster)


def chance(questions: Sequence[Question]) -> float | None:
    """What guessing one choice of each question earns, in percent; None for no questions."""
    return 100 * float(np.mean([1 / len(q.choices) for q in questions])) if questions else None


def point(x: int, figure: Figure) -> Point | None:
    """The figure as a point of a plot; None where it is undefined."""
    return None if figure.value is None else Point(x, figure.value, figure.low, figure.high)


def said(figure: Figure) -> str:
    """45.0, as sentences give it."""
    return "undefined" if figure.value is None else f"{figure.value:.1f}"


def signed(value: float) -> str:
    """10.4 or \u22120.5, as sentences give it."""
    return f"{value:.1f}".replace("-", "\u2212")


def said_p(p: float | None) -> str:
    """p .004, p < .001, p 1"""
    if p is None:
        return "p undefined"
    if p > 0.9995:
        return "p 1"
    return "p < .001" if p < 0.001 else f"p {p:.3f}".replace("0.", ".", 1)


def _hundred(value: float | None) -> float | None:
    return None if value is None else 100 * value

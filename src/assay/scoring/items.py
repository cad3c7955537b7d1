"""Item statistics over many systems: difficulty, discrimination, what each choice draws, suspect keys."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from assay.errors import AssayError
from assay.questions.model import Answer, Question
from assay.scoring.interval import Estimate, Floats, estimate
from assay.scoring.points import mark
from assay.settings import setting

WEAK = 0.5
"""Strong systems that earn less than this on the whole set are no judges of its keys."""
FEW_SYSTEMS = 10
"""Fewer systems than this carry a warning: correlations over them are mostly luck."""
LEAST_SYSTEMS = 3
"""Fewer than this have no discrimination at all."""


@dataclass(frozen=True, slots=True)
class ItemSettings:
    """What a strong system is, and when its choice puts a key under suspicion."""

    strong: float = setting(
        1 / 3, "the share of systems, the best on the other questions, that are strong", minimum=0, maximum=1
    )
    suspect: float = setting(
        0.5,
        "one distractor draws at least this share of the strong, and more than the key",
        minimum=0,
        maximum=1,
    )


@dataclass(frozen=True, slots=True)
class ChoiceShare:
    """A choice and the share of systems that it draws, in 0..1: of all, and of the strong for this question.

    A system that chose k choices counts 1/k for each.
    """

    label: str
    key: bool
    share: float
    strong: float


@dataclass(frozen=True, slots=True)
class Item:
    """One question over all systems.

    `difficulty`: mean points, in 0..1 (1: all systems answer it), its interval over systems.
    `discrimination`: corrected point-biserial, the correlation over systems of points here with points on all
    other questions (Henrysson 1963), in -1..1; None where either has no spread, or systems are fewer than
    LEAST_SYSTEMS.
    `choices`: what each draws; `unanswered`: the share of systems that chose nothing. `never_chosen`:
    distractors that no system chose. `suspect`: the distractor that strong systems prefer to the key.
    """

    question: Question
    difficulty: Estimate
    discrimination: float | None
    choices: tuple[ChoiceShare, ...]
    unanswered: float
    never_chosen: tuple[str, ...]
    suspect: str | None

    @property
    def preference(self) -> float:
        """By how much strong systems prefer the best-liked distractor to the key, in -1..1."""
        key = next(choice.strong for choice in self.choices if choice.key)
        return max((choice.strong for choice in self.choices if not choice.key), default=0.0) - key


@dataclass(frozen=True, slots=True)
class Items:
    """Item statistics of a set.

    `scores`: mean points by system. `alpha`: Cronbach's alpha of the questions over systems (1951), None
    where totals have no spread. `strong`: how many systems are strong for a question. `notes`: warnings.
    """

    items: tuple[Item, ...]
    scores: Mapping[str, float]
    alpha: float | None
    strong: int
    settings: ItemSettings
    notes: tuple[str, ...]

    def summary(self) -> dict[str, float | None]:
        """Counts over the whole set, and the mean discrimination, None where no question has one."""
        known = [item.discrimination for item in self.items if item.discrimination is not None]
        return {
            "questions": len(self.items),
            "systems": len(self.scores),
            "all_right": sum(item.difficulty.mean == 1 for item in self.items),
            "none_right": sum(item.difficulty.mean == 0 for item in self.items),
            "with_discrimination": len(known),
            "mean_discrimination": sum(known) / len(known) if known else None,
            "negative_discrimination": sum(value < 0 for value in known),
            "distractors": sum(len(item.choices) - 1 for item in self.items),
            "never_chosen": sum(len(item.never_chosen) for item in self.items),
            "suspect_keys": sum(item.suspect is not None for item in self.items),
        }


def item_statistics(
    questions: Sequence[Question],
    answers: Mapping[str, Sequence[Answer]],
    settings: ItemSettings | None = None,
) -> Items:
    """Statistics of each question over `answers`, by system, each in the questions' order.

    Raises AssayError when there is no question or no system, a question has no key, or answers don't match.
    """
    settings = settings or ItemSettings()
    if not questions:
        raise AssayError("no questions: no item statistics")
    if not answers:
        raise AssayError("no systems: item statistics are over systems")
    points = np.array([mark(questions, of).points for of in answers.values()])
    systems = len(points)
    # The best on the other questions: a question has no say in who is strong for it.
    rest = points.sum(axis=1, keepdims=True) - points
    strong = max(1, round(settings.strong * systems))
    discriminations = discrimination(points)
    items = []
    for place, question in enumerate(questions):
        drawn = _drawn(question, [of[place] for of in answers.values()])
        best = drawn[_strongest(rest[:, place], strong)].mean(axis=0)
        items.append(
            _item(
                question,
                estimate(points[:, place]),
                discriminations[place],
                drawn.mean(axis=0),
                best,
                settings,
            )
        )
    scores = dict(zip(answers, points.mean(axis=1).tolist(), strict=True))
    notes = [*_notes(systems, strong), *_weak(points, strong), *_alike(answers)]
    return Items(tuple(items), scores, alpha(points), strong, settings, tuple(notes))


def discrimination(points: Floats) -> list[float | None]:
    """Corrected point-biserial of each question: `points`, float64 (systems, n), against the rest's sum."""
    systems, n = points.shape
    if systems < LEAST_SYSTEMS or n < 2:
        return [None] * n
    rest = points.sum(axis=1, keepdims=True) - points
    own, other = points - points.mean(axis=0), rest - rest.mean(axis=0)
    spread = np.sqrt((own * own).sum(axis=0) * (other * other).sum(axis=0))
    together = (own * other).sum(axis=0)
    # Sums of thirds and quarters leave a trace where there is no spread.
    flat = ((own * own).sum(axis=0) < 1e-18) | ((other * other).sum(axis=0) < 1e-18)
    return [
        None if none else float(np.clip(top / bottom, -1, 1))
        for none, top, bottom in zip(flat.tolist(), together.tolist(), spread.tolist(), strict=True)
    ]


def alpha(points: Floats) -> float | None:
    """Cronbach's alpha: how consistently the questions rank systems; 1 at most, below 0 if they disagree."""
    systems, n = points.shape
    if systems < LEAST_SYSTEMS or n < 2:
        return None
    total = float(np.var(points.sum(axis=1), ddof=1))
    if total < 1e-18:
        return None
    return float(n / (n - 1) * (1 - float(np.var(points, axis=0, ddof=1).sum()) / total))


def _strongest(rest: Floats, strong: int) -> npt.NDArray[np.bool_]:
    """The systems at least as good as the `strong`th best: those level with it are all in."""
    return np.asarray(rest >= np.sort(rest)[-strong] - 1e-9)


def _drawn(question: Question, answers: Sequence[Answer]) -> Floats:
    """What each system gives each choice, float64 (systems, choices + 1); the last column: chose nothing."""
    column = {label: place for place, label in enumerate(question.labels)}
    drawn = np.zeros((len(answers), len(column) + 1))
    for row, answer in enumerate(answers):
        if not answer.chosen:
            drawn[row, -1] = 1.0
        for label in answer.chosen:
            drawn[row, column[label]] = 1 / len(answer.chosen)
    return drawn


def _item(
    question: Question,
    difficulty: Estimate,
    discriminates: float | None,
    drawn: Floats,
    strong: Floats,
    settings: ItemSettings,
) -> Item:
    choices = tuple(
        ChoiceShare(label, label == question.answer, float(share), float(best))
        for label, share, best in zip(question.labels, drawn, strong, strict=False)
    )
    key = next(choice.strong for choice in choices if choice.key)
    rivals = [choice for choice in choices if not choice.key]
    # The first of several that draw as much.
    best = max(rivals, key=lambda choice: choice.strong, default=None)
    suspected = best is not None and best.strong >= settings.suspect and best.strong > key + 1e-9
    return Item(
        question,
        difficulty,
        discriminates,
        choices,
        float(drawn[-1]),
        tuple(choice.label for choice in rivals if choice.share == 0),
        best.label if best is not None and suspected else None,
    )


def _notes(systems: int, strong: int) -> tuple[str, ...]:
    notes = []
    if systems < LEAST_SYSTEMS:
        notes.append(f"discrimination needs {LEAST_SYSTEMS} systems at least, here: {systems}")
    elif systems < FEW_SYSTEMS:
        notes.append(f"{systems} systems are few: a discrimination over them is mostly luck")
    if strong < LEAST_SYSTEMS:
        notes.append(f"a suspect key rests on the word of few strong systems ({strong}): read the question")
    return tuple(notes)


def _weak(points: Floats, strong: int) -> tuple[str, ...]:
    """A warning where the best systems answer less than half."""
    best = float(np.sort(points.mean(axis=1))[-strong:].mean())
    if best >= WEAK:
        return ()
    what = f"strong systems ({strong}) answer {100 * best:.1f}% of the questions"
    return (f"{what}: a key they reject is more likely right than they are",)


def _alike(answers: Mapping[str, Sequence[Answer]]) -> tuple[str, ...]:
    """A warning for each system that answers every question as an earlier one does: it counts twice."""
    first: dict[tuple[tuple[str, ...], ...], str] = {}
    notes = []
    for name, of in answers.items():
        twin = first.setdefault(tuple(answer.chosen for answer in of), name)
        if twin != name:
            notes.append(f"{name} answers every question as {twin} does: one system counts twice")
    return tuple(notes)

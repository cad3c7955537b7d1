"""What leaks between given folds: ties that reach from one to another, counted by kind and pair of folds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
import numpy.typing as npt

from assay.construction.leaks.ties import KINDS, Kind, Tie, TieSettings, ties
from assay.errors import AssayError
from assay.questions.model import Question

Bools = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Leak:
    """One kind of tie between two folds.

    `in_first`: questions of the first that are tied to some of the second, `in_second` the reverse; `pairs`:
    pairs of tied questions, one that is tied by two texts counted twice.
    """

    kind: Kind
    first: str
    second: str
    in_first: int
    in_second: int
    pairs: int


@dataclass(frozen=True, slots=True, eq=False)
class Leaks:
    """Leaks by kind, then pair of folds; the ties that reach across, in order.

    `sizes`: questions by fold. A pair of folds has no row for what one of them doesn't say (facts, keys):
    `not_seen` tells which; `having` names, by kind, the folds that do say it.
    """

    sizes: Mapping[str, int]
    leaks: tuple[Leak, ...]
    not_seen: tuple[str, ...]
    ties: tuple[Tie, ...]
    questions: tuple[Question, ...]
    fold_of: tuple[str, ...]
    having: Mapping[Kind, Sequence[str]]

    def unseen(self, kinds: Sequence[Kind]) -> tuple[str, ...]:
        """The folds that say nothing of any of `kinds`: without facts or keys, ties by them can't be seen."""
        return tuple(name for name in self.sizes if not any(name in self.having[kind] for kind in kinds))

    def touched(self, fold: str, kinds: Sequence[Kind], by: str | None = None) -> Bools:
        """Which questions of a fold are tied, by any of `kinds`, to one of another (`by`: of that one).

        bool (questions of the fold,), in their order.
        """
        inside = [place for place, name in enumerate(self.fold_of) if name == fold]
        row = {place: number for number, place in enumerate(inside)}
        found = np.zeros(len(inside), dtype=np.bool_)
        for tie in self.ties:
            if tie.kind not in kinds:
                continue
            for ours, theirs in ((tie.left, tie.right), (tie.right, tie.left)):
                others = {self.fold_of[place] for place in theirs} - {fold}
                if others if by is None else by in others:
                    for place in ours:
                        if place in row:
                            found[row[place]] = True
        return found

    def listed(self) -> list[dict[str, Any]]:
        """Each tie across folds as a record: kind, texts, similarity, and by fold the ids that it ties."""
        return [
            {
                "kind": tie.kind,
                "texts": list(tie.texts),
                "similarity": tie.similarity,
                "questions": [self._ids(tie.left)]
                if tie.left == tie.right
                else [self._ids(tie.left), self._ids(tie.right)],
            }
            for tie in self.ties
        ]

    def _ids(self, places: Sequence[int]) -> dict[str, list[str]]:
        by_fold: dict[str, list[str]] = {}
        for place in places:
            by_fold.setdefault(self.fold_of[place], []).append(self.questions[place].id)
        return by_fold


def find_leaks(folds: Mapping[str, Sequence[Question]], settings: TieSettings) -> Leaks:
    """What leaks between the folds (name to questions). Raises AssayError for fewer than two folds."""
    if len(folds) < 2:
        raise AssayError("leaks lie between folds: give at least two", hint="NAME=FILE names a fold")
    questions = tuple(question for inside in folds.values() for question in inside)
    fold_of = tuple(name for name, inside in folds.items() for _ in inside)
    across = tuple(tie for tie in ties(questions, settings) if _reaches(tie, fold_of))
    having = {kind: [name for name, inside in folds.items() if _has(kind, inside)] for kind in KINDS}
    return Leaks(
        {name: len(inside) for name, inside in folds.items()},
        tuple(
            leak
            for kind in KINDS
            for leak in _counted(kind, [tie for tie in across if tie.kind == kind], having[kind], fold_of)
        ),
        _not_seen(having, list(folds)),
        across,
        questions,
        fold_of,
        having,
    )


def _has(kind: Kind, questions: Sequence[Question]) -> bool:
    """Whether the fold says what such a tie lies in."""
    facts = [question.facts for question in questions if question.facts is not None]
    if kind == "fact1":
        return any(fact.seed for fact in facts)
    if kind == "fact2":
        return any(fact.second for fact in facts)
    if kind in ("fact", "near-fact"):
        return any(fact.seed or fact.second for fact in facts)
    return kind != "answer" or any(question.answer is not None for question in questions)


def _not_seen(having: Mapping[Kind, Sequence[str]], names: Sequence[str]) -> tuple[str, ...]:
    said = []
    told: tuple[tuple[Kind, str], ...] = (
        ("fact", "facts"),
        ("fact2", "second facts"),
        ("answer", "answer keys"),
    )
    for kind, what in told:
        lacking = [name for name in names if name not in having[kind]]
        if lacking and not (kind == "fact2" and not having["fact2"]):
            said.append(f"no {what} in {', '.join(lacking)}: what leaks by them can't be seen there")
    return tuple(said)


def _reaches(tie: Tie, fold_of: Sequence[str]) -> bool:
    left, right = {fold_of[place] for place in tie.left}, {fold_of[place] for place in tie.right}
    return len(left | right) > 1


def _counted(kind: Kind, found: Sequence[Tie], names: Sequence[str], fold_of: Sequence[str]) -> list[Leak]:
    touched: dict[tuple[str, str], set[int]] = {}
    pairs: dict[tuple[str, str], int] = {}
    for tie in found:
        left, right = _by_fold(tie.left, fold_of), _by_fold(tie.right, fold_of)
        for a, b in combinations(names, 2):
            ways = [(a, b)] if tie.left == tie.right else [(a, b), (b, a)]
            for one, other in ways:
                if one in left and other in right:
                    touched.setdefault((one, other), set()).update(left[one])
                    touched.setdefault((other, one), set()).update(right[other])
                    pairs[a, b] = pairs.get((a, b), 0) + len(left[one]) * len(right[other])
    return [
        Leak(
            kind, a, b, len(touched.get((a, b), ())), len(touched.get((b, a), ())), pairs.get((a, b), 0)
        )
        for a, b in combinations(names, 2)
    ]  # fmt: skip


def _by_fold(places: Sequence[int], fold_of: Sequence[str]) -> dict[str, list[int]]:
    by_fold: dict[str, list[int]] = {}
    for place in places:
        by_fold.setdefault(fold_of[place], []).append(place)
    return by_fold

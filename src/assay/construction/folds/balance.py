"""How evenly the values of a column lie over folds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from assay.construction.folds.similarity import Ints
from assay.questions.model import Question
from assay.scoring.columns import NO_VALUE, column


@dataclass(frozen=True, slots=True)
class Balance:
    """A column's values over folds.

    `counts[value]`: questions in each fold. `distance`: by fold, half the sum of differences between the
    shares of values in the fold and in all questions, 0 to 1 (total variation). `farthest`: by fold, the
    largest of these differences.
    """

    column: str
    counts: dict[str, tuple[int, ...]]
    distance: tuple[float, ...]
    farthest: tuple[float, ...]


def level_numbers(questions: Sequence[Question], name: str) -> tuple[tuple[str, ...], Ints]:
    """The values of a column, and for each question which it has, int64 (questions,).

    Several values of a question count as one; none is NO_VALUE. Raises AssayError for a column that no
    question has.
    """
    found = column(questions, name)
    texts = [" + ".join(values) if values else NO_VALUE for values in found.values]
    known = [level for level in found.levels if level in set(texts)]
    levels = tuple(dict.fromkeys([*known, *sorted(set(texts))]))
    numbers = {level: number for number, level in enumerate(levels)}
    return levels, np.array([numbers[text] for text in texts], dtype=np.int64)


def balance(questions: Sequence[Question], fold: Ints, folds: int, name: str) -> Balance:
    """How `name` lies over the folds; `fold`: int64 (questions,)."""
    levels, numbers = level_numbers(questions, name)
    counts = np.zeros((len(levels), folds), dtype=np.int64)
    np.add.at(counts, (numbers, fold), 1)
    shares = counts / np.maximum(counts.sum(axis=0, keepdims=True), 1)
    pooled = counts.sum(axis=1, keepdims=True) / max(1, len(questions))
    off = np.abs(shares - pooled)
    return Balance(
        name,
        {level: tuple(row) for level, row in zip(levels, counts.tolist(), strict=True)},
        tuple((off.sum(axis=0) / 2).tolist()),
        tuple(off.max(axis=0).tolist()),
    )

"""Splits side by side: random by question, random by group, and the one that was made."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from assay.construction.folds.groups import Groups
from assay.construction.folds.search import random_folds
from assay.construction.folds.similarity import UNITS, Graph, Ints
from assay.construction.folds.sizes import FoldSizes
from assay.construction.leaks.near import Near

DRAWS = 20
"""Random splits that a row's figures are the means of."""


@dataclass(frozen=True, slots=True)
class Way:
    """One way to split, means over its `draws`.

    `sizes`: questions by fold. `cut`: similarity times the chance that a question of the one group and one of
    the other lie in different folds, summed over edges (groups that are whole: the plain cut). `torn`:
    questions whose group also lies in another fold. `near`: questions with a nearly equal stem in another
    fold; `near_pairs`: such pairs.
    """

    way: str
    draws: int
    sizes: tuple[float, ...]
    cut: float
    torn: float
    near: float
    near_pairs: float


def compare_ways(
    made: Ints,
    groups: Groups,
    graph: Graph,
    sizes: FoldSizes,
    near: Sequence[Near],
    seed: int,
    *,
    column: str,
) -> tuple[Way, ...]:
    """The three ways. `made`: fold by group, int64 (groups,); `near`: pairs of places of questions."""
    questions = sum(groups.weights)
    group_of = np.empty(questions, dtype=np.int64)
    for number, places in enumerate(groups.members):
        group_of[list(places)] = number
    weights = np.array(groups.weights, dtype=np.int64)
    pairs = np.array([(pair.first, pair.second) for pair in near], dtype=np.int64).reshape(-1, 2)

    def by_question(random: np.random.Generator) -> Ints:
        return random.permutation(np.repeat(np.arange(len(sizes.names)), sizes.targets))

    def by_group(random: np.random.Generator) -> Ints:
        return random_folds(weights, sizes, random)[group_of]

    def measured(way: str, draws: Sequence[Ints]) -> Way:
        rows = [_figures(fold, group_of, len(weights), graph, len(sizes.names), pairs) for fold in draws]
        means = np.mean(np.array(rows, dtype=np.float64), axis=0)
        held, others = means[: len(sizes.names)], means[len(sizes.names) :]
        return Way(way, len(draws), tuple(held.tolist()), *others.tolist())

    def drawn(draw: Callable[[np.random.Generator], Ints], which: int) -> list[Ints]:
        return [draw(np.random.default_rng([seed, which, number])) for number in range(DRAWS)]

    return (
        measured("random by question", drawn(by_question, 1)),
        measured(f"random by {column}", drawn(by_group, 2)),
        measured("this", [made[group_of]]),
    )


def _figures(
    fold: Ints, group_of: Ints, groups: int, graph: Graph, folds: int, pairs: Ints
) -> tuple[float, ...]:
    """Sizes, then cut, torn, near questions, near pairs."""
    held = np.zeros((groups, folds))
    np.add.at(held, (group_of, fold), 1)
    shares = held / held.sum(axis=1, keepdims=True)
    together = (shares[graph.first] * shares[graph.second]).sum(axis=1)
    cut = float((graph.similarity * (1 - together)).sum()) / UNITS
    torn = float(held[(held > 0).sum(axis=1) > 1].sum())
    across = pairs[fold[pairs[:, 0]] != fold[pairs[:, 1]]]
    sizes = np.bincount(fold, minlength=folds).tolist()
    return (*sizes, cut, torn, float(len(np.unique(across))), float(len(across)))

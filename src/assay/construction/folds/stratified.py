"""Folds in which set, exam, grade or any other columns lie as in all questions, groups kept whole.

Groups are dealt out in the order of their values, each to the fold that lacks the most, then exchanged for
as long as the squared deviations from even shares fall: of every column's values, and of their combinations.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from assay.construction.folds.balance import level_numbers
from assay.construction.folds.search import next_random
from assay.construction.folds.similarity import Ints
from assay.construction.folds.sizes import FoldSizes
from assay.construction.folds.split import SplitSettings, allowed_folds
from assay.evidence.compiled import compiled
from assay.questions.model import Question

TRIES_PER_GROUP = 1_000
JOINT_WEIGHT = 0.25
"""What a deviation in a combination of values counts, against one in a column's value."""


@dataclass(frozen=True, slots=True, eq=False)
class _Strata:
    """Cells that groups' questions count in: group g has counts[p] in cells[p], p from begins[g] on."""

    begins: Ints
    cells: Ints
    counts: Ints
    totals: Ints
    weights: np.ndarray


def stratified_folds(
    questions: Sequence[Question],
    members: Sequence[Sequence[int]],
    columns: Sequence[str],
    sizes: FoldSizes,
    settings: SplitSettings,
) -> Ints:
    """Fold by group, int64 (groups,); `members`: places of each group's questions.

    Raises AssayError for a column that no question has, or sizes that whole groups can't meet.
    """
    levels = [level_numbers(questions, name)[1] for name in columns]
    strata = _strata(levels, members)
    weights = np.array([len(places) for places in members], dtype=np.int64)
    first = np.array([places[0] for places in members], dtype=np.int64)
    fold = _dealt([level[first] for level in levels], weights, sizes, settings.seed)
    held = np.bincount(fold, weights=weights, minlength=len(sizes.names)).astype(np.int64)
    if not sizes.allow(held.tolist()):
        fold = allowed_folds(weights, sizes, settings)
    state = np.array([(settings.seed + 1) * 0x9E3779B97F4A7C15 % 2**64], dtype=np.uint64)
    shares = np.array(sizes.targets, dtype=np.float64) / sizes.total
    _exchange(
        strata.begins, strata.cells, strata.counts, strata.totals.astype(np.float64), strata.weights, shares,
        weights, fold, state, TRIES_PER_GROUP * len(weights),
    )  # fmt: skip
    return fold


def _strata(levels: Sequence[Ints], members: Sequence[Sequence[int]]) -> _Strata:
    joint = np.unique(np.stack(levels), axis=1, return_inverse=True)[1].reshape(-1)
    numbered = [*levels, joint] if len(levels) > 1 else list(levels)
    offsets = np.cumsum([0, *(int(level.max()) + 1 for level in numbered)])
    cells: list[int] = []
    counts: list[int] = []
    begins = [0]
    for places in members:
        for level, offset in zip(numbered, offsets, strict=False):
            values, times = np.unique(level[list(places)], return_counts=True)
            cells += (values + offset).tolist()
            counts += times.tolist()
        begins.append(len(cells))
    all_cells, all_counts = np.array(cells, dtype=np.int64), np.array(counts, dtype=np.int64)
    totals = np.zeros(offsets[-1], dtype=np.int64)
    np.add.at(totals, all_cells, all_counts)
    weights = np.ones(offsets[-1])
    if len(levels) > 1:
        weights[offsets[-2] :] = JOINT_WEIGHT
    return _Strata(np.array(begins, dtype=np.int64), all_cells, all_counts, totals, weights)


def _dealt(levels: Sequence[Ints], weights: Ints, sizes: FoldSizes, seed: int) -> Ints:
    """Heavier groups first, equal ones by their values; each to the fold farthest behind its share."""
    shuffled = np.random.default_rng([seed, 0]).permutation(len(weights))
    order = shuffled[np.lexsort([*(level[shuffled] for level in reversed(levels)), -weights[shuffled]])]
    targets = np.array(sizes.targets, dtype=np.int64)
    held = np.zeros(len(targets), dtype=np.int64)
    fold = np.zeros(len(weights), dtype=np.int64)
    dealt = 0
    for group in order.tolist():
        dealt += int(weights[group])
        behind = targets * dealt - held * sizes.total
        behind[held + weights[group] > sizes.high] = np.iinfo(np.int64).min
        fold[group] = int(np.argmax(behind))
        held[fold[group]] += weights[group]
    return fold


@compiled
def _exchange(
    begins: Ints,
    cells: Ints,
    counts: Ints,
    totals: np.ndarray,
    worth: np.ndarray,
    shares: np.ndarray,
    weights: Ints,
    fold: Ints,
    state: np.ndarray,
    tries: int,
) -> None:
    """Exchange random groups of equal weight where the squared deviations fall; `fold` in place."""
    groups, folds = len(weights), len(shares)
    off = np.zeros((len(totals), folds))
    for cell in range(len(totals)):
        for f in range(folds):
            off[cell, f] = -totals[cell] * shares[f]
    for group in range(groups):
        for place in range(begins[group], begins[group + 1]):
            off[cells[place], fold[group]] += counts[place]
    for _ in range(tries):
        a = np.int64((next_random(state) >> np.uint64(20)) % np.uint64(groups))
        b = np.int64((next_random(state) >> np.uint64(20)) % np.uint64(groups))
        f, g = fold[a], fold[b]
        if f == g or weights[a] != weights[b]:
            continue
        change = 0.0
        for turn in range(2):
            moved, out, into = (a, f, g) if turn == 0 else (b, g, f)
            for place in range(begins[moved], begins[moved + 1]):
                cell, count = cells[place], counts[place]
                change += worth[cell] * count * 2 * (count + off[cell, into] - off[cell, out])
                off[cell, out] -= count
                off[cell, into] += count
        if change < -1e-9:
            fold[a], fold[b] = g, f
            continue
        for turn in range(2):
            moved, out, into = (a, f, g) if turn == 0 else (b, g, f)
            for place in range(begins[moved], begins[moved + 1]):
                off[cells[place], out] += counts[place]
                off[cells[place], into] -= counts[place]

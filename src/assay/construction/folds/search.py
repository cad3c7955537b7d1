"""Folds with a small cut by simulated annealing over moves and exchanges of groups, in whole numbers.

Kirkpatrick et al. 1983; for graph partitioning Johnson et al. 1989. A fold of the wrong size costs a
penalty, so that a walk may pass through sizes that aren't allowed; only allowed ones are kept. Whole numbers
throughout, a random stream for each walk: the same folds on any machine and any number of cores.
"""

from __future__ import annotations

import math
import os
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np

from assay.construction.folds.similarity import Graph, Ints
from assay.construction.folds.sizes import FoldSizes
from assay.evidence.compiled import compiled
from assay.progress import SILENT, Progress

STEPS_PER_GROUP = 20_000
"""Steps of a walk: what more adds is measured in docs/folds.md."""
WALKS = 8
FIRST, LAST = 0.3, 0.01
"""Temperatures at the beginning and the end, in mean degrees of the graph."""
LEVELS = 512
"""The temperature falls geometrically in so many levels."""
AT_ONCE = 16
"""Levels between two looks at the clock."""
_SEED_STRIDE = 0x9E3779B97F4A7C15


@dataclass(frozen=True, slots=True, eq=False)
class Walked:
    """Folds by group, int64 (groups,), and their cut in thousandths; which walk found them."""

    fold: Ints
    cut: int
    walk: int


def search(
    graph: Graph,
    weights: Ints,
    sizes: FoldSizes,
    *,
    seed: int = 0,
    walks: int = WALKS,
    steps_per_group: int = STEPS_PER_GROUP,
    deadline: float | None = None,
    progress: Progress = SILENT,
) -> Walked | None:
    """The smallest cut that `walks` walks find, the first walk's among equals; None: no walk met the sizes.

    `weights`: questions of each group, int64 (groups,). Past `deadline` (of `time.monotonic`) walks end where
    they are: what is found then depends on the machine.
    """
    neighbours = adjacency(graph)
    low, high = np.array(sizes.low, dtype=np.int64), np.array(sizes.high, dtype=np.int64)
    degree = max(1, 2 * graph.total // max(1, graph.nodes))
    schedule = np.array(
        [max(1, round(degree * FIRST * (LAST / FIRST) ** (level / (LEVELS - 1)))) for level in range(LEVELS)],
        dtype=np.int64,
    )
    penalty = 1 + degree * graph.nodes // int(weights.sum())
    steps = max(steps_per_group * graph.nodes // LEVELS, 1)

    def walk(number: int) -> tuple[int, Ints]:
        if deadline is not None and time.monotonic() > deadline:
            return -1, _NOTHING
        seeded = ((seed * WALKS_APART + number + 1) * _SEED_STRIDE) % 2**64
        fold = random_folds(weights, sizes, np.random.default_rng([seed, number]))
        state, kept, best = np.array([seeded], dtype=np.uint64), fold.copy(), -1
        for level in range(0, LEVELS, AT_ONCE):
            if deadline is not None and time.monotonic() > deadline:
                break
            best = _walk(
                *neighbours, weights, low, high, fold, kept, best, state, steps,
                schedule[level : level + AT_ONCE], penalty, _QUANTILES,
            )  # fmt: skip
        return best, kept

    best: Walked | None = None
    with (
        progress.task("searching for folds", walks, "walks") as advance,
        ThreadPoolExecutor(min(walks, len(os.sched_getaffinity(0)))) as pool,
    ):
        for number, (cut, fold) in enumerate(pool.map(walk, range(walks))):
            if cut >= 0 and (best is None or cut < best.cut):
                best = Walked(fold, cut, number)
            advance(1, "" if best is None else f"cut {best.cut / 1000:,.1f}")
    return best


WALKS_APART = 1_000_003
"""Streams of walks of different seeds don't meet for fewer walks than this."""
_NOTHING = np.empty(0, dtype=np.int64)
_QUANTILES = np.array([round(-65536 * math.log((i + 0.5) / 65536)) for i in range(65536)], dtype=np.int64)


def adjacency(graph: Graph) -> tuple[Ints, Ints, Ints]:
    """Where each node's neighbours begin, int64 (nodes + 1,), the neighbours, and the similarity to each."""
    ends = np.concatenate([graph.first, graph.second])
    others = np.concatenate([graph.second, graph.first])
    similarity = np.concatenate([graph.similarity, graph.similarity])
    order = np.lexsort((others, ends))
    begins = np.zeros(graph.nodes + 1, dtype=np.int64)
    np.cumsum(np.bincount(ends, minlength=graph.nodes), out=begins[1:])
    return begins, others[order], similarity[order]


def random_folds(weights: Ints, sizes: FoldSizes, random: np.random.Generator) -> Ints:
    """Groups in random order, the largest first, each to the fold that lacks the most: near the targets."""
    lacking = np.array(sizes.targets, dtype=np.int64)
    shuffled = random.permutation(len(weights))
    fold = np.zeros(len(weights), dtype=np.int64)
    for group in shuffled[np.argsort(-weights[shuffled], kind="stable")]:
        fold[group] = int(np.argmax(lacking))
        lacking[fold[group]] -= weights[group]
    return fold


@compiled
def next_random(state: np.ndarray) -> Any:
    """Xorshift (Marsaglia 2003), 64 bits."""
    x = state[0]
    x ^= x << np.uint64(13)
    x ^= x >> np.uint64(7)
    x ^= x << np.uint64(17)
    state[0] = x
    return x


@compiled
def _off(size: int, low: int, high: int) -> int:
    return max(low - size, 0) + max(size - high, 0)


@compiled
def _walk(
    begins: Ints,
    others: Ints,
    similarity: Ints,
    weights: Ints,
    low: Ints,
    high: Ints,
    fold: Ints,
    kept: Ints,
    best: Any,
    state: np.ndarray,
    steps: int,
    schedule: Ints,
    penalty: int,
    quantiles: Ints,
) -> Any:
    """Walk on from `fold`; `kept` becomes the best allowed folds; returns their cut, -1 if none yet."""
    groups, folds = len(weights), len(low)
    to_fold = np.zeros((groups, folds), np.int64)
    size = np.zeros(folds, np.int64)
    for group in range(groups):
        size[fold[group]] += weights[group]
        for place in range(begins[group], begins[group + 1]):
            to_fold[group, fold[others[place]]] += similarity[place]
    cut = 0
    for group in range(groups):
        for f in range(folds):
            if f != fold[group]:
                cut += to_fold[group, f]
    cut //= 2
    off = 0
    for f in range(folds):
        off += _off(size[f], low[f], high[f])
    if off == 0 and (best < 0 or cut < best):
        best = cut
        kept[:] = fold
    for level in range(len(schedule)):
        for _ in range(steps):
            drawn = next_random(state)
            a: Any = np.int64((drawn >> np.uint64(40)) % np.uint64(groups))
            # A step uphill is taken with probability exp(-rise / temperature).
            climb = (schedule[level] * quantiles[np.int64(drawn & np.uint64(65535))]) >> 16
            f = fold[a]
            b = np.int64(-1)
            if (drawn >> np.uint64(16)) & np.uint64(1):
                g = np.int64((drawn >> np.uint64(20)) % np.uint64(folds - 1))
                if g >= f:
                    g += 1
                rise = to_fold[a, f] - to_fold[a, g]
                moved: Any = weights[a]
            else:
                b = np.int64((next_random(state) >> np.uint64(20)) % np.uint64(groups))
                g = fold[b]
                if f == g:
                    continue
                rise = to_fold[a, f] - to_fold[a, g] + to_fold[b, g] - to_fold[b, f]
                moved = weights[a] - weights[b]
            change = (
                _off(size[f] - moved, low[f], high[f])
                + _off(size[g] + moved, low[g], high[g])
                - _off(size[f], low[f], high[f])
                - _off(size[g], low[g], high[g])
            )
            if rise + penalty * change > climb:
                continue
            if b >= 0:
                for place in range(begins[a], begins[a + 1]):
                    if others[place] == b:
                        rise += 2 * similarity[place]
                if rise + penalty * change > climb:
                    continue
                fold[b] = f
                for place in range(begins[b], begins[b + 1]):
                    to_fold[others[place], g] -= similarity[place]
                    to_fold[others[place], f] += similarity[place]
            fold[a] = g
            for place in range(begins[a], begins[a + 1]):
                to_fold[others[place], f] -= similarity[place]
                to_fold[others[place], g] += similarity[place]
            size[f] -= moved
            size[g] += moved
            cut += rise
            off += change
            if off == 0 and (best < 0 or cut < best):
                best = cut
                kept[:] = fold
    return best

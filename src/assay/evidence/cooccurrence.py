"""How often n-grams stand, and stand together: exact counts for any pairs, in one pass over the tokens.

Two estimators, both counted over all tokens, stop words included (Clark et al. 2018, section 3.2; Church and
Hanks 1989 for PMI):

- `windows`: the events are the windows of W tokens of a sentence. A sentence of T tokens has
  max(1, T - W + 1) of them (none if T = 0); an n-gram is in a window if its whole span is. total: windows;
  single: windows that hold x; joint: windows that hold x and y. So every share is a probability, and
  joint <= min(single).
- `positions`: the events are start positions. total: tokens; single: start positions of x; joint: pairs of
  start positions (i of x, j of y) in one sentence with |i - j| < W, i = j included.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal, get_args

import numpy as np
import numpy.typing as npt

from assay.corpus.model import Stream, Vocabulary
from assay.errors import AssayError
from assay.evidence.hits import LENGTH_BITS, ONE_HIT, POINT_MASK, NgramTable, find_hits
from assay.evidence.ngrams import Groups, Ngrams
from assay.evidence.pairs import AHEAD, Cells, count_rows, join_directions, list_rows, order_hits
from assay.progress import SILENT, Progress

Estimator = Literal["windows", "positions"]
ESTIMATORS: tuple[Estimator, ...] = get_args(Estimator)
WINDOW = 10
"""Tokens in a window (Clark et al. 2018)."""
MOST_WINDOW = 1 << LENGTH_BITS
CHUNK = 1 << 23
"""Tokens counted at a time; with MOST_WINDOW it keeps the counts of one chunk within 32 bits."""
WIDE = 1 << 32
"""Counts that could reach this are kept in 64 bits."""
SHARES = 4
"""Pieces of work a thread: enough to even out, few enough to cost nothing."""


@dataclass(frozen=True)
class Blocks:
    """Which pairs are counted: block b pairs every n-gram of group left[b] with every one of some groups.

    `left`: int32, shape (blocks,), numbers of groups; `right`: int32, shape (blocks, 2), the first group and
    the end (exclusive) of a run of groups. Rows of a block are the n-grams of its left group, columns those
    of its right groups one after the other.
    """

    groups: Groups
    left: npt.NDArray[np.int32]
    right: npt.NDArray[np.int32]

    @property
    def rows(self) -> npt.NDArray[np.int64]:
        """Rows of each block, shape (blocks,)."""
        return self.groups.starts[self.left + 1] - self.groups.starts[self.left]

    @property
    def columns(self) -> npt.NDArray[np.int64]:
        """Columns of each block, shape (blocks,)."""
        return self.groups.starts[self.right[:, 1]] - self.groups.starts[self.right[:, 0]]

    @property
    def cell_starts(self) -> npt.NDArray[np.int64]:
        """Shape (blocks + 1,). Row i and column j of block b meet in cell starts[b] + i * columns[b] + j."""
        return _starts(self.rows * self.columns)


@dataclass(frozen=True)
class Counts:
    """`total`: windows, or tokens; `single`: int64, shape (n-grams,); `joint`: unsigned, shape (cells,)."""

    total: int
    single: npt.NDArray[np.int64]
    joint: Cells


def count_pairs(
    tokens: Stream,
    vocabulary: Vocabulary,
    ngrams: Ngrams,
    x: npt.NDArray[np.int32],
    y: npt.NDArray[np.int32],
    *,
    estimator: Estimator = "windows",
    window: int = WINDOW,
    threads: int | None = None,
    progress: Progress = SILENT,
) -> Counts:
    """Counts for the pairs (x[k], y[k]), numbers of n-grams; `joint` is aligned with them.

    Any order, any repeats, x = y allowed. Raises AssayError as `count_blocks`.
    """
    each = np.arange(len(ngrams) + 1, dtype=np.int64)
    groups = Groups(ngrams, each[:-1].astype(np.int32), each)
    return count_blocks(
        tokens,
        vocabulary,
        Blocks(groups, x, np.stack([y, y + 1], axis=1)),
        estimator=estimator,
        window=window,
        threads=threads,
        progress=progress,
    )


def count_blocks(
    tokens: Stream,
    vocabulary: Vocabulary,
    blocks: Blocks,
    *,
    estimator: Estimator = "windows",
    window: int = WINDOW,
    threads: int | None = None,
    chunk: int = CHUNK,
    progress: Progress = SILENT,
) -> Counts:
    """Exact counts of every n-gram and every pair of the blocks, over the stream of all tokens.

    `window`: tokens, 1 to MOST_WINDOW. `threads`: by default one for each core this process may use; neither
    they nor `chunk` (tokens a step, at most CHUNK) change a count.
    Raises AssayError for an unknown estimator, a window out of range, or a sentence longer than CHUNK.
    """
    if estimator not in ESTIMATORS:
        raise AssayError(f"estimator must be one of {', '.join(ESTIMATORS)}. Got {estimator!r}")
    if not 1 <= window <= MOST_WINDOW:
        raise AssayError(f"window must be from 1 to {MOST_WINDOW} tokens. Got {window}")
    lengths = np.diff(tokens.starts)
    if estimator == "windows":
        total = int(np.maximum(lengths - window + 1, lengths > 0).sum())
    else:
        total = int(lengths.sum())
    # No cell can hold more than this.
    most = total if estimator == "windows" else 2 * total * window
    counter = _Counter(tokens, vocabulary, blocks, estimator == "windows", window, most)
    threads = threads or _cores()
    with (
        ThreadPoolExecutor(threads) as pool,
        progress.task("counting n-grams", int(tokens.starts[-1]), "tokens") as advance,
    ):
        for begin, end in _chunks(tokens.starts, min(chunk, CHUNK)):
            counter.count(begin, end, pool, threads)
            advance(int(tokens.starts[end] - tokens.starts[begin]))
    return Counts(total, counter.single, counter.joint())


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _chunks(starts: npt.NDArray[np.int64], size: int) -> Iterator[tuple[int, int]]:
    """Runs of whole sentences of at most `size` tokens, or one longer sentence."""
    begin, sentences = 0, len(starts) - 1
    while begin < sentences:
        end = int(np.searchsorted(starts, starts[begin] + size, side="right")) - 1
        end = min(max(end, begin + 1), sentences)
        if starts[end] - starts[begin] > CHUNK:
            raise AssayError(f"sentence {begin} has more than {CHUNK:,} tokens")
        yield begin, end
        begin = end


def _starts(sizes: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    return np.concatenate([np.zeros(1, np.int64), np.cumsum(sizes, dtype=np.int64)])


class _Counter:
    """The sums so far, and the tables that every chunk needs."""

    def __init__(
        self,
        tokens: Stream,
        vocabulary: Vocabulary,
        blocks: Blocks,
        windows: bool,
        window: int,
        most: int,
    ) -> None:
        groups = blocks.groups
        self.windows, self.window = windows, window
        self.starts = tokens.starts
        # One type for arrays in memory and on disk: kernels are compiled once.
        self.ids = np.asarray(tokens.ids).view()
        self.ids.flags.writeable = False
        self.table = NgramTable.of(groups.ngrams, vocabulary)
        self.members = self.table.number_of[groups.members]
        self.layout = (groups.starts, blocks.left, blocks.right, blocks.cell_starts)
        self.rows = list_rows(self.members, *self.layout, self.table.size)
        self.single = np.zeros(len(groups.ngrams), np.int64)
        self.cells = _cells(2 * int(blocks.cell_starts[-1]), most)
        self.groups = groups

    def count(self, begin: int, end: int, pool: ThreadPoolExecutor, threads: int) -> None:
        """Add what sentences begin to end (exclusive) hold."""
        starts = np.array(self.starts[begin : end + 1])
        shares = _shares(starts, threads)
        # Room for 4 n-grams a token, of which most is never touched, and for a mark at each share's end.
        hits = np.empty(4 * int(starts[-1] - starts[0]) + threads, np.uint64)
        regions = [4 * int(starts[first] - starts[0]) + share for share, (first, _) in enumerate(shares)]

        def find(share: tuple[int, int], region: int) -> npt.NDArray[np.int64]:
            return self._find(starts[share[0] : share[1] + 1], int(starts[0]), hits[region:])

        states = list(pool.map(find, shares, regions))
        by_number = [state[:, 1] // ONE_HIT for state in states]
        order_starts = _starts(np.sum(by_number, axis=0, dtype=np.int64))
        order = np.zeros(int(order_starts[-1]) + AHEAD, np.int32)
        next_places = []
        next_place = order_starts[:-1].copy()
        for state, found in zip(states, by_number, strict=True):
            self.single += (state[:, 1] % ONE_HIT)[self.table.number_of]
            next_places.append(next_place.copy())
            next_place += found

        def order_share(region: int, found: npt.NDArray[np.int64], places: npt.NDArray[np.int64]) -> None:
            order_hits(region, region + int(found.sum()), hits, places, order)

        list(pool.map(order_share, regions, by_number, next_places))

        def count_share(share: tuple[int, int]) -> None:
            first, last = share
            count_rows(
                first, last, hits, order, order_starts, self.windows, self.members, *self.rows, self.cells
            )

        list(pool.map(count_share, _shares(order_starts, threads * SHARES)))

    def joint(self) -> Cells:
        """The joint count of every cell."""
        join_directions(self.groups.members, *self.layout, self.single, self.cells)
        return self.cells[: len(self.cells) // 2]

    def _find(
        self, starts: npt.NDArray[np.int64], chunk_start: int, hits: npt.NDArray[np.uint64]
    ) -> npt.NDArray[np.int64]:
        """Hits of some sentences of a chunk, with one at their end that no interval reaches; their state."""
        state = np.zeros((self.table.size, 2), np.int64)
        filled = find_hits(
            self.ids[starts[0] : starts[-1]],
            starts,
            int(starts[0]) - chunk_start,
            self.table.terms,
            self.table.slots,
            self.table.slot_bits,
            self.table.bits,
            self.table.filter_bits,
            self.window,
            self.windows,
            state,
            hits,
        )
        hits[filled] = POINT_MASK
        return state


def _cells(count: int, most: int) -> Cells:
    """`count` zeros that can grow to `most`."""
    return np.zeros(count, np.uint32) if most < WIDE else np.zeros(count, np.uint64)


def _shares(starts: npt.NDArray[np.int64], count: int) -> Iterable[tuple[int, int]]:
    """At most `count` runs that cover the len(starts) - 1 items, each of about the same weight."""
    weights = np.linspace(starts[0], starts[-1], count + 1)[1:-1]
    inner = np.searchsorted(starts, weights)
    bounds = np.unique(np.concatenate([[0], inner, [len(starts) - 1]]))
    return [(int(a), int(b)) for a, b in pairwise(bounds)]

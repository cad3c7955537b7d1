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
from assay.evidence import counting_kernels as kernels
from assay.evidence.ngrams import FIRST_TERM, Groups, Ngrams
from assay.progress import SILENT, Progress

Estimator = Literal["windows", "positions"]
ESTIMATORS: tuple[Estimator, ...] = get_args(Estimator)
WINDOW = 10
"""Tokens in a window (Clark et al. 2018)."""
MOST_WINDOW = 1 << kernels.LENGTH_BITS
CHUNK = 1 << 23
"""Tokens counted at a time; with MOST_WINDOW it keeps the counts of one chunk within 32 bits."""
SHARES = 4
"""Pieces of work a thread: enough to even out, few enough to cost nothing."""


@dataclass(frozen=True)
class Blocks:
    """Which pairs are counted: block b pairs every n-gram of group left[b] with every one of right[b].

    `left`, `right`: int32, shape (blocks,), numbers of groups.
    """

    groups: Groups
    left: npt.NDArray[np.int32]
    right: npt.NDArray[np.int32]

    @property
    def cell_starts(self) -> npt.NDArray[np.int64]:
        """Shape (blocks + 1,). Row i and column j of block b meet in the cell starts[b] + i * columns + j."""
        sizes = np.diff(self.groups.starts)
        return _starts(sizes[self.left] * sizes[self.right])


@dataclass(frozen=True)
class Counts:
    """`total`: windows, or tokens; `single`: int64, shape (n-grams,); `joint`: int64, shape (cells,)."""

    total: int
    single: npt.NDArray[np.int64]
    joint: npt.NDArray[np.int64]


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
        Blocks(groups, x, y),
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
    if len(blocks.groups.ngrams) > kernels.MOST_NGRAMS:
        raise AssayError(
            f"at most {kernels.MOST_NGRAMS:,} n-grams at once. Got {len(blocks.groups.ngrams):,}"
        )
    lengths = np.diff(tokens.starts)
    if estimator == "windows":
        total = int(np.maximum(lengths - window + 1, lengths > 0).sum())
    else:
        total = int(lengths.sum())
    counter = _Counter(tokens, vocabulary, blocks, estimator == "windows", window, threads or _cores())
    with counter.pool, progress.task("counting n-grams", int(tokens.starts[-1]), "tokens") as advance:
        for begin, end in _chunks(tokens.starts, min(chunk, CHUNK)):
            counter.count(begin, end)
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


def _grouped(keys: npt.NDArray[np.int32], size: int) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int32]]:
    """Places of each key below `size`: key k's are `places[starts[k]:starts[k + 1]]`, ascending."""
    starts = _starts(np.bincount(keys, minlength=size))
    return starts, np.argsort(keys, kind="stable").astype(np.int32)


@dataclass(frozen=True)
class _Found:
    """What one share of a chunk holds: its hits, and how many each n-gram has."""

    hits: npt.NDArray[np.uint64]
    by_ngram: npt.NDArray[np.int32]
    single: npt.NDArray[np.int64]


class _Counter:
    """The sums so far, and the tables that every chunk needs."""

    def __init__(
        self,
        tokens: Stream,
        vocabulary: Vocabulary,
        blocks: Blocks,
        windows: bool,
        window: int,
        threads: int,
    ) -> None:
        groups = blocks.groups
        self.pool = ThreadPoolExecutor(threads)
        self.threads = threads
        self.windows, self.window = windows, window
        self.blocks = blocks
        self.starts = tokens.starts
        # One type for arrays in memory and on disk: kernels are compiled once.
        self.ids = np.asarray(tokens.ids).view()
        self.ids.flags.writeable = False
        self.numbers = _term_numbers(vocabulary, groups.ngrams)
        count = len(groups.ngrams)
        slot_bits = max(4, (2 * count).bit_length())
        self.table = (
            *kernels.build_table(groups.ngrams.codes, len(groups.ngrams.terms), slot_bits, slot_bits + 3),
            slot_bits,
            slot_bits + 3,
        )
        self.cell_starts = blocks.cell_starts
        self.single = np.zeros(count, np.int64)
        self.forward = np.zeros(self.cell_starts[-1], np.int64)
        self.backward = np.zeros(self.cell_starts[-1], np.int64)
        sizes = np.diff(groups.starts)
        self.membership_starts, places = _grouped(groups.members, count)
        group_of = np.repeat(np.arange(len(groups), dtype=np.int32), sizes)
        self.membership_group = group_of[places]
        self.membership_place = (places - groups.starts[self.membership_group]).astype(np.int32)
        self.left = _grouped(blocks.left, len(groups))
        self.right = _grouped(blocks.right, len(groups))

    def count(self, begin: int, end: int) -> None:
        """Add what sentences begin to end (exclusive) hold."""
        cuts = self._cut(begin, end)
        shares = list(self.pool.map(lambda cut: self._find(self.starts[begin], *cut), cuts))
        found = np.zeros(len(self.single), np.int64)
        for share in shares:
            self.single += share.single
            found += share.by_ngram
        # Frequent n-grams first: their counts share cache lines.
        ngram_of = np.argsort(-found, kind="stable")[: np.count_nonzero(found)].astype(np.int32)
        ranks = np.full(len(found), -1, np.int32)
        ranks[ngram_of] = np.arange(len(ngram_of), dtype=np.int32)
        order_starts = _starts(found[ngram_of])
        hits, order = self._place(shares, ngram_of, ranks, order_starts)
        del shares
        members = ranks[self.blocks.groups.members]

        def count_share(share: tuple[int, int]) -> None:
            kernels.count_pairs_of(
                *share,
                hits,
                order,
                order_starts,
                self.windows,
                ngram_of,
                self.membership_starts,
                self.membership_group,
                self.membership_place,
                members,
                self.blocks.groups.starts,
                *self.left,
                *self.right,
                self.blocks.left,
                self.blocks.right,
                self.cell_starts,
                self.forward,
                self.backward,
            )

        list(self.pool.map(count_share, _shares(order_starts, self.threads * SHARES)))

    def joint(self) -> npt.NDArray[np.int64]:
        """The joint count of every cell."""
        self.forward += self.backward
        groups = self.blocks.groups
        kernels.add_same(
            groups.members,
            groups.starts,
            self.blocks.left,
            self.blocks.right,
            self.cell_starts,
            self.single,
            self.forward,
        )
        return self.forward

    def _cut(self, begin: int, end: int) -> list[tuple[int, int]]:
        """The sentences in as many runs as there are threads, of about equal tokens."""
        return [
            (begin + first, begin + last)
            for first, last in _shares(self.starts[begin : end + 1], self.threads)
        ]

    def _find(self, chunk_start: int, begin: int, end: int) -> _Found:
        starts = self.starts[begin : end + 1]
        ids = self.ids[starts[0] : starts[-1]]
        hits = np.empty(4 * len(ids), np.uint64)
        last = np.full(len(self.single), -1, np.int32)
        single = np.zeros(len(self.single), np.int64)
        found = np.zeros(len(self.single), np.int32)
        filled = kernels.find_hits(
            ids,
            np.array(starts),
            int(starts[0] - chunk_start),
            self.numbers,
            *self.table,
            self.window,
            self.windows,
            last,
            single,
            found,
            hits,
        )
        return _Found(hits[:filled], found, single)

    def _place(
        self,
        shares: list[_Found],
        ngram_of: npt.NDArray[np.int32],
        ranks: npt.NDArray[np.int32],
        order_starts: npt.NDArray[np.int64],
    ) -> tuple[npt.NDArray[np.uint64], npt.NDArray[np.int32]]:
        """All hits of the chunk in order, with one at the end that no interval reaches; and their order."""
        count = int(order_starts[-1])
        hits = np.empty(count + 1, np.uint64)
        hits[count] = kernels.POINT_MASK
        order = np.zeros(count + kernels.AHEAD, np.int32)
        jobs = []
        offset, next_place = 0, order_starts[:-1].copy()
        for share in shares:
            jobs.append((share.hits, ranks, offset, next_place.copy(), hits, order))
            offset += len(share.hits)
            next_place += share.by_ngram[ngram_of]
        list(self.pool.map(lambda job: kernels.place_hits(*job), jobs))
        return hits, order


def _term_numbers(vocabulary: Vocabulary, ngrams: Ngrams) -> npt.NDArray[np.uint32]:
    """For each term id of the corpus its number in the n-grams' codes, 0 if none has it."""
    numbers = np.zeros(len(vocabulary), np.uint32)
    for number, term in enumerate(ngrams.terms, start=FIRST_TERM):
        known = vocabulary.ids.get(term)
        if known is not None:
            numbers[known] = number
    return numbers


def _shares(starts: npt.NDArray[np.int64], count: int) -> Iterable[tuple[int, int]]:
    """At most `count` runs that cover the len(starts) - 1 items, each of about the same weight."""
    weights = np.linspace(starts[0], starts[-1], count + 1)[1:-1]
    inner = np.searchsorted(starts, weights)
    bounds = np.unique(np.concatenate([[0], inner, [len(starts) - 1]]))
    return [(int(a), int(b)) for a, b in pairwise(bounds)]

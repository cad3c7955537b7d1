"""Compiled loops of the import: de-duplication by hash table, and the counting sort into postings."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt
from numba import njit

PIECE_TOKENS = 1 << 24
"""Token ids are read in pieces of about this many, so that no stream is ever in memory whole."""
RANGE_ENTRIES = 48 << 20
"""Postings are made for ranges of terms that have about this many entries together."""


class KeySet:
    """128-bit keys seen so far: an open-addressing table that doubles when half full."""

    def __init__(self) -> None:
        self._table: npt.NDArray[np.uint64] = np.zeros((1 << 16, 2), np.uint64)
        self._count = 0

    def first_seen(self, keys: npt.NDArray[np.uint64]) -> npt.NDArray[np.bool_]:
        """Which of `keys` (uint64, shape (n, 2)) weren't seen before, nor earlier among them."""
        while 2 * (self._count + len(keys)) > len(self._table):
            larger = np.zeros((2 * len(self._table), 2), np.uint64)
            _move(self._table, larger)
            self._table = larger
        new = np.empty(len(keys), np.bool_)
        self._count += int(_insert(self._table, keys, new))
        return new


@njit(cache=True, nogil=True)
def _insert(table: Any, keys: Any, new: Any) -> int:
    mask = np.uint64(len(table) - 1)
    added = 0
    for i in range(len(keys)):
        # A key of all zeros would look like an empty place; moved by one it stays as unlikely as any.
        low, high = keys[i, 0], keys[i, 1]
        if low == 0 and high == 0:
            low = np.uint64(1)
        at = low & mask
        while True:
            if table[at, 0] == 0 and table[at, 1] == 0:
                table[at, 0] = low
                table[at, 1] = high
                new[i] = True
                added += 1
                break
            if table[at, 0] == low and table[at, 1] == high:
                new[i] = False
                break
            at = (at + np.uint64(1)) & mask
    return added


@njit(cache=True, nogil=True)
def _move(table: Any, larger: Any) -> None:
    mask = np.uint64(len(larger) - 1)
    for i in range(len(table)):
        low, high = table[i, 0], table[i, 1]
        if low == 0 and high == 0:
            continue
        at = low & mask
        while larger[at, 0] != 0 or larger[at, 1] != 0:
            at = (at + np.uint64(1)) & mask
        larger[at, 0] = low
        larger[at, 1] = high


@njit(cache=True, nogil=True)
def count_sentences(ids: Any, starts: Any, first: int, last_seen: Any, frequencies: Any) -> None:
    """Add to `frequencies` (int64, shape (V,)) how many sentences of a piece hold each term.

    `starts` are the piece's own, from 0; `first` is the id of its first sentence; `last_seen` (int64,
    shape (V,)) starts at -1 and goes from piece to piece.
    """
    for s in range(len(starts) - 1):
        for i in range(starts[s], starts[s + 1]):
            term = ids[i]
            if last_seen[term] != first + s:
                last_seen[term] = first + s
                frequencies[term] += 1


@njit(cache=True, nogil=True)
def fill_postings(
    ids: Any,
    starts: Any,
    first: int,
    low: int,
    high: int,
    ends: Any,
    sentences: Any,
    counts: Any,
    begins: Any,
) -> None:
    """Append a piece's entries of the terms low..high-1; term t's entries end so far at `ends[t - low]`."""
    for s in range(len(starts) - 1):
        sentence = first + s
        for i in range(starts[s], starts[s + 1]):
            term = ids[i]
            if term < low or term >= high:
                continue
            at = ends[term - low]
            if at > begins[term - low] and sentences[at - 1] == sentence:
                if counts[at - 1] < 65535:
                    counts[at - 1] += 1
            else:
                sentences[at] = sentence
                counts[at] = 1
                ends[term - low] = at + 1


def ranges(starts: npt.NDArray[np.int64]) -> Iterator[tuple[int, int]]:
    """Cut the terms into ranges of about RANGE_ENTRIES postings entries; `starts`: int64, shape (V + 1,)."""
    low = 0
    while low < len(starts) - 1:
        high = int(np.searchsorted(starts, starts[low] + RANGE_ENTRIES, side="right")) - 1
        high = max(high, low + 1)
        yield low, high
        low = high

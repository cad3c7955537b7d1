"""Blocks of sentences: the postings of a batch's terms within them, worked out once; compiled."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from assay.evidence.compiled import inlined
from assay.evidence.heaps import Floats, Ints

UNIT = 2.0**-36
BLOCK = 65536
"""Sentences a block at most: a place within it fits 16 bits, its accumulator half a megabyte."""


class Postings(NamedTuple):
    """A corpus as the kernels need it (`assay.corpus.model.Postings`), with BM25's constants."""

    sentences: npt.NDArray[np.uint32]
    counts: npt.NDArray[np.uint16]
    lengths: npt.NDArray[np.uint32]
    k1: float
    b: float
    average: float


class Terms(NamedTuple):
    """The distinct terms of a batch, numbered by slots: where their postings go on and end, and idf."""

    cursors: Ints
    ends: Ints
    idf: Floats


class Entries(NamedTuple):
    """What queries ask: owner o has the entries starts[o]..starts[o + 1]: slot, how often, group."""

    starts: Ints
    slots: npt.NDArray[np.int32]
    times: Floats
    groups: npt.NDArray[np.int32]


class Block(NamedTuple):
    """Contributions within a block: slot s has starts[s]..starts[s + 1]; `most`: the highest of each slot.

    `places` count from the block's `first` sentence.
    """

    first: int
    places: npt.NDArray[np.uint16]
    parts: Floats
    starts: Ints
    most: Floats


@inlined
def find(block: Block, slot: int, place: int) -> int:
    """Index of the slot's contribution at `place`, or -1."""
    low, end = block.starts[slot], block.starts[slot + 1]
    high = end
    while low < high:
        middle = (low + high) >> 1
        if block.places[middle] < place:
            low = middle + 1
        else:
            high = middle
    return low if low < end and block.places[low] == place else -1


@inlined
def ends_in_block(postings: Postings, terms: Terms, last: int, starts: Ints) -> int:
    """Fill `starts` with where each slot's contributions will stand; returns how many there are."""
    filled = 0
    for slot in range(len(terms.idf)):
        starts[slot] = filled
        low, high = terms.cursors[slot], terms.ends[slot]
        step = 64
        while low + step < high and postings.sentences[low + step] < last:
            low += step
            step *= 2
        high = min(high, low + step)
        while low < high:
            middle = (low + high) >> 1
            if postings.sentences[middle] < last:
                low = middle + 1
            else:
                high = middle
        filled += low - terms.cursors[slot]
    starts[len(terms.idf)] = filled
    return filled


@inlined
def fill_block(postings: Postings, terms: Terms, block: Block) -> None:
    """Work out the contributions of each slot, and the highest; moves the cursors on."""
    k1, b = postings.k1, postings.b
    for slot in range(len(terms.idf)):
        start, end = block.starts[slot], block.starts[slot + 1]
        cursor = terms.cursors[slot]
        scale = terms.idf[slot] * (k1 + 1.0)
        for at in range(end - start):
            sentence = postings.sentences[cursor + at]
            count = float(postings.counts[cursor + at])
            norm = k1 * (1.0 - b + b * (postings.lengths[sentence] / postings.average))
            block.parts[start + at] = max(np.rint(scale * count / (count + norm) / UNIT), 1.0) * UNIT
            block.places[start + at] = sentence - block.first
        highest = 0.0
        for at in range(start, end):
            highest = max(highest, block.parts[at])
        block.most[slot] = highest
        terms.cursors[slot] = cursor + (end - start)

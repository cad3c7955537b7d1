"""Finding n-grams in a stream of tokens: the first half of co-occurrence counting, compiled.

A *hit* is one place where a wanted n-gram stands, packed in 64 bits: a number of the n-gram (26 bits), the
length less one of an interval (8), its first point (30), counted from the start of the chunk of tokens.

Windows: the points of a sentence of T tokens are the ends of its windows, min(W, T) - 1 to T - 1. An n-gram
from `start` to `end` is whole in the windows that end in [end, start + W - 1], clipped to those points. What
an earlier hit of the same n-gram covers is cut off, so that the intervals of one n-gram are disjoint, the
windows that hold x and y are the sum of |interval of x & interval of y| over their hits, and nothing is
counted twice.

Positions: the interval is [start, start + W - 1], clipped to the sentence; two hits are a pair when the
later one's start lies in the earlier one's interval.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from assay.corpus.model import Vocabulary
from assay.errors import AssayError
from assay.evidence.compiled import compiled, prefetch
from assay.evidence.ngrams import ANY_TERM, FIRST_TERM, TERM_BITS, Ngrams

POINT_BITS = 30
LENGTH_BITS = 8
NUMBER_SHIFT = POINT_BITS + LENGTH_BITS
POINT_MASK = (1 << POINT_BITS) - 1
LENGTH_MASK = (1 << LENGTH_BITS) - 1
MOST_NUMBERS = 1 << (64 - NUMBER_SHIFT)

WANTED = 1 << 24
"""Beside a term's number: it is a unigram."""
TERM_MASK = (1 << 24) - 1
ONE_HIT = 1 << 32
"""A hit in a sum that also counts the windows, fewer than this in a chunk."""
HASH = 0x9E3779B97F4A7C15
AHEAD = 12
"""How many look-ups ahead the cache is asked; measured: 8 to 16 are alike."""
BLOCK = 2048
"""Tokens looked at together, so that what is known of them stays in the nearest cache."""


@dataclass(frozen=True)
class NgramTable:
    """Where a scan looks n-grams up.

    Inside, a unigram has its term's number, and n-grams of two or three words the numbers from there on:
    `number_of`, int32, by n-gram, all below `size`.
    `terms`: uint32, shape (V,), by term id of the corpus: number, and WANTED; 0 for a term that no n-gram
    has. `slots`: uint64, shape (2 ** slot_bits, 2), an open-addressing hash table: code and number of the
    n-grams of two or three words; the ends of a trigram are in it too, as a skip-bigram of number 0 if it
    isn't wanted. `bits`: one is set for every bigram's and skip-bigram's hash; most that aren't there end
    there.
    """

    number_of: npt.NDArray[np.int32]
    size: int
    terms: npt.NDArray[np.uint32]
    slots: npt.NDArray[np.uint64]
    slot_bits: int
    bits: npt.NDArray[np.uint32]
    filter_bits: int

    @classmethod
    def of(cls, ngrams: Ngrams, vocabulary: Vocabulary) -> NgramTable:
        """The table of these n-grams for a corpus with this vocabulary. Raises AssayError for too many."""
        first_long = len(ngrams.terms) + FIRST_TERM
        size = first_long + len(ngrams)
        if size > MOST_NUMBERS:
            raise AssayError(f"{len(ngrams):,} n-grams are too many at once", hint="use smaller batches")
        # An n-gram makes at most two entries, so a quarter of the slots or more is empty.
        slot_bits = max(5, (8 * len(ngrams) // 3).bit_length())
        filter_bits = slot_bits + 2
        number_of, wanted, slots, bits = _build(ngrams.codes, first_long, slot_bits, filter_bits)
        terms = np.zeros(len(vocabulary), np.uint32)
        for number, term in enumerate(ngrams.terms, start=FIRST_TERM):
            known = vocabulary.ids.get(term)
            if known is not None:
                terms[known] = wanted[number] | number
        return cls(number_of, size, terms, slots, slot_bits, bits, filter_bits)


@compiled
def _build(
    codes: npt.NDArray[np.uint64], first_long: int, slot_bits: int, filter_bits: int
) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.uint32], npt.NDArray[np.uint64], npt.NDArray[np.uint32]]:
    number_of = np.empty(codes.size, np.int32)
    wanted = np.zeros(first_long, np.uint32)
    slots = np.zeros((1 << slot_bits, 2), np.uint64)
    bits = np.zeros(1 << (filter_bits - 5), np.uint32)
    mask = np.uint64((1 << TERM_BITS) - 1)
    next_number = first_long
    for ngram in range(codes.size):
        code = codes[ngram]
        first = code >> np.uint64(2 * TERM_BITS)
        second = code >> np.uint64(TERM_BITS) & mask
        third = code & mask
        if second == 0:
            number_of[ngram] = first
            wanted[first] = WANTED
            continue
        slot = _slot(code, slots, slot_bits)
        slots[slot, 0] = code
        slots[slot, 1] = next_number
        number_of[ngram] = next_number
        next_number += 1
        ends = code
        if third != 0 and second != ANY_TERM:
            # A scan looks for a trigram only where its two ends stand.
            ends = first << np.uint64(2 * TERM_BITS) | np.uint64(ANY_TERM << TERM_BITS) | third
            slots[_slot(ends, slots, slot_bits), 0] = ends
        bit = ends * np.uint64(HASH) >> np.uint64(64 - filter_bits)
        bits[bit >> np.uint64(5)] |= np.uint32(1) << np.uint32(bit & np.uint64(31))
    return number_of, wanted, slots, bits


@compiled
def _slot(code: np.uint64, slots: npt.NDArray[np.uint64], slot_bits: int) -> np.uint64:
    """Where the code stands, or would."""
    slot = code * np.uint64(HASH) >> np.uint64(64 - slot_bits)
    while slots[slot, 0] != 0 and slots[slot, 0] != code:
        slot = (slot + np.uint64(1)) & np.uint64(slots.shape[0] - 1)
    return slot


@compiled
def _bit(code: np.uint64, bits: npt.NDArray[np.uint32], filter_bits: int) -> np.uint32:
    bit = code * np.uint64(HASH) >> np.uint64(64 - filter_bits)
    word: np.uint32 = bits[bit >> np.uint64(5)]
    return word >> np.uint32(bit & np.uint64(31)) & np.uint32(1)


@compiled
def find_hits(
    ids: npt.NDArray[np.uint32],
    starts: npt.NDArray[np.int64],
    origin: int,
    terms: npt.NDArray[np.uint32],
    slots: npt.NDArray[np.uint64],
    slot_bits: int,
    bits: npt.NDArray[np.uint32],
    filter_bits: int,
    window: int,
    windows: bool,
    state: npt.NDArray[np.int64],
    hits: npt.NDArray[np.uint64],
) -> int:
    """The hits of some sentences, in order of their first points, into `hits`; returns how many.

    `ids` are all tokens of the sentences, sentence s at `starts[s] - starts[0]`; `origin`: the first token's
    place in the chunk. `state`, shape (numbers, 2), zero before, by number of the n-gram: one more than the
    last point that a hit covers; ONE_HIT times its hits, plus the windows or positions that hold it.
    """
    term_mask = np.uint32(TERM_MASK)
    # Two places before the first token hold what two blocks share.
    seen = np.zeros(BLOCK + 2, np.uint32)
    # What ends at each token of the block: bigram, skip-bigram, trigram; 0 for none.
    longer = np.zeros((BLOCK, 3), np.int32)
    marks = np.zeros(BLOCK, np.uint8)
    codes = np.zeros(2 * BLOCK + AHEAD, np.uint64)
    places = np.zeros(2 * BLOCK + 1, np.int32)
    filled = sentence_filled = 0
    sentence = -1
    begin = end = first_point = 0
    for block in range(0, ids.size, BLOCK):
        size = min(BLOCK, ids.size - block)
        for i in range(size):
            seen[i + 2] = terms[ids[block + i]]
        _find_longer(seen, size, slots, slot_bits, bits, filter_bits, state, marks, codes, places, longer)
        for i in range(size):
            at = block + i
            while at >= end:
                sentence += 1
                begin = starts[sentence] - starts[0]
                end = starts[sentence + 1] - starts[0]
                first_point = begin + min(window, end - begin) - 1
                sentence_filled = filled
            here = seen[i + 2]
            if here & np.uint32(WANTED):
                filled = _add(
                    np.int64(here & term_mask),
                    at,
                    at,
                    end,
                    first_point,
                    origin,
                    window,
                    windows,
                    state,
                    sentence_filled,
                    hits,
                    filled,
                )
            if longer[i, 0] | longer[i, 1] | longer[i, 2] == 0:
                continue
            for kind in range(3):
                number = longer[i, kind]
                start = at - min(kind + 1, 2)
                if number != 0:
                    longer[i, kind] = 0
                    if start >= begin:
                        filled = _add(
                            number,
                            start,
                            at,
                            end,
                            first_point,
                            origin,
                            window,
                            windows,
                            state,
                            sentence_filled,
                            hits,
                            filled,
                        )
        seen[0], seen[1] = seen[size], seen[size + 1]
    return filled


@compiled
def _find_longer(
    seen: npt.NDArray[np.uint32],
    size: int,
    slots: npt.NDArray[np.uint64],
    slot_bits: int,
    bits: npt.NDArray[np.uint32],
    filter_bits: int,
    state: npt.NDArray[np.int64],
    marks: npt.NDArray[np.uint8],
    codes: npt.NDArray[np.uint64],
    places: npt.NDArray[np.int32],
    longer: npt.NDArray[np.int32],
) -> None:
    """Numbers of the bigrams, skip-bigrams and trigrams that end at each of `size` tokens, into `longer`.

    Sentences are not regarded. Without a branch as far as that goes: what can't be foretold costs more than
    what is done in vain. `marks`, `codes`, `places` are scratch.
    """
    one, two = np.uint64(TERM_BITS), np.uint64(2 * TERM_BITS)
    any_term = np.uint64(ANY_TERM << TERM_BITS)
    middle = np.uint64(((1 << TERM_BITS) - 1) << TERM_BITS)
    term_mask = np.uint32(TERM_MASK)
    for i in range(size):
        last = np.uint64(seen[i + 2] & term_mask)
        bigram = np.uint64(seen[i + 1] & term_mask) << two | last << one
        skip = np.uint64(seen[i] & term_mask) << two | any_term | last
        marks[i] = _bit(bigram, bits, filter_bits) | _bit(skip, bits, filter_bits) << np.uint32(1)
    count = 0
    for i in range(size):
        last = np.uint64(seen[i + 2] & term_mask)
        codes[count] = np.uint64(seen[i + 1] & term_mask) << two | last << one
        places[count] = i
        count += marks[i] & 1
        codes[count] = np.uint64(seen[i] & term_mask) << two | any_term | last
        places[count] = i
        count += marks[i] >> 1
    codes[count : count + AHEAD] = 0
    for k in range(count):
        prefetch(slots, codes[k + AHEAD] * np.uint64(HASH) >> np.uint64(64 - slot_bits))
        code = codes[k]
        slot = _slot(code, slots, slot_bits)
        if slots[slot, 0] == 0:
            continue
        i = places[k]
        number = np.int32(slots[slot, 1])
        prefetch(state, np.int64(number))
        if code & middle != any_term:
            longer[i, 0] = number
            continue
        longer[i, 1] = number
        slot = _slot(code ^ any_term | np.uint64(seen[i + 1] & term_mask) << one, slots, slot_bits)
        number = np.int32(slots[slot, 1])
        longer[i, 2] = number
        prefetch(state, np.int64(number))


@compiled
def _add(
    number: int | np.int64,
    start: int,
    last: int,
    end: int,
    first_point: int,
    origin: int,
    window: int,
    windows: bool,
    state: npt.NDArray[np.int64],
    sentence_filled: int,
    hits: npt.NDArray[np.uint64],
    filled: int,
) -> int:
    """Add the hit of an n-gram that stands from `start` to `last`; returns how many hits there are then."""
    high = min(start + window, end) - 1
    low = start
    if windows:
        low = max(last, first_point, state[number, 0] - origin)
        if low > high:
            return filled
        state[number, 0] = high + origin + 1
        state[number, 1] += ONE_HIT + high - low + 1
    else:
        state[number, 1] += ONE_HIT + 1
    place = filled
    while place > sentence_filled and np.int64(hits[place - 1] & np.uint64(POINT_MASK)) > low + origin:
        hits[place] = hits[place - 1]
        place -= 1
    hits[place] = (
        np.uint64(number) << np.uint64(NUMBER_SHIFT)
        | np.uint64(high - low) << np.uint64(POINT_BITS)
        | np.uint64(low + origin)
    )
    return filled + 1

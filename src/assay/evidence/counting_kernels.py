"""The inner loops of co-occurrence counting, compiled; `assay.evidence.cooccurrence` says what they do.

A *hit* is one place where a wanted n-gram stands, packed in 64 bits: the n-gram's number (26 bits), the
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

import numpy as np
import numpy.typing as npt

from assay.evidence.compiled import compiled, prefetch
from assay.evidence.ngrams import ANY_TERM, FIRST_TERM, TERM_BITS

POINT_BITS = 30
LENGTH_BITS = 8
NUMBER_SHIFT = POINT_BITS + LENGTH_BITS
POINT_MASK = (1 << POINT_BITS) - 1
LENGTH_MASK = (1 << LENGTH_BITS) - 1
MOST_NGRAMS = (1 << (64 - NUMBER_SHIFT)) - 1
AHEAD = 12
"""How many hits ahead the cache is asked; measured: 8 to 16 are alike."""

OPENS_BIGRAM, CLOSES_BIGRAM, OPENS_LONG, CLOSES_LONG, OPENS_SKIP, CLOSES_SKIP = 1, 2, 4, 8, 16, 32
HASH = 0x9E3779B97F4A7C15


@compiled
def build_table(
    codes: npt.NDArray[np.uint64], terms: int, slot_bits: int, filter_bits: int
) -> tuple[
    npt.NDArray[np.int32],
    npt.NDArray[np.uint8],
    npt.NDArray[np.uint64],
    npt.NDArray[np.int32],
    npt.NDArray[np.uint32],
]:
    """Where a scan looks n-grams up: of one term in an array, of more in an open-addressing hash table.

    `flags` say by term in which places of which n-grams it stands; `filter` has a bit set for every
    key's hash: most keys that aren't there end at one of the two.
    """
    unigram = np.full(terms + FIRST_TERM, -1, np.int32)
    flags = np.zeros(terms + FIRST_TERM, np.uint8)
    keys = np.zeros(1 << slot_bits, np.uint64)
    values = np.zeros(1 << slot_bits, np.int32)
    bits = np.zeros(1 << (filter_bits - 5), np.uint32)
    mask = np.uint64((1 << TERM_BITS) - 1)
    slot_mask = np.uint64(keys.size - 1)
    for number in range(codes.size):
        code = codes[number]
        first = code >> np.uint64(2 * TERM_BITS)
        second = code >> np.uint64(TERM_BITS) & mask
        third = code & mask
        if second == 0:
            unigram[first] = number
            continue
        if third == 0:
            flags[first] |= OPENS_BIGRAM
            flags[second] |= CLOSES_BIGRAM
        elif second == ANY_TERM:
            flags[first] |= OPENS_SKIP
            flags[third] |= CLOSES_SKIP
        else:
            flags[first] |= OPENS_LONG
            flags[third] |= CLOSES_LONG
        hashed = code * np.uint64(HASH)
        bit = hashed >> np.uint64(64 - filter_bits)
        bits[bit >> np.uint64(5)] |= np.uint32(1) << np.uint32(bit & np.uint64(31))
        slot = hashed >> np.uint64(64 - slot_bits)
        while keys[slot] != 0:
            slot = (slot + np.uint64(1)) & slot_mask
        keys[slot] = code
        values[slot] = number
    return unigram, flags, keys, values, bits


@compiled
def _look_up(
    code: np.uint64,
    keys: npt.NDArray[np.uint64],
    values: npt.NDArray[np.int32],
    bits: npt.NDArray[np.uint32],
    slot_bits: int,
    filter_bits: int,
) -> int:
    hashed = code * np.uint64(HASH)
    bit = hashed >> np.uint64(64 - filter_bits)
    if not bits[bit >> np.uint64(5)] >> np.uint32(bit & np.uint64(31)) & np.uint32(1):
        return -1
    slot = hashed >> np.uint64(64 - slot_bits)
    while keys[slot] != code:
        if keys[slot] == 0:
            return -1
        slot = (slot + np.uint64(1)) & np.uint64(keys.size - 1)
    return int(values[slot])


@compiled
def find_hits(
    ids: npt.NDArray[np.uint32],
    starts: npt.NDArray[np.int64],
    origin: int,
    numbers: npt.NDArray[np.uint32],
    unigram: npt.NDArray[np.int32],
    flags: npt.NDArray[np.uint8],
    keys: npt.NDArray[np.uint64],
    values: npt.NDArray[np.int32],
    bits: npt.NDArray[np.uint32],
    slot_bits: int,
    filter_bits: int,
    window: int,
    windows: bool,
    last: npt.NDArray[np.int32],
    single: npt.NDArray[np.int64],
    found: npt.NDArray[np.int32],
    hits: npt.NDArray[np.uint64],
) -> int:
    """The hits of some sentences, in order of their first points, into `hits`; returns how many.

    `ids` are all tokens of the sentences, sentence s at `starts[s] - starts[0]`; `origin`: the first token's
    place in the chunk. `numbers`: corpus term id to the number in the codes, 0 for a term in no n-gram.
    `last` (scratch, -1 before): the last point that a hit of each n-gram covers. Added to: `single`, the
    windows or positions that hold each n-gram; `found`, its hits.
    """
    one, two = np.uint64(TERM_BITS), np.uint64(2 * TERM_BITS)
    filled = 0
    for sentence in range(starts.size - 1):
        begin = starts[sentence] - starts[0]
        end = starts[sentence + 1] - starts[0]
        sentence_filled = filled
        first_point = begin + min(window, end - begin) - 1
        before = before2 = np.uint64(0)
        before_flags = before2_flags = 0
        for i in range(begin, end):
            term = np.uint64(numbers[ids[i]])
            here = flags[term]
            for kind in range(4):
                length = 1
                ngram = -1
                if kind == 0:
                    if term:
                        ngram = unigram[term]
                elif kind == 1:
                    if before_flags & OPENS_BIGRAM and here & CLOSES_BIGRAM:
                        length = 2
                        code = before << two | term << one
                        ngram = _look_up(code, keys, values, bits, slot_bits, filter_bits)
                elif kind == 2:
                    if before2_flags & OPENS_SKIP and here & CLOSES_SKIP:
                        length = 3
                        code = before2 << two | np.uint64(ANY_TERM) << one | term
                        ngram = _look_up(code, keys, values, bits, slot_bits, filter_bits)
                elif before2_flags & OPENS_LONG and here & CLOSES_LONG and before:
                    length = 3
                    code = before2 << two | before << one | term
                    ngram = _look_up(code, keys, values, bits, slot_bits, filter_bits)
                if ngram < 0:
                    continue
                start = i - length + 1
                high = min(start + window - 1, end - 1)
                if windows:
                    low = max(i, first_point, last[ngram] - origin + 1)
                    if low > high:
                        continue
                    last[ngram] = high + origin
                    single[ngram] += high - low + 1
                else:
                    low = start
                    single[ngram] += 1
                found[ngram] += 1
                hit = (
                    np.uint64(ngram) << np.uint64(NUMBER_SHIFT)
                    | np.uint64(high - low) << np.uint64(POINT_BITS)
                    | np.uint64(low + origin)
                )
                place = filled
                while (
                    place > sentence_filled
                    and np.int64(hits[place - 1] & np.uint64(POINT_MASK)) > low + origin
                ):
                    hits[place] = hits[place - 1]
                    place -= 1
                hits[place] = hit
                filled += 1
            before2, before2_flags = before, before_flags
            before, before_flags = term, here
    return filled


@compiled
def place_hits(
    found: npt.NDArray[np.uint64],
    ranks: npt.NDArray[np.int32],
    offset: int,
    next_place: npt.NDArray[np.int64],
    hits: npt.NDArray[np.uint64],
    order: npt.NDArray[np.int32],
) -> None:
    """Copy hits to `hits[offset:]`, n-grams renumbered by `ranks`, and list them by n-gram in `order`.

    `next_place[rank]` (changed): where in `order` the next hit of that n-gram goes.
    """
    kept = np.uint64((1 << NUMBER_SHIFT) - 1)
    for i in range(found.size):
        rank = ranks[found[i] >> np.uint64(NUMBER_SHIFT)]
        hits[offset + i] = np.uint64(rank) << np.uint64(NUMBER_SHIFT) | found[i] & kept
        order[next_place[rank]] = offset + i
        next_place[rank] += 1


@compiled
def count_pairs_of(
    first_rank: int,
    end_rank: int,
    hits: npt.NDArray[np.uint64],
    order: npt.NDArray[np.int32],
    order_starts: npt.NDArray[np.int64],
    windows: bool,
    ngram_of: npt.NDArray[np.int32],
    membership_starts: npt.NDArray[np.int64],
    membership_group: npt.NDArray[np.int32],
    membership_place: npt.NDArray[np.int32],
    members: npt.NDArray[np.int32],
    group_starts: npt.NDArray[np.int64],
    left_starts: npt.NDArray[np.int64],
    left_blocks: npt.NDArray[np.int32],
    right_starts: npt.NDArray[np.int64],
    right_blocks: npt.NDArray[np.int32],
    left: npt.NDArray[np.int32],
    right: npt.NDArray[np.int32],
    cell_starts: npt.NDArray[np.int64],
    forward: npt.NDArray[np.int64],
    backward: npt.NDArray[np.int64],
) -> None:
    """For each n-gram x of some ranks: what stands after it, and from that the cells of its blocks.

    Whatever n-gram comes after a hit of x is counted in one array, wanted or not; then the counts of x's
    partners are read off. A cell (x, y) gets "y after x" in `forward`, from the row of x, and "x after y"
    in `backward`, from the column of y, so that no two n-grams ever write the same place.
    """
    after = np.zeros(order_starts.size - 1, np.int32)
    touched = np.empty(1 << 12, np.int32)
    touched_mask = touched.size - 1
    point, length = np.uint64(POINT_MASK), np.uint64(LENGTH_MASK)
    length_shift, number_shift = np.uint64(POINT_BITS), np.uint64(NUMBER_SHIFT)
    for rank in range(first_rank, end_rank):
        touches = 0
        for k in range(order_starts[rank], order_starts[rank + 1]):
            prefetch(hits, order[k + AHEAD])
            i = order[k]
            hit = hits[i]
            high = (hit & point) + (hit >> length_shift & length)
            i += 1
            hit = hits[i]
            low = hit & point
            while low <= high:
                other = np.int64(hit >> number_shift)
                if windows:
                    after[other] += np.int32(min(high, low + (hit >> length_shift & length)) - low) + 1
                else:
                    after[other] += 1
                touched[touches & touched_mask] = other
                touches += 1
                i += 1
                hit = hits[i]
                low = hit & point
        if touches == 0:
            continue
        ngram = ngram_of[rank]
        for m in range(membership_starts[ngram], membership_starts[ngram + 1]):
            group, place = membership_group[m], membership_place[m]
            for b in range(left_starts[group], left_starts[group + 1]):
                block = left_blocks[b]
                begin, end = group_starts[right[block]], group_starts[right[block] + 1]
                cell = cell_starts[block] + place * (end - begin)
                for member in range(begin, end):
                    other = members[member]
                    if other >= 0:
                        forward[cell + member - begin] += after[other]
            for b in range(right_starts[group], right_starts[group + 1]):
                block = right_blocks[b]
                columns = group_starts[group + 1] - group_starts[group]
                begin, end = group_starts[left[block]], group_starts[left[block] + 1]
                cell = cell_starts[block] + place
                for member in range(begin, end):
                    other = members[member]
                    if other >= 0:
                        backward[cell + (member - begin) * columns] += after[other]
        if touches > touched.size:
            after[:] = 0
        else:
            for k in range(touches):
                after[touched[k]] = 0


@compiled
def add_same(
    members: npt.NDArray[np.int32],
    group_starts: npt.NDArray[np.int64],
    left: npt.NDArray[np.int32],
    right: npt.NDArray[np.int32],
    cell_starts: npt.NDArray[np.int64],
    single: npt.NDArray[np.int64],
    joint: npt.NDArray[np.int64],
) -> None:
    """Add to each cell of an n-gram with itself the places where it stands once: a hit is its own pair."""
    where = np.full(single.size, -1, np.int64)
    for block in range(left.size):
        begin, end = group_starts[right[block]], group_starts[right[block] + 1]
        for member in range(begin, end):
            where[members[member]] = member - begin
        for member in range(group_starts[left[block]], group_starts[left[block] + 1]):
            ngram = members[member]
            if where[ngram] >= 0:
                row = member - group_starts[left[block]]
                joint[cell_starts[block] + row * (end - begin) + where[ngram]] += single[ngram]
        for member in range(begin, end):
            where[members[member]] = -1

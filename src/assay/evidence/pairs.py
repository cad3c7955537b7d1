"""From hits to counts of pairs: the second half of co-occurrence counting, compiled.

The hits of a chunk are taken n-gram by n-gram. For an n-gram x, everything that stands after a hit of x, in
reach of it, is counted in one array by n-gram, wanted or not; then the counts of x's partners are read off
that array. So no pair is ever looked up, and whatever is read at random has been asked of the cache before.

A pair (x, y) needs "y after x" and "x after y". Each block of pairs has both for all its cells, the first row
by row (rows: its left n-grams), the second column by column: an n-gram writes only rows of its own, and
threads that share out the n-grams never write the same place.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from assay.evidence.compiled import compiled, prefetch
from assay.evidence.hits import LENGTH_MASK, NUMBER_SHIFT, POINT_BITS, POINT_MASK

Cells = npt.NDArray[np.uint32] | npt.NDArray[np.uint64]
AHEAD = 12
"""How many hits ahead the cache is asked; measured: 8 to 20 are alike."""
A_LINE = 8
"""Hits in a line of the cache: what stands after a hit reaches into the next one."""
ROWS_AHEAD = 4
"""How many rows ahead."""
TOUCHED = 1 << 14
"""After an n-gram with more neighbours the whole array is cleared, else only what they touched."""


@compiled
def list_rows(
    members: npt.NDArray[np.int32],
    group_starts: npt.NDArray[np.int64],
    left: npt.NDArray[np.int32],
    right: npt.NDArray[np.int32],
    cell_starts: npt.NDArray[np.int64],
    numbers: int,
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], npt.NDArray[np.int32], npt.NDArray[np.int32]]:
    """For each n-gram the rows it has: where their cells begin, and which members they pair it with.

    Returns starts, shape (numbers + 1,), and for each row its first cell, first member, and length. Cells
    of columns follow all cells of rows. `members`: the number of each.
    """
    starts = np.zeros(numbers + 1, np.int64)
    for block in range(left.size):
        for member in range(group_starts[left[block]], group_starts[left[block] + 1]):
            starts[members[member] + 1] += 1
        for member in range(group_starts[right[block, 0]], group_starts[right[block, 1]]):
            starts[members[member] + 1] += 1
    for number in range(numbers):
        starts[number + 1] += starts[number]
    place = starts.copy()
    cells = np.empty(starts[numbers], np.int64)
    first = np.empty(starts[numbers], np.int32)
    length = np.empty(starts[numbers], np.int32)
    for block in range(left.size):
        left_begin, left_end = group_starts[left[block]], group_starts[left[block] + 1]
        right_begin, right_end = group_starts[right[block, 0]], group_starts[right[block, 1]]
        cell = cell_starts[block]
        for member in range(left_begin, left_end):
            row = place[members[member]]
            place[members[member]] += 1
            cells[row], first[row], length[row] = cell, right_begin, right_end - right_begin
            cell += right_end - right_begin
        cell = cell_starts[left.size] + cell_starts[block]
        for member in range(right_begin, right_end):
            row = place[members[member]]
            place[members[member]] += 1
            cells[row], first[row], length[row] = cell, left_begin, left_end - left_begin
            cell += left_end - left_begin
    return starts, cells, first, length


@compiled
def order_hits(
    first_hit: int,
    end_hit: int,
    hits: npt.NDArray[np.uint64],
    next_place: npt.NDArray[np.int64],
    order: npt.NDArray[np.int32],
) -> None:
    """List some hits by n-gram: `next_place[number]` (changed) is where in `order` its next hit goes."""
    for i in range(first_hit, end_hit):
        number = hits[i] >> np.uint64(NUMBER_SHIFT)
        order[next_place[number]] = i
        next_place[number] += 1


@compiled
def count_rows(
    first_number: int,
    end_number: int,
    hits: npt.NDArray[np.uint64],
    order: npt.NDArray[np.int32],
    order_starts: npt.NDArray[np.int64],
    windows: bool,
    members: npt.NDArray[np.int32],
    row_starts: npt.NDArray[np.int64],
    row_cells: npt.NDArray[np.int64],
    row_first: npt.NDArray[np.int32],
    row_length: npt.NDArray[np.int32],
    cells: Cells,
) -> None:
    """Add to `cells` the rows of the n-grams of some numbers."""
    after = np.zeros(order_starts.size - 1, np.uint32)
    touched = np.empty(TOUCHED, np.int32)
    touched_mask = touched.size - 1
    point, length = np.uint64(POINT_MASK), np.uint64(LENGTH_MASK)
    length_shift, number_shift = np.uint64(POINT_BITS), np.uint64(NUMBER_SHIFT)
    for number in range(first_number, end_number):
        first_place, end_place = order_starts[number], order_starts[number + 1]
        if first_place == end_place:
            continue
        first_row, end_row = row_starts[number], row_starts[number + 1]
        for row in range(first_row, min(first_row + ROWS_AHEAD, end_row)):
            prefetch(members, row_first[row])
            prefetch(cells, row_cells[row])
        touches = 0
        for k in range(first_place, end_place):
            prefetch(hits, order[k + AHEAD])
            prefetch(hits, order[k + AHEAD] + A_LINE)
            i = order[k]
            hit = hits[i]
            high = (hit & point) + (hit >> length_shift & length)
            i += 1
            hit = hits[i]
            low = hit & point
            while low <= high:
                other = np.int64(hit >> number_shift)
                if windows:
                    common = min(high, low + (hit >> length_shift & length)) - low + np.uint64(1)
                    after[other] += np.uint32(common)
                else:
                    after[other] += np.uint32(1)
                touched[touches & touched_mask] = other
                touches += 1
                i += 1
                hit = hits[i]
                low = hit & point
        if touches == 0:
            continue
        for row in range(first_row, end_row):
            if row + ROWS_AHEAD < end_row:
                prefetch(members, row_first[row + ROWS_AHEAD])
                prefetch(cells, row_cells[row + ROWS_AHEAD])
            cell, member = row_cells[row], row_first[row]
            for place in range(row_length[row]):
                cells[cell + place] += after[members[member + place]]
        if touches > touched.size:
            after[:] = 0
        else:
            for k in range(touches):
                after[touched[k]] = 0


@compiled
def join_directions(
    members: npt.NDArray[np.int32],
    group_starts: npt.NDArray[np.int64],
    left: npt.NDArray[np.int32],
    right: npt.NDArray[np.int32],
    cell_starts: npt.NDArray[np.int64],
    single: npt.NDArray[np.int64],
    cells: Cells,
) -> None:
    """Add the cells of columns to those of rows; for an n-gram with itself each hit is a pair too."""
    for block in range(left.size):
        left_begin, left_end = group_starts[left[block]], group_starts[left[block] + 1]
        right_begin, right_end = group_starts[right[block, 0]], group_starts[right[block, 1]]
        cell = cell_starts[block]
        for i in range(left_begin, left_end):
            column = cell_starts[left.size] + cell_starts[block] + i - left_begin
            for j in range(right_begin, right_end):
                cells[cell] += cells[column]
                if members[i] == members[j]:
                    cells[cell] += np.uint64(single[members[i]])
                cell += 1
                column += left_end - left_begin

"""Fitting sequences, chunking and padding, against plain versions."""

import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

pytest.importorskip("torch", reason="the neural extra isn't installed")

from assay.solvers.neural.pieces import chunks, distinct, kept, padded, places_in


@given(st.integers(0, 60), st.integers(0, 60), st.integers(1, 60))
def test_kept_is_cutting_one_by_one(first: int, second: int, limit: int) -> None:
    a, b = first, second
    while a + b > limit:
        if a > b:
            a -= 1
        else:
            b -= 1
    assert kept(first, second, limit) == (a, b)


@given(st.lists(st.integers(1, 40), min_size=1, max_size=60), st.integers(1, 200))
def test_chunks_hold_each_once_and_no_more_than_allowed(lengths: list[int], most: int) -> None:
    parts = chunks(lengths, most)
    assert sorted(place for part in parts for place in part) == list(range(len(lengths)))
    for part in parts:
        assert len(part) == 1 or len(part) * max(lengths[place] for place in part) <= most
    flat = [place for part in parts for place in part]
    assert [flat[at] for at in places_in(parts).tolist()] == list(range(len(lengths)))


def test_padded_rows_read_back() -> None:
    draw = random.Random(3)
    rows = [np.array([draw.randrange(1, 9) for _ in range(draw.randrange(1, 7))], np.int32) for _ in range(9)]
    ids, mask = padded(rows, 0)
    assert mask is not None
    assert ids.shape == mask.shape == (9, max(map(len, rows)))
    for row, numbers, real in zip(rows, ids, mask, strict=True):
        assert numbers[real.bool()].tolist() == row.tolist()
        assert not numbers[~real.bool()].any()
    assert padded([rows[0], rows[0]], 0)[1] is None


def test_distinct_tells_rows_by_content_and_mark() -> None:
    rows = [np.array(row, np.int32) for row in ([1, 2], [1], [1, 2], [1, 2])]
    first, which = distinct(rows)
    assert (first, which.tolist()) == ([0, 1], [0, 1, 0, 0])
    first, which = distinct(rows, [1, 1, 1, 2])
    assert (first, which.tolist()) == ([0, 1, 3], [0, 1, 0, 2])

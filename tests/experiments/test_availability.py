"""Availability: profiles, what independence and guessing would give, gaps at equal numbers."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from assay.experiments.availability import Availability, gap_within, guessing, one_sided, profile_name, spans


def made(seed: int, n: int = 40, sources: int = 4) -> Availability:
    draw = np.random.default_rng(seed)
    return Availability(tuple("abcd"[:sources]), draw.random((n, sources)) < draw.random(sources))


@pytest.mark.parametrize("seed", range(5))
def test_independence_is_the_sum_over_all_profiles(seed: int) -> None:
    own = made(seed)
    by_count = np.zeros(5)
    for profile in product((False, True), repeat=4):
        by_count[sum(profile)] += own.independent_profile(profile)
    assert own.independent() == pytest.approx(by_count)
    assert own.independent().sum() == pytest.approx(1.0)


@pytest.mark.parametrize("seed", range(3))
def test_profiles_and_those_answered_alone_count_every_question_once(seed: int) -> None:
    own = made(seed)
    assert sum(count for _, count in own.profiles()) == 40
    assert own.alone.sum() == (own.counts == 1).sum()
    assert (own.alone <= own.answered).all()


def test_guessing_filters_answer_by_the_choices_that_there_are() -> None:
    # One filter, one source: 1/k. Two of which one must answer: 1 - (3/4)^2. Both must: 1/16.
    assert guessing([4, 4], 1, 1, 1) == pytest.approx([0.75, 0.25])
    assert guessing([4, 2], 1, 1, 1) == pytest.approx([0.625, 0.375])
    assert guessing([4], 1, 2, 1) == pytest.approx([9 / 16, 7 / 16])
    assert guessing([4], 1, 2, 2) == pytest.approx([15 / 16, 1 / 16])
    draw = np.random.default_rng(3)
    right = (draw.random((200_000, 3, 2)) < 0.25).any(axis=2).sum(axis=1)
    assert guessing([4], 3, 2, 1) == pytest.approx(np.bincount(right) / 200_000, abs=0.005)
    assert guessing([], 2, 1, 1).tolist() == [0, 0, 0]


@pytest.mark.parametrize("sources", [1, 2, 5, 6, 7, 14, 100])
def test_every_number_of_sources_lies_in_one_span(sources: int) -> None:
    steps = spans(sources)
    held = sum(span.holds(np.arange(sources + 1)).astype(int) for span in steps)
    assert (held == 1).all()
    assert len(steps) <= 7
    assert steps[0].name == "0"


def test_profiles_are_named_by_what_is_shorter() -> None:
    names = ("a", "b", "c")
    assert profile_name(names, (False,) * 3) == "none"
    assert profile_name(names, (True,) * 3) == "all"
    assert profile_name(names, (True, False, False)) == "a"
    assert profile_name(names, (True, True, False)) == "all but c"
    assert profile_name(names[:2], (True, False)) == "a"


def test_a_gap_that_the_strata_explain_is_gone_within_them() -> None:
    strata = [np.repeat([True, False], 100), np.repeat([False, True], 100)]
    points = np.where(strata[0], 1.0, 0.0)
    points[[0, 100]] = 0.5
    first = np.concatenate([np.arange(100) < 80, np.arange(100) < 20])
    whole, within = gap_within(points, first, [np.ones(200, np.bool_)]), gap_within(points, first, strata)
    assert whole.value == pytest.approx(60, abs=2)
    assert within.value == pytest.approx(0, abs=2)
    assert within.low is not None
    assert within.low < within.value < (within.high or 0)
    assert gap_within(points, np.ones(200, np.bool_), strata).value is None


def test_strata_of_one_set_alone_are_left_out_and_counted() -> None:
    first = np.array([True] * 5 + [False] * 5)
    both, lone = np.arange(10) % 2 == 0, np.arange(10) == 7
    points = np.arange(10) / 10
    assert one_sided(first, [both, lone]) == 1
    assert one_sided(first, [both]) == 0
    assert gap_within(points, first, [both, lone]) == gap_within(points, first, [both])

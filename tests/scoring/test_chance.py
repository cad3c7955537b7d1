"""Chance from the very questions, its band, the test against it, and power."""

import math

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.power import TTestPower

from assay.scoring.chance import against_chance, chance, choice_counts, guesser_distribution, guesser_p
from assay.scoring.power import power_against_chance, questions_needed, smallest_difference
from tests.scoring.scoring_cases import arc

COUNTS = np.array([3] * 4 + [4] * 1165 + [5] * 3)


def test_band_of_a_guesser() -> None:
    got = chance(COUNTS)
    assert got.mean is not None
    assert got.low is not None
    assert got.high is not None
    assert 100 * got.mean == pytest.approx(25.0156, abs=1e-4)
    assert 50 * (got.high - got.low) == pytest.approx(2.48, abs=0.005)
    assert (str(got.exact), got.choices) == ("17591/60", {"3": 4, "4": 1165, "5": 3})


@pytest.mark.real_data
def test_guess_all_scores_25_02_on_both_test_sets(shared_data, figures) -> None:
    for name in ("ARC-Easy", "ARC-Challenge"):
        got = chance(choice_counts(arc(shared_data / f"arc/{name}/{name}-Test.jsonl")))
        assert got.mean is not None
        assert round(100 * got.mean, 2) == 25.02
    assert float(got.exact) == figures["arc_challenge_test"]["guess_all"]["points"]


@given(st.integers(1, 300), st.integers(0, 300))
def test_guesser_p_is_the_binomial_test_s(n, right) -> None:
    right = min(n, right)
    far = np.abs(np.arange(n + 1) - n / 4) >= abs(right - n / 4) - 1e-9
    expected = scipy.stats.binom.pmf(np.arange(n + 1), n, 0.25)[far].sum()
    assert guesser_p(right, np.full(n, 4)) == pytest.approx(min(1, expected), rel=1e-8)


def test_guessers_of_mixed_choices_by_enumeration() -> None:
    masses = guesser_distribution(np.array([2, 3, 4, 1]))
    one_by_one = np.ones(1)
    for size in (2, 3, 4, 1):
        one_by_one = np.convolve(one_by_one, [1 - 1 / size, 1 / size])
    assert masses == pytest.approx(one_by_one, abs=1e-15)


def test_many_questions_use_the_normal() -> None:
    counts = np.full(40_000, 4)
    expected = 2 * scipy.stats.norm.sf(150 / math.sqrt(40_000 * 3 / 16))
    assert guesser_p(10_150, counts) == pytest.approx(expected)


def test_against_chance_is_a_t_test_on_points_less_chance() -> None:
    points = np.array([1, 0, 0.5, 1, 0, 1, 0.25, 1])
    counts = np.array([4, 3, 4, 5, 4, 4, 4, 2])
    got = against_chance(points, counts)
    assert got.p == pytest.approx(scipy.stats.ttest_1samp(points - 1 / counts, 0).pvalue)
    assert (got.test, got.df) == ("t", 7)


def test_points_without_spread_are_held_against_guessers() -> None:
    got = against_chance(np.zeros(10), np.full(10, 4))
    far = scipy.stats.binom.pmf([0, 5, 6, 7, 8, 9, 10], 10, 0.25).sum()
    assert (got.test, got.p) == ("guesser", pytest.approx(far))
    guess_all = against_chance(np.full(10, 0.25), np.full(10, 4))
    assert (guess_all.difference, guess_all.p) == (0, 1)


def test_nothing_to_test() -> None:
    got = against_chance(np.empty(0), np.empty(0, dtype=np.int64))
    assert (got.difference, got.p) == (None, None)
    assert chance(np.empty(0, dtype=np.int64)).mean is None


def test_power_of_thirty_against_guessing() -> None:
    power = power_against_chance(0.30, chance(COUNTS))
    assert power == pytest.approx(0.97, abs=0.005)


def test_power_against_chance_is_simulated() -> None:
    guessing = chance(np.full(200, 4))
    assert guessing.low is not None
    assert guessing.high is not None
    right = np.arange(201)
    rejects = (right / 200 < guessing.low) | (right / 200 > guessing.high)
    simulated = scipy.stats.binom.pmf(right, 200, 0.35)[rejects].sum()
    assert power_against_chance(0.35, guessing) == pytest.approx(simulated, abs=0.03)


def test_power_of_differences_is_statsmodels_for_many() -> None:
    spread, n = 0.57, 2836
    smallest = smallest_difference(spread / math.sqrt(n))
    power = TTestPower().power(smallest / spread, n, 0.05)
    assert power == pytest.approx(0.8, abs=0.001)
    assert questions_needed(smallest, spread / math.sqrt(n), n) in (n, n + 1)

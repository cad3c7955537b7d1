"""Paired comparisons: sign flips against enumeration, McNemar and Holm against statsmodels."""

import itertools

import numpy as np
import pytest
import scipy.stats
from hypothesis import given, settings
from hypothesis import strategies as st
from statsmodels.stats.contingency_tables import mcnemar as peer_mcnemar
from statsmodels.stats.multitest import multipletests

from assay.errors import AssayError
from assay.scoring import signflip
from assay.scoring.comparison import compare, compare_all, holm, holm_where_tested, mcnemar_p
from assay.scoring.points import mark
from assay.scoring.signflip import exact_distribution, on_lattice, sign_flip
from tests.scoring.scoring_cases import pair

SETS = st.sampled_from(["A", "B", "AB", "ABC", "ABCD", "BC", ""])


def marks(sets):
    return mark(*pair(sets))


@settings(max_examples=60)
@given(st.lists(st.tuples(SETS, SETS), min_size=1, max_size=10))
def test_sign_flip_is_the_share_of_all_signs(drawn) -> None:
    first, second = marks([a for a, _ in drawn]), marks([b for _, b in drawn])
    differences = np.round(12 * (first.points - second.points)).astype(int)
    sums = [abs(int(np.dot(signs, differences))) for signs in itertools.product((1, -1), repeat=len(drawn))]
    expected = np.mean(np.array(sums) >= abs(int(differences.sum())))
    got = compare(("one", "two"), first, second).sign_flip
    assert got.method == "exact"
    assert got.p == pytest.approx(expected, abs=1e-12)


@given(st.integers(1, 300), st.integers(0, 300))
def test_sign_flip_of_equal_sizes_is_the_binomial_test(ahead, behind) -> None:
    got = sign_flip(np.array([1.0] * ahead + [-1.0] * behind))
    assert got.p == pytest.approx(scipy.stats.binomtest(ahead, ahead + behind).pvalue, rel=1e-9)


def test_the_exact_distribution_is_scipy_s() -> None:
    got = exact_distribution(np.array([3, 2]), np.array([301, 150]))
    threes = 3 * (2 * np.arange(302) - 301)
    twos = 2 * (2 * np.arange(151) - 150)
    expected = np.zeros(len(got))
    for three, mass in zip(threes, scipy.stats.binom.pmf(range(302), 301, 0.5), strict=True):
        places = (three + twos + len(got) - 1) // 2
        expected[places] += mass * scipy.stats.binom.pmf(range(151), 150, 0.5)
    assert got == pytest.approx(expected, abs=1e-15)
    assert got.sum() == pytest.approx(1, abs=1e-12)


def test_past_the_limit_signs_are_drawn_with_a_seed(monkeypatch) -> None:
    generator = np.random.default_rng(0)
    differences = generator.choice([1, 0.5, 0.25, 0, -0.25, -0.5, -1], size=400, p=[0.2] + [0.8 / 6] * 6)
    exact = sign_flip(differences)
    monkeypatch.setattr(signflip, "EXACT_WORK", 10)
    drawn = sign_flip(differences, seed=1)
    assert (exact.method, drawn.method, drawn.seed) == ("exact", "drawn", 1)
    assert drawn.p == pytest.approx(exact.p, abs=0.006)
    assert sign_flip(differences, seed=1) == drawn
    assert sign_flip(np.full(100, 0.5), seed=2).p == pytest.approx(1 / (signflip.DRAWS + 1))


def test_numbers_off_the_lattice_are_drawn() -> None:
    differences = np.random.default_rng(3).normal(0.2, 1, size=60)
    assert on_lattice(differences) is None
    got = sign_flip(differences)
    peer = scipy.stats.permutation_test(
        (differences,), np.sum, permutation_type="samples", n_resamples=50_000, rng=np.random.default_rng(4)
    )
    assert got.method == "drawn"
    assert got.p == pytest.approx(peer.pvalue, abs=0.01)


def test_lattice_of_points() -> None:
    whole = on_lattice(np.array([1 / 3 - 1 / 4, 1 / 5, -1 / 2]))
    assert whole is not None
    assert (whole[0].tolist(), whole[1]) == ([5, 12, -30], 60)


@given(st.integers(0, 200), st.integers(0, 200))
def test_mcnemar_is_statsmodels(b, c) -> None:
    p, mid_p = mcnemar_p(b, c)
    if b + c:
        assert p == pytest.approx(peer_mcnemar([[5, b], [c, 5]], exact=True).pvalue, rel=1e-9)
        middle = scipy.stats.binom.pmf(min(b, c), b + c, 0.5)
        tails = 2 * scipy.stats.binom.cdf(min(b, c), b + c, 0.5)
        assert mid_p == pytest.approx(tails - middle, rel=1e-9)
    else:
        assert (p, mid_p) == (1, 1)


def test_equal_discordant_counts_are_no_difference() -> None:
    assert mcnemar_p(3, 3) == (1, 1)
    got = compare(("one", "two"), marks(["A"] * 3 + ["B"] * 3), marks(["B"] * 3 + ["A"] * 3))
    assert (got.mcnemar.p, got.sign_flip.p, got.opposed) == (1, 1, False)


def test_what_was_not_tested_is_in_no_family() -> None:
    assert holm_where_tested([0.02, None, 0.01, None]) == [0.02, None, 0.02, None]
    assert holm_where_tested([None]) == [None]


@settings(max_examples=10)
@given(st.lists(st.integers(0, 1000).map(lambda thousandths: thousandths / 1000), min_size=1, max_size=12))
def test_holm_is_statsmodels(p_values) -> None:
    assert holm(p_values) == pytest.approx(multipletests(p_values, method="holm")[1], abs=1e-12)


def test_paired_t_is_scipy_s_and_effects_go_both_ways() -> None:
    first, second = marks(["A", "A", "AB", "B", "A", "C"]), marks(["A", "B", "B", "A", "ABCD", "C"])
    got = compare(("one", "two"), first, second)
    peer = scipy.stats.ttest_rel(first.points, second.points)
    assert got.t_p == pytest.approx(peer.pvalue)
    assert (got.difference.low, got.difference.high) == pytest.approx(tuple(peer.confidence_interval()))
    assert (got.first_higher, got.second_higher, got.equal) == (3, 1, 2)
    assert (got.mcnemar.both, got.mcnemar.only_first, got.mcnemar.only_second) == (1, 2, 1)
    back = compare(("two", "one"), second, first)
    assert back.difference.mean == pytest.approx(-got.difference.mean)  # type: ignore[operator]
    assert (back.sign_flip.p, back.mcnemar.p) == (got.sign_flip.p, got.mcnemar.p)


def test_clusters_flip_together() -> None:
    first, second = marks(["A"] * 6), marks(["B"] * 6)
    apart = compare(("one", "two"), first, second)
    together = compare(("one", "two"), first, second, np.array([0, 0, 0, 1, 1, 1]))
    assert apart.sign_flip.p == pytest.approx(2 / 2**6)
    assert together.sign_flip.p == pytest.approx(2 / 2**2)
    assert together.difference.clusters == 2


def test_the_same_answers_do_not_differ() -> None:
    got = compare(("one", "two"), marks(["A", "BC", "A"]), marks(["A", "BC", "A"]))
    assert (got.sign_flip.p, got.t_p, got.smallest_difference, got.questions_needed) == (1, 1, None, {})
    assert got.difference.degenerate


def test_opposite_directions_are_explained() -> None:
    ties = marks(["ABC"] * 12 + ["B"] * 2 + ["A"])
    sure = marks(["B"] * 12 + ["A"] * 2 + ["B"])
    got = compare(("ties", "sure"), ties, sure)
    assert got.opposed
    assert "points favour ties" in got.notes[0]
    assert "12 partial credits against 0" in got.notes[0]


def test_all_pairs_are_corrected_together() -> None:
    systems = {"a": marks(["A"] * 9), "b": marks(["B"] * 9), "c": marks(["A"] * 5 + ["B"] * 4)}
    made = compare_all(systems)
    assert [(one.first, one.second) for one in made] == [("a", "b"), ("a", "c"), ("b", "c")]
    raw = [one.sign_flip.p for one in made]
    assert [one.holm_p for one in made] == pytest.approx(multipletests(raw, method="holm")[1])


def test_different_questions_are_no_pair() -> None:
    with pytest.raises(AssayError, match="one and two answer 1 and 2 questions"):
        compare(("one", "two"), marks(["A"]), marks(["A", "A"]))


@pytest.mark.real_data
def test_published_comparison(figures, challenge_test, stored_systems) -> None:
    expected = figures["arc_challenge_test"]["GSA_minus_DGEM"]
    gsa, dgem = (mark(challenge_test, stored_systems[name]) for name in ("GSA", "DGEM"))
    got = compare(("GSA", "DGEM"), gsa, dgem)
    difference = got.difference
    assert 100 * difference.mean == pytest.approx(expected["mean"], abs=1e-10)  # type: ignore[operator]
    assert 100 * difference.se == pytest.approx(expected["se"], abs=1e-10)  # type: ignore[operator]
    ends = [100 * difference.low, 100 * difference.high]  # type: ignore[operator]
    assert ends == pytest.approx(expected["t95"], abs=1e-10)
    assert got.t_p == pytest.approx(expected["p_t"], abs=1e-12)
    assert got.sign_flip.p == pytest.approx(expected["signflip_exact_p"], abs=1e-12)
    higher = (got.first_higher, got.second_higher, got.equal)
    assert higher == (expected["only_gsa_higher"], expected["only_dgem_higher"], expected["equal"])
    table = expected["mcnemar_fully_right"]
    assert got.mcnemar.only_first == table["only_GSA"]
    assert got.mcnemar.only_second == table["only_DGEM"]
    assert (got.mcnemar.both, got.mcnemar.neither) == (table["both"], table["neither"])
    assert got.mcnemar.p == pytest.approx(table["exact_p"], rel=1e-9)
    assert got.mcnemar.mid_p == pytest.approx(table["midp"], rel=1e-9)
    assert got.opposed
    assert 100 * got.smallest_difference == pytest.approx(expected["mde80_z"])  # type: ignore[operator]
    assert got.questions_needed == expected["n_for_difference"]

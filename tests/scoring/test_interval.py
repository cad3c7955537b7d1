"""Means and intervals against scipy, statsmodels and worked cases."""

import numpy as np
import pytest
import scipy.stats
import statsmodels.api as sm
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.proportion import proportion_confint

from assay.errors import AssayError
from assay.scoring.interval import cluster_standard_error, estimate, t_estimate, wilson

POINTS = st.sampled_from([0.0, 1.0, 1 / 2, 1 / 3, 1 / 4])


@given(st.lists(POINTS, min_size=2, max_size=40).filter(lambda drawn: len(set(drawn)) > 1))
def test_t_interval_is_scipy_s(drawn: list[float]) -> None:
    got = estimate(np.array(drawn))
    expected = scipy.stats.ttest_1samp(drawn, 0).confidence_interval(0.95)
    assert (got.low, got.high) == pytest.approx((expected.low, expected.high), abs=1e-12)
    assert got.se == pytest.approx(scipy.stats.sem(drawn), abs=1e-14)
    assert (got.method, got.df, got.clusters) == ("t", len(drawn) - 1, None)


@given(st.integers(1, 400), st.data())
def test_wilson_is_statsmodels(n: int, data: st.DataObject) -> None:
    right = data.draw(st.integers(0, n))
    expected = proportion_confint(right, n, method="wilson")
    assert wilson(right / n, n) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize(("n", "value", "ends"), [(25, 0.0, (0, 0.133192)), (10, 1.0, (0.722467, 1))])
def test_all_wrong_or_all_right_is_no_certainty(n: int, value: float, ends: tuple[float, float]) -> None:
    got = estimate(np.full(n, value))
    assert (got.low, got.high) == pytest.approx(ends, abs=5e-7)
    assert got.method == "wilson"
    assert got.se is None
    assert "certainty" in got.notes[0]


def test_three_right_of_fifty() -> None:
    got = estimate(np.array([1.0] * 3 + [0.0] * 47))
    assert got.mean == pytest.approx(0.06)
    assert got.se == pytest.approx((0.06 * 0.94 / 49) ** 0.5)


@pytest.mark.parametrize("method", ["t", "wilson", "percentile", "bca"])
def test_nothing_scored_has_no_mean(method: str) -> None:
    got = estimate(np.empty(0), method=method)  # type: ignore[arg-type]
    assert (got.n, got.mean, got.se, got.low, got.high) == (0, None, None, None, None)


def test_one_question_has_no_spread() -> None:
    got = estimate(np.array([0.5]))
    assert (got.mean, got.se, got.low) == (0.5, None, None)
    assert estimate(np.array([0.5]), method="bca").notes == ("one question: no interval",)
    assert estimate(np.array([1.0])).low == pytest.approx(wilson(1, 1)[0])


def test_equal_partial_points_are_flagged() -> None:
    got = estimate(np.full(9, 0.25))
    assert (got.low, got.high, got.degenerate) == (0.25, 0.25, True)


@given(st.lists(st.tuples(POINTS, st.integers(0, 5)), min_size=6, max_size=40))
def test_clusters_are_statsmodels(drawn: list[tuple[float, int]]) -> None:
    values = np.array([value for value, _ in drawn])
    _, clusters = np.unique([cluster for _, cluster in drawn], return_inverse=True)
    groups = int(clusters.max()) + 1
    if groups < 2:
        return
    model = sm.OLS(values, np.ones(len(values)))
    plain = model.fit(cov_type="cluster", cov_kwds={"groups": clusters, "use_correction": False})
    assert cluster_standard_error(values, clusters) == pytest.approx(plain.bse[0], abs=1e-12)
    corrected = cluster_standard_error(values, clusters, "CR1")
    assert corrected == pytest.approx(plain.bse[0] * (groups / (groups - 1)) ** 0.5, abs=1e-12)


def test_the_design_effect_may_fall_below_one() -> None:
    values = np.array([1.0, 0.0, 1.0, 0.0, 0.0, 1.0, 1.0, 1.0])
    got = estimate(values, np.array([0, 0, 1, 1, 2, 2, 3, 3]))
    assert got.design_effect is not None
    assert 0 < got.design_effect < 1
    assert (got.df, got.clusters) == (3, 4)
    assert got.se is not None
    assert got.naive_se is not None
    assert got.design_effect == pytest.approx((got.se / got.naive_se) ** 2)


def test_one_cluster_says_nothing() -> None:
    got = estimate(np.array([1.0, 0.0, 1.0]), np.zeros(3, dtype=np.int64))
    assert (got.low, got.high, got.notes) == (None, None, ("one cluster: no interval",))


def test_differences_never_get_wilson() -> None:
    got = t_estimate(np.zeros(5))
    assert (got.method, got.low, got.high, got.degenerate) == ("t", 0.0, 0.0, True)


def test_an_unknown_method_is_named() -> None:
    with pytest.raises(AssayError, match="no interval called normal"):
        estimate(np.ones(3), method="normal")  # type: ignore[arg-type]


@pytest.mark.real_data
def test_published_figures(figures, challenge_test, stored_systems, shared_data) -> None:
    from assay.questions.model import Answer
    from assay.scoring.columns import cluster_numbers
    from assay.scoring.points import mark
    from tests.scoring.scoring_cases import arc

    for system, answers in stored_systems.items():
        expected = figures["arc_challenge_test"][system]
        marks = mark(challenge_test, answers)
        got = estimate(100 * marks.points)
        assert (got.n, str(marks.total)) == (expected["n"], expected["points_exact"])
        assert (got.mean, got.se) == pytest.approx((expected["mean"], expected["se"]), abs=1e-10)
        assert [got.low, got.high] == pytest.approx(expected["t95"], abs=1e-10)
        assert marks.counts["right"] == expected["fully_right"]
        assert marks.counts["partial"] == expected["partial"]
        assert marks.counts["wrong"] == expected["zero"]
        assert marks.set_sizes == expected["set_sizes"]
    qasc = arc(shared_data / "qasc/dev.jsonl")
    all_a = mark(qasc, [Answer(q.id, "answered", ("A",)) for q in qasc])
    clusters = cluster_numbers(qasc, "fact1")
    expected = figures["qasc_dev_all_A_clustered_by_fact1"]
    got = estimate(100 * all_a.points, clusters)
    assert (got.n, got.clusters, all_a.counts["right"]) == (926, expected["G"], expected["correct"])
    assert (got.mean, got.se) == pytest.approx((expected["mean"], expected["CR0"]), abs=1e-10)
    assert (got.naive_se, got.design_effect) == pytest.approx(
        (expected["naive_se"], expected["deff_CR0"]), abs=1e-10
    )
    corrected = estimate(all_a.points, clusters, correction="CR1")
    assert corrected.design_effect == pytest.approx(expected["deff_CR1"], abs=1e-10)
    low, high = wilson(121 / 926, 926)
    assert [100 * low, 100 * high] == pytest.approx(expected["wilson"], abs=1e-10)

"""The bootstrap against scipy's, against itself by its two ways, and on data without spread."""

import os

import numpy as np
import pytest
import scipy.stats
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.scoring import bootstrap
from assay.scoring.bootstrap import bootstrap_interval, cluster_table, resampled_totals
from assay.scoring.interval import estimate

MIXED = np.array([1.0] * 40 + [0.5] * 11 + [1 / 3] * 7 + [0.25] * 5 + [0.0] * 57)


@pytest.mark.parametrize(("method", "scipy_method"), [("percentile", "percentile"), ("bca", "BCa")])
def test_ends_are_scipy_s_but_for_drawing(method, scipy_method) -> None:
    got = bootstrap_interval(MIXED, method=method, draws=100_000, seed=3)
    peer = scipy.stats.bootstrap(
        (MIXED,), np.mean, n_resamples=50_000, method=scipy_method, batch=5_000, rng=np.random.default_rng(1)
    )
    assert (got.low, got.high) == pytest.approx(peer.confidence_interval, abs=0.002)
    assert got.se == pytest.approx(peer.standard_error, rel=0.02)


def test_skewed_clusters_are_scipy_s() -> None:
    """A ratio of sums over clusters: scipy resamples the clusters' numbers."""
    generator = np.random.default_rng(5)
    sizes = generator.integers(1, 9, size=60)
    clusters = np.repeat(np.arange(60), sizes)
    values = (generator.random(len(clusters)) < np.repeat(generator.beta(0.5, 2, size=60), sizes)) * 1.0
    sums = np.bincount(clusters, weights=values)

    def mean(total, size, axis=-1):
        return total.sum(axis=axis) / size.sum(axis=axis)

    peer = scipy.stats.bootstrap(
        (sums, sizes), mean, n_resamples=50_000, method="BCa", paired=True, rng=np.random.default_rng(2)
    ).confidence_interval
    got = bootstrap_interval(values, clusters, method="bca", draws=100_000)
    assert (got.low, got.high) == pytest.approx((peer.low, peer.high), abs=0.003)


@pytest.mark.parametrize("value", [0.0, 1.0, 0.25])
@pytest.mark.parametrize("method", ["percentile", "bca"])
def test_no_spread_is_flagged_never_nan(value, method) -> None:
    got = estimate(np.full(10, value), method=method)
    assert (got.low, got.high, got.degenerate, got.se) == (value, value, True, None)
    assert "certainty" in got.notes[-1]


def test_an_extreme_skew_stays_finite() -> None:
    points = np.zeros(3000)
    points[0] = 1
    got = bootstrap_interval(points, method="bca", confidence=0.9999, draws=200)
    assert 0 <= got.low <= got.high <= 1


def test_clusters_of_equal_means_are_degenerate_too() -> None:
    got = estimate(np.array([1.0, 0.0, 0.0, 1.0, 0.0, 1.0]), np.array([0, 0, 1, 1, 2, 2]), method="bca")
    assert (got.low, got.high, got.degenerate) == (0.5, 0.5, True)


def tables():
    generator = np.random.default_rng(11)
    clusters = np.concatenate([np.arange(700), generator.integers(0, 700, size=2000)])
    return cluster_table(generator.choice([0, 1, 1 / 2, 1 / 3], size=(2700, 1)), clusters)


def forced(monkeypatch, common) -> None:
    """0: every class by the multinomial; large: every row one by one; between: both at once."""
    monkeypatch.setattr(bootstrap, "FEW_CLASSES", 0)
    monkeypatch.setattr(bootstrap, "COMMON", common)


def test_all_ways_draw_from_the_same_distribution(monkeypatch) -> None:
    table = tables()
    ways = []
    for common in (0, 8, 10_000):
        forced(monkeypatch, common)
        ways.append(resampled_totals(table, 20_000, common))
    covariance = np.cov(table.T, ddof=0) * len(table)
    for way in ways:
        assert scipy.stats.ks_2samp(*(one[:, 0] / one[:, 1] for one in (way, ways[0]))).pvalue > 0.001
        assert way.mean(axis=0) == pytest.approx(table.sum(axis=0), rel=0.002)
        assert np.cov(way.T) == pytest.approx(covariance, rel=0.06)


@pytest.mark.parametrize("common", [0, 10_000])
def test_rows_are_drawn_evenly_and_draws_apart(monkeypatch, common) -> None:
    """Each row of an identity table counts itself: binomial counts, independent from draw to draw."""
    forced(monkeypatch, common)
    counts = resampled_totals(np.eye(50), 4_000, 9)
    assert np.all(counts.sum(axis=1) == 50)
    assert scipy.stats.chisquare(counts.sum(axis=0)).pvalue > 0.001
    assert counts.var(axis=0) == pytest.approx(np.full(50, 50 * 0.02 * 0.98), rel=0.15)
    neighbours = np.corrcoef(counts[:-1].ravel(), counts[1:].ravel())[0, 1]
    assert abs(neighbours) < 0.01


@pytest.mark.parametrize("common", [0, 8, 10_000])
def test_same_seed_same_bytes_on_one_core_and_many(monkeypatch, common) -> None:
    forced(monkeypatch, common)
    table = tables()
    once = resampled_totals(table, 1000, 4)
    monkeypatch.setattr(os, "sched_getaffinity", lambda pid: {0})
    assert resampled_totals(table, 1000, 4).tobytes() == once.tobytes()
    assert resampled_totals(table, 1000, 5).tobytes() != once.tobytes()


@settings(max_examples=30)
@given(st.lists(st.sampled_from([0.0, 0.25, 0.5, 1.0]), min_size=1, max_size=12), st.sampled_from([2, 50]))
def test_ends_stay_within_the_data(drawn, draws) -> None:
    for method in ("percentile", "bca"):
        got = bootstrap_interval(np.array(drawn), method=method, draws=draws)
        assert min(drawn) - 1e-12 <= got.low <= got.high <= max(drawn) + 1e-12

"""Tags that come together, taken apart: beside statsmodels, and where a plain difference misleads."""

from __future__ import annotations

import numpy as np
import pytest
import statsmodels.api as sm

from assay.scoring.breakdown import breakdown, corrected
from assay.scoring.columns import column
from assay.scoring.held_equal import held_equal
from tests.scoring.scoring_cases import question


def drawn(seed: int, n: int = 300) -> tuple[np.ndarray, dict[str, np.ndarray]]:
    draw = np.random.default_rng(seed)
    first = draw.random(n) < 0.7
    second = draw.random(n) < np.where(first, 0.8, 0.2)
    third = draw.random(n) < 0.3
    points = draw.choice([0.0, 0.5, 1.0], n)
    return points, {"first": first, "second": second, "third": third}


@pytest.mark.parametrize("seed", range(5))
def test_it_is_least_squares_with_robust_errors(seed: int) -> None:
    points, tags = drawn(seed)
    design = sm.add_constant(np.column_stack(list(tags.values())).astype(float))
    fitted = sm.OLS(points, design).fit(cov_type="HC3", use_t=True)
    found = held_equal(points, tags)
    assert list(found) == list(tags)
    for place, one in enumerate(found.values(), 1):
        assert one.difference == pytest.approx(fitted.params[place])
        assert one.se == pytest.approx(fitted.bse[place])
        assert one.p == pytest.approx(fitted.pvalues[place])
        assert (one.low, one.high) == pytest.approx(tuple(fitted.conf_int()[place]))
        assert one.df == 296


def test_clusters_stand_or_fall_together() -> None:
    points, tags = drawn(9)
    clusters = np.arange(300) // 3
    design = sm.add_constant(np.column_stack(list(tags.values())).astype(float))
    how = {"groups": clusters, "use_correction": False, "df_correction": True}
    fitted = sm.OLS(points, design).fit(cov_type="cluster", cov_kwds=how, use_t=True)
    for place, one in enumerate(held_equal(points, tags, clusters).values(), 1):
        assert one.se == pytest.approx(fitted.bse[place])
        assert one.p == pytest.approx(fitted.pvalues[place])
        assert one.df == 99


def test_a_tag_that_only_comes_along_is_told_from_the_one_that_matters() -> None:
    draw = np.random.default_rng(3)
    hard = draw.random(2000) < 0.5
    along = np.where(hard, draw.random(2000) < 0.9, draw.random(2000) < 0.1)
    points = (draw.random(2000) < np.where(hard, 0.2, 0.6)).astype(float)
    assert points[along].mean() - points[~along].mean() < -0.25
    found = held_equal(points, {"hard": hard, "along": along})
    assert abs(found["along"].difference) < 0.07
    assert found["hard"].high < -0.25


def test_tags_that_cant_be_told_apart_have_no_entry() -> None:
    points, tags = drawn(1)
    rare = np.arange(300) < 29
    every = np.ones(300, dtype=bool)
    found = held_equal(points, {**tags, "same": tags["first"], "rare": rare, "every": every, "none": ~every})
    assert list(found) == ["first", "second", "third"]
    assert held_equal(points, {"first": tags["first"]}) == {}
    assert held_equal(points[:20], {name: inside[:20] for name, inside in tags.items()}) == {}
    assert held_equal(np.array([]), {"a": np.array([], dtype=bool), "b": np.array([], dtype=bool)}) == {}


def test_a_breakdown_by_overlapping_tags_has_it_and_one_by_grades_not() -> None:
    points, tags = drawn(4)
    several = [
        question(n, tags={"kind": tuple(name for name, inside in tags.items() if inside[n])})
        for n in range(300)
    ]
    (found,) = corrected([breakdown("s", points, column(several, "kind"))])
    plain = held_equal(points, tags)
    assert {group.group: group.held_equal for group in found.groups if group.held_equal} == plain
    assert all(group.held_equal_holm is not None for group in found.groups if group.held_equal)
    # Where nearly every question has one tag, there is nothing to hold equal.
    single = [question(n, tags={"kind": ("a", "b") if n < 140 else ("c",)}) for n in range(300)]
    assert all(group.held_equal is None for group in breakdown("s", points, column(single, "kind")).groups)
    grades = [question(n, metadata={"grade": str(n % 3)}) for n in range(300)]
    assert all(group.held_equal is None for group in breakdown("s", points, column(grades, "grade")).groups)

"""The gate on what lies above chance."""

import numpy as np
import pytest

from assay.errors import AssayError
from assay.scoring.gates import fail_above
from assay.scoring.interval import t_estimate

TEN = t_estimate(np.array([0.3, -0.1] * 50))  # 10 points above chance, +- 4


def test_by_the_lower_end_or_the_points() -> None:
    assert TEN.mean == pytest.approx(0.1)
    assert fail_above("s", TEN, 7).passed
    assert not fail_above("s", TEN, 5).passed
    assert not fail_above("s", TEN, 7, "score").passed
    assert fail_above("s", TEN, 10, "score").passed
    assert "> 5 (n = 100)" in fail_above("s", TEN, 5).what


def test_without_an_interval_the_points_count() -> None:
    one = t_estimate(np.array([0.5]))
    assert not fail_above("s", one, 49).passed
    assert not fail_above("s", t_estimate(np.empty(0)), 49).passed


@pytest.mark.parametrize("points", [-1, 101, float("nan")])
def test_points_that_cant_be_meant(points) -> None:
    with pytest.raises(AssayError, match="within 0 and 100"):
        fail_above("s", TEN, points)

"""Search, bound and programme against every assignment of small instances."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from assay.construction.folds.bound import _Cap, _cap, _factor_error, _lowered, cut_bound
from assay.construction.folds.program import judged
from assay.construction.folds.search import search
from assay.construction.folds.sizes import FoldSizes, fold_sizes
from assay.construction.folds.split import SplitSettings, split_groups
from assay.errors import AssayError
from tests.construction.folds.fold_cases import graph_of, instances, smallest_cut

QUICK = {"walks": 2, "steps": 400}
RING = graph_of(6, {(a, (a + 1) % 6) if a < 5 else (0, 5): 10_000 for a in range(6)})
ONES = np.ones(6, dtype=np.int64)


def some(names: str, targets: list[int], off: int = 0) -> FoldSizes:
    low = tuple(max(1, size - off) for size in targets)
    return FoldSizes(tuple(names), tuple(targets), low, tuple(size + off for size in targets))


@settings(max_examples=30)
@given(instances())
def test_bound_at_most_optimum_at_most_found(instance) -> None:
    graph, weights, sizes = instance
    best = smallest_cut(graph, weights, sizes)
    bound = cut_bound(graph, weights, sizes).bound
    found = search(graph, weights, sizes, walks=2, steps_per_group=400)
    if best is None:
        assert found is None
        return
    assert 0 <= bound <= best
    if found is not None:
        held = np.bincount(found.fold, weights=weights, minlength=len(sizes.names)).astype(int)
        assert sizes.allow(held.tolist())
        assert graph.cut(found.fold) == found.cut >= best


@settings(max_examples=8)
@given(instances())
def test_the_solver_proves_small_instances_or_says_that_none_exists(instance) -> None:
    pytest.importorskip("ortools", reason="needs the extra 'folds'")
    graph, weights, sizes = instance
    best = smallest_cut(graph, weights, sizes)
    if best is None:
        with pytest.raises(AssayError, match=r"no folds of these sizes exist|no fold may hold"):
            split_groups(graph, weights, sizes, SplitSettings(**QUICK))
        return
    made = split_groups(graph, weights, sizes, SplitSettings(**QUICK))
    assert made.status == "optimal"
    assert made.cut == made.bound == best == graph.cut(made.fold)


@given(
    st.lists(st.tuples(st.integers(1, 9), st.integers(0, 4)), min_size=2, max_size=4),
    st.data(),
)
def test_the_cap_is_above_the_spread_of_all_allowed_sizes(ranges, data) -> None:
    low_high = [(low, low + more) for low, more in ranges]
    sizes = [data.draw(st.integers(low, high)) for low, high in low_high]
    total, q = sum(sizes), len(sizes)
    cap = _cap(low_high, total, nodes=1)
    spread = (q * sum(size * size for size in sizes) / total**2 - 1) / (q - 1)
    assert cap == _Cap(q, cap.most)
    assert cap.most >= spread - 1e-9


def test_the_bound_of_two_cliques_with_one_edge_says_something() -> None:
    """Halves of a barbell: the best cut is the bridge; a linear relaxation would say 0."""
    cliques = {(a, b): 1000 for a in range(10) for b in range(a + 1, 10)}
    cliques |= {(a + 10, b + 10): 1000 for (a, b) in list(cliques)}
    graph = graph_of(20, cliques | {(0, 10): 5000})
    bound = cut_bound(graph, np.ones(20, dtype=np.int64), some("ab", [10, 10]))
    assert 2500 < bound.bound <= 5000


def test_a_ring_in_three_thirds_is_cut_three_times_whatever_the_cores(monkeypatch) -> None:
    sizes = some("abc", [2, 2, 2])
    first = search(RING, ONES, sizes, walks=4, steps_per_group=500)
    monkeypatch.setattr("os.sched_getaffinity", lambda _: {0})
    again = search(RING, ONES, sizes, walks=4, steps_per_group=500)
    assert first is not None
    assert again is not None
    assert first.cut == 30_000
    assert (first.fold == again.fold).all()
    assert first.walk == again.walk


def test_folds_without_edges_are_optimal_without_a_solver() -> None:
    made = split_groups(graph_of(6, {}), ONES, some("ab", [3, 3]), SplitSettings(solver="none", **QUICK))
    assert (made.status, made.cut, made.gap) == ("optimal", 0, 0.0)


def test_a_time_limit_that_ends_the_work_is_marked_and_never_optimal() -> None:
    """pulp 649: stopped by the clock with folds in hand is not optimal."""
    rng = np.random.default_rng(1)
    edges = {(int(a), int(b)): 10_000 for a, b in rng.integers(0, 300, (3000, 2)) if a < b}
    weights = rng.integers(1, 16, 300)
    sizes = fold_sizes("train=78,dev=11,test=11", int(weights.sum()))
    made = split_groups(
        graph_of(300, edges), weights, sizes, SplitSettings(solver="none", seconds=1.0, walks=1000)
    )
    assert made.status == "feasible, time limit"
    assert made.gap > 0


def test_no_folds_before_the_time_limit_is_an_error(monkeypatch) -> None:
    """pulp 876: no incumbent is no solution, and nothing is optimal."""
    weights = np.full(400, 7, dtype=np.int64)
    weights[0] = 5
    sizes = some("ab", [int(weights.sum()) - 705, 705])
    with pytest.raises(AssayError, match="no solution found"):
        split_groups(graph_of(400, {(0, 1): 9}), weights, sizes, SplitSettings(seconds=0.001, solver="none"))


@pytest.mark.parametrize(
    ("raw", "values", "said"),
    [
        ("OPTIMAL", [[1, 0], [-1, 2]], "another value"),  # scipy 22812
        ("OPTIMAL", [[1, 0], [0.5, 0.5]], "another value"),
        ("FEASIBLE", [[1, 1], [0, 1]], "no fold or in several"),
        ("FEASIBLE", [[1, 0], [1, 0]], "sizes are outside"),
        ("OPTIMAL", None, "gives no folds"),
        ("MODEL_INVALID", None, "isn't known: MODEL_INVALID"),  # or-tools 5016
    ],
)
def test_a_solver_is_not_taken_at_its_word(raw, values, said) -> None:
    with pytest.raises(AssayError, match=said):
        judged(
            raw, values, graph_of(2, {(0, 1): 5}), np.ones(2, dtype=np.int64), some("ab", [1, 1]), 0, False
        )


def test_an_unknown_status_with_folds_that_stand_the_check_is_feasible() -> None:
    solved = judged(
        "SOLVED?", [[1, 0], [0, 1]], graph_of(2, {}), np.ones(2, dtype=np.int64), some("ab", [1, 1]), 0, False
    )
    assert (solved.status, solved.raw) == ("feasible", "SOLVED?")


def test_optimal_with_a_bound_below_the_cut_is_feasible() -> None:
    solved = judged(
        "OPTIMAL",
        [[1, 0], [0, 1]],
        graph_of(2, {(0, 1): 5}),
        np.ones(2, dtype=np.int64),
        some("ab", [1, 1]),
        4,
        False,
    )
    assert solved.status == "feasible"


def test_a_group_too_large_says_what_to_change() -> None:
    weights = np.array([90, 5, 5], dtype=np.int64)
    with pytest.raises(AssayError, match="one group has 90 of the 100 questions") as raised:
        split_groups(
            graph_of(3, {}), weights, fold_sizes("a=50,b=50", 100), SplitSettings(solver="none", **QUICK)
        )
    assert "--slack" in str(raised.value.hint)


def test_sizes_that_no_groups_reach_say_how_far_the_nearest_are() -> None:
    pytest.importorskip("ortools", reason="needs the extra 'folds'")
    weights = np.array([40, 40, 20], dtype=np.int64)
    with pytest.raises(AssayError, match="the nearest sizes are 10 questions off") as raised:
        split_groups(graph_of(3, {}), weights, fold_sizes("a=50,b=50", 100), SplitSettings(**QUICK))
    assert "10 percent" in str(raised.value.hint)


def test_more_folds_than_groups() -> None:
    with pytest.raises(AssayError, match="3 folds, but only 1 group that"):
        split_groups(graph_of(1, {}), np.array([9]), some("abc", [3, 3, 3]), SplitSettings(solver="none"))


@given(st.integers(3, 5000), st.fractions(0, 30))
@example(1, Fraction(1))
def test_sizes_sum_and_lie_within_the_slack(total: int, slack: Fraction) -> None:
    try:
        sizes = fold_sizes("train=78,dev=11,test=11", total, slack)
    except AssayError as error:
        assert "would hold none" in str(error)  # noqa: PT017
        return
    assert sum(sizes.targets) == sizes.total == total
    for share, low, target, high in zip((78, 11, 11), sizes.low, sizes.targets, sizes.high, strict=True):
        assert low >= 1
        assert low <= max(1, target) <= max(1, high)
        exact = Fraction(share * total, 100)
        assert high <= exact + max(slack * total / 100, 1)
        assert low >= exact - max(slack * total / 100, 1)


def test_shares_of_a_hundred_questions_are_shares() -> None:
    sizes = fold_sizes("train=78,dev=11,test=11", 100)
    assert (sizes.low, sizes.targets, sizes.high) == ((77, 10, 10), (78, 11, 11), (79, 12, 12))
    assert fold_sizes("train=78.5,dev=21.5", 100, Fraction(0)).targets == (79, 21)


@pytest.mark.parametrize(
    ("wanted", "said"),
    [
        ("train=78,dev=11,test=12", "sum to 101: neither to 100"),
        ("train=78", "at least two folds"),
        ("train,dev=22", "'train' is no fold with its size"),
        ("a=50,a=50", "given twice"),
        ("a=half,b=50", "must be a number. Got 'half'"),
        ("a=1e999999999,b=50", "must be a number. Got '1e999999999'"),
        ("a=1/0,b=50", "must be a number. Got '1/0'"),
        ("a=0,b=100", "more than 0"),
        ("a=-50,b=150", "more than 0"),
        ("../a=50,b=50", "can't be the name of a file"),
        ("a=99.9,b=0.1", "fold b would hold none"),
    ],
)
def test_folds_that_cannot_be_meant(wanted: str, said: str) -> None:
    with pytest.raises(AssayError, match=said):
        fold_sizes(wanted, 300, Fraction(0))


def test_counts_have_no_slack_unless_it_is_said() -> None:
    assert fold_sizes("train=3370,dev=869,test=3548", 7787).high == (3370, 869, 3548)
    assert fold_sizes("train=3370,dev=869,test=3548", 7787, Fraction(1)).high == (3447, 946, 3625)


def test_a_factor_that_exists_proves_no_more_than_its_rounding() -> None:
    """A singular matrix is taken for definite only with a shift, and what is added covers the error."""
    draw = np.random.default_rng(3)
    half = draw.normal(size=(60, 20))
    matrix = half @ half.T
    lowest = np.linalg.eigvalsh(matrix)[0]
    error = _factor_error(matrix)
    assert _lowered(matrix.copy(), 1.0) + error > -lowest
    assert 0 < error < 1e-10 * matrix.trace()

"""The best support graph against every set of links tried."""

import random
from collections.abc import Iterator
from dataclasses import replace
from types import SimpleNamespace

import pytest

from assay.solvers.support_graphs.bounds import Bounds
from assay.solvers.support_graphs.integer_program import IntegerProgram, Solved, solve
from assay.solvers.support_graphs.problem import (
    Cell,
    CellLink,
    ChoiceLink,
    Limits,
    Problem,
    TermLink,
    on_rows,
    pruned,
)
from assay.solvers.support_graphs.search import best_graph
from tests.solvers.support_graphs.exhaustive import best, chained_problem, random_problem, value

ENOUGH = 10**9
WORLDS = 400


def test_the_optimum_is_the_best_of_all_sets_of_links() -> None:
    with_graph = across = 0
    for seed in range(WORLDS):
        world = random_problem if seed % 2 else chained_problem
        problem = world(random.Random(seed))
        found = best_graph(problem, ENOUGH, 1000)
        assert found.gain == best(problem), seed
        assert found.status == ("infeasible" if found.gain is None else "optimal")
        if found.gain is not None:
            assert value(problem, found.links) == found.gain
            with_graph += 1
            across += any(isinstance(link, CellLink) for link in found.links)
    assert with_graph > 200
    assert across > 80


def test_pruning_leaves_the_graphs_as_they_are() -> None:
    smaller = 0
    for seed in range(100):
        problem = random_problem(random.Random(1000 + seed), links=8)
        assert best(pruned(problem)) == best(problem)
        smaller += len(pruned(problem).terms) < len(problem.terms)
    assert smaller > 20


def test_no_graph_exceeds_the_bound_of_its_rows() -> None:
    tried = 0
    for seed in range(100):
        draw = random.Random(2000 + seed)
        problem = pruned(random_problem(draw, links=9))
        if not problem.choices:
            continue
        bounds = Bounds(problem)
        state = bounds.nothing()
        for row in draw.sample(range(len(bounds.rows)), len(bounds.rows)):
            added, apart = bounds.added(state)
            state = bounds.joined(state, row, int(added[row]), apart=bool(apart[row]))
            gain = exactly_on(problem, {bounds.rows[one] for one in state.chosen})
            assert gain is None or gain <= state.bound
            tried += gain is not None
    assert tried > 50


def exactly_on(problem: Problem, rows: set[int]) -> int | None:
    """The best graph that has all these rows and no other."""
    most = 10**6
    needed = replace(problem.limits, row_cost=problem.limits.row_cost - most)
    gain = best(replace(on_rows(problem, rows), limits=needed))
    if gain is None or gain < most * len(rows) - most // 2:
        return None
    return gain - most * len(rows)


A, B, C, D, E, F = (Cell(row, column) for row in range(3) for column in range(2))
WORLD = Problem(
    rows=(0, 1, 2),
    column_gains=(500, 500, 500),
    term_gains=(300, 300, 300),
    which_gains=(0, 0, 0),
    terms=(TermLink(0, A, 1000), TermLink(1, C, 1000), TermLink(2, E, 1000)),
    headers=(),
    choices=(ChoiceLink(None, B, 1000),),
    cells=(CellLink(D, F, 900),),
    limits=Limits(table_cost=100, row_cost=100),
)


def test_rows_that_only_lead_to_each_other_are_no_support() -> None:
    """Rows 1 and 2 are tied to terms and to each other, and gain; nothing ties them to the choice."""
    found = best_graph(WORLD, ENOUGH, 1000)
    assert {link.cell for link in found.links} == {A, B}
    assert found.gain == 1000 + 300 + 1000 + 2 * 500 - 200
    joined = replace(WORLD, cells=(*WORLD.cells, CellLink(B, D, 900)))
    assert best_graph(joined, ENOUGH, 1000).gain == found.gain + 2 * (1000 + 300 + 900 + 2 * 500 - 200)


def test_a_constraint_is_added_where_rows_don_t_lead_to_the_choice() -> None:
    """Four rows in two pairs, choice words at one pair only: the first solution joins the wrong ones."""
    cells = [Cell(row, column) for row in range(4) for column in range(2)]
    problem = Problem(
        rows=(0, 1, 2, 3),
        column_gains=(0,) * 4,
        term_gains=(300,) * 4,
        which_gains=(0,) * 4,
        terms=tuple(TermLink(row, cells[2 * row], 2000) for row in range(4)),
        headers=(),
        choices=(ChoiceLink(0, cells[1], 500), ChoiceLink(1, cells[3], 500)),
        cells=(
            CellLink(cells[5], cells[7], 5000), CellLink(cells[1], cells[5], 100),
            CellLink(cells[3], cells[7], 100), CellLink(cells[1], cells[3], 4000),
        ),
        limits=Limits(table_cost=100, row_cost=100),
    )  # fmt: skip
    asked = []

    def counted(program: IntegerProgram, nodes: int):
        asked.append(program)
        return solve(program, nodes)

    found = best_graph(problem, ENOUGH, 1000, counted)
    assert found.gain == best(problem)
    assert len({id(program) for program in asked}) < len(asked), "no programme was solved again"


def test_a_limit_that_is_hit_is_said() -> None:
    hit = 0
    for seed in range(60):
        problem = random_problem(random.Random(seed), links=14)
        whole, short = best_graph(problem, ENOUGH, 1000), best_graph(problem, 1, 1000)
        if short.status == "feasible, limit hit":
            hit += 1
            assert value(problem, short.links) == short.gain <= whole.gain
        elif short.status == "optimal":
            assert short.gain == whole.gain
        elif short.status == "no solution found: limit hit":
            hit += 1
            assert short.gain is None
    assert hit > 5


def hard() -> IntegerProgram:
    """Choose subsets of equal sums: more than the root node."""
    draw, program = random.Random(3), IntegerProgram()
    numbers = [draw.randrange(10**5, 10**6) for _ in range(60)]
    variables = [program.variable(number) for number in numbers]
    for _ in range(12):
        weights = [draw.randrange(10**4, 10**5) for _ in numbers]
        program.constrain(zip(variables, weights, strict=True), most=sum(weights) // 3)
    return program


def test_the_node_limit_of_the_solver_is_said() -> None:
    first = solve(hard(), 1)
    assert first.status in ("feasible, limit hit", "no solution found: limit hit")
    assert solve(hard(), 1) == first


def test_what_has_no_solution_is_infeasible() -> None:
    program = IntegerProgram()
    one = program.variable(5)
    program.constrain([(one, 2)], 1, 1)
    assert solve(program, 10).status == "infeasible"
    assert solve(IntegerProgram(), 10).status == "infeasible"


@pytest.mark.parametrize("values", [[-1.0, 1.0], [0.5, 1.0], [2.0, 0.0], [1.0, 1.0]])
def test_a_solution_that_is_none_is_not_believed(values: list[float]) -> None:
    """The solver's word is checked: bounds broken, fractions, or a constraint that doesn't hold."""
    import numpy as np

    from assay.solvers.support_graphs.integer_program import checked

    program = IntegerProgram()
    both = program.variable(1), program.variable(1)
    program.constrain([(one, 1) for one in both], most=1)
    with pytest.raises(ArithmeticError, match="HiGHS"):
        checked(program, np.array(values))
    assert checked(program, np.array([1.0, 1e-9])) == (frozenset({0}), 1)


@pytest.mark.parametrize(
    ("status", "message", "values", "said", "found"),
    [
        (0, "Optimal", [1.0, 0.0], "optimal", 1),
        (0, "Optimal", [-1.0, 1.0], "no solution found: HiGHS: a value that is neither 0 nor 1", None),
        (0, "Optimal", [1.0, 1.0], "no solution found: HiGHS: a constraint doesn't hold", None),
        (1, "Node limit reached", [1.0, 0.0], "feasible, limit hit", 1),
        (1, "Time limit reached", None, "no solution found: limit hit", None),
        (4, "(HiGHS Status 14: solution limit reached)", [1.0, 0.0], "feasible, limit hit", 1),
        (2, "Infeasible", None, "infeasible", None),
        (4, "(HiGHS Status 99: Sideways)", None, "no solution found: (HiGHS Status 99: Sideways)", None),
        (4, "(HiGHS Status 99: Sideways)", [1.0, 0.0], "feasible: (HiGHS Status 99: Sideways)", 1),
        (7, "what is this", None, "no solution found: what is this", None),
    ],
)
def test_whatever_the_solver_says_becomes_a_status_and_the_run_goes_on(
    monkeypatch: pytest.MonkeyPatch,
    status: int,
    message: str,
    values: list[float] | None,
    said: str,
    found: int | None,
) -> None:
    """Never optimal but by HiGHS's own word and a solution that holds (field reports I01 to I07)."""
    import numpy as np
    import scipy.optimize

    program = IntegerProgram()
    both = program.variable(1), program.variable(1)
    program.constrain([(one, 1) for one in both], most=1)
    given = SimpleNamespace(status=status, message=message, x=None if values is None else np.array(values))
    monkeypatch.setattr(scipy.optimize, "milp", lambda **_: given)
    solved = solve(program, 10)
    assert solved.status.startswith(said)
    assert solved.value == found


def test_a_solver_that_fails_on_a_part_leaves_the_best_of_the_rest_and_its_word() -> None:
    """Every other programme comes back with an unknown status: what is found stands, never as optimal."""
    seen = set()
    for seed in range(40):
        problem = random_problem(random.Random(seed))
        calls = iter(range(10**6))

        def failing(program: IntegerProgram, nodes: int, calls: Iterator[int] = calls) -> Solved:
            return Solved("no solution found: sideways") if next(calls) % 2 == 0 else solve(program, nodes)

        right, found = best_graph(problem, ENOUGH, 1000), best_graph(problem, ENOUGH, 1000, failing)
        if found.gain != right.gain:
            assert found.gain is None or (right.gain is not None and found.gain < right.gain)
            begun = "no solution found" if found.gain is None else "feasible"
            assert found.status == f"{begun}: sideways"
        seen.add(found.status)
    assert {"no solution found: sideways", "feasible: sideways"} <= seen

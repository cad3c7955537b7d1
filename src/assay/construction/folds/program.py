"""The integer programme of the split, solved by CP-SAT: feasibility, proofs, and better folds from a start.

Minimise the sum of s_ab y_ab subject to: each group in exactly one fold; each fold's questions within its
range; y_ab >= x_af - x_bf for every edge ab and fold f (Khot et al. 2020, appendix B).
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any, Literal

import numpy as np

from assay.construction.folds.similarity import Graph, Ints
from assay.construction.folds.sizes import FoldSizes
from assay.errors import AssayError, MissingExtra

Status = Literal["optimal", "feasible", "infeasible", "no solution found"]
_KNOWN: dict[str, Status] = {
    "OPTIMAL": "optimal",
    "FEASIBLE": "feasible",
    "INFEASIBLE": "infeasible",
    "UNKNOWN": "no solution found",
}
NO_EDGES = np.empty(0, dtype=np.int64)


@dataclass(frozen=True, slots=True, eq=False)
class Solved:
    """What the solver ended with. `raw`: its own word; `fold`: int64 (groups,) or None; `bound`: thousandths.

    `timed_out`: it was stopped by the clock, so another run may end otherwise.
    """

    status: Status
    raw: str
    fold: Ints | None
    bound: int
    timed_out: bool


def need_solver(what: str) -> None:
    """Raises MissingExtra where the extra 'folds' (OR-tools) isn't installed."""
    if find_spec("ortools") is None:
        raise MissingExtra(what, "folds")


def solve_program(
    graph: Graph,
    weights: Ints,
    sizes: FoldSizes,
    *,
    start: Ints | None = None,
    least: int = 0,
    effort: float,
    seconds: float | None = None,
    seed: int = 0,
) -> Solved:
    """Solve from `start` (allowed folds, or None), knowing that no cut is below `least` (thousandths).

    `effort` is CP-SAT's deterministic time, the same amount of work on any machine; one worker, so that cores
    change nothing. `seconds`: a limit by the clock as well. Raises AssayError for a status that isn't known
    and folds that fail the check, MissingExtra without OR-tools.
    """
    need_solver("the integer programme of a split")
    from ortools.sat.python import cp_model

    model: Any = cp_model.CpModel()
    places = _placed(model, weights, sizes)
    cut = []
    for a, b, similarity in zip(
        graph.first.tolist(), graph.second.tolist(), graph.similarity.tolist(), strict=True
    ):
        apart = model.new_bool_var("")
        cut.append(similarity * apart)
        for here, there in zip(places[a], places[b], strict=True):
            model.add_bool_or(here.negated(), there, apart)
            model.add_bool_or(there.negated(), here, apart)
        if start is not None:
            model.add_hint(apart, int(start[a] != start[b]))
    if cut:
        model.add(sum(cut) >= least)
        model.minimize(sum(cut))
    if start is not None:
        for row, fold in zip(places, start.tolist(), strict=True):
            for number, place in enumerate(row):
                model.add_hint(place, int(number == fold))
    solver: Any = cp_model.CpSolver()
    raw, timed_out = _run(solver, model, effort, seconds, seed)
    found = None
    if raw in ("OPTIMAL", "FEASIBLE") or raw not in _KNOWN:
        found = _values(solver, places)
    bound = (
        max(least, int(np.ceil(solver.best_objective_bound - 0.5))) if cut and found is not None else least
    )
    return judged(raw, found, graph, weights, sizes, bound, timed_out)


def judged(
    raw: str,
    values: Sequence[Sequence[float]] | None,
    graph: Graph,
    weights: Ints,
    sizes: FoldSizes,
    bound: int,
    timed_out: bool,
) -> Solved:
    """The solver's word checked against its folds: `values` a row a group, 1 for its fold.

    Raises AssayError for values other than 0 and 1, groups in no fold or several, sizes outside their ranges,
    and a word that isn't known unless its folds stand the check.
    """
    status = _KNOWN.get(raw)
    if status is None and values is None:
        raise AssayError(f"the solver ended with a status that isn't known: {raw}", hint="no folds were made")
    if status in ("infeasible", "no solution found"):
        return Solved(status, raw, None, bound, timed_out)
    if values is None:
        raise AssayError(f"the solver says {raw} and gives no folds", hint="no folds were made")
    table = np.asarray(values, dtype=np.float64)
    rounded = np.rint(table)
    if np.abs(table - rounded).max(initial=0) > 1e-6 or not np.isin(rounded, (0, 1)).all():
        raise AssayError(f"the solver says {raw}, but a variable of 0 or 1 has another value")
    if (rounded.sum(axis=1) != 1).any():
        raise AssayError(f"the solver says {raw}, but a group is in no fold or in several")
    fold = rounded.argmax(axis=1).astype(np.int64)
    held = np.bincount(fold, weights=weights, minlength=len(sizes.names)).astype(np.int64)
    if not sizes.allow(held.tolist()):
        raise AssayError(f"the solver says {raw}, but the folds' sizes are outside {sizes.said()}")
    if status == "optimal" and graph.cut(fold) > bound:
        status = "feasible"
    return Solved(status or "feasible", raw, fold, bound, timed_out)


def smallest_slack(weights: Ints, sizes: FoldSizes, effort: float) -> int | None:
    """The fewest questions that some fold must be off its target; None: the effort doesn't show it."""
    need_solver("the smallest slack")
    from ortools.sat.python import cp_model

    model: Any = cp_model.CpModel()
    rows = [[model.new_bool_var("") for _ in sizes.names] for _ in weights]
    most = model.new_int_var(0, sizes.total, "")
    for row in rows:
        model.add_exactly_one(row)
    for fold, target in enumerate(sizes.targets):
        held = sum(int(weight) * row[fold] for weight, row in zip(weights, rows, strict=True))
        model.add(held - target <= most)
        model.add(target - held <= most)
        model.add_bool_or(*(row[fold] for row in rows))
    model.minimize(most)
    solver: Any = cp_model.CpSolver()
    raw, _ = _run(solver, model, effort, None, 0)
    return int(solver.objective_value) if raw == "OPTIMAL" else None


def _placed(model: Any, weights: Ints, sizes: FoldSizes) -> list[list[Any]]:
    rows = [[model.new_bool_var("") for _ in sizes.names] for _ in weights]
    for row in rows:
        model.add_exactly_one(row)
    for fold, (low, high) in enumerate(zip(sizes.low, sizes.high, strict=True)):
        held = sum(int(weight) * row[fold] for weight, row in zip(weights, rows, strict=True))
        model.add_linear_constraint(held, low, high)
    return rows


def _run(solver: Any, model: Any, effort: float, seconds: float | None, seed: int) -> tuple[str, bool]:
    """Run the solver: its word for how it ended, and whether the clock stopped it."""
    solver.parameters.num_workers = 1
    solver.parameters.random_seed = seed % 2**31
    solver.parameters.max_deterministic_time = effort
    if seconds is not None:
        solver.parameters.max_time_in_seconds = max(seconds, 1e-3)
    began = time.monotonic()
    raw = str(solver.status_name(solver.solve(model)))
    ended = raw in ("OPTIMAL", "INFEASIBLE")
    return raw, seconds is not None and not ended and time.monotonic() - began >= 0.9 * seconds


def _values(solver: Any, places: Sequence[Sequence[Any]]) -> list[list[float]] | None:
    try:
        return [[float(solver.value(place)) for place in row] for row in places]
    except (RuntimeError, IndexError):
        return None

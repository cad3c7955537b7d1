"""Groups to folds of given sizes with a small cut: search, then lower bound, then integer programme."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Literal

import numpy as np

from assay.construction.folds.bound import cut_bound
from assay.construction.folds.program import NO_EDGES, Solved, need_solver, smallest_slack, solve_program
from assay.construction.folds.search import STEPS_PER_GROUP, WALKS, search
from assay.construction.folds.similarity import Graph, Ints
from assay.construction.folds.sizes import FoldSizes
from assay.errors import AssayError
from assay.progress import SILENT, Progress
from assay.settings import setting

Status = Literal["optimal", "feasible", "feasible, time limit"]
MOST_EDGES = 20_000
"""Edges that the integer programme is made for unless it is asked for; each is a variable and six clauses."""
FEASIBILITY_EFFORT = 60.0
"""Deterministic time for whether the sizes can be met at all, where no walk met them."""
_SHOWN = 3


@dataclass(frozen=True, slots=True)
class SplitSettings:
    """How folds are looked for. The same settings, the same folds on any machine, unless `seconds`."""

    seed: int = setting(0, "seed of the walks and of the solver", minimum=0)
    walks: int = setting(WALKS, "walks of the search, each from another start", minimum=1)
    steps: int = setting(STEPS_PER_GROUP, "steps of a walk for each group", minimum=1)
    solver: str = setting(
        "auto",
        f"'cp-sat' goes on from the search's folds; 'auto': up to {MOST_EDGES:,} edges, past which it gains "
        "nothing in its time; 'none'",
        one_of=("auto", "cp-sat", "none"),
    )
    effort: float = setting(2.0, "deterministic time of the solver, the same work anywhere", minimum=0.001)
    bound: bool = setting(True, "whether a lower bound on the cut is looked for")
    seconds: float | None = setting(
        None, "limit by the clock: what is found then depends on the machine", minimum=0.001
    )


@dataclass(frozen=True, slots=True, eq=False)
class Split:
    """Folds by group, int64 (groups,); `cut` and `bound` in thousandths; every cut is at least `bound`.

    "optimal": the bound is reached. "feasible": it isn't, and no more was looked for. "feasible, time limit":
    the clock ended it. `found_by`: search or solver; `start`: the search's cut, None where it found none.
    """

    fold: Ints
    cut: int
    bound: int
    bound_by: str
    status: Status
    found_by: str
    start: int | None
    solver_status: str | None

    @property
    def gap(self) -> float:
        """How far the cut may be from the smallest, as a share of it, 0 to 1."""
        return 0.0 if self.cut == 0 else (self.cut - self.bound) / self.cut


def split_groups(
    graph: Graph, weights: Ints, sizes: FoldSizes, settings: SplitSettings, progress: Progress = SILENT
) -> Split:
    """Folds of allowed sizes with the smallest cut found.

    `weights`: questions of each group, int64 (groups,). Raises AssayError where no allowed sizes exist (with
    the slack that some would need) or none were found within the limits, MissingExtra without OR-tools where
    the solver is asked for.
    """
    if settings.solver != "none":
        need_solver("the solver of a split (--set solver=none does without)")
    _check_sizes(weights, sizes)
    deadline = None if settings.seconds is None else time.monotonic() + settings.seconds
    found = search(
        graph, weights, sizes, seed=settings.seed, walks=settings.walks, steps_per_group=settings.steps,
        deadline=deadline, progress=progress,
    )  # fmt: skip
    late = _late(deadline)
    start = None if found is None else found.fold
    if start is None:
        start = allowed_folds(weights, sizes, settings, deadline)
    bound = 0, "none: not looked for"
    if settings.bound and not late and graph.cut(start):
        proved = cut_bound(graph, weights, sizes, progress)
        bound = proved.bound, proved.how
    cut = graph.cut(start)
    solved = None
    wanted = settings.solver == "cp-sat" or (settings.solver == "auto" and len(graph.first) <= MOST_EDGES)
    if wanted and cut > bound[0] and not late:
        with progress.task("integer programme", None, "solved"):
            solved = solve_program(
                graph, weights, sizes, start=start, least=bound[0], effort=settings.effort,
                seconds=_left(deadline), seed=settings.seed,
            )  # fmt: skip
    return _ended(graph, start, found is not None, bound, solved, late)


def _ended(
    graph: Graph, start: Ints, searched: bool, bound: tuple[int, str], solved: Solved | None, late: bool
) -> Split:
    cut = graph.cut(start)
    fold, by = start, "search" if searched else "solver"
    least, how = (0, "no cut is below 0") if cut == 0 else bound
    if solved is not None:
        late = late or solved.timed_out
        if solved.fold is not None and graph.cut(solved.fold) < cut:
            fold, by, cut = solved.fold, "solver", graph.cut(solved.fold)
        if solved.bound > least:
            least, how = solved.bound, "solver"
    if least > cut:
        raise AssertionError(f"a bound of {least} above a cut of {cut}")
    status: Status = "optimal" if cut == least else "feasible, time limit" if late else "feasible"
    return Split(
        fold, cut, least, how, status, by, graph.cut(start) if searched else None,
        None if solved is None else solved.raw,
    )  # fmt: skip


def _check_sizes(weights: Ints, sizes: FoldSizes) -> None:
    if len(weights) < len(sizes.names):
        raise AssayError(
            f"{len(sizes.names)} folds, but only {len(weights)} group{'s' * (len(weights) != 1)} that must "
            "stay together",
            hint="ask for fewer folds (--folds), or group by something finer (--by COLUMN, --by none)",
        )
    largest = int(weights.max())
    if largest > max(sizes.high):
        raise AssayError(
            f"one group has {largest:,} of the {sizes.total:,} questions, and no fold may hold so "
            f"many ({sizes.said()})",
            hint="make a fold larger (--folds), widen --slack, or group by something finer (--by)",
        )


def allowed_folds(
    weights: Ints, sizes: FoldSizes, settings: SplitSettings, deadline: float | None = None
) -> Ints:
    """Folds of allowed sizes by the solver alone, int64 (groups,); AssayError says why there are none."""
    _check_sizes(weights, sizes)
    edgeless = Graph(len(weights), NO_EDGES, NO_EDGES, NO_EDGES)
    solved = None
    if settings.solver != "none":
        solved = solve_program(
            edgeless, weights, sizes, effort=FEASIBILITY_EFFORT, seconds=_left(deadline), seed=settings.seed
        )
        if solved.fold is not None:
            return solved.fold
    if solved is not None and solved.status == "infeasible":
        off = smallest_slack(weights, sizes, FEASIBILITY_EFFORT)
        needed = "" if off is None else f"; the nearest sizes are {off:,} questions off"
        named = ", ".join(f"{size:,}" for size in sorted(weights.tolist(), reverse=True)[:_SHOWN])
        percent = "" if off is None else f" to {100 * off / sizes.total:.3g} percent or more"
        raise AssayError(
            f"no folds of these sizes exist ({sizes.said()}): groups stay whole, and the largest have "
            f"{named} questions{needed}",
            hint=f"widen --slack{percent}, change --folds, or group by something finer (--by)",
        )
    raise AssayError(
        f"no solution found: the limits ended before any folds of the sizes ({sizes.said()}) were met",
        hint="give more --seconds, more --steps, or widen --slack",
    )


def _late(deadline: float | None) -> bool:
    return deadline is not None and time.monotonic() > deadline


def _left(deadline: float | None) -> float | None:
    return None if deadline is None else max(0.001, deadline - time.monotonic())


def sizes_of(fold: Ints, weights: Ints, folds: int) -> list[int]:
    """Questions of each fold."""
    return [int(size) for size in np.bincount(fold, weights=weights, minlength=folds)]

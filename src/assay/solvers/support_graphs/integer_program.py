"""Integer programmes with whole coefficients, solved by HiGHS under a limit that no clock decides.

All weights are whole numbers, so that the value of a solution is exact: no two machines differ in it, and
what is optimal needs no tolerance.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

OPTIMAL, INFEASIBLE = "optimal", "infeasible"
LIMITED, NOT_IN_TIME = "feasible, limit hit", "no solution found: limit hit"
FEASIBLE, NOTHING = "feasible", "no solution found"
"""How a status begins, of a solution and of none, that goes on in the solver's own words."""
LARGEST = 1 << 40
"""No coefficient may be larger: floats then hold every sum exactly."""
NEARLY = 1e-5
"""A value further than this from 0 and 1 is no solution, whatever the solver calls it."""


class IntegerProgram:
    """Maximise a sum over variables of 0 or 1, under linear constraints; coefficients are whole."""

    def __init__(self) -> None:
        self.gains: list[int] = []
        self.follows: list[bool] = []
        self._rows: list[tuple[Sequence[tuple[int, int]], int | None, int | None]] = []

    def variable(self, gain: int = 0, *, follows: bool = False) -> int:
        """A new variable's number. `follows`: in an optimum its value is 0 or 1 once the others' are."""
        if abs(gain) > LARGEST:
            raise ValueError("a gain is too large")
        self.gains.append(gain)
        self.follows.append(follows)
        return len(self.gains) - 1

    def constrain(
        self, terms: Iterable[tuple[int, int]], least: int | None = None, most: int | None = None
    ) -> None:
        """least <= sum of coefficient * variable <= most, for terms of (variable, coefficient)."""
        self._rows.append((tuple(terms), least, most))

    def value(self, chosen: Iterable[int]) -> int:
        """The sum over the chosen variables."""
        return sum(self.gains[variable] for variable in chosen)

    def broken(self, chosen: Iterable[int]) -> bool:
        """Whether a constraint doesn't hold when exactly these variables are 1."""
        ones = set(chosen)
        for terms, least, most in self._rows:
            total = sum(coefficient for variable, coefficient in terms if variable in ones)
            if (least is not None and total < least) or (most is not None and total > most):
                return True
        return False

    def matrix(self) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.int32], npt.NDArray[np.int32]]:
        """The constraints' coefficients, by rows: values, their columns, and where each row starts."""
        values = np.fromiter((c for terms, _, _ in self._rows for _, c in terms), np.float64)
        columns = np.fromiter((v for terms, _, _ in self._rows for v, _ in terms), np.int32)
        starts = np.cumsum([0, *(len(terms) for terms, _, _ in self._rows)], dtype=np.int32)
        return values, columns, starts

    def limits(self) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
        """The constraints' lower and upper limits."""
        least = np.array([-np.inf if low is None else low for _, low, _ in self._rows], np.float64)
        most = np.array([np.inf if high is None else high for _, _, high in self._rows], np.float64)
        return least, most


@dataclass(frozen=True, slots=True)
class Solved:
    """What came out: the chosen variables and their sum where there is a solution, and what it is.

    `status`: one of the above.
    """

    status: str
    chosen: frozenset[int] = frozenset()
    value: int | None = None


def solve(program: IntegerProgram, nodes: int) -> Solved:
    """A best solution, by HiGHS through SciPy, within so many nodes of branch and bound.

    A solution is checked in whole numbers before it is believed. Where the solver says what isn't known
    here, or calls something a solution that is none, the status says so.
    """
    from scipy.optimize import Bounds, LinearConstraint, milp
    from scipy.sparse import csr_array

    size = len(program.gains)
    if not size:
        return Solved(INFEASIBLE)
    least, most = program.limits()
    matrix = csr_array(program.matrix(), shape=(len(least), size))
    result = milp(
        c=-np.array(program.gains, np.float64),
        integrality=np.array([0 if follows else 1 for follows in program.follows]),
        bounds=Bounds(0, 1),
        constraints=LinearConstraint(matrix, least, most),
        options={"node_limit": nodes, "mip_rel_gap": 0.0},
    )
    return _read(program, result.status, str(result.message), result.x)


def _read(
    program: IntegerProgram, status: int, message: str, values: npt.NDArray[np.float64] | None
) -> Solved:
    """What SciPy's status, HiGHS's message and the values come to."""
    limited = status == 1 or (status == 4 and "limit" in message.lower())
    if values is None:
        if status == 2:
            return Solved(INFEASIBLE)
        return Solved(NOT_IN_TIME if limited else f"{NOTHING}: {message}")
    try:
        chosen, value = checked(program, values)
    except ArithmeticError as error:
        return Solved(f"{NOTHING}: {error}")
    some = LIMITED if limited else f"{FEASIBLE}: {message}"
    return Solved(OPTIMAL if status == 0 else some, chosen, value)


def checked(program: IntegerProgram, values: npt.NDArray[np.float64]) -> tuple[frozenset[int], int]:
    """The chosen variables and their sum. Raises ArithmeticError where the values are no solution."""
    rounded = np.rint(values)
    if (np.abs(values - rounded) > NEARLY).any() or rounded.min() < 0 or rounded.max() > 1:
        raise ArithmeticError("HiGHS: a value that is neither 0 nor 1 in what it calls a solution")
    chosen = frozenset(np.flatnonzero(rounded).tolist())
    if program.broken(chosen):
        raise ArithmeticError("HiGHS: a constraint doesn't hold in what it calls a solution")
    return chosen, program.value(chosen)

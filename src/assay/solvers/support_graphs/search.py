"""The best support graph of a problem: the problem as an integer programme, solved, and read back."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from assay.solvers.support_graphs.bounds import Bounds, State
from assay.solvers.support_graphs.integer_program import (
    FEASIBLE,
    INFEASIBLE,
    LIMITED,
    NOT_IN_TIME,
    NOTHING,
    OPTIMAL,
    IntegerProgram,
    Solved,
    solve,
)
from assay.solvers.support_graphs.problem import (
    Cell,
    CellLink,
    ChoiceLink,
    HeaderLink,
    Problem,
    TermLink,
    on_rows,
    pruned,
    reached,
)

Link = TermLink | HeaderLink | ChoiceLink | CellLink
Solve = Callable[[IntegerProgram, int], Solved]
A_PROGRAM = 20
"""What solving a small programme takes, in sets of rows looked at: measured, about 2 ms against 0.1 ms."""


@dataclass(frozen=True, slots=True)
class Found:
    """The links of the best graph in the problem's order, its gain (None: no graph), and what it is."""

    links: tuple[Link, ...]
    gain: int | None
    status: str


def best_graph(problem: Problem, effort: int, nodes: int, solver: Solve = solve) -> Found:
    """The support graph that gains most.

    `effort`: sets of rows that are looked at, at most, a programme solved counting as A_PROGRAM sets;
    `nodes`: of branch and bound in each programme. Where neither is used up, the graph is optimal; else it
    is the best that was found, and its status says so. The first programme is always solved.

    Single rows come first. Sets of rows that lead to the choice are grown row by row; each is solved as an
    integer programme, for graphs on exactly these rows, if its bound is above what was found, and grown on
    if the bound with what further rows can add is. So nothing that is left out gains more.
    """
    problem = pruned(problem)
    if not problem.choices:
        return Found((), None, INFEASIBLE)
    return _Growing(problem, effort, nodes, solver).best()


class _Growing:
    """Branch and bound over sets of rows, each set met once."""

    def __init__(self, problem: Problem, effort: int, nodes: int, solver: Solve) -> None:
        self._problem, self._effort, self._nodes, self._solver = problem, effort, nodes, solver
        self._bounds = Bounds(problem)
        self._most = self._bounds.most_rows()
        self._found = Found((), None, INFEASIBLE)
        self._ended: str | None = None

    def best(self) -> Found:
        """The best graph of all."""
        nothing = self._bounds.nothing()
        added, _ = self._bounds.added(nothing)
        tried = False
        alone = [row for row in range(len(added)) if self._bounds.tied[row]]
        for row in sorted(alone, key=lambda row: (-int(added[row]), row)):
            if self._better(nothing.bound + int(added[row])) and (self._effort > 0 or not tried):
                self._solve((row,))
                tried = True
        self._grow(nothing, frozenset())
        if self._ended is None:
            return self._found
        known = self._found.gain is not None
        if self._ended in (LIMITED, NOT_IN_TIME):
            return replace(self._found, status=LIMITED if known else NOT_IN_TIME)
        said = self._ended.partition(": ")[2]
        return replace(self._found, status=f"{FEASIBLE if known else NOTHING}: {said}")

    def _grow(self, state: State, closed: frozenset[int]) -> None:
        """All sets that hold the state's rows and none of the closed ones."""
        if self._effort <= 0:
            self._ended = self._ended or NOT_IN_TIME
            return
        self._effort -= 1
        bounds = self._bounds
        if len(state.chosen) > 1 and self._better(state.bound) and bounds.enough_links(state.chosen):
            self._solve(state.chosen)
        left = self._most - len(state.chosen)
        if not left:
            return
        added, apart = bounds.added(state)
        open_rows = [row for row in range(len(added)) if row not in closed and row not in state.chosen]
        hopes = sorted((int(added[row]) for row in open_rows if added[row] > 0), reverse=True)
        if state.chosen and not self._better(state.bound + sum(hopes[:left])):
            return
        near = {row for one in state.chosen for row in bounds.beside[one]}
        ways = [row for row in open_rows if bounds.tied[row] or row in near]
        for row in sorted(ways, key=lambda row: (-int(added[row]), row)):
            if bounds.fits(state, row):
                self._grow(bounds.joined(state, row, int(added[row]), apart=bool(apart[row])), closed)
            closed |= {row}

    def _better(self, bound: int) -> bool:
        return self._found.gain is None or bound > self._found.gain

    def _solve(self, chosen: tuple[int, ...]) -> None:
        self._effort -= A_PROGRAM
        rows = {self._bounds.rows[row] for row in chosen}
        found = _best_on(on_rows(self._problem, rows), self._nodes, self._solver)
        if found.status not in (OPTIMAL, INFEASIBLE):
            self._ended = self._ended or found.status
        if found.gain is not None and self._better(found.gain):
            self._found = found


def _best_on(problem: Problem, nodes: int, solver: Solve) -> Found:
    """The best graph on all rows of the problem.

    The programme leaves one rule out, that every row leads to the choice; where a solution breaks it, a
    constraint that it breaks and no support graph does is added, and the programme is solved again.
    """
    built = _Built(problem)
    while True:
        solved = solver(built.program, nodes)
        links = tuple(link for link, variable in built.links if variable in solved.chosen)
        astray = _astray(links) if solved.value is not None else set()
        if not astray:
            return Found(links, solved.value, solved.status)
        if solved.status != OPTIMAL:
            return Found((), None, NOT_IN_TIME if solved.status == LIMITED else solved.status)
        built.must_lead_on(astray)


def _astray(links: Sequence[Link]) -> set[int]:
    """The rows of the graph that don't lead to the choice."""
    rows = {cell.row for link in links for cell in ends(link)}
    start = {link.cell.row for link in links if isinstance(link, ChoiceLink)}
    return rows - reached(start, [(k.one.row, k.other.row) for k in links if isinstance(k, CellLink)])


def ends(link: Link) -> tuple[Cell, ...]:
    """The cells that the link ties."""
    match link:
        case TermLink() | ChoiceLink():
            return (link.cell,)
        case CellLink():
            return (link.one, link.other)
    return ()


class _Built:
    """The programme, and which variable stands for which link."""

    def __init__(self, problem: Problem) -> None:
        self.program = IntegerProgram()
        self._problem = problem
        every: tuple[Link, ...] = (*problem.terms, *problem.headers, *problem.choices, *problem.cells)
        self.links = [(link, self.program.variable(link.gain)) for link in every]
        self._at: dict[Cell, list[int]] = defaultdict(list)
        for link, variable in self.links:
            for cell in ends(link):
                self._at[cell].append(variable)
        rows = {cell.row for cell in self._at}
        tables = {problem.rows[row] for row in rows}
        costs = len(rows) * problem.limits.row_cost + len(tables) * problem.limits.table_cost
        self.program.constrain([(self.program.variable(-costs), 1)], least=1)
        self._rows_there = rows
        self._cell = {cell: self.program.variable(follows=True) for cell in self._at}
        self._cells()
        self._rows()
        self._columns_and_headers()
        self._terms()
        self._choice()

    def _cells(self) -> None:
        """A cell is in the graph exactly if a link to it is."""
        for cell, links in self._at.items():
            own = self._cell[cell]
            for link in links:
                self._implies(link, [own])
            self._implies(own, links)
            self._at_most(self._problem.limits.per_cell, links)

    def _rows(self) -> None:
        """Each row has two cells, a term link and another; a chain has fewer cell links than tables."""
        cells: dict[int, list[int]] = defaultdict(list)
        terms: dict[int, list[int]] = defaultdict(list)
        others: dict[int, list[int]] = defaultdict(list)
        for cell, variable in self._cell.items():
            cells[cell.row].append(variable)
        for link, variable in self.links:
            for end in ends(link):
                (terms if isinstance(link, TermLink) else others)[end.row].append(variable)
        for row in self._rows_there:
            for some, least in ((cells[row], 2), (terms[row], 1), (others[row], 1)):
                self.program.constrain([(one, 1) for one in some], least=least)
        across = [variable for link, variable in self.links if isinstance(link, CellLink)]
        if self._problem.limits.chain and across:
            tables = {self._problem.rows[row] for row in self._rows_there}
            self._at_most(len(tables) - 1, across)

    def _columns_and_headers(self) -> None:
        cells, headers = defaultdict(list), defaultdict(list)
        for cell, variable in self._cell.items():
            cells[self._problem.rows[cell.row], cell.column].append(variable)
        for link, variable in self.links:
            if isinstance(link, HeaderLink):
                headers[link.table, link.column].append(variable)
                self._implies(variable, cells[link.table, link.column])
        for (table, _), own_cells in cells.items():
            self._gained_with(own_cells, self._problem.column_gains[table])
        for own_links in headers.values():
            self._gained_with(own_links, self._problem.limits.header_gain)

    def _terms(self) -> None:
        tied, strongly = defaultdict(list), defaultdict(list)
        for link, variable in self.links:
            if isinstance(link, TermLink | HeaderLink):
                tied[link.term].append(variable)
            if isinstance(link, TermLink) and link.strong:
                strongly[link.term].append(variable)
        for term, links in tied.items():
            self._at_most(self._problem.limits.per_term, links)
            self._gained_with(links, self._problem.term_gains[term])
        for term, links in strongly.items():
            self._gained_with(links, self._problem.which_gains[term])

    def _choice(self) -> None:
        whole: list[int] = []
        words: dict[int, list[int]] = defaultdict(list)
        for link, variable in self.links:
            if isinstance(link, ChoiceLink):
                (whole if link.word is None else words[link.word]).append(variable)
        for links in words.values() if words else [[]]:
            self._at_most(1, [*whole, *links])
        every = [*whole, *(link for links in words.values() for link in links)]
        self.program.constrain([(link, 1) for link in every], least=1)

    def must_lead_on(self, astray: set[int]) -> None:
        """One of these rows is tied to the choice or to a row beside them."""
        ways = [v for link, v in self.links if isinstance(link, ChoiceLink) and link.cell.row in astray]
        ways += [
            variable
            for link, variable in self.links
            if isinstance(link, CellLink) and len({link.one.row, link.other.row} & astray) == 1
        ]
        self.program.constrain([(way, 1) for way in ways], least=1)

    def _implies(self, variable: int, others: Iterable[int], least: int = 1) -> None:
        """If the variable is 1, so are at least `least` of the others."""
        self.program.constrain([*((other, 1) for other in others), (variable, -least)], least=0)

    def _at_most(self, most: int, variables: Sequence[int]) -> None:
        if len(variables) > most:
            self.program.constrain([(one, 1) for one in variables], most=most)

    def _gained_with(self, variables: Sequence[int], gain: int) -> None:
        """The gain, once, if one of the variables is 1."""
        if gain and variables:
            self._implies(self.program.variable(gain, follows=True), variables)

"""The search for a support graph over tables, as numbers: what may be tied to what, and what it gains.

Khashabi et al. 2016, section 3. Weights are whole: thousandths of the objective's unit.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

UNIT = 1000


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell by its row (a place in `Problem.rows`) and its column's place in the table."""

    row: int
    column: int


@dataclass(frozen=True, slots=True)
class TermLink:
    """A question term (by number) tied to a cell; `strong`: alike enough for the bonus of a "which" term."""

    term: int
    cell: Cell
    gain: int
    strong: bool = False


@dataclass(frozen=True, slots=True)
class HeaderLink:
    """A question term tied to the header of a table's column."""

    term: int
    table: int
    column: int
    gain: int


@dataclass(frozen=True, slots=True)
class ChoiceLink:
    """The choice, or one word of it (`word` by number), tied to a cell."""

    word: int | None
    cell: Cell
    gain: int


@dataclass(frozen=True, slots=True)
class CellLink:
    """Two cells of different tables tied to each other; the gain has the penalty taken off."""

    one: Cell
    other: Cell
    gain: int


@dataclass(frozen=True, slots=True)
class Limits:
    """How large a graph may be, and what its parts gain or cost."""

    tables: int = 4
    rows: int = 4
    per_term: int = 2
    per_cell: int = 2
    chain: bool = True
    table_cost: int = 3 * UNIT
    row_cost: int = UNIT
    header_gain: int = 300


@dataclass(frozen=True)
class Problem:
    """One question with one of its choices.

    `rows`: each row's table, by number. `column_gains`: by table, what a column gains that has a cell in the
    graph. `term_gains`: what a tied term gains; `which_gains`: what it gains besides when a strong link ties
    it to a cell, 0 for other terms.

    A graph is a set of links. Its cells are those at the links' ends, its rows those of its cells, its
    tables those of its rows. It is a support graph when
    - each row has at least two cells, a term link, and a link of another kind;
    - at most `per_term` links go to a term and `per_cell` to a cell;
    - at most `tables` tables are in it and `rows` rows of each;
    - if it is to be a chain, it has fewer cell links than tables;
    - a header link's column has a cell in it;
    - the choice is tied once as a whole, or each of its words at most once, and tied at all;
    - over cell links every row leads to a row that is tied to the choice.
    It gains the sum over its links, tied terms, columns with a cell and headers with a link, less the costs
    of its tables and rows.
    """

    rows: tuple[int, ...]
    column_gains: tuple[int, ...]
    term_gains: tuple[int, ...]
    which_gains: tuple[int, ...]
    terms: tuple[TermLink, ...]
    headers: tuple[HeaderLink, ...]
    choices: tuple[ChoiceLink, ...]
    cells: tuple[CellLink, ...]
    limits: Limits = Limits()


def pruned(problem: Problem) -> Problem:
    """The same problem without links that can't be in a support graph: its graphs are the same ones.

    A row that can't have a term link, or another link, or two cells with links, is in no graph; nor is one
    that no cell links join to a row that can be tied to the choice. Rows keep their numbers.
    """
    kept = set(range(len(problem.rows)))
    while True:
        before = len(kept)
        problem = on_rows(problem, kept)
        kept &= _complete(problem)
        kept &= _leading_to_choice(problem, kept)
        if len(kept) == before:
            return problem


def on_rows(problem: Problem, kept: set[int]) -> Problem:
    """The problem without links to other rows, and to headers over none of their cells."""
    columns = {
        (problem.rows[link.cell.row], link.cell.column)
        for link in problem.terms + problem.choices
        if link.cell.row in kept
    }
    cells = tuple(link for link in problem.cells if {link.one.row, link.other.row} <= kept)
    columns |= {(problem.rows[end.row], end.column) for link in cells for end in (link.one, link.other)}
    return replace(
        problem,
        terms=tuple(link for link in problem.terms if link.cell.row in kept),
        choices=tuple(link for link in problem.choices if link.cell.row in kept),
        cells=cells,
        headers=tuple(link for link in problem.headers if (link.table, link.column) in columns),
    )


def _complete(problem: Problem) -> set[int]:
    with_term = {link.cell.row for link in problem.terms}
    others = [link.cell for link in problem.choices]
    others += [end for link in problem.cells for end in (link.one, link.other)]
    cells: dict[int, set[int]] = defaultdict(set)
    for cell in [*others, *(link.cell for link in problem.terms)]:
        cells[cell.row].add(cell.column)
    return {row for row in with_term & {cell.row for cell in others} if len(cells[row]) > 1}


def _leading_to_choice(problem: Problem, kept: set[int]) -> set[int]:
    start = {link.cell.row for link in problem.choices} & kept
    return reached(start, ((link.one.row, link.other.row) for link in problem.cells))


def reached(start: set[int], pairs: Iterable[tuple[int, int]]) -> set[int]:
    """Rows that pairs of rows join to the start, the start among them."""
    beside: Mapping[int, set[int]] = defaultdict(set)
    for one, other in pairs:
        beside[one].add(other)
        beside[other].add(one)
    found, waiting = set(start), list(start)
    while waiting:
        for row in beside[waiting.pop()] - found:
            found.add(row)
            waiting.append(row)
    return found

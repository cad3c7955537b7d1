"""What a graph over given rows can gain at most, and what another row can add: why most are never solved.

The bound of a set of rows is a sum of parts. Each term counts its best links within the set, as many as it
may have, and its gains once; each column that a link could reach counts once; choice, headers, a chain's
cell links, rows and tables count as the set has them. It leaves out that a cell's links are limited. Every
part but the cell links of a graph that is no chain (of which each end counts half) either adds up over rows
or gains less from a row the more rows there are. So what rows add to a set together is at most the sum of
what each adds to it alone, and a set of rows with its best additions bounds all that grow from it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from assay.solvers.support_graphs.problem import Problem

Numbers = npt.NDArray[np.int64]


@dataclass(frozen=True)
class State:
    """A set of rows: their places in `Bounds.rows`, what is reached of each part, and the bound.

    `best`: [terms, links a term] gains, the highest last; `terms`, `strong`, `columns`: what is reached;
    `choice`: by word, the whole choice last.
    """

    chosen: tuple[int, ...]
    tables: frozenset[int]
    best: Numbers
    terms: npt.NDArray[np.bool_]
    strong: npt.NDArray[np.bool_]
    columns: npt.NDArray[np.bool_]
    choice: Numbers
    bound: int


class Bounds:
    """Bounds for one problem's graphs. `rows` are those that links touch, in order."""

    def __init__(self, problem: Problem) -> None:
        self._limits = problem.limits
        self.rows = sorted({link.cell.row for link in problem.terms})
        place = {row: number for number, row in enumerate(self.rows)}
        self.tables = np.array([problem.rows[row] for row in self.rows])
        size, terms = len(self.rows), len(problem.term_gains)
        self._gains = np.array(problem.term_gains, np.int64)
        self._which = np.array(problem.which_gains, np.int64)
        self._links = np.zeros((size, terms, problem.limits.per_term), np.int64)
        self._strong = np.zeros((size, terms), bool)
        self._has = np.zeros((size, terms), bool)
        by_pair: dict[tuple[int, int], list[int]] = defaultdict(list)
        reached: list[tuple[int, tuple[int, int]]] = []
        for link in problem.terms:
            row = place[link.cell.row]
            by_pair[row, link.term].append(link.gain)
            self._has[row, link.term] = True
            self._strong[row, link.term] |= link.strong
            reached.append((row, (int(self.tables[row]), link.cell.column)))
        words = sorted({link.word for link in problem.choices if link.word is not None})
        self.ties = max(1, len(words))
        column_of = {word: number for number, word in enumerate(words)}
        self._choice = np.zeros((size, len(words) + 1), np.int64)
        self.tied = np.zeros(size, bool)
        for tie in problem.choices:
            row, word = place[tie.cell.row], column_of.get(tie.word, -1) if tie.word is not None else -1
            self._choice[row, word] = max(self._choice[row, word], tie.gain)
            self.tied[row] = True
            reached.append((row, (int(self.tables[row]), tie.cell.column)))
        best_choice = self._choice.max(axis=0)
        self._most_choice = int(max(best_choice[-1], best_choice[:-1].sum()))
        self._halves = np.zeros(size, np.int64)
        self.beside: list[set[int]] = [set() for _ in self.rows]
        for cell_link in problem.cells:
            one, other = place[cell_link.one.row], place[cell_link.other.row]
            self.beside[one].add(other)
            self.beside[other].add(one)
            for row, end in ((one, cell_link.one), (other, cell_link.other)):
                reached.append((row, (int(self.tables[row]), end.column)))
                self._halves[row] += 0 if problem.limits.chain else (max(0, cell_link.gain) + 1) // 2
        self._a_link = max((0, *(link.gain for link in problem.cells))) if problem.limits.chain else 0
        gains = {column: problem.column_gains[column[0]] for _, column in reached}
        for header in problem.headers:
            for row in {row for row, column in reached if column == (header.table, header.column)}:
                by_pair[row, header.term].append(header.gain)
                self._has[row, header.term] = True
                reached.append((row, (header.table, -1 - header.column)))
            gains[header.table, -1 - header.column] = problem.limits.header_gain
        columns = {column: number for number, column in enumerate(gains)}
        for (row, term), links in by_pair.items():
            best = sorted(links)[-problem.limits.per_term :]
            self._links[row, term, -len(best) :] = best
        self._columns = np.zeros((size, len(columns)), bool)
        for row, column in reached:
            self._columns[row, columns[column]] = True
        self._column_gains = np.array(list(gains.values()), np.int64)
        self._own = self._alone(problem, place)
        self._new_table = self._a_link - self._limits.table_cost

    def _alone(self, problem: Problem, place: Mapping[int, int]) -> Numbers:
        """What each row's own links gain at most, by its cells: so many links a cell, one not a term's."""
        limits = self._limits
        by_cell: dict[tuple[int, int], list[int]] = defaultdict(list)
        cells: list[set[int]] = [set() for _ in self.rows]
        for link in problem.terms:
            by_cell[place[link.cell.row], link.cell.column].append(link.gain)
        ends = [link.cell for link in problem.terms] + [link.cell for link in problem.choices]
        ends += [end for link in problem.cells for end in (link.one, link.other)]
        for end in ends:
            cells[place[end.row]].add(end.column)
        alone = np.zeros(len(self.rows), np.int64)
        for (row, _), gains in by_cell.items():
            alone[row] += sum(sorted(gains)[-limits.per_cell :])
        for row, table in enumerate(self.tables.tolist()):
            of_headers = [link.gain for link in problem.headers if link.table == table]
            alone[row] += sum(of_headers)
        each = self._has * self._gains + self._strong * self._which
        for row, columns in enumerate(cells):
            slots = limits.per_cell * len(columns) - 1 + len(problem.headers)
            alone[row] += np.sort(each[row])[::-1][:slots].sum()
        choice = np.minimum(self._choice.sum(axis=1), self._most_choice)
        own: Numbers = alone + self._columns @ self._column_gains + choice
        return own

    def nothing(self) -> State:
        """The empty set of rows."""
        terms = len(self._gains)
        none = np.zeros(terms, bool)
        return State(
            (), frozenset(), np.zeros((terms, self._limits.per_term), np.int64), none, none,
            np.zeros(len(self._column_gains), bool), np.zeros(self._choice.shape[1], np.int64), -self._a_link,
        )  # fmt: skip

    def added(self, state: State) -> tuple[Numbers, npt.NDArray[np.bool_]]:
        """For each row, by how much the bound changes when it joins the set, and whether it joins apart.

        What a row's cells allow it alone may be less than what it adds to the others by term; it then counts
        with that, and the others as if it weren't there.
        """
        merged = np.concatenate([np.broadcast_to(state.best, self._links.shape), self._links], axis=2)
        merged.sort(axis=2)
        links = merged[:, :, -self._limits.per_term :].sum(axis=(1, 2)) - int(state.best.sum())
        new = links + (self._has & ~state.terms) @ self._gains + (self._strong & ~state.strong) @ self._which
        new += (self._columns & ~state.columns) @ self._column_gains
        choice = np.minimum(np.maximum(self._choice, state.choice).sum(axis=1), self._most_choice)
        new += choice - min(int(state.choice.sum()), self._most_choice)
        apart = self._own < new
        outside = ~np.isin(self.tables, list(state.tables))
        tables = np.where(outside, self._new_table, 0)
        changed: Numbers = np.minimum(new, self._own) + self._halves - self._limits.row_cost + tables
        return changed, apart

    def joined(self, state: State, row: int, added: int, *, apart: bool) -> State:
        """The set with one more row; `added` and `apart`: what `added` says of it."""
        if apart:
            return replace(
                state,
                chosen=(*state.chosen, row),
                tables=state.tables | {int(self.tables[row])},
                bound=state.bound + added,
            )
        merged = np.concatenate([state.best, self._links[row]], axis=1)
        merged.sort(axis=1)
        return State(
            (*state.chosen, row),
            state.tables | {int(self.tables[row])},
            merged[:, -self._limits.per_term :],
            state.terms | self._has[row],
            state.strong | self._strong[row],
            state.columns | self._columns[row],
            np.maximum(state.choice, self._choice[row]),
            state.bound + added,
        )

    def most_rows(self) -> int:
        """How many rows a graph has at most: of a chain, those tied to the choice and one for each link."""
        if self._limits.chain:
            return self.ties + self._limits.tables - 1
        return self._limits.rows * self._limits.tables

    def fits(self, state: State, row: int) -> bool:
        """Whether tables and rows stay within their limits when the row joins the set."""
        table = int(self.tables[row])
        if table not in state.tables:
            return len(state.tables) < self._limits.tables
        return sum(int(self.tables[one]) == table for one in state.chosen) < self._limits.rows

    def enough_links(self, chosen: Sequence[int]) -> bool:
        """Whether a chain has cell links enough for the rows that can't be tied to the choice."""
        tables = len({int(self.tables[row]) for row in chosen})
        return not self._limits.chain or sum(not self.tied[row] for row in chosen) < tables

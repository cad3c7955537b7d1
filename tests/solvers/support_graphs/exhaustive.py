"""The definition of a support graph, word for word, and every set of links tried: slow and plain."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

from assay.solvers.support_graphs.problem import Cell, CellLink, ChoiceLink, HeaderLink, Problem, TermLink


def value(problem: Problem, links: tuple) -> int | None:
    """What the links gain as a graph, None where they are no support graph."""
    limits = problem.limits
    terms = [link for link in links if isinstance(link, TermLink)]
    headers = [link for link in links if isinstance(link, HeaderLink)]
    choices = [link for link in links if isinstance(link, ChoiceLink)]
    across = [link for link in links if isinstance(link, CellLink)]
    touched = [link.cell for link in terms + choices] + [c for link in across for c in (link.one, link.other)]
    cells = set(touched)
    rows = {cell.row for cell in cells}
    tables = {problem.rows[row] for row in rows}
    columns = {(problem.rows[cell.row], cell.column) for cell in cells}
    for row in rows:
        if sum(cell.row == row for cell in cells) < 2:
            return None
        if not any(link.cell.row == row for link in terms):
            return None
        other = [link.cell.row for link in choices] + [c.row for k in across for c in (k.one, k.other)]
        if row not in other:
            return None
    if any(count > limits.per_cell for count in Counter(touched).values()):
        return None
    tied = Counter(link.term for link in terms + headers)
    if any(count > limits.per_term for count in tied.values()):
        return None
    if len(tables) > limits.tables:
        return None
    if any(count > limits.rows for count in Counter(problem.rows[row] for row in rows).values()):
        return None
    if limits.chain and len(across) >= max(1, len(tables)):
        return None
    if any((link.table, link.column) not in columns for link in headers):
        return None
    words = Counter(link.word for link in choices)
    if not choices or max(words.values()) > 1 or (None in words and len(words) > 1):
        return None
    if not leads_to_choice(rows, choices, across):
        return None
    strongly = {link.term for link in terms if link.strong}
    return (
        sum(link.gain for link in links)
        + sum(problem.term_gains[term] for term in tied)
        + sum(problem.which_gains[term] for term in strongly)
        + sum(problem.column_gains[table] for table, _ in columns)
        + limits.header_gain * len({(link.table, link.column) for link in headers})
        - limits.table_cost * len(tables)
        - limits.row_cost * len(rows)
    )


def leads_to_choice(rows: set[int], choices: list[ChoiceLink], across: list[CellLink]) -> bool:
    good = {link.cell.row for link in choices}
    for _ in rows:
        for link in across:
            if {link.one.row, link.other.row} & good:
                good |= {link.one.row, link.other.row}
    return rows <= good


def best(problem: Problem) -> int | None:
    """The highest value of any set of links; None where no set is a support graph."""
    links = (*problem.terms, *problem.headers, *problem.choices, *problem.cells)
    found = None
    for size in range(len(links) + 1):
        for some in combinations(links, size):
            gain = value(problem, some)
            if gain is not None and (found is None or gain > found):
                found = gain
    return found


def random_problem(draw, links: int = 10) -> Problem:
    """A small world: three tables, some rows, links at random, limits that bind now and then."""
    from assay.solvers.support_graphs.problem import Limits

    rows = tuple(sorted(draw.choices(range(3), k=draw.randint(1, 4))))
    terms = draw.randint(1, 3)

    def cell() -> Cell:
        return Cell(draw.randrange(len(rows)), draw.randrange(3))

    def gain() -> int:
        return draw.randint(100, 2500)

    found: dict[object, object] = {}
    for _ in range(links):
        kind = draw.choice("ttttcchxxxxx")
        if kind == "t":
            link = TermLink(draw.randrange(terms), cell(), gain(), draw.random() < 0.4)
            found["t", link.term, link.cell] = link
        elif kind == "c":
            link = ChoiceLink(draw.choice([None, None, 0, 1]), cell(), gain())
            found["c", link.word, link.cell] = link
        elif kind == "h":
            link = HeaderLink(draw.randrange(terms), draw.choice(rows), draw.randrange(3), gain())
            found["h", link.term, link.table, link.column] = link
        else:
            one, other = cell(), cell()
            if rows[one.row] < rows[other.row]:
                found["x", one, other] = CellLink(one, other, gain())
    every = list(found.values())

    def of(kind: type) -> tuple:
        return tuple(link for link in every if isinstance(link, kind))

    limits = Limits(
        tables=draw.choice([1, 2, 4]),
        rows=draw.choice([1, 2, 4]),
        per_term=draw.choice([1, 2]),
        per_cell=draw.choice([1, 2]),
        chain=draw.random() < 0.6,
        table_cost=draw.choice([0, 0, 500, 3000]),
        row_cost=draw.choice([0, 300, 1000]),
    )
    which = tuple(draw.choice([0, 0, 1500]) for _ in range(terms))
    columns = tuple(draw.choice([100, 1000]) for _ in range(3))
    return Problem(
        rows, columns, tuple(draw.choice([300, 600]) for _ in range(terms)), which,
        of(TermLink), of(HeaderLink), of(ChoiceLink), of(CellLink), limits,
    )  # fmt: skip


def chained_problem(draw) -> Problem:
    """A small world in which rows of different tables are tied to each other, and few to the choice."""
    from assay.solvers.support_graphs.problem import Limits

    rows = (0, 1, 2, draw.choice([2, 3]))
    terms = tuple(TermLink(draw.randrange(3), Cell(row, 0), draw.randint(100, 2500)) for row in range(4))
    choices = tuple(
        ChoiceLink(word, Cell(draw.randrange(2), 1), draw.randint(100, 1000))
        for word in draw.choice([(None,), (0, 1), (None, 0)])
    )
    pairs = [(one, other) for one, other in combinations(range(4), 2) if rows[one] != rows[other]]
    cells = tuple(
        CellLink(Cell(one, draw.choice([1, 2])), Cell(other, draw.choice([1, 2])), draw.randint(100, 900))
        for one, other in draw.sample(pairs, 4)
    )
    headers = (HeaderLink(draw.randrange(3), 1, draw.choice([1, 2]), draw.randint(100, 900)),)
    limits = Limits(
        tables=draw.choice([2, 3, 4]), rows=draw.choice([1, 2]), per_term=draw.choice([1, 2]),
        per_cell=draw.choice([1, 2]), chain=draw.random() < 0.6, table_cost=draw.choice([0, 500, 1500]),
        row_cost=draw.choice([0, 500]),
    )  # fmt: skip
    return Problem(rows, (200,) * 4, (300, 600, 300), (0, 0, 1500), terms, headers, choices, cells, limits)

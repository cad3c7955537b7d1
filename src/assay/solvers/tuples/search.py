"""The best support graph over tuples: the problem as an integer programme, solved, and read back."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from assay.solvers.support_graphs.integer_program import OPTIMAL, IntegerProgram, Solved, solve
from assay.solvers.tuples.problem import PREDICATE, SUBJECT, Link, Problem, pruned
from assay.solvers.tuples.relaxed import proven_best

Solve = Callable[[IntegerProgram, int], Solved]


@dataclass(frozen=True, slots=True)
class Found:
    """The links of the best graph, in the problem's order, what it gains, and how it was found.

    Without a support graph: no links, 0, "optimal"; where the limit was hit before any was found: no links,
    0, and that status.
    """

    links: tuple[Link, ...]
    gain: int
    status: str


def best_graph(problem: Problem, nodes: int, solver: Solve = solve) -> Found:
    """The support graph that gains most. `nodes`: of branch and bound, at most.

    The solver is asked only where `proven_best` doesn't find a graph that is best for sure.
    """
    problem = pruned(problem)
    if not problem.links:
        return Found((), 0, OPTIMAL)
    proven = proven_best(problem)
    if proven is not None:
        gain, links = proven
        return Found(tuple(link for link in problem.links if link in links), gain, OPTIMAL)
    return solved_graph(problem, nodes, solver)


def solved_graph(problem: Problem, nodes: int, solver: Solve = solve) -> Found:
    """The same by the integer programme alone."""
    program, variables = as_program(problem)
    solved = solver(program, nodes)
    if solved.value is None:
        return Found((), 0, solved.status)
    chosen = tuple(link for link, variable in variables if variable in solved.chosen)
    return Found(chosen, solved.value, solved.status)


def as_program(problem: Problem) -> tuple[IntegerProgram, list[tuple[Link, int]]]:
    """The programme whose solutions are the problem's support graphs, and each link's variable."""
    program = IntegerProgram()
    links = [(link, program.variable(link.gain)) for link in problem.links]
    limits = problem.limits
    tuples = {number: program.variable() for number in sorted({link.tuple for link in problem.links})}
    at_field: dict[tuple[int, int], list[int]] = defaultdict(list)
    at_term: dict[int, list[int]] = defaultdict(list)
    at_pair: dict[tuple[int, int], list[int]] = defaultdict(list)
    at_choice: dict[int, list[int]] = defaultdict(list)
    with_term: dict[int, list[int]] = defaultdict(list)
    for link, variable in links:
        at_field[link.tuple, link.field].append(variable)
        if link.term is None:
            at_choice[link.tuple].append(variable)
        else:
            at_term[link.term].append(variable)
            at_pair[link.tuple, link.term].append(variable)
            with_term[link.tuple].append(variable)
    fields = {place: program.variable(follows=True) for place in at_field}
    for place, own in fields.items():
        # A field is in the graph exactly if a link to it is, and no more of them than it may have.
        _implies(program, own, at_field[place])
        for variable in at_field[place]:
            _implies(program, variable, [own])
        if len(at_field[place]) > limits.per_field:
            program.constrain([*_ones(at_field[place]), (own, -limits.per_field)], most=0)
        _implies(program, own, [tuples[place[0]]])
    for number, own in tuples.items():
        parts = {field: fields[tuple_, field] for tuple_, field in fields if tuple_ == number}
        _implies(program, own, with_term[number])
        _implies(program, own, at_choice[number])
        _implies(program, own, [parts[field] for field in (SUBJECT, PREDICATE) if field in parts])
        _implies(program, own, list(parts.values()), limits.fields)
    for (number, _), variables in at_pair.items():
        program.constrain([*_ones(variables), (tuples[number], -1)], most=0)
    for variables in at_term.values():
        _at_most(program, limits.per_term, variables)
    _at_most(program, limits.per_choice, [one for some in at_choice.values() for one in some])
    _at_most(program, limits.tuples, list(tuples.values()))
    return program, links


def _ones(variables: Iterable[int]) -> list[tuple[int, int]]:
    return [(variable, 1) for variable in variables]


def _implies(program: IntegerProgram, variable: int, others: Sequence[int], least: int = 1) -> None:
    """If the variable is 1, so are at least `least` of the others."""
    program.constrain([*_ones(others), (variable, -least)], least=0)


def _at_most(program: IntegerProgram, most: int, variables: Sequence[int]) -> None:
    if len(variables) > most:
        program.constrain(_ones(variables), most=most)

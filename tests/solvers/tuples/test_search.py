"""The programme's optimum is that of trying every graph."""

import random
from itertools import chain, combinations

import pytest

from assay.solvers.support_graphs.integer_program import IntegerProgram, Solved
from assay.solvers.tuples.problem import Limits, Link, Problem, faults, pruned
from assay.solvers.tuples.relaxed import proven_best
from assay.solvers.tuples.search import best_graph, solved_graph


def exhaustive(problem: Problem) -> int:
    """The most that any support graph gains: every set of links is looked at."""
    links = problem.links
    graphs = chain.from_iterable(combinations(links, size) for size in range(len(links) + 1))
    return max(sum(link.gain for link in graph) for graph in graphs if not faults(graph, problem.limits))


def draw(dice: random.Random) -> Problem:
    limits = Limits(
        tuples=dice.randint(1, 3),
        per_term=dice.randint(1, 2),
        per_choice=dice.randint(1, 3),
        per_field=dice.randint(1, 3),
        fields=dice.randint(1, 3),
    )
    places = [(number, field) for number in range(dice.randint(1, 4)) for field in range(dice.randint(2, 4))]
    possible = [Link(*place, dice.randint(0, 9), term) for place in places for term in (0, 1, 2, None, None)]
    one_each = {(link.tuple, link.field, link.term): link for link in possible}
    drawn = dice.sample(list(one_each.values()), min(len(one_each), 12))
    return Problem(tuple(drawn), limits)


def test_as_good_as_trying_every_graph() -> None:
    dice = random.Random(4)
    gains, proven = [], 0
    for _ in range(220):
        problem = draw(dice)
        most = exhaustive(problem)
        for found in (best_graph(problem, 1000), solved_graph(pruned(problem), 1000)):
            assert found.status in ("optimal", "infeasible")
            assert found.gain == sum(link.gain for link in found.links) == most, problem
            assert not faults(found.links, problem.limits)
        gains.append(most)
        proven += most > 0 and proven_best(pruned(problem)) is not None
    assert sum(gain > 0 for gain in gains) > 100
    assert 20 < proven < 200


def test_what_is_pruned_is_in_no_graph() -> None:
    dice = random.Random(5)
    smaller = 0
    for _ in range(150):
        problem = draw(dice)
        kept = pruned(problem)
        smaller += len(kept.links) < len(problem.links)
        assert exhaustive(kept) == exhaustive(problem)
    assert smaller > 50


def test_a_world_with_a_known_graph() -> None:
    """Two tuples of three: the third gains most, but has neither subject nor predicate in a graph."""
    links = [
        Link(0, 0, 5, term=0), Link(0, 2, 4), Link(0, 3, 9, term=0),
        Link(1, 1, 3, term=1), Link(1, 2, 2), Link(1, 2, 1, term=0),
        Link(2, 2, 50, term=1), Link(2, 3, 50),
    ]  # fmt: skip
    found = best_graph(Problem(tuple(links)), 100)
    # Of the first tuple the term's better place leaves no subject: the subject is kept.
    assert set(found.links) == {links[0], links[1], links[3], links[4], links[5]}
    assert found.gain == 15
    one = best_graph(Problem(tuple(links), Limits(tuples=1)), 100)
    assert set(one.links) == set(links[:2])
    assert best_graph(Problem(tuple(links), Limits(per_choice=1)), 100).gain == 9
    assert best_graph(Problem(tuple(links), Limits(fields=4)), 100).links == ()


@pytest.mark.parametrize("links", [(), (Link(0, 0, 5, term=0),), (Link(0, 0, 5), Link(0, 2, 5))])
def test_no_graph_gains_nothing(links: tuple[Link, ...]) -> None:
    found = best_graph(Problem(links), 100)
    assert (found.links, found.gain, found.status) == ((), 0, "optimal")


def test_the_order_of_links_changes_no_gain() -> None:
    dice = random.Random(6)
    for _ in range(30):
        problem = draw(dice)
        other = Problem(tuple(dice.sample(problem.links, len(problem.links))), problem.limits)
        assert best_graph(problem, 1000).gain == best_graph(other, 1000).gain


def test_a_limit_that_was_hit_is_said() -> None:
    links = (Link(0, 0, 5, term=0), Link(0, 2, 5))

    def gives_up(program: IntegerProgram, nodes: int) -> Solved:
        return Solved("no solution found: limit hit")

    found = solved_graph(Problem(links), 1, gives_up)
    assert (found.links, found.gain, found.status) == ((), 0, "no solution found: limit hit")

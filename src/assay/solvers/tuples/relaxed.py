"""A best graph without a solver, where one proves itself: the optimum of fewer rules that breaks none of all.

Without the limits of terms and fields and the rules on a tuple's fields, tuples have nothing in common but
their number and the links of the choice, and the best graph is that of a small table. No support graph gains
more; so where it is a support graph, it is a best one.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

from assay.solvers.tuples.problem import Link, Problem, faults

Way = tuple[int, tuple[Link, ...]]
"""A gain, and the links that make it."""


def proven_best(problem: Problem) -> Way | None:
    """The gain and the links of a best support graph; None where this doesn't find one."""
    by_tuple: Mapping[int, list[Link]] = defaultdict(list)
    for link in problem.links:
        by_tuple[link.tuple].append(link)
    limits = problem.limits
    best: dict[tuple[int, int], Way] = {(0, 0): (0, ())}
    for number in sorted(by_tuple):
        ways = _ways(by_tuple[number], limits.per_choice)
        for (tuples, choices), (gain, links) in sorted(best.items(), reverse=True):
            for more, (added, own) in enumerate(ways, 1):
                place = tuples + 1, choices + more
                if place[0] > limits.tuples or place[1] > limits.per_choice:
                    break
                if place not in best or best[place][0] < gain + added:
                    best[place] = gain + added, links + own
    found = max(best.values(), key=lambda way: way[0])
    return None if faults(found[1], limits) else found


def _ways(links: Sequence[Link], most: int) -> list[Way]:
    """The tuple with its 1, 2, ... best links of the choice, and the best link of each term."""
    own = sorted((link for link in links if link.term is None), key=lambda link: (-link.gain, link.field))
    by_term: Mapping[int, list[Link]] = defaultdict(list)
    for link in links:
        if link.term is not None:
            by_term[link.term].append(link)
    ways = []
    for count in range(1, min(len(own), most) + 1):
        chosen = own[:count]
        for term in sorted(by_term):
            used = {link.field for link in chosen}
            # Of equals a field that isn't in the graph yet: tuples need several.
            chosen.append(min(by_term[term], key=lambda one: (-one.gain, one.field in used, one.field)))
        ways.append((sum(link.gain for link in chosen), tuple(chosen)))
    return ways

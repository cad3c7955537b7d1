"""The search for a support graph over tuples, as numbers: what may be tied to what, and what it gains.

Khot, Sabharwal and Clark 2017, section 3.3. Gains are whole: hundred-thousandths of the score's unit.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

UNIT = 100_000
SUBJECT, PREDICATE, OBJECT = 0, 1, 2
"""Fields of a tuple; its objects are OBJECT and all above."""


@dataclass(frozen=True, slots=True)
class Link:
    """A field of a tuple tied to a question term (by number), or, where `term` is None, to the choice."""

    tuple: int
    field: int
    gain: int
    term: int | None = None


@dataclass(frozen=True, slots=True)
class Limits:
    """How large a graph may be: tuples, links of its parts; and the fields that a tuple has at least."""

    tuples: int = 4
    per_term: int = 4
    per_choice: int = 4
    per_field: int = 4
    fields: int = 2


@dataclass(frozen=True, slots=True)
class Problem:
    """One question with one of its choices: every link that may be in a graph; no gain is below 0.

    A graph is a set of links. Its tuples are those at the links' ends, as are its fields. It is a support
    graph when
    - at most `tuples` tuples are in it;
    - each tuple has a link to a term and one to the choice, its subject or its predicate is in the graph,
      and at least `fields` of its fields are;
    - a term has at most one link to each tuple and `per_term` links in all;
    - at most `per_choice` links go to the choice and `per_field` to a field.
    It gains the sum over its links. The graph without links gains 0.
    """

    links: tuple[Link, ...]
    limits: Limits = Limits()


def faults(graph: Sequence[Link], limits: Limits) -> list[str]:
    """Which rules a set of links breaks, in words; none: it is a support graph, or it has no link."""
    found = []
    by_tuple: Mapping[int, list[Link]] = defaultdict(list)
    for link in graph:
        by_tuple[link.tuple].append(link)
    if len(by_tuple) > limits.tuples:
        found.append("too many tuples")
    for links in by_tuple.values():
        found += _faults_of(links, limits.fields)
    terms = Counter(link.term for link in graph)
    if any(count > limits.per_term for term, count in terms.items() if term is not None):
        found.append("too many links of a term")
    if terms[None] > limits.per_choice:
        found.append("too many links of the choice")
    if _most((link.tuple, link.field) for link in graph) > limits.per_field:
        found.append("too many links of a field")
    return found


def _faults_of(links: Sequence[Link], fields: int) -> Iterable[str]:
    """Rules that one tuple's links break."""
    own = {link.field for link in links}
    if all(link.term is None for link in links):
        yield "a tuple without a term"
    if all(link.term is not None for link in links):
        yield "a tuple without the choice"
    if own.isdisjoint({SUBJECT, PREDICATE}):
        yield "a tuple with neither subject nor predicate"
    if len(own) < fields:
        yield "too few fields of a tuple"
    if _most(link.term for link in links if link.term is not None) > 1:
        yield "a term with two links to a tuple"


def _most(values: Iterable[object]) -> int:
    return max(Counter(values).values(), default=0)


def pruned(problem: Problem) -> Problem:
    """The same problem without the tuples that can be in no support graph: its graphs are the same ones."""
    by_tuple: Mapping[int, list[Link]] = defaultdict(list)
    for link in problem.links:
        by_tuple[link.tuple].append(link)
    repeated = "a term with two links to a tuple"
    whole = {
        number
        for number, links in by_tuple.items()
        if not set(_faults_of(links, problem.limits.fields)) - {repeated}
    }
    return Problem(tuple(link for link in problem.links if link.tuple in whole), problem.limits)

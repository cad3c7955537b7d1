"""A found support graph over tuples as evidence that a person can read."""

from __future__ import annotations

from collections.abc import Sequence

from assay.questions.model import GraphEdge, GraphEvidence, GraphFact, GraphNode
from assay.solvers.support_graphs.integer_program import OPTIMAL
from assay.solvers.tuples.fields import Candidate
from assay.solvers.tuples.links import Term
from assay.solvers.tuples.problem import UNIT
from assay.solvers.tuples.search import Found


def graph_evidence(
    graph: Found, terms: Sequence[Term], choice: str, found: Sequence[Candidate]
) -> tuple[GraphEvidence, ...]:
    """The graph, with every field of its tuples; none where there is none and no limit was hit."""
    if not graph.links:
        return () if graph.status == OPTIMAL else (GraphEvidence((), (), (), 0.0, graph.status),)
    used = sorted({link.tuple for link in graph.links})
    tied = sorted({link.term for link in graph.links if link.term is not None})
    nodes = [GraphNode("term", terms[term].text) for term in tied]
    at_term = {term: place for place, term in enumerate(tied)}
    at_field: dict[tuple[int, int], int] = {}
    for fact, number in enumerate(used):
        for place, field in enumerate(found[number].fields):
            if field.text:
                at_field[number, place] = len(nodes)
                nodes.append(GraphNode("fact", field.text, field.name, fact))
    at_choice = len(nodes)
    nodes.append(GraphNode("choice", choice))
    edges = []
    for link in graph.links:
        at = at_field[link.tuple, link.field]
        ends = (at, at_choice) if link.term is None else (at_term[link.term], at)
        edges.append(GraphEdge(*ends, link.gain / UNIT, "choice" if link.term is None else "term"))
    origins = [found[number].origin for number in used]
    said = tuple(GraphFact(one.text, one.source) for one in origins)
    return (GraphEvidence(tuple(nodes), tuple(edges), said, graph.gain / UNIT, graph.status),)

"""A support graph as a JSON value, and back."""

from __future__ import annotations

import math
from typing import Any

from assay.questions.model import NODE_KINDS, GraphEdge, GraphEvidence, GraphFact, GraphNode


def graph_to_record(graph: GraphEvidence) -> dict[str, Any]:
    """All but the score: {"facts", "nodes", "edges", "status"}; what is empty in a fact or node is left out.

    A node is {"kind", "text", "part", "fact"}, an edge [source, target, weight, label].
    Raises ValueError where a weight is no finite number, since JSON has no such number.
    """
    if not all(math.isfinite(edge.weight) for edge in graph.edges):
        raise ValueError("a weight is not a number")
    return {
        "facts": [{"text": fact.text} | _there(source=fact.source, line=fact.line) for fact in graph.facts],
        "nodes": [
            {"kind": node.kind, "text": node.text} | _there(part=node.part or None, fact=node.fact)
            for node in graph.nodes
        ],
        "edges": [[edge.source, edge.target, edge.weight, edge.label] for edge in graph.edges],
        "status": graph.status,
    }


def graph_from_record(record: Any, score: float) -> GraphEvidence | None:
    """The graph that `graph_to_record` wrote; None where the value is no graph or points beside its parts."""
    match record:
        case {"facts": list(facts), "nodes": list(nodes), "edges": list(edges), "status": str(status)}:
            read_facts = tuple(fact for fact in map(_fact, facts) if fact is not None)
            read_nodes = tuple(node for one in nodes if (node := _node(one, len(facts))) is not None)
            read_edges = tuple(edge for one in edges if (edge := _edge(one, len(nodes))) is not None)
            whole = (len(read_facts), len(read_nodes), len(read_edges)) == (
                len(facts),
                len(nodes),
                len(edges),
            )
            return GraphEvidence(read_nodes, read_edges, read_facts, score, status) if whole else None
    return None


def _there(**values: Any) -> dict[str, Any]:
    return {name: value for name, value in values.items() if value is not None}


def _fact(record: Any) -> GraphFact | None:
    match record:
        case {"text": str(text)}:
            source, line = record.get("source"), record.get("line")
            if (source is None or isinstance(source, str)) and (line is None or _is_place(line)):
                return GraphFact(text, source, line)
    return None


def _node(record: Any, facts: int) -> GraphNode | None:
    match record:
        case {"kind": kind, "text": str(text)} if kind in NODE_KINDS:
            part, fact = record.get("part", ""), record.get("fact")
            if isinstance(part, str) and (fact is None or _is_place(fact, facts)):
                return GraphNode(kind, text, part, fact)
    return None


def _edge(record: Any, nodes: int) -> GraphEdge | None:
    match record:
        case [source, target, int() | float() as weight, str(label)] if not isinstance(weight, bool):
            if _is_place(source, nodes) and _is_place(target, nodes) and math.isfinite(weight):
                return GraphEdge(source, target, float(weight), label)
    return None


def _is_place(value: Any, below: float = math.inf) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < below

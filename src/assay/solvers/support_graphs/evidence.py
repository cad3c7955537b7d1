"""A found support graph as evidence that a person can read."""

from __future__ import annotations

from collections.abc import Sequence

from assay.questions.model import GraphEdge, GraphEvidence, GraphFact, GraphNode
from assay.solvers.support_graphs.facts import Fact
from assay.solvers.support_graphs.integer_program import INFEASIBLE
from assay.solvers.support_graphs.links import Question
from assay.solvers.support_graphs.problem import UNIT, Cell, CellLink, ChoiceLink, HeaderLink, TermLink
from assay.solvers.support_graphs.search import Found, ends

LABELS = {TermLink: "term", HeaderLink: "header", ChoiceLink: "choice", CellLink: "between tables"}


def graph_evidence(
    found: Found, asked: Question, choice: int, text: str, facts: Sequence[Fact], tables: Sequence[int]
) -> tuple[GraphEvidence, ...]:
    """The graph for the choice of that number; none where there is none and no limit was hit.

    `facts`: the candidate rows; `tables`: the table of each, by the number that header links name it with.
    """
    if found.gain is None:
        return () if found.status == INFEASIBLE else (GraphEvidence((), (), (), 0.0, found.status),)
    cells = sorted({cell for link in found.links for cell in ends(link)}, key=lambda c: (c.row, c.column))
    rows = sorted({cell.row for cell in cells})
    place = {row: number for number, row in enumerate(rows)}
    nodes: dict[tuple[object, ...], int] = {}
    drawn: list[GraphNode] = []

    def node(key: tuple[object, ...], made: GraphNode) -> int:
        if key not in nodes:
            nodes[key] = len(drawn)
            drawn.append(made)
        return nodes[key]

    def cell_node(cell: Cell) -> int:
        fact = facts[cell.row]
        header = fact.table.columns[cell.column].header
        return node(("cell", cell), GraphNode("fact", fact.row.cells[cell.column], header, place[cell.row]))

    def term_node(term: int) -> int:
        return node(("term", term), GraphNode("term", asked.terms[term].phrase.text))

    edges = []
    for link in found.links:
        match link:
            case TermLink():
                one, other = term_node(link.term), cell_node(link.cell)
            case HeaderLink():
                under = (c.row for c in cells if (tables[c.row], c.column) == (link.table, link.column))
                row = next(under)
                header = facts[row].table.columns[link.column].header
                one = term_node(link.term)
                other = node(
                    ("header", link.table, link.column), GraphNode("fact", header, "header", place[row])
                )
            case ChoiceLink():
                words = asked.choices[choice][1]
                part = "" if link.word is None else words[link.word].text
                one = cell_node(link.cell)
                other = node(("choice", link.word), GraphNode("choice", part or text))
            case CellLink():
                one, other = cell_node(link.one), cell_node(link.other)
        edges.append(GraphEdge(one, other, link.gain / UNIT, LABELS[type(link)]))
    said = tuple(
        GraphFact(facts[row].table.sentence(facts[row].row), facts[row].table.name, facts[row].row.line)
        for row in rows
    )
    return (GraphEvidence(tuple(drawn), tuple(edges), said, found.gain / UNIT, found.status),)

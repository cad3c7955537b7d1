"""Statement graphs, the structure that DGEM reads (Khot, Sabharwal and Clark 2018, "SciTail", section 4)."""

from __future__ import annotations

from collections.abc import Sequence

from assay.text.graphs.dependencies import add_dependencies
from assay.text.graphs.graph import Edge, Growing, StatementGraph
from assay.text.graphs.labels import LABELS
from assay.text.graphs.tuples import add_extractions
from assay.text.openie import Extraction
from assay.text.parsing import Parse

PARSE, OPENIE = "parse", "openie"
STRUCTURES = (PARSE, OPENIE)
"""From the dependency parse and Open IE together (DGEM), or from Open IE alone (DGEM-OpenIE)."""

__all__ = ["LABELS", "OPENIE", "PARSE", "STRUCTURES", "Edge", "StatementGraph", "statement_graph"]


def statement_graph(
    parse: Parse, extractions: Sequence[Extraction], structure: str = PARSE, *, rest: bool = False
) -> StatementGraph:
    """The graph of a sentence. `structure` is one of STRUCTURES.

    `rest`: content words that the structure leaves out make nodes without edges, a run of them one node.
    It has no node where the sentence has no words, and with OPENIE where nothing was extracted (with `rest`
    too: where it has no content word either).
    """
    graph = Growing(parse)
    add_extractions(graph, extractions)
    if structure == PARSE:
        add_dependencies(graph)
    if rest:
        graph.rest()
    return graph.grown()

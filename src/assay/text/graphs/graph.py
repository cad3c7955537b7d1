"""A statement graph: phrases of a sentence, and the labelled relations between them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from assay.text.openie import Phrase
from assay.text.parsing import Parse

ARTICLES = frozenset(("a", "an", "the"))
CONTENT = frozenset(("NOUN", "PROPN", "VERB", "ADJ", "ADV", "NUM"))
"""Universal parts of speech of the words that `rest` gathers."""


@dataclass(frozen=True, slots=True)
class Edge:
    """From the node at place `source` to the one at `target`; `label` is one of labels.LABELS."""

    source: int
    label: str
    target: int


@dataclass(frozen=True, slots=True)
class StatementGraph:
    """`nodes` in the order of their first words, no two of the same words; `edges` sorted, none twice."""

    nodes: tuple[Phrase, ...]
    edges: tuple[Edge, ...]


class Growing:
    """A graph that nodes and edges are added to.

    Articles, punctuation and the possessive ending are no part of a node.
    """

    def __init__(self, parse: Parse) -> None:
        self.parse = parse
        self._places: dict[tuple[int, ...], int] = {}
        self._edges: set[tuple[int, str, int]] = set()

    def node(self, tokens: Iterable[int]) -> int | None:
        """The place of the node of these tokens, a new one if need be; None where nothing is left of them."""
        kept = tuple(token for token in sorted(set(tokens)) if self._counts(token))
        return self._places.setdefault(kept, len(self._places)) if kept else None

    def _counts(self, place: int) -> bool:
        token = self.parse.tokens[place]
        if token.dep in ("punct", "case") or token.pos in ("PUNCT", "SPACE"):
            return False
        return not (token.dep == "det" and token.text.lower() in ARTICLES)

    def edge(self, source: int | None, label: str, target: int | None) -> None:
        """Add an edge between nodes, unless one is None, or both are the same."""
        if source is not None and target is not None and source != target:
            self._edges.add((source, label, target))

    def rest(self) -> None:
        """Add a node for each run of content words that stand in no node yet."""
        known = {token for tokens in self._places for token in tokens}
        run: list[int] = []
        for place, token in enumerate(self.parse.tokens):
            if place not in known and token.pos in CONTENT:
                run.append(place)
            else:
                self.node(run)
                run = []
        self.node(run)

    def grown(self) -> StatementGraph:
        """The graph."""
        order = sorted(self._places)
        new = {self._places[tokens]: place for place, tokens in enumerate(order)}
        edges = sorted((new[source], label, new[target]) for source, label, target in self._edges)
        return StatementGraph(tuple(Phrase(tokens) for tokens in order), tuple(Edge(*edge) for edge in edges))

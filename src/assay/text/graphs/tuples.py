"""Structure from Open IE: what tuples say of a sentence, as nodes and edges (Khot et al. 2018, section 4).

A relation points to its subject, to its arguments (labelled by their prepositions), to the condition under
which it holds and to the word that negates it; the subject points to the first argument. Long phrases are
broken at their prepositions: "the change of liquid water into vapor" is three nodes.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from assay.text.graphs.graph import Growing
from assay.text.graphs.labels import (
    CONDITION,
    NEGATION,
    OBJECT,
    SUBJECT,
    SUBJECT_OBJECT,
    preposition_label,
)
from assay.text.openie import Argument, Extraction
from assay.text.parsing import Parse

_NEGATIONS = frozenset(("not", "n't", "never", "no", "neither", "nor", "hardly", "rarely", "seldom"))


def add_extractions(graph: Growing, extractions: Iterable[Extraction]) -> None:
    """Add what each tuple says; phrases that several tuples share are one node."""
    for extraction in extractions:
        _add(graph, extraction)


def _add(graph: Growing, extraction: Extraction) -> None:
    negating = _negating(graph.parse, extraction) if extraction.negated else ()
    said = [token for token in extraction.relation.tokens if token not in negating]
    relation = graph.node(said) if said else graph.node(extraction.relation.tokens)
    subject = _pieces(graph, extraction.subject.tokens) if extraction.subject is not None else None
    graph.edge(relation, SUBJECT, subject)
    for number, argument in enumerate(extraction.arguments):
        piece = _pieces(graph, _without_preposition(graph.parse, argument))
        label = OBJECT if argument.preposition is None else preposition_label(argument.preposition)
        graph.edge(relation, label, piece)
        if number == 0:
            graph.edge(subject, SUBJECT_OBJECT, piece)
    if extraction.condition is not None:
        graph.edge(relation, CONDITION, graph.node(extraction.condition.tokens))
    for token in negating:
        graph.edge(relation, NEGATION, graph.node([token]))


def _without_preposition(parse: Parse, argument: Argument) -> Sequence[int]:
    """The argument's tokens, less the preposition where it stands among them."""
    tokens = argument.phrase.tokens
    words = argument.preposition.lower().split() if argument.preposition else []
    count = len(words)
    first = [parse.tokens[token].text.lower() for token in tokens[:count]]
    return tokens[count:] if words and first == words and len(tokens) > count else tokens


def _negating(parse: Parse, extraction: Extraction) -> tuple[int, ...]:
    """The words that negate the relation: among its tokens, or hanging from one of them."""
    relation = set(extraction.relation.tokens)
    return tuple(
        place
        for place, token in enumerate(parse.tokens)
        if (token.dep == "neg" or token.text.lower() in _NEGATIONS)
        and (place in relation or token.head in relation)
    )


def _pieces(graph: Growing, tokens: Sequence[int]) -> int | None:
    """Add a phrase broken at its prepositions, and the edges between the pieces; the first piece's place."""
    parse = graph.parse
    within = set(tokens)
    starts = [
        place for place in tokens[1:] if parse.tokens[place].dep == "prep" and _governs(parse, place, within)
    ]
    pieces: list[tuple[int | None, list[int]]] = [(None, [])]
    for token in tokens:
        if token in starts:
            pieces.append((token, []))
        else:
            pieces[-1][1].append(token)
    nodes = [graph.node(own) for _, own in pieces]
    for number, (preposition, _) in enumerate(pieces):
        if preposition is None:
            continue
        head = parse.tokens[preposition].head
        holder = next((node for node, (_, own) in zip(nodes, pieces, strict=True) if head in own), None)
        label = preposition_label(parse.tokens[preposition].text)
        graph.edge(nodes[number - 1] if holder is None else holder, label, nodes[number])
    return nodes[0]


def _governs(parse: Parse, preposition: int, within: set[int]) -> bool:
    """Whether it has an object in the phrase that is no question word ("by which")."""
    return any(
        token.head == preposition and place in within and not token.tag.startswith("W")
        for place, token in enumerate(parse.tokens)
        if place != preposition
    )

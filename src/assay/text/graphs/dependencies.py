"""Structure from a dependency parse (spaCy's labels): base phrases, and what holds between their heads.

A base phrase is a noun with what stands before it, a verb with its auxiliaries, or an adjective, adverb or
number alone. Prepositions, conjunctions and articles are no nodes: they name the edges. What modifies a noun
(attributes, compounds, numbers, possessors) is a node of its own besides, so that each is looked for by
itself.
"""

from __future__ import annotations

from collections.abc import Mapping

from assay.text.graphs.graph import Growing
from assay.text.graphs.labels import (
    ADVERB,
    APPOSITION,
    ATTRIBUTE,
    CLAUSE,
    COMPOUND,
    CONDITION,
    CONJUNCT,
    NEGATION,
    NUMBER,
    OBJECT,
    OTHER,
    POSSESSOR,
    RELATIVE,
    SUBJECT,
    preposition_label,
)
from assay.text.parsing import Parse

INNER = frozenset(
    (
        "det",
        "predet",
        "amod",
        "compound",
        "nummod",
        "quantmod",
        "poss",
        "nmod",
        "case",
        "aux",
        "auxpass",
        "prt",
    )
)
"""Labels of tokens that are part of their head's phrase."""
MODIFIERS: Mapping[str, str] = {
    "amod": ATTRIBUTE,
    "compound": COMPOUND,
    "nmod": COMPOUND,
    "nummod": NUMBER,
    "poss": POSSESSOR,
}
"""Those that are a node of their own besides, and what that is to the phrase."""
RELATIONS: Mapping[str, str] = {
    **dict.fromkeys(("nsubj", "nsubjpass", "csubj", "csubjpass"), SUBJECT),
    **dict.fromkeys(("dobj", "attr", "acomp", "oprd", "dative"), OBJECT),
    **dict.fromkeys(("ccomp", "xcomp", "advcl", "pcomp", "parataxis"), CLAUSE),
    **dict.fromkeys(("relcl", "acl"), RELATIVE),
    **dict.fromkeys(("advmod", "npadvmod"), ADVERB),
    "appos": APPOSITION,
    "neg": NEGATION,
    "conj": CONJUNCT,
}
"""What a phrase is to the one that it hangs from; any other label of spaCy's: OTHER."""
_PASSED = frozenset(("prep", "agent", "mark", "cc", "preconj", "punct", "expl", "intj"))
_PREPOSITIONS = frozenset(("prep", "agent"))
_CONDITIONS = frozenset(("if", "when", "unless", "while", "once", "whenever", "until", "after", "before"))


def add_dependencies(graph: Growing) -> None:
    """Add the base phrases of the sentence and the relations between them."""
    parse = graph.parse
    inside = _phrase_heads(parse)
    members: dict[int, list[int]] = {}
    for place, head in enumerate(inside):
        if head is not None:
            members.setdefault(head, []).append(place)
    nodes = {head: graph.node(tokens) for head, tokens in members.items()}
    for head in members:
        for source, label in _governors(parse, head):
            holder = inside[source]
            graph.edge(nodes[holder] if holder is not None else None, label, nodes[head])
    _add_modifiers(graph, inside, nodes)


def _phrase_heads(parse: Parse) -> list[int | None]:
    """For each token the head of its phrase; None for what is part of none."""
    found: list[int | None] = []
    for place, token in enumerate(parse.tokens):
        at, seen = place, {place}
        while _is_inner(parse, at) and parse.tokens[at].head not in seen:
            at = parse.tokens[at].head
            seen.add(at)
        passed = parse.tokens[at].dep in _PASSED or token.pos in ("PUNCT", "SPACE")
        found.append(None if passed else at)
    return found


def _is_inner(parse: Parse, place: int) -> bool:
    token = parse.tokens[place]
    if token.dep == "advmod":
        return parse.tokens[token.head].dep in ("amod", "nummod", "quantmod")
    return token.dep in INNER and token.head != place


def _governors(parse: Parse, head: int) -> list[tuple[int, str]]:
    """The tokens that a phrase hangs from, each with the edge's label; a conjunct hangs from two."""
    token = parse.tokens[head]
    if token.head == head:
        return []
    label = RELATIONS.get(token.dep, OTHER)
    if token.dep == "advcl" and _is_condition(parse, head):
        label = CONDITION
    at = token.head
    if token.dep == "conj":
        return [(at, label), *_governors(parse, at)] if parse.tokens[at].dep != "conj" else [(at, label)]
    named = False
    while parse.tokens[at].dep in _PASSED and parse.tokens[at].head != at:
        if parse.tokens[at].dep in _PREPOSITIONS and not named:
            label, named = preposition_label(parse.tokens[at].text), True
        at = parse.tokens[at].head
    return [(at, label)]


def _is_condition(parse: Parse, head: int) -> bool:
    return any(
        token.head == head and token.dep in ("mark", "advmod") and token.text.lower() in _CONDITIONS
        for token in parse.tokens
    )


def _add_modifiers(graph: Growing, inside: list[int | None], nodes: Mapping[int, int | None]) -> None:
    parse = graph.parse
    for place, token in enumerate(parse.tokens):
        holder = inside[place]
        label = MODIFIERS.get(token.dep)
        if label is None or holder is None or token.head != holder:
            continue
        own = [at for at in range(len(parse.tokens)) if inside[at] == holder and _under(parse, at, place)]
        graph.edge(nodes[holder], label, graph.node(own))


def _under(parse: Parse, place: int, above: int) -> bool:
    """Whether a token hangs, over any number of others, from `above`."""
    for _ in parse.tokens:
        if place == above:
            return True
        place = parse.tokens[place].head
    return False

"""Short phrases: a noun, an adjective or an adverb with what belongs to it, without clauses beside it."""

from __future__ import annotations

from assay.text.openie.tree import Tree
from assay.text.openie.words import NEGATIVE

_KEPT = frozenset("det amod compound nummod nmod quantmod predet advmod npadvmod case prt poss neg".split())
_WHOLE = frozenset({"amod", "compound", "poss", "nummod", "nmod", "quantmod", "advmod", "npadvmod"})


def phrase(tree: Tree, head: int, *, prepositions: bool = False) -> list[int]:
    """The tokens of the phrase around `head`, rising.

    Kept: determiner (but "no"), adjectives, compounds, numbers, possessors, phrases with "of"; an adjective's
    coordinated ones. With `prepositions` every phrase with a preposition is kept. Left out: relative clauses,
    participles, appositions, coordinated nouns.
    """
    found: list[int] = []
    waiting = [head]
    while waiting:
        at = waiting.pop()
        found.append(at)
        for child in tree.children[at]:
            dep = tree[child].dep
            if dep == "prep":
                of = tree.lower(child) == "of" and tree[at].pos != "ADJ"
                if (of or prepositions) and not exemplifies(tree, child):
                    found.extend(_prepositional(tree, child, waiting))
            elif dep in _WHOLE:
                found.extend(_modifier(tree, child))
            elif _kept(tree, child):
                found.append(child)
        if tree[head].pos in ("ADJ", "ADV"):
            joined = [
                child for child in tree.below(at, "conj", "cc") if tree[child].pos in ("ADJ", "ADV", "CCONJ")
            ]
            waiting.extend(joined)
    return sorted(set(found))


def _kept(tree: Tree, child: int) -> bool:
    token = tree[child]
    if token.dep == "punct":
        return token.tag == "HYPH"
    return token.dep in _KEPT and not (token.dep == "det" and tree.lower(child) in NEGATIVE)


def _prepositional(tree: Tree, preposition: int, waiting: list[int]) -> list[int]:
    """The preposition and what isn't itself a noun phrase behind it; nouns go to `waiting`."""
    found = [preposition]
    for child in tree.children[preposition]:
        if tree[child].dep == "pobj":
            nouns = tree.conjuncts(child)
            waiting.extend(nouns)
            if len(nouns) > 1:
                found.extend(
                    mark for noun in nouns for mark in tree.below(noun, "cc", "punct") if mark < nouns[-1]
                )
        elif tree[child].dep in ("prep", "pcomp", "amod", "advmod"):
            found.extend(tree.subtree(child))
    return found


def _modifier(tree: Tree, head: int) -> list[int]:
    clauses = {at for at in tree.subtree(head) if tree[at].dep in ("relcl", "advcl", "appos", "prep")}
    return [
        at for at in tree.subtree(head, clauses) if tree.lower(at) not in NEGATIVE or tree[at].dep != "det"
    ]


def exemplifies(tree: Tree, preposition: int) -> bool:
    """It gives examples: "such as", "including"."""
    word = tree.lower(preposition)
    return word == "including" or (
        word == "as" and any(tree.lower(child) == "such" for child in tree.children[preposition])
    )


def trimmed(tree: Tree, tokens: list[int]) -> list[int]:
    """Without punctuation at either end."""
    start, end = 0, len(tokens)
    while start < end and tree[tokens[start]].pos == "PUNCT":
        start += 1
    while end > start and tree[tokens[end - 1]].pos == "PUNCT":
        end -= 1
    return tokens[start:end]


def denied(tree: Tree, head: int) -> bool:
    """The noun has "no" before it, or stands in "neither ... nor"."""
    return any(
        tree.lower(child) in NEGATIVE or tree.lower(child) == "nor"
        for child in tree.below(head, "det", "preconj", "cc", "advmod", "neg")
    )

"""The pattern "nsubj verb dobj": what Open IE must beat, and what it misses shown in docs/openie.md."""

from __future__ import annotations

from assay.text.openie.extraction import Argument, Extraction, Phrase
from assay.text.parsing import Parse


def plain_pattern(parse: Parse) -> tuple[Extraction, ...]:
    """A tuple for each verb with a subject and a direct object, by their labels alone.

    Each phrase is what the word governs, from its first to its last word.
    """
    subtrees = _subtrees(parse)
    found = []
    for verb, token in enumerate(parse.tokens):
        if token.pos not in ("VERB", "AUX"):
            continue
        below = [index for index, other in enumerate(parse.tokens) if other.head == verb != index]
        subjects = [index for index in below if parse.tokens[index].dep == "nsubj"]
        objects = [index for index in below if parse.tokens[index].dep == "dobj"]
        if subjects and objects:
            found.append(
                Extraction(
                    Phrase(subtrees[subjects[0]]), Phrase((verb,)), (Argument(Phrase(subtrees[objects[0]])),)
                )
            )
    return tuple(found)


def _subtrees(parse: Parse) -> list[tuple[int, ...]]:
    """For each token the tokens that it governs, itself included, rising."""
    below: list[list[int]] = [[] for _ in parse.tokens]
    for index in range(len(parse.tokens)):
        above, steps = index, 0
        while steps <= len(parse.tokens):
            below[above].append(index)
            if parse.tokens[above].head == above:
                break
            above, steps = parse.tokens[above].head, steps + 1
    return [tuple(sorted(tokens)) for tokens in below]

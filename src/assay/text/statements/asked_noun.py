"""The noun that a question word asks for (which *part of a cell*), and what of it a statement keeps."""

from __future__ import annotations

from collections.abc import Sequence

from assay.text.statements import words
from assay.text.statements.asked import Question
from assay.text.statements.choices import Answer
from assay.text.statements.words import bare
from assay.text.statements.written import indefinite


def with_noun(noun: Sequence[str], answer: Answer) -> str:
    """The answer's text; an answer of adjectives alone gets the noun that was asked for: "immune" ->
    "immune system"."""
    head = _head(noun)
    if (
        head is not None
        and bare(head) in {"phase", "stage"}
        and answer.first in {"new", "full", "waxing", "waning"}
    ):
        return f"{answer.text} {head}"
    coloured = (
        len(answer.tokens) == 1
        and answer.first in words.ADJECTIVES
        and head is not None
        and bare(head).endswith("s")
    )
    if head is None or bare(head) in answer.tokens or not (coloured or words.is_adjective(answer.text)):
        return answer.text
    return f"{answer.text} {head}"


def _head(noun: Sequence[str]) -> str | None:
    plain = [bare(word) for word in noun]
    if not plain:
        return None
    if "of" in plain:
        of = plain.index("of")
        if plain[of - 1] in words.KINDS and of + 1 < len(plain):
            end = next((n for n in range(of + 2, len(plain)) if plain[n] in words.PREPOSITIONS), len(plain))
            return noun[end - 1].rstrip(",")
        return noun[of - 1]
    return noun[-1].rstrip(",")


def head_of(asked: Question) -> str:
    plain = [bare(word) for word in asked.noun]
    at = plain.index("of") - 1 if "of" in plain[1:] else len(plain) - 1
    return asked.noun[at]


def names_a_part(asked: Question) -> bool:
    """Which part of a cell makes energy: what the part is of must not be lost."""
    plain = [bare(word) for word in asked.noun]
    if "of" not in plain[1:-1] or asked.preposition or bare(asked.rest[0]) in {"that", "who"}:
        return False
    of = plain.index("of")
    several = {
        "pair",
        "pairs",
        "group",
        "set",
        "combination",
        "one",
        "two",
        "three",
        "these",
        "those",
        "sequence",
        "list",
    }
    return not ({plain[of - 1], plain[of + 1]} & (several | words.KINDS)) and plain[of + 1 : of + 2] != [
        "following"
    ]


def called(asked: Question) -> str:
    """The noun with an article: "a change"; without where it is plural."""
    article = [] if bare(head_of(asked)).endswith("s") else [indefinite(asked.noun[0])]
    return " ".join([*article, *asked.noun])

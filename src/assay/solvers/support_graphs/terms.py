"""What of a question takes part in a support graph: the terms of its stem, and its choices."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from assay.text.analysis import Analyser, is_stop
from assay.text.phrases import Phrase, phrase


@dataclass(frozen=True, slots=True)
class Term:
    """A content word of the stem, once however often it stands there.

    `science`: it is one of the science terms; `asked`: it follows "which".
    """

    phrase: Phrase
    science: bool
    asked: bool


def terms_of(stem: str, analyser: Analyser, science: Collection[str], which_span: int) -> tuple[Term, ...]:
    """The stem's terms, in order. `science` holds analysed terms; `which_span` words after "which" are asked.

    A stem without a content word has no term.
    """
    found: dict[str, tuple[str, bool]] = {}
    left = 0
    for token in analyser.tokens(stem):
        if token == "which":
            left = which_span
            continue
        term = analyser.term(token)
        if is_stop(term):
            continue
        word, asked = found.get(term, (token, False))
        found[term] = word, asked or left > 0
        left -= 1
    return tuple(Term(Phrase(word, (word,)), term in science, asked) for term, (word, asked) in found.items())


def words_of(choice: str, analyser: Analyser) -> tuple[Phrase, tuple[Phrase, ...]]:
    """The choice as one phrase, and each of its words where it has more than one."""
    whole = phrase(choice, analyser)
    words = tuple(dict.fromkeys(whole.words))
    return whole, tuple(Phrase(word, (word,)) for word in words) if len(words) > 1 else ()

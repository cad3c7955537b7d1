"""Spans that no network reads: the first sentence, and words near those of the question."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cache

from assay.passages.passage import PassageQuestion, Span
from assay.passages.tokens import tokens
from assay.text.analysis import Analyser, is_stop
from assay.text.sentences import sentences

WINDOW = 4
"""Tokens of the longest span that `overlap` chooses."""


def first_sentence(question: PassageQuestion) -> Span:
    """The passage's first sentence, whatever is asked."""
    start, text = next(_sentences(question.passage), (0, ""))
    return Span(start, text)


def overlap(question: PassageQuestion) -> Span:
    """Words near the question's in the sentence that shares most distinct stems with it, the first of equals.

    Of its windows of at most WINDOW tokens that hold no word of the question and neither begin nor end with a
    stop word or a sign, the one nearest to the question's words: the sum of 1 / (1 + distance in tokens)
    over these; of equals the longest, the first of those. A
    sentence without such a window is answered whole.
    """
    asked = set(_analyser().content(question.question))
    start, best, most = 0, "", -1
    for at, sentence in _sentences(question.passage):
        shared = len(asked & set(_analyser().content(sentence)))
        if shared > most:
            start, best, most = at, sentence, shared
    cut = tokens(best)
    terms = [_term(word) for word in cut.words]
    found = _nearest(terms, asked)
    span = Span(0, best) if found is None else cut.span(*found)
    return Span(start + span.start, span.text)


def _nearest(terms: list[str], asked: set[str]) -> tuple[int, int] | None:
    known = [place for place, term in enumerate(terms) if term in asked]
    best: tuple[float, int] = (-1.0, 0)
    chosen = None
    for first, term in enumerate(terms):
        if not term or is_stop(term):
            continue
        for last in range(first, min(first + WINDOW, len(terms))):
            if terms[last] in asked:
                break
            if not terms[last] or is_stop(terms[last]):
                continue
            near = sum(1 / (1 + min(abs(place - first), abs(place - last))) for place in known)
            if (near, last - first) > best:
                best, chosen = (near, last - first), (first, last)
    return chosen


def _term(word: str) -> str:
    """The token's term, "" for a sign."""
    found = _analyser().all_terms(word)
    return found[0] if found else ""


def _sentences(passage: str) -> Iterator[tuple[int, str]]:
    """The passage's sentences with the character that each starts at."""
    at = 0
    for sentence in sentences(passage):
        found = passage.find(sentence, at)
        # A line feed within it was read as a space: its length is the same.
        at = found if found >= 0 else passage.replace("\n", " ").find(sentence, at)
        yield at, passage[at : at + len(sentence)]
        at += len(sentence)


@cache
def _analyser() -> Analyser:
    return Analyser()


BASELINES: Mapping[str, Callable[[PassageQuestion], Span]] = {
    "first-sentence": first_sentence,
    "overlap": overlap,
}
"""By the name that tables show."""

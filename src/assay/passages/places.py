"""Which tokens a question's references are."""

from __future__ import annotations

from collections.abc import Sequence

from assay.passages.checking import occurrences
from assay.passages.passage import Span
from assay.passages.tokens import Tokens, off_token


def reachable(cut: Tokens, key: Sequence[Span]) -> list[tuple[int, int]]:
    """First and last token of each reference that lies within the tokens, distinct ones.

    A reference that begins or ends within a word is taken where its text stands as whole words, if it does so
    anywhere: files whose places were found by searching have such.
    """
    found: list[tuple[int, int] | None] = []
    for span in key:
        place = cut.places(span)
        if place is not None and off_token(cut, [span]):
            whole = [one for one in occurrences(cut.text, span.text) if not off_token(cut, [one])]
            found += [cut.places(one) for one in whole] or [place]
        else:
            found.append(place)
    return list(dict.fromkeys(place for place in found if place is not None))

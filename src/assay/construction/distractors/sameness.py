"""When two choices would be the same answer: equal, one within the other, or of the same content stems."""

from __future__ import annotations

import unicodedata
from functools import lru_cache

from assay.text.analysis import Analyser


@lru_cache(maxsize=1 << 18)
def plain(text: str) -> str:
    """The text after NFKC and case folding, white space trimmed and runs of it made one."""
    return " ".join(unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold()).split())


class Sameness:
    """Tells texts of one trade apart; remembers what it has analysed."""

    def __init__(self, analyser: Analyser, *, same_stems: bool = True) -> None:
        """`same_stems`: texts with the same set of content stems, stop words aside, are equal."""
        self._analyser = analyser
        self._same_stems = same_stems
        self._stems: dict[str, frozenset[str]] = {}

    def stems(self, text: str) -> frozenset[str]:
        """Its content stems; where it has none, its stop words."""
        known = self._stems.get(text)
        if known is None:
            known = self._stems[text] = frozenset(self._analyser.query_terms(text))
        return known

    def same(self, one: str, other: str) -> bool:
        """Whether they are equal, one contains the other, or (where asked) their stems are the same."""
        first, second = plain(one), plain(other)
        if first in second or second in first:
            return True
        return self._same_stems and bool(self.stems(one)) and self.stems(one) == self.stems(other)

"""Tokens of passages with their places: spans of characters to spans of tokens, and back."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from assay.passages.passage import Span
from assay.text.analysis import MARKS

_APOSTROPHE = "['\u2019]"
_TOKEN = re.compile(
    rf"\d+(?:[.,]\d+)+(?![^\W_])"
    rf"|n{_APOSTROPHE}t\b"
    rf"|(?<=[^\W_]){_APOSTROPHE}(?:s|re|ve|ll|d|m)\b"
    rf"|[^\W_](?:[^\W_]|[{MARKS}])*?(?=n{_APOSTROPHE}t\b)"
    rf"|[^\W_](?:[^\W_]|[{MARKS}])*"
    r"|\S",
    re.IGNORECASE,
)
"""Numbers with inner points and commas; n't, 's and their like; words; every other sign by itself."""


@dataclass(frozen=True, slots=True)
class Tokens:
    """A text's tokens in order: where each starts and ends in the text, in characters."""

    text: str
    starts: tuple[int, ...]
    ends: tuple[int, ...]

    def __len__(self) -> int:
        return len(self.starts)

    @property
    def words(self) -> list[str]:
        """The tokens as they are written."""
        return [self.text[start:end] for start, end in zip(self.starts, self.ends, strict=True)]

    def first(self, most: int) -> Tokens:
        """The first `most` tokens; the text stays."""
        return self if len(self) <= most else Tokens(self.text, self.starts[:most], self.ends[:most])

    def places(self, span: Span) -> tuple[int, int] | None:
        """First and last token that the span touches; None where it touches none or goes beyond the last."""
        first = bisect_right(self.ends, span.start)
        last = bisect_left(self.starts, span.end) - 1
        if first > last or not self.ends or span.start >= self.ends[-1]:
            return None
        # What is behind the last token that was kept can't be pointed at.
        beyond = span.end > self.ends[-1] and self.text[self.ends[-1] : span.end].strip()
        return None if beyond else (first, last)

    def span(self, first: int, last: int) -> Span:
        """The text from the first to the last of two tokens."""
        return Span(self.starts[first], self.text[self.starts[first] : self.ends[last]])


def tokens(text: str) -> Tokens:
    """The text's tokens. White space is between them, every other character within one."""
    found = [match.span() for match in _TOKEN.finditer(text)]
    starts, ends = zip(*found, strict=True) if found else ((), ())
    return Tokens(text, starts, ends)


def off_token(cut: Tokens, spans: Sequence[Span]) -> int:
    """How many of the spans begin or end within a token (or at white space), so that no tokens are they."""
    starts, ends = set(cut.starts), set(cut.ends)
    return sum(span.start not in starts or span.end not in ends for span in spans)

"""The item model of passage questions: a question whose answer is a span of its passage. Immutable."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Span:
    """A span of a passage: `start` in characters (code points) from 0, and the `text` that stands there."""

    start: int
    text: str

    @property
    def end(self) -> int:
        """The character after the last one."""
        return self.start + len(self.text)


@dataclass(frozen=True, slots=True)
class PassageQuestion:
    """A question about a passage.

    `answers`: every reference, as published: several of them may be equal or overlap; empty where they are
    hidden. `group`: what it is split by and clustered by (SQuAD: the article's title), None where unknown.
    """

    id: str
    passage: str
    question: str
    answers: tuple[Span, ...]
    group: str | None = None

    @property
    def key(self) -> tuple[Span, ...] | None:
        """The distinct references, in the order of the passage; None where they are hidden."""
        distinct = set(self.answers)
        return tuple(sorted(distinct, key=lambda span: (span.start, span.end))) or None

    @property
    def references(self) -> tuple[str, ...]:
        """The references' texts, as published."""
        return tuple(span.text for span in self.answers)


def fingerprint(questions: Iterable[PassageQuestion]) -> str:
    """SHA-256 (hex) over every field of every question, in order."""
    digest = hashlib.sha256()
    for one in questions:
        spans = [[span.start, span.text] for span in one.answers]
        record = [one.id, one.passage, one.question, spans, one.group]
        # ASCII escapes keep a lone surrogate hashable.
        digest.update(json.dumps(record, ensure_ascii=True).encode("ascii") + b"\n")
    return digest.hexdigest()

"""The sentence of a corpus that holds most of some terms: nearest to a fact, or support of a choice.

Straight over the postings, so that its cost is that of the terms' postings, whatever the corpus's size.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from assay.corpus.model import Corpus
from assay.evidence.compiled import compiled

Ints = npt.NDArray[np.int64]
Words = npt.NDArray[np.uint32]


class Held(NamedTuple):
    """For each row the sentence that holds most of the row's distinct terms, the first of equal ones.

    `sentences`: its id, -1: none holds any (or, where some are required, all of them). `held`: how many it
    holds, -1 with no sentence. `wanted`: how many distinct terms there are, those that the corpus lacks among
    them; `known`: how many of these the corpus has. int64, (rows,) each.
    """

    sentences: Ints
    held: Ints
    wanted: Ints
    known: Ints

    @property
    def shares(self) -> npt.NDArray[np.float64]:
        """Share of the terms that the sentence holds, 0 to 1; 0 without a sentence, or without terms."""
        found = np.zeros(len(self.held))
        np.divide(np.maximum(self.held, 0), self.wanted, out=found, where=self.wanted > 0)
        return found


class Holding:
    """Looks terms up in the postings of one corpus."""

    def __init__(self, corpus: Corpus) -> None:
        self._ids, self._known = corpus.vocabulary.ids, dict[str, int]()
        self._starts = _plain(corpus.postings.starts, np.int64)
        self._sentences = _plain(corpus.postings.sentences, np.uint32)
        self._size = len(corpus)

    def known(self, term: str) -> bool:
        """Whether some sentence holds the term."""
        return self._id(term) >= 0

    def most(self, wanted: Sequence[Sequence[str]], required: Sequence[Sequence[str]] | None = None) -> Held:
        """For each row the sentence that holds most of its `wanted` terms, repeats counted once.

        With `required`, as many rows: only among sentences that hold all of the row's required terms, and if
        a row has none, no sentence. The share of content stems of `assay.text.shares` is that of
        `Shares.share` for `wanted` = the analyser's `query_terms` of the text.
        """
        rows = len(wanted)
        sentences, held = np.full(rows, -1, np.int64), np.full(rows, -1, np.int64)
        asked = self._numbered(wanted)
        if required is None:
            _most(self._starts, self._sentences, asked, np.zeros(self._size, np.uint16), (sentences, held))
        else:
            needed, whole = self._numbered(required), self._whole(required)
            marks = np.zeros(self._size, np.uint16)
            _most_among(self._starts, self._sentences, (needed, whole), asked, marks, (sentences, held))
        counts = np.array([len(set(terms)) for terms in wanted], np.int64)
        return Held(sentences, held, counts, np.diff(asked[1]))

    def _id(self, term: str) -> int:
        found = self._known.get(term)
        if found is None:
            number = self._ids.get(term, -1)
            # A part of a corpus has terms that none of its sentences holds.
            found = number if number >= 0 and self._starts[number + 1] > self._starts[number] else -1
            self._known[term] = found
        return found

    def _numbered(self, rows: Sequence[Sequence[str]]) -> tuple[Ints, Ints]:
        """Ids of the known terms of each row, the rarest first, and where each row starts."""
        kept = [sorted({self._id(term) for term in row} - {-1}, key=self._rank) for row in rows]
        starts = np.cumsum([0, *map(len, kept)], dtype=np.int64)
        return np.array([term for row in kept for term in row], np.int64), starts

    def _rank(self, term: int) -> tuple[int, int]:
        return int(self._starts[term + 1] - self._starts[term]), term

    def _whole(self, rows: Sequence[Sequence[str]]) -> npt.NDArray[np.bool_]:
        """Which rows have terms, all of them known."""
        return np.array([bool(row) and all(map(self.known, row)) for row in rows], np.bool_)


@compiled
def _most(
    starts: Ints, sentences: Words, asked: tuple[Ints, Ints], held: npt.NDArray[np.uint16],
    found: tuple[Ints, Ints],
) -> None:  # fmt: skip
    terms, rows = asked
    for row in range(len(rows) - 1):
        best, at = 0, -1
        for place in range(rows[row], rows[row + 1]):
            term = terms[place]
            for entry in range(starts[term], starts[term + 1]):
                sentence = sentences[entry]
                held[sentence] += 1
                count = held[sentence]
                if count > best or (count == best and sentence < at):
                    best, at = count, sentence
        for place in range(rows[row], rows[row + 1]):
            term = terms[place]
            for entry in range(starts[term], starts[term + 1]):
                held[sentences[entry]] = 0
        if at >= 0:
            found[0][row], found[1][row] = at, best


@compiled
def _most_among(
    starts: Ints, sentences: Words, required: tuple[tuple[Ints, Ints], npt.NDArray[np.bool_]],
    asked: tuple[Ints, Ints], held: npt.NDArray[np.uint16], found: tuple[Ints, Ints],
) -> None:  # fmt: skip
    (needed, needs), whole = required
    terms, rows = asked
    for row in range(len(rows) - 1):
        if not whole[row]:
            continue
        # A sentence's mark is how many required terms it holds; a term that comes too late leaves it behind.
        count = needs[row + 1] - needs[row]
        for step in range(count):
            term = needed[needs[row] + step]
            for entry in range(starts[term], starts[term + 1]):
                if held[sentences[entry]] == step:
                    held[sentences[entry]] = step + 1
        for place in range(rows[row], rows[row + 1]):
            term = terms[place]
            for entry in range(starts[term], starts[term + 1]):
                if held[sentences[entry]] >= count:
                    held[sentences[entry]] += 1
        first, best, at = needed[needs[row]], -1, -1
        for entry in range(starts[first], starts[first + 1]):
            sentence = sentences[entry]
            more = held[sentence] - count
            if held[sentence] >= count and more > best:
                best, at = more, sentence
            held[sentence] = 0
        if at >= 0:
            found[0][row], found[1][row] = at, best


def _plain(array: npt.NDArray[Any], kind: type[np.generic]) -> npt.NDArray[Any]:
    """A read-only view, so that memory-mapped and plain arrays share one compiled kernel."""
    view = np.ascontiguousarray(array, dtype=kind).view(np.ndarray)
    view.flags.writeable = False
    return view

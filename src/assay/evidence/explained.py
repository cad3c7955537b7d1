"""How much of sentences a question, a choice and a partner explain: sums of idf over stems; compiled.

What neither the question and choice nor the partner holds is unexplained. A pair that composes an answer has
little of it: what the facts don't share with each other they share with the question and choice.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from assay.evidence.blocks import UNIT
from assay.evidence.compiled import compiled
from assay.evidence.query_words import QueryWords

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]


class Stems(NamedTuple):
    """A corpus's content stems, as the kernels need them. `idf` 0: the term counts for nothing."""

    ids: npt.NDArray[np.uint32]
    starts: Ints
    idf: Floats


class AskedStems(NamedTuple):
    """Term ids of question + choice, each once: choice c has `ids[starts[c]:starts[c + 1]]`."""

    ids: Ints
    starts: Ints


class Explained:
    """Unexplained stems of sentences and pairs. All sums are multiples of 2**-36, whatever the order."""

    def __init__(self, words: QueryWords) -> None:
        corpus = words.corpus
        self._terms = corpus.vocabulary.ids
        self._known: dict[str, int] = {}
        self._stems = Stems(
            _plain(corpus.content.ids, np.uint32),
            np.asarray(corpus.content.starts, np.int64),
            rounded(words.idf),
        )
        lengths = corpus.postings.lengths
        self._average = float(lengths.sum(dtype=np.int64)) / max(1, len(lengths)) or 1.0

    def asked(self, stems: Sequence[Sequence[str]]) -> AskedStems:
        """The stems of each choice with its question as numbers; unknown ones are left out."""
        known = [sorted({self._id(term) for term in terms} - {-1}) for terms in stems]
        starts = np.cumsum([0, *(len(terms) for terms in known)], dtype=np.int64)
        return AskedStems(np.array([term for terms in known for term in terms], np.int64), starts)

    def alone(self, asked: AskedStems, choices: Ints, sentences: Ints) -> Floats:
        """For each sentence the idf, in nats, of its distinct stems that its choice and question lack.

        `choices` (numbers in `asked`, rising) and `sentences`: shape (n,), as is what is returned.
        """
        found = np.zeros(len(sentences))
        _alone(self._stems, asked, choices, sentences, found)
        return found

    def pairs(
        self, asked: AskedStems, choices: Ints, pairs: tuple[Ints, Ints], constants: tuple[float, float]
    ) -> tuple[Floats, Floats]:
        """For each pair the BM25 that the second fact has of what the first adds, and the unexplained idf.

        Unexplained: distinct stems of one fact that neither the other holds nor choice and question.
        `choices` (rising), both of `pairs`, and the two returned have shape (n,). `constants`: k1 and b.
        """
        added, unexplained = np.zeros(len(choices)), np.zeros(len(choices))
        _pairs(self._stems, asked, choices, pairs, (*constants, self._average), (added, unexplained))
        return added, unexplained

    def _id(self, term: str) -> int:
        found = self._known.get(term)
        if found is None:
            found = self._known[term] = self._terms.get(term, -1)
        return found


def rounded(scores: Floats) -> Floats:
    """To multiples of 2**-36: what is equal but for the order of sums then ties."""
    whole: Floats = np.rint(scores / UNIT) * UNIT
    return whole


@compiled
def _mark(asked: AskedStems, choice: int, marks: Ints) -> None:
    """Give the choice's stems its number + 1."""
    for at in range(asked.starts[choice], asked.starts[choice + 1]):
        marks[asked.ids[at]] = choice + 1


@compiled
def _alone(stems: Stems, asked: AskedStems, choices: Ints, sentences: Ints, found: Floats) -> None:
    wanted, seen = np.zeros(len(stems.idf), np.int64), np.zeros(len(stems.idf), np.int64)
    for row in range(len(sentences)):
        if row == 0 or choices[row] != choices[row - 1]:
            _mark(asked, choices[row], wanted)
        for at in range(stems.starts[sentences[row]], stems.starts[sentences[row] + 1]):
            term = stems.ids[at]
            if seen[term] != row + 1:
                seen[term] = row + 1
                if wanted[term] != choices[row] + 1:
                    found[row] += stems.idf[term]


@compiled
def _pairs(
    stems: Stems,
    asked: AskedStems,
    choices: Ints,
    pairs: tuple[Ints, Ints],
    constants: tuple[float, float, float],
    out: tuple[Floats, Floats],
) -> None:
    (firsts, seconds), (k1, b, average), (added, unexplained) = pairs, constants, out
    terms = len(stems.idf)
    wanted = np.zeros(terms, np.int64)
    # A term of the first fact is marked by its row, and by its row negated once the second has it too.
    held, seen, counts = np.zeros(terms, np.int64), np.zeros(terms, np.int64), np.zeros(terms, np.int64)
    for row in range(len(choices)):
        if row == 0 or choices[row] != choices[row - 1]:
            _mark(asked, choices[row], wanted)
        mark = choices[row] + 1
        first, second = firsts[row], seconds[row]
        for at in range(stems.starts[first], stems.starts[first + 1]):
            held[stems.ids[at]] = row + 1
        length = stems.starts[second + 1] - stems.starts[second]
        norm = k1 * (1.0 - b + b * (length / average))
        for at in range(stems.starts[second], stems.starts[second + 1]):
            term = stems.ids[at]
            if seen[term] != row + 1:
                seen[term] = row + 1
                counts[term] = 0
            counts[term] += 1
        for at in range(stems.starts[second], stems.starts[second + 1]):
            term = stems.ids[at]
            if counts[term] and wanted[term] != mark:
                if held[term] == row + 1:
                    part = stems.idf[term] * (k1 + 1.0) * counts[term] / (counts[term] + norm)
                    added[row] += np.rint(part / UNIT) * UNIT
                else:
                    unexplained[row] += stems.idf[term]
            if held[term] == row + 1:
                held[term] = -row - 1
            counts[term] = 0
        for at in range(stems.starts[first], stems.starts[first + 1]):
            term = stems.ids[at]
            if held[term] == row + 1:
                held[term] = 0
                if wanted[term] != mark:
                    unexplained[row] += stems.idf[term]


def _plain(array: npt.NDArray[np.uint32], kind: type[np.uint32]) -> npt.NDArray[np.uint32]:
    """A read-only view, so that memory-mapped and plain arrays share one compiled kernel."""
    view = np.ascontiguousarray(array, dtype=kind).view(np.ndarray)
    view.flags.writeable = False
    return view

"""Texts as vectors: the mean of their words' static vectors, length one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from assay.errors import AssayError
from assay.text.analysis import Analyser
from assay.text.stopwords import DEFAULT as DEFAULT_LIST
from assay.text.vectors import DEFAULT, VectorSource, parts

WORDS = ("all", "content")


@dataclass(frozen=True, slots=True)
class Coverage:
    """How much of some texts has vectors: tokens, and texts that have a token but no known one."""

    tokens: int
    known: int
    texts: int
    unknown_texts: int

    @property
    def share(self) -> float:
        """Share of the tokens that are known, in [0, 1]; 1 where there are none."""
        return self.known / self.tokens if self.tokens else 1.0


class MeanVectors:
    """A text's vector is the mean of its tokens' vectors, repeats counted, scaled to length one.

    `words`: "all" tokens, or "content" (no stop words). Tokens are lower-cased surface forms. An unknown one
    with an apostrophe counts as its parts; any other is left out of the mean. A text of which nothing is
    known has the zero vector.
    """

    def __init__(self, source: str = DEFAULT, words: str = "all", stop_words: str = DEFAULT_LIST) -> None:
        """`source`: see `VectorSource`. Raises AssayError when vectors or stop words aren't there."""
        self._source = VectorSource(source)
        self._analyser = Analyser("none", stop_words)
        self._content = words == "content"
        self._known: dict[str, npt.NDArray[np.float32] | None] = {}
        self._dimension = 1
        self.notes: tuple[str, ...] = ()

    @property
    def settings(self) -> Mapping[str, Any]:
        """What decides a vector: the content of the file and how texts are cut into words."""
        return {
            "vectors": self._source.fingerprint,
            "words": "content" if self._content else "all",
            "analyser": dict(self._analyser.settings),
        }

    def learn(self, texts: Iterable[str]) -> None:
        """Read the vectors of all words of the texts that aren't known yet, in one pass over the file."""
        new = {token for text in texts for token in self._tokens(text)} - self._known.keys()
        if not new:
            return
        new |= {part for token in new for part in parts(token)}
        read = self._source.read(new)
        self._dimension = read.matrix.shape[1]
        self._known.update(dict.fromkeys(new))
        self._known.update(zip(read.words, read.matrix, strict=True))
        self.notes = tuple(dict.fromkeys((*self.notes, *read.notes)))

    def coverage(self, texts: Sequence[str]) -> Coverage:
        """How much of the texts is known. Raises AssayError when they have tokens and none is known."""
        self.learn(texts)
        rows = [[bool(self._vectors(token)) for token in self._tokens(text)] for text in texts]
        tokens, known = sum(map(len, rows)), sum(map(sum, rows))
        if tokens and not known:
            raise AssayError(
                f"knows none of the {tokens:,} words asked for",
                file=self._source.name,
                hint="are these vectors of the same language, and is each line's first field the word?",
            )
        return Coverage(tokens, known, len(texts), sum(bool(row) and not any(row) for row in rows))

    def unit(self, texts: Sequence[str]) -> npt.NDArray[np.float64]:
        """One row a text, of length one or zero; equal texts have equal rows, whatever stands beside them."""
        self.learn(texts)
        rows = [self._mean(text) for text in texts]
        zero = np.zeros(self._dimension)
        return np.array([zero if row is None else row for row in rows]).reshape(len(texts), len(zero))

    def _mean(self, text: str) -> npt.NDArray[np.float64] | None:
        found = [vector for token in self._tokens(text) for vector in self._vectors(token)]
        if not found:
            return None
        mean = np.mean(np.array(found, np.float64), axis=0)
        length = float(np.sqrt((mean * mean).sum()))
        return mean / length if length else None

    def _vectors(self, token: str) -> list[npt.NDArray[np.float32]]:
        if (whole := self._known[token]) is not None:
            return [whole]
        return [vector for part in parts(token) if (vector := self._known[part]) is not None]

    def _tokens(self, text: str) -> list[str]:
        tokens = self._analyser.tokens(text)
        stop = self._analyser.stop_list if self._content else frozenset()
        return [token for token in tokens if token not in stop]


def cosines(vectors: npt.NDArray[np.float64], others: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Dot products [rows, other rows]; each is added up in the same order, so equal pairs are equal."""
    products: npt.NDArray[np.float64] = np.einsum("id,jd->ij", vectors, others, optimize=False)
    return products

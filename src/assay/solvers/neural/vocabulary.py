"""The words that a reader has vectors for, and what stands for the others."""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from assay.errors import AssayError
from assay.text.analysis import Analyser
from assay.text.vectors import VectorSource, parts

WORDS, VECTORS = "words.json", "vectors.npy"

Ids = np.ndarray[Any, np.dtype[np.int32]]


class Vocabulary:
    """Words with fixed vectors, float16 [words, dimension]; `unknown` further numbers for all other words."""

    def __init__(self, words: Sequence[str], vectors: np.ndarray[Any, Any], unknown: int) -> None:
        self.words = tuple(words)
        self.vectors = np.asarray(vectors, np.float16)
        self.unknown = unknown
        self._ids = {word: number for number, word in enumerate(self.words)}
        for number, word in enumerate(self.words):
            self._ids.setdefault(word.lower(), number)
        self._analyser = Analyser("none", "none")

    @classmethod
    def read(cls, source: VectorSource, most: int, unknown: int) -> Vocabulary:
        """The first `most` words of a file of vectors. Raises AssayError when it can't be read."""
        found = source.first(most)
        if np.abs(found.matrix).max(initial=0) > np.finfo(np.float16).max:
            raise AssayError("holds numbers over 65,504, too large for half precision", file=source.name)
        return cls(found.words, found.matrix, unknown)

    @classmethod
    def none(cls, unknown: int) -> Vocabulary:
        """No words, vectors of no numbers: tokens are only cut."""
        return cls((), np.zeros((0, 0), np.float16), unknown)

    @property
    def dimension(self) -> int:
        """Numbers of a word's vector."""
        return int(self.vectors.shape[1])

    def save(self, folder: Path) -> None:
        """Write words and vectors."""
        (folder / WORDS).write_text(json.dumps(self.words, ensure_ascii=True), encoding="ascii")
        np.save(folder / VECTORS, self.vectors, allow_pickle=False)

    @classmethod
    def load(cls, folder: Path, unknown: int) -> Vocabulary:
        """What `save` wrote. Raises AssayError when it is missing, damaged, or words and vectors differ."""
        try:
            words = json.loads((folder / WORDS).read_bytes())
            vectors = np.load(folder / VECTORS, allow_pickle=False)
        except (OSError, ValueError, EOFError) as error:
            raise AssayError(f"the reader's vocabulary can't be read: {error}", file=folder) from None
        if not isinstance(words, list) or vectors.ndim != 2 or len(words) != len(vectors):
            raise AssayError(
                f"{len(words):,} words, but vectors of shape {list(vectors.shape)}", file=folder / VECTORS
            )
        return cls(words, vectors, unknown)

    def tokens(self, text: str) -> list[str]:
        """The text's tokens: those that are known, and an unknown one with an apostrophe as its parts."""
        return [
            part
            for token in self._analyser.tokens(text)
            for part in ((token,) if token in self._ids else parts(token))
        ]

    def ids(self, tokens: Iterable[str]) -> Ids:
        """Numbers of the tokens, int32: below len(words) a known word, from there on an unknown one's."""
        known = len(self.words)
        return np.fromiter(
            (self._ids[t] if t in self._ids else known + self._hashed(t) for t in tokens), np.int32
        )

    def _hashed(self, token: str) -> int:
        """The same unknown word has the same vector wherever it stands, and mostly another than others."""
        return zlib.crc32(token.encode("utf-8", "surrogatepass")) % self.unknown

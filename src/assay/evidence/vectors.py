"""Vectors of a corpus's sentences: made once, in shards that survive a kill, and opened memory-mapped."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from assay.corpus.model import Corpus
from assay.errors import AssayError
from assay.evidence.shards import (
    CRC_BYTES,
    MANIFEST,
    Kept,
    digests,
    hash_of,
    remove_others,
    unaltered,
    with_checksum,
)
from assay.evidence.shards import names as shard_names
from assay.progress import SILENT, Advance, Progress
from assay.storage import atomic, only_writer, write_json

KEPT = Kept("vectors", "corpus encode", 1, "encoder")
FOLDER = "vectors"
"""Where a corpus's vectors lie by default: in this folder of it, a folder an encoder."""
SHARD = 8192
"""Sentences of a file: what a kill costs at most."""
SLICE = 1024
"""Sentences encoded at once: shortest first within a shard, so that like lengths stand together."""
TYPES = {"float16": "<f2", "float32": "<f4"}
AGAIN = KEPT.again

Floats = npt.NDArray[np.float32]
Ints = npt.NDArray[np.int64]


class TextEncoder(Protocol):
    """Texts to vectors of one length. Such stand outside this floor: they may need PyTorch."""

    dimension: int

    @property
    def settings(self) -> Mapping[str, Any]:
        """What decides a vector, as JSON; `encoder` is its name, `fingerprint` that of its weights.

        Vectors may be compared where `fingerprint` is the same.
        """
        ...

    def encode(self, texts: Sequence[str]) -> Floats:
        """float32, shape (len(texts), dimension), each row of length one. The same texts, the same bytes."""
        ...


@dataclass(frozen=True)
class Vectors:
    """The opened vectors of a corpus, a row a sentence; `encoder` is what its encoder's settings were.

    `fingerprint` (hex): the sentences, the encoder's settings and the type of numbers.
    """

    folder: Path
    encoder: Mapping[str, Any]
    fingerprint: str
    dimension: int
    shards: Sequence[npt.NDArray[Any]]

    def __len__(self) -> int:
        return sum(map(len, self.shards))

    def blocks(self) -> Iterator[tuple[int, npt.NDArray[Any]]]:
        """The rows, float16 or float32, piece by piece; with each piece the id of its first sentence."""
        first = 0
        for shard in self.shards:
            yield first, shard
            first += len(shard)

    def rows(self, ids: Ints) -> Floats:
        """The vectors of these sentences: float32, shape (len(ids), dimension)."""
        found = np.empty((len(ids), self.dimension), np.float32)
        places = ids // SHARD
        for shard in np.unique(places).tolist():
            at = np.flatnonzero(places == shard)
            found[at] = self.shards[shard][ids[at] - shard * SHARD]
        return found

    def check_encoder(self, encoder: TextEncoder) -> None:
        """Raises AssayError unless this encoder's vectors may be compared with these."""
        known, given = self.encoder, encoder.settings
        if known["fingerprint"] != given["fingerprint"]:
            raise AssayError(
                f"the vectors were made by an encoder {known['encoder']!r} with other weights than "
                f"{given['encoder']!r} has",
                file=self.folder,
                hint="name the encoder they were made with, or " + AGAIN,
            )


def encode_corpus(
    corpus: Corpus,
    encoder: TextEncoder,
    folder: Path,
    *,
    numbers: str = "float16",
    progress: Progress = SILENT,
) -> int:
    """Write a vector for every sentence into `folder`; returns how many were there already.

    Shards are files that appear whole; what an earlier run left of the same sentences and encoder is kept
    (so is what a corpus held before it was added to), all else goes. The manifest is written last.
    Raises AssayError when another process writes there, or the disk is full.
    """
    if numbers not in TYPES:
        raise AssayError(f"no type of numbers {numbers!r}", hint=f"one of {', '.join(TYPES)}")
    kind, settings = np.dtype(TYPES[numbers]), dict(encoder.settings)
    texts = list(digests(corpus.texts, SHARD))
    names = shard_names([KEPT.version, numbers, settings], texts)
    with only_writer(folder):
        remove_others(folder, names)
        sizes = [_size(corpus, place) * encoder.dimension * kind.itemsize for place in range(len(names))]
        todo = [place for place, name in enumerate(names) if _fault(folder / name, sizes[place])]
        made = sum(_size(corpus, place) for place in todo)
        with progress.task("vectors", made, "sentences") as advance:
            for place in todo:
                rows = _encoded(corpus, place, encoder, advance).astype(kind).tobytes()
                with atomic(folder / names[place]) as file:
                    file.write(with_checksum(rows))
        write_json(folder / MANIFEST, {
            "kind": KEPT.kind,
            "version": KEPT.version,
            "sentences": len(corpus),
            "texts": hash_of(texts),
            "dimension": encoder.dimension,
            "numbers": numbers,
            "encoder": settings,
            "shards": [{"file": name, "rows": _size(corpus, place)} for place, name in enumerate(names)],
        })  # fmt: skip
    return len(corpus) - made


def open_vectors(folder: Path, corpus: Corpus) -> Vectors:
    """The vectors in `folder`, every byte checked against its checksum.

    Raises AssayError when there are none, an encoding didn't end, a file is missing, cut off or altered, or
    they are of other sentences than the corpus has.
    """
    found = KEPT.of_corpus(folder, corpus, SHARD)
    try:
        kind, dimension = np.dtype(TYPES[found["numbers"]]), int(found["dimension"])
        promised = [(folder / shard["file"], int(shard["rows"])) for shard in found["shards"]]
        if [rows for _, rows in promised] != [
            _size(corpus, place) for place in range(-(-len(corpus) // SHARD))
        ]:
            raise ValueError
        fingerprint = hash_of([found["texts"], found["numbers"], found["encoder"]])
        encoder = {"encoder": "unknown", **found["encoder"]}
        encoder["fingerprint"] = str(encoder["fingerprint"])
        if type(encoder.get("longest", 1)) is not int or dimension < 1:
            raise ValueError
    except (KeyError, TypeError, ValueError):
        raise AssayError("the manifest is damaged", file=folder / MANIFEST, hint=AGAIN) from None
    with ThreadPoolExecutor(2) as pool:
        shards = list(pool.map(lambda one: _checked(one[0], one[1], kind, dimension), promised))
    return Vectors(folder, encoder, fingerprint, dimension, shards)


def _checked(path: Path, rows: int, kind: np.dtype[Any], dimension: int) -> npt.NDArray[Any]:
    fault = _fault(path, rows * dimension * kind.itemsize)
    if fault:
        raise AssayError(fault, file=path, hint=AGAIN)
    if not rows * dimension:
        return np.empty((rows, dimension), kind)
    return np.memmap(path, kind, "r", shape=(rows, dimension)).view(np.ndarray)


def _fault(path: Path, size: int) -> str | None:
    """What is wrong with a shard that should hold so many bytes of numbers, and their CRC-32 after them."""
    if not path.is_file():
        return "a file of the vectors is missing"
    content = path.read_bytes()
    if len(content) != size + CRC_BYTES:
        return f"a file of the vectors has {len(content):,} bytes where {size + CRC_BYTES:,} are due"
    if not unaltered(content):
        return "a file of the vectors was altered: its checksum is wrong"
    return None


def _encoded(corpus: Corpus, place: int, encoder: TextEncoder, advance: Advance) -> Floats:
    texts = corpus.texts[place * SHARD : (place + 1) * SHARD]
    order = sorted(range(len(texts)), key=lambda at: (len(texts[at]), at))
    rows = np.empty((len(texts), encoder.dimension), np.float32)
    for start in range(0, len(texts), SLICE):
        taken = order[start : start + SLICE]
        rows[taken] = encoder.encode([texts[at] for at in taken])
        advance(len(taken))
    return rows


def _size(corpus: Corpus, place: int) -> int:
    return min(SHARD, len(corpus) - place * SHARD)

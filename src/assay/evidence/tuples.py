"""Tuples of a corpus's sentences: extracted once, in shards that survive a kill, and read when asked for."""

from __future__ import annotations

import json
import os
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from assay.corpus.model import Corpus
from assay.corpus.workers import answers
from assay.errors import AssayError
from assay.evidence.shards import (
    CRC_BYTES,
    MANIFEST,
    Kept,
    digests,
    hash_of,
    names,
    remove_others,
    unaltered,
    with_checksum,
)
from assay.progress import SILENT, Progress
from assay.storage import atomic, only_writer, to_json, write_json
from assay.text.openie import RULES, TextTuple, extract, texts
from assay.text.parsing import DEFAULT, LONGEST, open_parser, plain

KEPT = Kept("tuples", "corpus tuples", 1, "parser")
FOLDER = "tuples"
"""Where a corpus's tuples lie by default: in this folder of it, a folder a parser."""
SHARD = 2048
"""Sentences of a file: what a kill costs a worker at most."""
FEW = 4096
"""Sentences that are read here: a worker takes as long to load its parser."""
OPEN_SHARDS = 256
"""Files held open at once."""
AGAIN = KEPT.again
NUMBER = np.dtype("<i8")
HEAD = 4
"""Numbers a file begins with: tuples, sentences without, too long, sentences."""


@dataclass(frozen=True)
class Counts:
    """`tuples` in all; sentences `without` one; of these the ones `too_long` to be parsed (LONGEST)."""

    tuples: int = 0
    without: int = 0
    too_long: int = 0

    def __add__(self, other: Counts) -> Counts:
        return Counts(
            self.tuples + other.tuples, self.without + other.without, self.too_long + other.too_long
        )


@dataclass(frozen=True)
class Extracted:
    """What an extraction came to: sentences that were done before and all counts."""

    reused: int
    counts: Counts
    bytes: int


@dataclass(frozen=True)
class Tuples:
    """The opened tuples of a corpus.

    `parser`: settings of the parser; `rules`: number of the rules (text.openie.RULES) that made them.
    `fingerprint` (hex): the sentences, the parser's settings and the rules.
    """

    folder: Path
    parser: Mapping[str, Any]
    rules: int
    fingerprint: str
    counts: Counts
    sentences: int
    shards: Sequence[tuple[str, int]] = field(repr=False)

    def __len__(self) -> int:
        return self.sentences

    def of(self, sentence: int) -> tuple[TextTuple, ...]:
        """The tuples of the sentence with this id, in order.

        Raises IndexError when there is no such sentence, AssayError when the file it stands in was altered.
        """
        if not 0 <= sentence < self.sentences:
            raise IndexError(f"{sentence} is none of {self.sentences:,} sentences")
        place, row = divmod(int(sentence), SHARD)
        name, size = self.shards[place]
        starts, blob = _opened(self.folder / name, size)
        return tuple(map(_from_record, json.loads(bytes(blob[starts[row] : starts[row + 1]]) or b"[]")))

    def __iter__(self) -> Iterator[tuple[TextTuple, ...]]:
        return map(self.of, range(self.sentences))


class TupleMaker:
    """Sentences to the content of a shard; made in each worker process."""

    def __init__(self, parser: str, number: int = 0) -> None:
        self._parser = open_parser(parser)

    def __call__(self, sentences: Sequence[str]) -> bytes:
        """The shard's bytes, its checksum among them."""
        too_long = [len(plain(sentence)) > LONGEST for sentence in sentences]
        read = ("" if long else sentence for sentence, long in zip(sentences, too_long, strict=True))
        rows, counted = [], 0
        for parse in self._parser.parse(read):
            found = [_as_record(texts(one, parse)) for one in extract(parse)]
            counted += len(found)
            rows.append(to_json(found).encode("utf-8") if found else b"")
        starts = np.cumsum([0, *map(len, rows)], dtype=NUMBER)
        head = np.array([counted, sum(not row for row in rows), sum(too_long), len(rows)], NUMBER)
        return with_checksum(head.tobytes() + starts.tobytes() + b"".join(rows))


def extract_corpus(
    corpus: Corpus,
    folder: Path,
    *,
    parser: str = DEFAULT,
    workers: int | None = None,
    progress: Progress = SILENT,
) -> Extracted:
    """Write the tuples of every sentence into `folder`.

    Shards are files that appear whole; what an earlier run left of the same sentences, parser and rules is
    kept (so is what a corpus held before it was added to), all else goes. The manifest is written last.
    `workers`: processes, by default one a core; the bytes are the same whatever their number. Raises
    AssayError when the parser isn't installed, another process writes there, or the disk is full.
    """
    settings = dict(open_parser(parser).settings)
    decided_by = [KEPT.kind, KEPT.version, RULES, settings]
    content = list(digests(corpus.texts, SHARD))
    shards = names(decided_by, content)
    with only_writer(folder):
        remove_others(folder, shards)
        todo = [place for place, name in enumerate(shards) if not _whole(folder / name, _rows(corpus, place))]
        new = sum(_rows(corpus, place) for place in todo)
        with (
            progress.task("tuples", new, "sentences") as advance,
            closing(_made(corpus, todo, parser, workers)) as made,
        ):
            for place, shard in zip(todo, made, strict=True):
                with atomic(folder / shards[place]) as file:
                    file.write(shard)
                advance(_rows(corpus, place))
        counts = sum((_counts(folder / name) for name in shards), Counts())
        sizes = [(folder / name).stat().st_size for name in shards]
        write_json(folder / MANIFEST, {
            "kind": KEPT.kind,
            "version": KEPT.version,
            "sentences": len(corpus),
            "texts": hash_of(content),
            "parser": settings,
            "rules": RULES,
            "tuples": counts.tuples,
            "without": counts.without,
            "too_long": counts.too_long,
            "shards": [{"file": name, "bytes": size} for name, size in zip(shards, sizes, strict=True)],
        })  # fmt: skip
    return Extracted(len(corpus) - new, counts, sum(sizes))


def open_tuples(folder: Path, corpus: Corpus) -> Tuples:
    """The tuples in `folder`; a file of them is checked against its checksum when it is first read.

    Raises AssayError when there are none, an extraction didn't end, a file is missing or has another size, or
    they are of other sentences than the corpus has.
    """
    found = KEPT.of_corpus(folder, corpus, SHARD)
    try:
        shards = [(str(one["file"]), int(one["bytes"])) for one in found["shards"]]
        counts = Counts(int(found["tuples"]), int(found["without"]), int(found["too_long"]))
        parser, rules = dict(found["parser"]), int(found["rules"])
        if len(shards) != -(-len(corpus) // SHARD):
            raise ValueError
    except (KeyError, TypeError, ValueError):
        raise AssayError("the manifest is damaged", file=folder / MANIFEST, hint=AGAIN) from None
    for name, size in shards:
        _check_size(folder / name, size)
    return Tuples(
        folder, parser, rules, hash_of([found["texts"], parser, rules]), counts, len(corpus), tuple(shards)
    )


def _made(corpus: Corpus, todo: Sequence[int], parser: str, workers: int | None) -> Generator[bytes]:
    tasks = (list(corpus.texts[place * SHARD : (place + 1) * SHARD]) for place in todo)
    if workers is None:
        few = sum(_rows(corpus, place) for place in todo) <= FEW
        workers = 1 if few else os.cpu_count() or 1
    count = min(workers, len(todo))
    return answers(tasks, "assay.evidence.tuples:TupleMaker", parser, count)


def _rows(corpus: Corpus, place: int) -> int:
    return min(SHARD, len(corpus) - place * SHARD)


def _as_record(one: TextTuple) -> list[Any]:
    return [one.subject, one.relation, one.arguments, int(one.negated), one.condition]


def _from_record(record: list[Any]) -> TextTuple:
    subject, relation, arguments, negated, condition = record
    return TextTuple(subject, relation, tuple((a, b) for a, b in arguments), bool(negated), condition)


def _whole(path: Path, rows: int) -> bool:
    """An earlier run left this shard, unaltered, with so many sentences."""
    if not path.is_file():
        return False
    content = path.read_bytes()
    if not unaltered(content) or len(content) < _body(rows) + CRC_BYTES:
        return False
    return int(np.frombuffer(content, NUMBER, HEAD)[-1]) == rows


def _body(rows: int) -> int:
    """Bytes before the records: the counts and where each sentence's record starts."""
    return (HEAD + rows + 1) * NUMBER.itemsize


def _counts(path: Path) -> Counts:
    with path.open("rb") as file:
        return Counts(*np.fromfile(file, NUMBER, HEAD).tolist()[:3])


def _check_size(path: Path, size: int) -> None:
    if not path.is_file():
        raise AssayError("a file of the tuples is missing", file=path, hint=AGAIN)
    if path.stat().st_size != size:
        raise AssayError(
            f"a file of the tuples has {path.stat().st_size:,} bytes where {size:,} are due",
            file=path,
            hint=AGAIN,
        )


@lru_cache(OPEN_SHARDS)
def _opened(path: Path, size: int) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.uint8]]:
    """Where each sentence's record starts in the records, and these, memory-mapped."""
    _check_size(path, size)
    content = np.memmap(path, np.uint8, "r").view(np.ndarray)
    if not unaltered(content.data):
        raise AssayError("a file of the tuples was altered: its checksum is wrong", file=path, hint=AGAIN)
    rows = int(content[: HEAD * NUMBER.itemsize].view(NUMBER)[-1])
    numbers = content[: _body(rows)].view(NUMBER)
    return numbers[HEAD:], content[_body(rows) : size - CRC_BYTES]

"""Files of word vectors: GloVe and word2vec text, word2vec binary, JSON, NumPy; plain or compressed."""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

import numpy as np
import numpy.typing as npt

from assay.compression import MAGIC_BYTES, DamagedStream, decompressed
from assay.errors import AssayError
from assay.text_files import read_text

LARGEST_DIMENSION = 100_000
CHUNK = 1 << 20
LONGEST_WORD = 1 << 16
"""Bytes of a word in a binary file; a longer one means that the file is damaged."""
HEADER = re.compile(rb"(\d{1,12}) (\d{1,12})\s*")
"""The first line of word2vec's files: how many words, how many numbers each."""
NUMPY = b"\x93NUMPY"
SPACE = re.compile(r"[ \t\r\n]*")

Vector = npt.NDArray[np.float32]


class Kept:
    """The vectors of the wanted words, as a file gives them; what is odd is counted.

    Instead of naming words one may want the first `most` that the file has.
    """

    def __init__(self, wanted: frozenset[str], file: str, most: int = 0) -> None:
        self.file = file
        self.most = most
        self.dimension: int | None = None
        self.repeated = self.not_utf8 = 0
        self._wanted = wanted
        self._exact: dict[str, Vector] = {}
        self._other_case: dict[str, Vector] = {}

    @property
    def vectors(self) -> dict[str, Vector]:
        """Word to vector; a word's own entry goes before one in another case."""
        return {**self._other_case, **self._exact}

    def wants(self, word: str) -> bool:
        """Whether an entry of this word is of use."""
        if self.most:
            return len(self._exact) < self.most or word in self._exact
        return word in self._wanted or word.lower() in self._wanted

    def add(self, word: str, vector: Vector, line: int | None) -> None:
        """Keep a wanted word's vector, unless it has one already. Raises AssayError for NaN or infinity."""
        if not np.isfinite(vector).all():
            raise self.error(f"the vector of {word!r} holds a number that isn't finite", line)
        if word not in self._wanted and not self.most:
            self._other_case.setdefault(word.lower(), vector)
        elif word in self._exact:
            self.repeated += 1
        else:
            self._exact[word] = vector

    def fix_dimension(self, dimension: int, line: int | None) -> int:
        """Say how many numbers a vector has."""
        if not 1 <= dimension <= LARGEST_DIMENSION:
            raise self.error(f"vectors of {dimension:,} numbers: 1 to {LARGEST_DIMENSION:,} are due", line)
        self.dimension = dimension
        return dimension

    def error(self, what: str, line: int | None = None) -> AssayError:
        """An error about the file."""
        return AssayError(what, file=self.file, line=line)

    def notes(self) -> tuple[str, ...]:
        """What was odd, in words."""
        notes = []
        if self.repeated:
            notes.append(f"{self.repeated:,} words stand there again: the first vector counts")
        if self.not_utf8:
            notes.append(f"{self.not_utf8:,} words aren't UTF-8: left out")
        return tuple(f"{self.file}: {note}" for note in notes)


def read_vectors(path: Path, words: Path | None, kept: Kept) -> None:
    """Read `path` once, giving `kept` what it wants; the format is told by the content.

    - Text: a word and its numbers a line, between spaces or tabs, with or without word2vec's first line.
    - word2vec binary: its first line, then word, space, little-endian float32.
    - JSON: one object of word -> list of numbers.
    - NumPy: an array [words, dimension], memory-mapped, its words in `words` (one a line, or Parquet).
    All but the last may be compressed with gzip, Zstandard or xz.
    Raises AssayError for a file that can't be read, is damaged, or holds no vectors.
    """
    try:
        with path.open("rb") as file:
            magic = file.read(MAGIC_BYTES)
            file.seek(0)
            if magic == NUMPY:
                _numpy(path, words, kept)
            else:
                _stream(decompressed(file, magic), kept)
    except DamagedStream as error:
        raise kept.error(str(error)) from None
    except OSError as error:
        raise kept.error(f"can't be read: {error.strerror or error}") from None
    if kept.dimension is None:
        raise kept.error("holds no vectors")


def _stream(file: IO[bytes], kept: Kept) -> None:
    start = file.read(1 << 16)
    if start.startswith(NUMPY):
        raise kept.error("a compressed NumPy array can't be memory-mapped: decompress it")
    if re.match(rb'(?:\xef\xbb\xbf)?\s*\{\s*["}]', start):
        _json(start + file.read(), kept)
        return
    header = HEADER.fullmatch(start.partition(b"\n")[0])
    if header is None:
        _text(_lines(start, file), kept, None)
        return
    count = int(header[1])
    kept.fix_dimension(int(header[2]), 1)
    body = start.partition(b"\n")[2]
    if _is_text(body):
        _text(_lines(body, file), kept, count)
    else:
        _binary(body, file, kept, count)


def _is_text(sample: bytes) -> bool:
    """Binary float32 numbers are hardly ever UTF-8 without control characters."""
    try:
        text = codecs.getincrementaldecoder("utf-8")().decode(sample)
    except UnicodeDecodeError:
        return False
    return re.search("[\x00-\x08\x0e-\x1f]", text) is None


def _lines(start: bytes, file: IO[bytes]) -> Iterator[bytes]:
    *whole, rest = start.split(b"\n")
    yield from whole
    yield rest + file.readline()
    yield from file


def _text(lines: Iterator[bytes], kept: Kept, count: int | None) -> None:
    """`count`: the lines that the header, already read, promises."""
    first = 1 if count is None else 2
    rows, empty = 0, None
    for number, line in enumerate(lines, first):
        fields = line.rstrip(b"\r\n \t")
        if b"\t" in fields:
            fields = fields.replace(b"\t", b" ")
        if not fields:
            empty = empty or number
            continue
        if empty is not None:
            raise kept.error("an empty line", empty)
        dimension = kept.dimension or kept.fix_dimension(fields.count(b" "), number)
        rows += 1
        _text_row(fields, dimension, kept, number)
    if count is not None and rows != count:
        raise kept.error(f"holds {rows:,} vectors, its first line promises {count:,}")


def _text_row(fields: bytes, dimension: int, kept: Kept, line: int) -> None:
    found = fields.count(b" ")
    if found < dimension:
        raise kept.error(f"{found} numbers, where {dimension} are due", line)
    # Some files have words with spaces in them: the numbers are counted from the right.
    word, *numbers = fields.rsplit(b" ", dimension) if found > dimension else fields.split(b" ", 1)
    try:
        text = word.decode("utf-8")
    except UnicodeDecodeError:
        kept.not_utf8 += 1
        return
    if found > dimension:
        try:
            float(text.rsplit(" ", 1)[1])
        except ValueError:
            pass
        else:
            raise kept.error(f"{found} numbers, where {dimension} are due", line)
    if not kept.wants(text):
        return
    if found == dimension:
        numbers = numbers[0].split(b" ")
    try:
        with np.errstate(over="ignore"):
            vector = np.array([float(number) for number in numbers]).astype(np.float32)
    except (ValueError, OverflowError):
        raise kept.error(f"what stands behind {text!r} aren't {dimension} numbers", line) from None
    kept.add(text, vector, line)


def _binary(buffer: bytes, file: IO[bytes], kept: Kept, count: int) -> None:
    dimension = kept.dimension or 0
    at = 0
    for row in range(count):
        space = buffer.find(b" ", at)
        while space < 0 or len(buffer) < space + 1 + 4 * dimension:
            chunk = file.read(CHUNK)
            if not chunk:
                raise kept.error(
                    f"cut off: {row:,} whole vectors of the {count:,} that its first line promises"
                )
            buffer, at = buffer[at:] + chunk, 0
            space = buffer.find(b" ")
            if space > LONGEST_WORD or (space < 0 and len(buffer) > LONGEST_WORD + CHUNK):
                raise kept.error(f"damaged: no word behind vector {row:,}")
        word = buffer[at:space].lstrip(b"\n")
        start, at = space + 1, space + 1 + 4 * dimension
        try:
            text = word.decode("utf-8")
        except UnicodeDecodeError:
            kept.not_utf8 += 1
            continue
        if kept.wants(text):
            kept.add(text, np.frombuffer(buffer, "<f4", dimension, start).astype(np.float32), None)
    if (buffer[at:] + file.read(CHUNK)).strip():
        raise kept.error(f"goes on behind the {count:,} vectors that its first line promises")


def _json(data: bytes, kept: Kept) -> None:
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise kept.error(f"not UTF-8: byte 0x{error.object[error.start]:02x}", line) from None
    try:
        _json_object(text, kept)
    except json.JSONDecodeError as error:
        raise kept.error(f"isn't JSON: {error.msg}", error.lineno) from None


def _json_object(text: str, kept: Kept) -> None:
    """Entry by entry, so that no more than the wanted vectors are held beside the text."""
    decoder = json.JSONDecoder()

    def over_space(at: int) -> int:
        return SPACE.match(text, at).end()  # type: ignore[union-attr]

    at = over_space(text.index("{") + 1)
    while not text.startswith("}", at):
        word, end = decoder.raw_decode(text, at)
        if not isinstance(word, str):
            raise json.JSONDecodeError("a word is due", text, at)
        end = over_space(end)
        if not text.startswith(":", end):
            raise json.JSONDecodeError("':' is due", text, end)
        vector, end = decoder.raw_decode(text, over_space(end + 1))
        _json_entry(word, vector, text, at, kept)
        end = over_space(end)
        if text.startswith(",", end):
            end = over_space(end + 1)
            if text.startswith("}", end):
                raise json.JSONDecodeError("a word is due", text, end)
        elif not text.startswith("}", end):
            raise json.JSONDecodeError("',' or '}' is due", text, end)
        at = end
    if over_space(at + 1) != len(text):
        raise json.JSONDecodeError("more behind the object", text, at + 1)


def _json_entry(word: str, vector: Any, text: str, at: int, kept: Kept) -> None:
    def line() -> int:
        return text.count("\n", 0, at) + 1

    if not isinstance(vector, list):
        raise kept.error(f"behind {word!r} stands no list of numbers", line())
    dimension = kept.dimension or kept.fix_dimension(len(vector), line())
    if len(vector) != dimension:
        raise kept.error(f"{len(vector)} numbers, where {dimension} are due", line())
    if not kept.wants(word):
        return
    if not all(type(number) in (int, float) for number in vector):
        raise kept.error(f"what stands behind {word!r} aren't {dimension} numbers", line())
    try:
        with np.errstate(over="ignore"):
            kept.add(word, np.array(vector, np.float64).astype(np.float32), line())
    except OverflowError:
        raise kept.error(f"the vector of {word!r} holds a number that isn't finite", line()) from None


def _numpy(path: Path, words: Path | None, kept: Kept) -> None:
    if words is None:
        raise kept.error("a NumPy array: its name must end in .npy, with its words beside it")
    try:
        matrix = np.load(path, mmap_mode="r", allow_pickle=False)
    except (ValueError, EOFError, OSError) as error:
        raise kept.error(f"the array can't be read: {error}") from None
    if matrix.ndim != 2 or matrix.dtype.kind != "f":
        raise kept.error(
            f"an array of shape {matrix.shape}, {matrix.dtype}: words x numbers of floats are due"
        )
    listed = _listed_words(words)
    if len(listed) != len(matrix):
        raise AssayError(f"{len(listed):,} words, but {path.name} has {len(matrix):,} vectors", file=words)
    kept.fix_dimension(matrix.shape[1], None)
    wanted = [row for row, word in enumerate(listed) if kept.wants(word)][: kept.most or None]
    for row, vector in zip(wanted, np.array(matrix[wanted], np.float32), strict=True):
        kept.add(listed[row], vector, None)


def _listed_words(path: Path) -> list[str]:
    if path.suffix == ".parquet":
        import pyarrow.parquet

        column: list[str] = pyarrow.parquet.read_table(path).column(0).to_pylist()
        return column
    lines = read_text(path).removesuffix("\n").split("\n")
    return [line.removesuffix("\r") for line in lines]

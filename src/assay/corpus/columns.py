"""Columns of a corpus on disk: memory-mapped arrays, and strings that are read when asked for."""

from __future__ import annotations

import os
import zlib
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import IO, Any, overload

import numpy as np
import numpy.typing as npt

WHOLE_CHECK_BYTES = 64 << 20
"""Files up to this size are checked whole when a corpus is opened, larger ones at SAMPLES places."""
SAMPLES = 64
SAMPLE_BYTES = 64 << 10


def mapped(path: Path, dtype: str) -> npt.NDArray[Any]:
    """The array in `path`, memory-mapped read-only, flat; an empty file is an empty array."""
    if path.stat().st_size == 0:
        return np.empty(0, dtype=dtype)
    return np.memmap(path, dtype=dtype, mode="r").view(np.ndarray)


class Strings(Sequence[str]):
    """Strings in UTF-8, end to end in `blob` (uint8): string i is `blob[starts[i]:starts[i + 1]]`."""

    def __init__(self, blob: npt.NDArray[np.uint8], starts: npt.NDArray[np.int64]) -> None:
        self.blob = blob
        self.starts = starts

    def __len__(self) -> int:
        return len(self.starts) - 1

    @overload
    def __getitem__(self, at: int) -> str: ...
    @overload
    def __getitem__(self, at: slice) -> Sequence[str]: ...
    def __getitem__(self, at: int | slice) -> str | Sequence[str]:
        if isinstance(at, slice):
            return [self[number] for number in range(*at.indices(len(self)))]
        at = _position(at, len(self))
        return self.blob[self.starts[at] : self.starts[at + 1]].tobytes().decode("utf-8")

    def __iter__(self) -> Iterator[str]:
        for first in range(0, len(self), 4096):
            starts = self.starts[first : first + 4097]
            piece = self.blob[starts[0] : starts[-1]].tobytes()
            cuts = (starts - starts[0]).tolist()
            for start, end in pairwise(cuts):
                yield piece[start:end].decode("utf-8")


class Coded(Sequence[str]):
    """A column of few distinct strings: `codes[i]` is the place of string i in `names`."""

    def __init__(self, codes: npt.NDArray[np.uint32], names: Sequence[str]) -> None:
        self.codes = codes
        self.names = names

    def __len__(self) -> int:
        return len(self.codes)

    @overload
    def __getitem__(self, at: int) -> str: ...
    @overload
    def __getitem__(self, at: slice) -> Sequence[str]: ...
    def __getitem__(self, at: int | slice) -> str | Sequence[str]:
        if isinstance(at, slice):
            return [self.names[code] for code in self.codes[at].tolist()]
        return self.names[int(self.codes[_position(at, len(self))])]

    def __iter__(self) -> Iterator[str]:
        for first in range(0, len(self), 65536):
            for code in self.codes[first : first + 65536].tolist():
                yield self.names[code]


class PlaceOf(Mapping[str, int]):
    """From string to place in an ascending column of strings, by bisection; what was asked is remembered."""

    def __init__(self, strings: Sequence[str]) -> None:
        self._strings = strings
        self._known: dict[str, int | None] = {}

    def __getitem__(self, string: str) -> int:
        if string not in self._known:
            self._known[string] = self._find(string)
        place = self._known[string]
        if place is None:
            raise KeyError(string)
        return place

    def _find(self, string: str) -> int | None:
        low, high = 0, len(self._strings)
        while low < high:
            middle = (low + high) // 2
            if self._strings[middle] < string:
                low = middle + 1
            else:
                high = middle
        return low if low < len(self._strings) and self._strings[low] == string else None

    def __iter__(self) -> Iterator[str]:
        return iter(self._strings)

    def __len__(self) -> int:
        return len(self._strings)


def _position(at: int, length: int) -> int:
    at = int(at)
    if not -length <= at < length:
        raise IndexError(f"{at} is outside a column of {length}")
    return at % length


def checksum(path: Path) -> str:
    """CRC-32 of the whole file, in hex."""
    value = 0
    with path.open("rb") as file:
        while block := file.read(1 << 20):
            value = zlib.crc32(block, value)
    return f"{value:08x}"


def quick_checksum(path: Path) -> str:
    """CRC-32 of the whole file, or if it is large of SAMPLES evenly spread places, the ends among them."""
    size = path.stat().st_size
    if size <= WHOLE_CHECK_BYTES:
        return checksum(path)
    value = 0
    with path.open("rb") as file:
        for number in range(SAMPLES):
            file.seek((size - SAMPLE_BYTES) * number // (SAMPLES - 1))
            value = zlib.crc32(file.read(SAMPLE_BYTES), value)
    return f"{value:08x}"


def write_strings(folder: Path, name: str, strings: Sequence[str]) -> None:
    """Write `name`.utf8 and `name`.starts."""
    encoded = [string.encode("utf-8") for string in strings]
    (folder / f"{name}.utf8").write_bytes(b"".join(encoded))
    starts_of(np.array([len(item) for item in encoded], dtype=np.int64)).tofile(folder / f"{name}.starts")


def starts_of(lengths: npt.NDArray[Any]) -> npt.NDArray[np.int64]:
    """Running sum of `lengths` from 0: int64, shape (n + 1,)."""
    starts = np.zeros(len(lengths) + 1, dtype=np.int64)
    np.cumsum(lengths, out=starts[1:])
    return starts


class ColumnWriter:
    """Writes a column piece by piece."""

    def __init__(self, path: Path, dtype: str) -> None:
        self._file: IO[bytes] = path.open("wb")
        self._dtype = np.dtype(dtype)

    def write(self, values: npt.NDArray[Any] | bytes) -> None:
        """Append raw bytes, or an array converted to the column's type."""
        if isinstance(values, bytes):
            self._file.write(values)
        else:
            self._file.write(np.ascontiguousarray(values, dtype=self._dtype).data)

    def close(self) -> None:
        """Everything written is handed to the operating system."""
        self._file.close()


def copy_into(writer: ColumnWriter, path: Path) -> None:
    """Append the whole of a stored column."""
    with path.open("rb") as file:
        os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_SEQUENTIAL)
        while block := file.read(1 << 22):
            writer.write(block)

"""Opening an input: a file, standard input or a pipe, plain or compressed; it can be read twice."""

from __future__ import annotations

import gzip
import io
import lzma
import os
import shutil
import stat
import sys
import tempfile
import zlib
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING

from assay.errors import AssayError

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

STDIN = "-"
GZIP, ZSTD, XZ = b"\x1f\x8b", b"\x28\xb5\x2f\xfd", b"\xfd7zXZ\x00"
# Small, because a few bytes of Zstandard may stand for very many.
_ZSTD_CHUNK = 8192
BUFFER_BYTES = 1 << 16


class DamagedStream(Exception):
    """Compressed data that is cut off or damaged; `records.lines` makes it a fault with file and line."""


@dataclass(frozen=True, slots=True)
class Source:
    """An input that can be read more than once. `name` is the path as given ("-": standard input)."""

    name: str
    _file: IO[bytes]

    def open(self) -> IO[bytes]:
        """The decompressed bytes from the start. Only one stream of a source may be in use at a time."""
        self._file.seek(0)
        magic = self._file.read(6)
        self._file.seek(0)
        opened: IO[bytes] | gzip.GzipFile | lzma.LZMAFile = self._file
        if magic.startswith(ZSTD):
            return io.BufferedReader(_Zstandard(self._file), BUFFER_BYTES)
        if magic.startswith(GZIP):
            opened = gzip.GzipFile(fileobj=self._file, mode="rb")
        elif magic.startswith(XZ):
            opened = lzma.LZMAFile(self._file)  # noqa: SIM115 (the source closes its file)
        return io.BufferedReader(_Guarded(opened), BUFFER_BYTES)

    @property
    def plain(self) -> IO[bytes]:
        """The bytes as they lie, from the start (for formats that need to seek)."""
        self._file.seek(0)
        return self._file


class _Guarded(io.RawIOBase):
    """Reads from another stream; its many kinds of damage come out as one."""

    def __init__(self, file: IO[bytes] | gzip.GzipFile | lzma.LZMAFile) -> None:
        self._inner = file

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: WriteableBuffer) -> int:
        view = memoryview(buffer)
        try:
            data = self._inner.read(len(view))
        except (EOFError, zlib.error, lzma.LZMAError, gzip.BadGzipFile) as error:
            raise DamagedStream(f"compressed data is cut off or damaged ({error})") from None
        view[: len(data)] = data
        return len(data)


class _Zstandard(io.RawIOBase):
    """Zstandard frames in a row. (The library's own stream reader takes a cut-off file for its end.)"""

    def __init__(self, file: IO[bytes]) -> None:
        import zstandard

        self._new = zstandard.ZstdDecompressor().decompressobj
        self._error = zstandard.ZstdError
        self._file, self._frame = file, self._new()
        self._ready, self._whole = b"", True

    def readable(self) -> bool:
        return True

    def _more(self) -> bool:
        chunk = self._frame.unused_data if self._frame.eof else b""
        if self._frame.eof:
            self._frame = self._new()
        chunk = chunk or self._file.read(_ZSTD_CHUNK)
        if not chunk:
            if not self._whole:
                raise DamagedStream("compressed data is cut off")
            return False
        try:
            self._ready = self._frame.decompress(chunk)
        except self._error as error:
            raise DamagedStream(f"compressed data is damaged ({error})") from None
        self._whole = self._frame.eof
        return True

    def readinto(self, buffer: WriteableBuffer) -> int:
        while not self._ready:
            if not self._more():
                return 0
        view = memoryview(buffer)
        data, self._ready = self._ready[: len(view)], self._ready[len(view) :]
        view[: len(data)] = data
        return len(data)


@contextmanager
def open_source(path: str | Path) -> Iterator[Source]:
    """Open `path` ("-": standard input) for reading; closed at the end.

    Standard input and pipes are first copied to an unnamed temporary file, so that every source can be read
    twice. Raises AssayError when there is no such file, it is a directory, or it can't be read.
    """
    name = str(path)
    with ExitStack() as stack:
        try:
            file = sys.stdin.buffer if name == STDIN else stack.enter_context(open(name, "rb"))
            if name == STDIN or not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                copy = stack.enter_context(tempfile.TemporaryFile())
                shutil.copyfileobj(file, copy, 1 << 20)
                file = copy
        except FileNotFoundError:
            raise AssayError("no such file", file=name) from None
        except IsADirectoryError:
            raise AssayError("is a directory, not a file", file=name) from None
        except OSError as error:
            raise AssayError(f"can't be read: {error.strerror or error}", file=name) from None
        except ValueError:
            raise AssayError("no such file: the name holds a zero byte", file=name) from None
        yield Source(name, file)

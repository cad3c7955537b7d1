"""Reading files, compressed or not; what is cut off or damaged is noticed."""

from __future__ import annotations

import hashlib
import io
import lzma
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO, Any

from assay.errors import AssayError

MAGIC = {b"\x1f\x8b": "gz", b"\x28\xb5\x2f\xfd": "zst", b"\xfd7zXZ\x00": "xz", b"PAR1": "parquet"}


def digest(path: str, name: str) -> str:
    """SHA-256 of the file as it lies there, in hex. Raises AssayError, naming `name`, if it can't be read."""
    with _said(name), open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


@contextmanager
def _said(name: str) -> Iterator[None]:
    try:
        yield
    except (EOFError, zlib.error, lzma.LZMAError) as error:
        raise AssayError(f"the compressed file is cut off or damaged: {error}", file=name) from None
    except OSError as error:
        raise AssayError(f"can't be read: {error.strerror or error}", file=name) from None


@contextmanager
def opened(path: str, name: str) -> Iterator[tuple[IO[bytes], io.FileIO]]:
    """The decompressed bytes of a file, whatever its ending says, and the file itself, to ask how far it is.

    Raises AssayError, naming `name`, if it can't be read.
    """
    with _said(name), io.FileIO(path) as raw:
        yield _decompressed(io.BufferedReader(raw, 1 << 20), name), raw


def _decompressed(raw: io.BufferedReader, name: str) -> IO[bytes]:
    head = raw.peek(8)[:8]
    kind = next((kind for magic, kind in MAGIC.items() if head.startswith(magic)), None)
    if kind == "gz":
        import gzip

        return gzip.GzipFile(fileobj=raw)  # type: ignore[return-value]
    if kind == "xz":
        return lzma.LZMAFile(raw)
    if kind == "zst":
        return io.BufferedReader(_Zstandard(raw), 1 << 20)
    if head.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise AssayError(
            "is UTF-16, not UTF-8", file=name, line=1, hint="convert it: iconv -f UTF-16 -t UTF-8"
        )
    return raw


class _Zstandard(io.RawIOBase):
    """Decompressed frames, one after the other; unlike zstandard's own reader it notices a cut-off end."""

    def __init__(self, raw: IO[bytes]) -> None:
        import zstandard

        self._raw = raw
        self._new_frame = zstandard.ZstdDecompressor().decompressobj
        self._error = zstandard.ZstdError
        self._frame = self._new_frame()
        self._begun = False
        self._ready = b""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        while not self._ready:
            data = self._frame.unused_data if self._frame.eof else b""
            if self._frame.eof:
                self._frame, self._begun = self._new_frame(), False
            data = data or self._raw.read(1 << 18)
            if not data:
                if self._begun:
                    raise EOFError("no end of frame")
                return 0
            self._begun = True
            try:
                self._ready = self._frame.decompress(data)
            except self._error as error:
                raise EOFError(str(error)) from None
        count = min(len(buffer), len(self._ready))
        buffer[:count], self._ready = self._ready[:count], self._ready[count:]
        return count

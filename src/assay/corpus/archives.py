"""Opening a corpus's inputs, compressed or not; whatever keeps one from being read is said with its name."""

from __future__ import annotations

import hashlib
import io
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO

from assay.compression import MAGIC_BYTES, DamagedStream, decompressed, is_compressed
from assay.errors import AssayError


def digest(path: str, name: str) -> str:
    """SHA-256 of the file as it lies there, in hex. Raises AssayError, naming `name`, if it can't be read."""
    with _said(name), open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


@contextmanager
def _said(name: str) -> Iterator[None]:
    try:
        yield
    except DamagedStream as error:
        raise AssayError(str(error), file=name) from None
    except OSError as error:
        raise AssayError(f"can't be read: {error.strerror or error}", file=name) from None


@contextmanager
def opened(path: str, name: str) -> Iterator[tuple[IO[bytes], io.FileIO]]:
    """The decompressed bytes of a file, whatever its ending says, and the file itself, to ask how far it is.

    Raises AssayError, naming `name`, if it can't be read.
    """
    with _said(name), io.FileIO(path) as raw:
        yield _plain(io.BufferedReader(raw, 1 << 20), name), raw


def _plain(raw: io.BufferedReader, name: str) -> IO[bytes]:
    magic = raw.peek(MAGIC_BYTES)[:MAGIC_BYTES]
    if is_compressed(magic):
        return decompressed(raw, magic)
    if magic.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise AssayError(
            "is UTF-16, not UTF-8", file=name, line=1, hint="convert it: iconv -f UTF-16 -t UTF-8"
        )
    return raw

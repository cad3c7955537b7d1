"""Reading compressed bytes, told by the first of them; a cut-off end is noticed, never taken for the end."""

from __future__ import annotations

import gzip
import io
import lzma
import zlib
from typing import IO, TYPE_CHECKING

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

GZIP, ZSTD, XZ = b"\x1f\x8b", b"\x28\xb5\x2f\xfd", b"\xfd7zXZ\x00"
MAGIC_BYTES = 6
"""So many first bytes tell how a file is compressed."""
# Small, because a few bytes of Zstandard may stand for very many.
_ZSTD_CHUNK = 8192
BUFFER_BYTES = 1 << 16


class DamagedStream(Exception):
    """Compressed data that is cut off or damaged; whoever reads it names the file."""


def is_compressed(magic: bytes) -> bool:
    """Whether a file that begins with these bytes (MAGIC_BYTES of them) is compressed in a way known here."""
    return magic.startswith((GZIP, ZSTD, XZ))


def decompressed(file: IO[bytes], magic: bytes) -> IO[bytes]:
    """The plain bytes of `file`, which stands at its start and begins with `magic`; plain ones come out too.

    Reading raises DamagedStream for data that is cut off or damaged. `file` stays open with its owner.
    """
    opened: IO[bytes] | gzip.GzipFile | lzma.LZMAFile = file
    if magic.startswith(ZSTD):
        return io.BufferedReader(_Zstandard(file), BUFFER_BYTES)
    if magic.startswith(GZIP):
        opened = gzip.GzipFile(fileobj=file, mode="rb")
    elif magic.startswith(XZ):
        opened = lzma.LZMAFile(file)  # noqa: SIM115 (the file's owner closes it)
    return io.BufferedReader(_Guarded(opened), BUFFER_BYTES)


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

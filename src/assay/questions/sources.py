"""Opening an input: a file, standard input or a pipe, plain or compressed; it can be read twice."""

from __future__ import annotations

import os
import shutil
import stat
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from assay.compression import MAGIC_BYTES, decompressed
from assay.errors import AssayError

STDIN = "-"


@dataclass(frozen=True, slots=True)
class Source:
    """An input that can be read more than once. `name` is the path as given ("-": standard input)."""

    name: str
    _file: IO[bytes]

    def open(self) -> IO[bytes]:
        """The decompressed bytes from the start; reading them may raise DamagedStream.

        Only one stream of a source may be in use at a time.
        """
        self._file.seek(0)
        magic = self._file.read(MAGIC_BYTES)
        self._file.seek(0)
        return decompressed(self._file, magic)

    @property
    def plain(self) -> IO[bytes]:
        """The bytes as they lie, from the start (for formats that need to seek)."""
        self._file.seek(0)
        return self._file


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

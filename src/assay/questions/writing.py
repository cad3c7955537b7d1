"""Writing questions in any format that is known, and saying what it couldn't carry."""

from __future__ import annotations

import gzip
import lzma
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, cast

from assay.questions.formats.registry import format_named
from assay.questions.model import Question
from assay.questions.sources import STDIN
from assay.storage import atomic

STDOUT = STDIN


@dataclass(frozen=True, slots=True)
class Written:
    """How many questions were written, and how many of them lost what: by the field's name."""

    questions: int
    lost: dict[str, int]


def write_questions(questions: Iterable[Question], path: str | Path, format: str) -> Written:
    """Write the questions to `path` ("-": standard output), whole or not at all.

    A name that ends in .gz, .zst or .xz is compressed. Raises AssayError, naming the question, for one that
    the format can't express, and whatever the questions raise while they are read.
    """
    form = format_named(format)
    lost: Counter[str] = Counter()
    count = 0

    def counted() -> Iterator[Question]:
        nonlocal count
        for question in questions:
            count += 1
            lost.update(form.lost(question))
            yield question

    if str(path) == STDOUT:
        with tempfile.TemporaryFile() as whole:
            form.write(counted(), whole)
            whole.seek(0)
            shutil.copyfileobj(whole, sys.stdout.buffer)
            sys.stdout.flush()
    else:
        with atomic(path) as file, _compressed(file, Path(path).suffix) as inner:
            form.write(counted(), inner)
    return Written(count, dict(lost))


@contextmanager
def _compressed(file: IO[bytes], suffix: str) -> Iterator[IO[bytes]]:
    """Nothing but the content decides the bytes: no time, no name."""
    if suffix == ".gz":
        with gzip.GzipFile("", "wb", fileobj=file, mtime=0) as zipped:
            yield cast(IO[bytes], zipped)
    elif suffix == ".xz":
        with lzma.LZMAFile(file, "wb") as packed:
            yield cast(IO[bytes], packed)
    elif suffix == ".zst":
        import zstandard

        with zstandard.ZstdCompressor().stream_writer(file, closefd=False) as stream:
            yield cast(IO[bytes], stream)
    else:
        yield file

"""Writing that survives a kill: whole files at once, logs by complete lines, one writer a folder."""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import re
import shutil
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from assay.errors import AssayError

_QUOTED = re.compile('[,"\r\n]')


def to_json(value: Any, *, indent: int | None = None) -> str:
    """Strict JSON, keys in the order given; NaN or infinity raises ValueError."""
    separators = (",", ": ") if indent else (",", ":")
    return json.dumps(value, ensure_ascii=False, allow_nan=False, indent=indent, separators=separators)


def csv_line(cells: Sequence[str], end: str = "\n") -> str:
    """A row of cells, quoted where they must be (RFC 4180); a carriage return alone is quoted too."""
    quoted = ('"' + cell.replace('"', '""') + '"' if _QUOTED.search(cell) else cell for cell in cells)
    return (",".join(quoted) or '""') + end


def sha256_of(path: str | Path) -> str:
    """SHA-256 (hex) of a file's bytes. Raises OSError where it can't be read."""
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _said(error: OSError, path: Path) -> AssayError:
    return AssayError(f"can't be written: {error.strerror or error}", file=path)


@contextmanager
def atomic(path: str | Path) -> Iterator[IO[bytes]]:
    """A binary file that appears at `path` whole, or not at all.

    Raises AssayError when the disk is full or the folder can't be written.
    """
    path = Path(path)
    temporary: str | None = None
    try:
        if path.exists() and not path.is_file() and not path.is_dir():
            # A device or a pipe is written into, never replaced.
            with path.open("wb") as device:
                yield device
            return
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name[:100]}.", suffix=".part")
        with os.fdopen(handle, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        os.chmod(temporary, 0o666 & ~_umask())
        os.replace(temporary, path)
        temporary = None
    except OSError as error:
        raise _said(error, path) from None
    finally:
        if temporary is not None and os.path.exists(temporary):
            os.unlink(temporary)


@contextmanager
def whole_folder(path: str | Path) -> Iterator[Path]:
    """A folder of files that appears at `path` whole, or not at all; yields where to write the files.

    What a kill left behind is cleared away when the same folder is written again. The caller holds
    `only_writer`. Raises AssayError when the disk is full or the folder can't be written.
    """
    path = Path(path)
    part = path.with_name(f".{path.name}.part")
    try:
        shutil.rmtree(part, ignore_errors=True)
        part.mkdir(parents=True)
        yield part
        for file in part.rglob("*"):
            if file.is_file():
                with file.open("rb") as handle:
                    os.fsync(handle.fileno())
        if path.exists():
            shutil.rmtree(path)
        os.replace(part, path)
    except OSError as error:
        raise _said(error, path) from None
    finally:
        shutil.rmtree(part, ignore_errors=True)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def write_text(path: str | Path, text: str) -> None:
    """Write `text` (UTF-8) to `path` atomically; a lone surrogate is written as its JSON-style escape."""
    with atomic(path) as file:
        file.write(text.encode("utf-8", errors="backslashreplace"))


def write_json(path: str | Path, value: Any) -> None:
    """Write strict, indented JSON atomically, with a final newline."""
    write_text(path, to_json(value, indent=2) + "\n")


def complete_lines(path: str | Path) -> int:
    """Cut a torn last line (no line feed: the writer was killed) off `path`; returns how many bytes went."""
    path = Path(path)
    if not path.exists():
        return 0
    try:
        with path.open("r+b") as file:
            end = file.seek(0, os.SEEK_END)
            keep, position = 0, end
            while position > 0:
                start = max(0, position - 65536)
                file.seek(start)
                newline = file.read(position - start).rfind(b"\n")
                if newline >= 0:
                    keep = start + newline + 1
                    break
                position = start
            if keep != end:
                file.truncate(keep)
            return end - keep
    except OSError as error:
        raise _said(error, path) from None


@contextmanager
def append_lines(path: str | Path) -> Iterator[Callable[[str], None]]:
    """Append whole lines to `path`, after cutting a torn last one. Yields a function that writes one line.

    Raises AssayError when the disk is full; what was written until then stays, in complete lines.
    """
    path = Path(path)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        complete_lines(path)
        with path.open("ab") as file:

            def write(line: str) -> None:
                file.write(line.encode("utf-8", errors="backslashreplace") + b"\n")

            yield write
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        raise _said(error, path) from None


@contextmanager
def only_writer(folder: str | Path, *, shared: bool = False) -> Iterator[None]:
    """Hold the folder's writer lock (the operating system's: a lock file left by a kill means nothing).

    Half-written files that a killed writer left in the folder are removed, unless it is `shared`: then others
    write there under locks of their own, and what looks half-written may be theirs.
    Raises AssayError when another process holds it.
    """
    folder = Path(folder)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        handle = os.open(folder / ".writer.lock", os.O_RDWR | os.O_CREAT, 0o666)
    except OSError as error:
        raise _said(error, folder) from None
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise AssayError(
                "another process is writing here",
                file=folder,
                hint="wait for it to end, or name another folder",
            ) from None
        if not shared:
            remove_half_written(folder)
        yield
    finally:
        os.close(handle)


@contextmanager
def only_appender(path: str | Path) -> Iterator[None]:
    """Hold a file's own writer lock; the file is made, empty, where there is none.

    Raises AssayError when another process holds it, or the file can't be written.
    """
    path = Path(path)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
    except (OSError, ValueError) as error:
        raise AssayError(f"can't be written: {getattr(error, 'strerror', error)}", file=path) from None
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise AssayError(
                "another process is writing here", file=path, hint="wait for it to end, or name another file"
            ) from None
        yield
    finally:
        os.close(handle)


def remove_half_written(folder: str | Path) -> None:
    """Remove what killed `atomic` and `whole_folder` writers left. For a folder nobody else is writing."""
    for path in Path(folder).glob(".*.part"):
        if path.is_dir():
            shutil.rmtree(path, ignore_errors=True)
        else:
            path.unlink(missing_ok=True)

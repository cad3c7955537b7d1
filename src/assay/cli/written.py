"""Files that a verb will write, looked at before it begins: none may be one that it reads."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from assay.errors import AssayError


def check_written(outputs: Mapping[str, Path | None], inputs: Iterable[str | Path | None]) -> None:
    """`outputs`: files by the option that names each. `inputs`: files as they were given; "NAME=FILE" too.

    Raises AssayError for an output that is an input under any name (a link, another path), that two options
    name, or that is a folder. Devices and pipes may be named as often as one likes.
    """
    read = [path for given in inputs if given is not None for path in _paths(str(given))]
    seen: list[tuple[str, Path]] = []
    for option, path in outputs.items():
        if path is None:
            continue
        if path.is_dir():
            raise AssayError("is a folder, not a file to write", file=path, hint=f"name another by {option}")
        if path.exists() and not path.is_file():
            continue
        if any(_same(path, one) for one in read):
            raise AssayError(
                "is one of the inputs: it would be written over", file=path, hint=f"name another by {option}"
            )
        other = next((name for name, one in seen if _same(path, one)), None)
        if other is not None:
            raise AssayError(f"{other} and {option} name one file", file=path)
        seen.append((option, path))


def texts_in(settings: Mapping[Any, Any]) -> Iterator[str]:
    """Every text among the settings, however deep: each may name a file that is read."""
    for value in settings.values():
        if isinstance(value, str):
            yield value
        elif isinstance(value, Mapping):
            yield from texts_in(value)
        elif isinstance(value, list | tuple):
            yield from texts_in(dict(enumerate(value)))


def _paths(given: str) -> list[Path]:
    """A name may hold a "=" of its own, so both readings count."""
    _, equals, file = given.partition("=")
    return [Path(given), Path(file)] if equals and file else [Path(given)]


def _same(one: Path, other: Path) -> bool:
    try:
        return one.samefile(other)
    except (OSError, ValueError):
        return one.resolve() == other.resolve() if "\0" not in f"{one}{other}" else False

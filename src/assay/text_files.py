"""Small text files read whole: tables of tags, stop lists, settings, stored reports."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from assay.errors import AssayError


def read_text(path: str | Path) -> str:
    """The text of a UTF-8 file without its byte-order mark; line ends stay as they are.

    Raises AssayError when it can't be read or, with the line, isn't UTF-8.
    """
    try:
        return Path(path).read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise AssayError(f"can't be read: {error.strerror or error}", file=path) from None
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise AssayError(f"not UTF-8: byte 0x{error.object[error.start]:02x}", file=path, line=line) from None
    except ValueError:
        raise AssayError("can't be read: the name holds a zero byte", file=path) from None


def read_toml(path: str | Path) -> dict[str, Any]:
    """The tables of a TOML file. Raises AssayError when it can't be read or isn't TOML, with the place."""
    try:
        return tomllib.loads(read_text(path))
    except tomllib.TOMLDecodeError as error:
        raise AssayError(f"isn't TOML: {error}", file=path) from None

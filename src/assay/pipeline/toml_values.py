"""Values of benchmark.toml with what they must be; where each stands is said in the error."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

from assay.errors import AssayError

T = TypeVar("T")
KINDS: Mapping[type, str] = {str: "string", int: "whole number"}


def only_known(where: str, data: Mapping[str, Any], known: Sequence[str]) -> None:
    """Raises AssayError for a key of the table at `where` ("": the top) that isn't known."""
    for key in data:
        if key not in known:
            name = f"{where}.{key}" if where else key
            raise AssayError(f"unknown setting {name}", hint=f"known: {', '.join(known)}")


def finite(where: str, value: Any) -> None:
    """Raises AssayError for a number, however deep in the value, that is infinite or none (`nan`)."""
    if isinstance(value, float) and not math.isfinite(value):
        raise AssayError(f"{where} must be a finite number, got {value!r}")
    if isinstance(value, dict):
        for key, entry in value.items():
            finite(f"{where}.{key}" if where else key, entry)
    elif isinstance(value, list):
        for entry in value:
            finite(where, entry)


def table(where: str, value: Any) -> Mapping[str, Any]:
    """The value, a table. Raises AssayError for anything else, as do those below."""
    if not isinstance(value, dict):
        raise AssayError(f"{where} must be a table, got {value!r}")
    return value


def typed(where: str, value: Any, kind: type[T]) -> T:
    """The value, of one of KINDS."""
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        raise AssayError(f"{where} must be a {KINDS[kind]}, got {value!r}")
    return value


def optional(where: str, value: Any, kind: type[T]) -> T | None:
    """As `typed`; None where there is none."""
    return None if value is None else typed(where, value, kind)


def said(where: str, value: Any) -> str | None:
    """A string that says something, or None where there is none."""
    if (text := optional(where, value, str)) is not None and not text.strip():
        raise AssayError(f"{where} says nothing", hint="say why, or leave it away")
    return text


def strings(where: str, value: Any) -> tuple[str, ...]:
    """A list of strings."""
    if not isinstance(value, list) or not all(isinstance(entry, str) for entry in value):
        raise AssayError(f"{where} must be a list of strings, got {value!r}")
    return tuple(value)


def number(where: str, value: Any) -> float:
    """A finite number of 0 or more."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < float("inf"):
        raise AssayError(f"{where} must be a number of 0 or more, got {value!r}")
    return float(value)


def percents(where: str, value: Any) -> Mapping[str, float]:
    """A table of numbers from 0 to 100."""
    found = {key: number(f"{where}.{key}", entry) for key, entry in table(where, value).items()}
    for key, entry in found.items():
        if entry > 100:
            raise AssayError(f"{where}.{key} is in percent and must be within 0 and 100, got {entry!r}")
    return found


def columns(where: str, value: Any) -> Mapping[str, str]:
    """A table of strings by column."""
    return {key: typed(f"{where}.{key}", entry, str) for key, entry in table(where, value).items()}

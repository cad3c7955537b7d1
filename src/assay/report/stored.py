"""Dataclasses to strict JSON and back: every field checked against its declared type, nothing guessed."""

from __future__ import annotations

import dataclasses
import json
import math
import types
import typing
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any, NoReturn, TypeVar

from assay.errors import AssayError
from assay.storage import to_json

T = TypeVar("T")
Check = Callable[[Any, str], Any]
"""A parsed value and where it stands ("questions[3].points") to the typed value; raises _Wrong."""

_INFINITIES = {"inf": math.inf, "-inf": -math.inf}


class _Wrong(Exception):
    """A value that doesn't fit its field; the text says which field and why."""


def encode(value: Any) -> str:
    """One line of strict JSON, fields at their default left out. Raises ValueError on NaN."""
    return to_json(_plain(value))


def decode(cls: type[T], text: str, *, file: str | Path | None = None, without: tuple[str, ...] = ()) -> T:
    """The dataclass `cls` from the JSON that `encode` wrote; fields `without` are left at their default.

    Raises AssayError naming the field that is unknown, missing, repeated or of the wrong type.
    """
    try:
        value = json.loads(text, object_pairs_hook=_distinct, parse_constant=_no_constant)
        kind: Any = cls
        if without and isinstance(value, dict):
            value = {name: field for name, field in value.items() if name not in without}
        return typing.cast(T, _check(kind)(value, ""))
    except json.JSONDecodeError as error:
        raise AssayError(
            f"not a stored report: not JSON: {error.msg}", file=file, line=error.lineno
        ) from None
    except RecursionError:
        raise AssayError("not a stored report: nested too deeply", file=file) from None
    except (_Wrong, AssayError) as error:
        raise AssayError(
            f"not a stored report: {error}", file=file, hint="run `assay run` again to store it anew"
        ) from None


@cache
def _defaults(cls: Any) -> tuple[tuple[str, Any], ...]:
    """Each field with its default, `dataclasses.MISSING` where there is none."""
    return tuple(
        (f.name, f.default_factory() if f.default_factory is not dataclasses.MISSING else f.default)
        for f in dataclasses.fields(cls)
    )


def _plain(value: Any) -> Any:
    if value is None or isinstance(value, str | bool | int):
        return value
    if isinstance(value, float):
        if math.isinf(value):
            return "inf" if value > 0 else "-inf"
        return value
    if isinstance(value, tuple | list):
        return [_plain(item) for item in value]
    if isinstance(value, Mapping):
        return {key: _plain(item) for key, item in value.items()}
    cls: Any = type(value)
    fields = ((name, getattr(value, name), default) for name, default in _defaults(cls))
    return {
        name: _plain(item)
        for name, item, default in fields
        if default is dataclasses.MISSING or item != default
    }


def _distinct(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        names = [name for name, _ in pairs]
        repeated = next(name for name in names if names.count(name) > 1)
        raise _Wrong(f"key {repeated!r} stands twice")
    return found


def _no_constant(name: str) -> NoReturn:
    raise _Wrong(f"{name} is no JSON number")


def _fail(where: str, expected: str, value: Any) -> NoReturn:
    said = repr(value)
    raise _Wrong(
        f"{where or 'the whole'} must be {expected}, got {said if len(said) < 60 else said[:57] + '...'}"
    )


@cache
def _check(kind: Any) -> Check:
    """The check of one declared type; built once a type."""
    if kind is Any:
        return lambda value, where: value
    if kind in _SIMPLE:
        return _SIMPLE[kind]
    if dataclasses.is_dataclass(kind) and isinstance(kind, type):
        return _record(kind)
    origin, arguments = typing.get_origin(kind), typing.get_args(kind)
    if origin is typing.Literal:
        return _literal(arguments)
    if origin is tuple:
        return _sequence(arguments[0])
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return _mapping(*arguments)
    if origin in (types.UnionType, typing.Union):
        return _union(arguments)
    raise TypeError(f"no stored form for {kind}")


def _string(value: Any, where: str) -> str:
    return value if isinstance(value, str) else _fail(where, "text", value)


def _boolean(value: Any, where: str) -> bool:
    return value if isinstance(value, bool) else _fail(where, "true or false", value)


def _integer(value: Any, where: str) -> int:
    return value if type(value) is int else _fail(where, "a whole number", value)


def _number(value: Any, where: str) -> float:
    if type(value) in (int, float):
        # A whole number stays one, as in Python, so that the same bytes come out again.
        return typing.cast(float, value)
    return _INFINITIES[value] if value in ("inf", "-inf") else _fail(where, "a number", value)


_SIMPLE: dict[Any, Check] = {str: _string, bool: _boolean, int: _integer, float: _number}


def _literal(allowed: tuple[Any, ...]) -> Check:
    def check(value: Any, where: str) -> Any:
        return (
            value if isinstance(value, str) and value in allowed else _fail(where, f"one of {allowed}", value)
        )

    return check


def _sequence(kind: Any) -> Check:
    item = _check(kind)

    def check(value: Any, where: str) -> tuple[Any, ...]:
        if not isinstance(value, list):
            _fail(where, "a list", value)
        return tuple(item(part, f"{where}[{number}]") for number, part in enumerate(value))

    return check


def _mapping(key: Any, kind: Any) -> Check:
    name, item = _check(key), _check(kind)

    def check(value: Any, where: str) -> Mapping[str, Any]:
        if not isinstance(value, dict):
            _fail(where, "an object", value)
        return {name(key, where): item(part, f"{where}.{key}") for key, part in value.items()}

    return check


def _union(kinds: tuple[Any, ...]) -> Check:
    """None or one other type, or several dataclasses told apart by their required fields (the fullest
    fits).
    """
    rest = tuple(kind for kind in kinds if kind is not types.NoneType)
    if len(rest) == 1:
        inner = _check(rest[0])
        return lambda value, where: None if value is None else inner(value, where)
    by_need = sorted(
        (
            (frozenset(n for n, default in _defaults(kind) if default is dataclasses.MISSING), _check(kind))
            for kind in rest
        ),
        key=lambda pair: -len(pair[0]),
    )

    def check(value: Any, where: str) -> Any:
        if value is None and len(rest) < len(kinds):
            return None
        if isinstance(value, dict):
            for needed, inner in by_need:
                if needed <= value.keys():
                    return inner(value, where)
        return _fail(where, "a known kind of object", value)

    return check


def _record(cls: type) -> Check:
    hints = typing.get_type_hints(cls)
    defaults = _defaults(cls)
    checks = {name: _check(hints[name]) for name, _ in defaults}
    needed = [name for name, default in defaults if default is dataclasses.MISSING]

    def check(value: Any, where: str) -> Any:
        if not isinstance(value, dict):
            _fail(where, "an object", value)
        inside = f"{where}." if where else ""
        for name in value:
            if name not in checks:
                raise _Wrong(f"unknown field {inside}{name}")
        for name in needed:
            if name not in value:
                raise _Wrong(f"field {inside}{name} is missing")
        return cls(**{name: checks[name](part, f"{inside}{name}") for name, part in value.items()})

    return check

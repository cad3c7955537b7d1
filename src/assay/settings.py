"""Declared settings: a frozen dataclass a solver or method, each field with its meaning and range."""

from __future__ import annotations

import dataclasses
import math
import re
import types
from collections.abc import Mapping
from fractions import Fraction
from typing import Any, TypeVar, Union, cast, get_args, get_origin, get_type_hints

from assay.errors import AssayError

T = TypeVar("T")
REQUIRED: Any = dataclasses.MISSING
"""The default of a setting that has none."""
WORDS: dict[Any, str] = {
    bool: "true or false",
    int: "a whole number",
    float: "a number",
    str: "text",
}
MANY = {bool: "true/false", int: "whole numbers", float: "numbers", str: "texts"}
"""What a list of them is a list of."""


_EXACT = re.compile(r"[^eE]{1,99}(e[+-]?[0-9]{1,2})?", re.IGNORECASE)


def exact_number(text: str) -> Fraction:
    """A decimal number or a ratio ("78", "0.5", "1/3", "1e-3") as it is written.

    Raises ValueError for any other text, and for one that no share or number of questions can need: the
    whole of 1e999999 would fill the memory.
    """
    if not _EXACT.fullmatch(text):
        raise ValueError(f"no number, or too long: {text[:99]}")
    try:
        return Fraction(text)
    except ZeroDivisionError:
        raise ValueError(f"divided by zero: {text}") from None


def setting(
    default: Any,
    meaning: str,
    *,
    minimum: float | None = None,
    maximum: float | None = None,
    one_of: tuple[str, ...] = (),
) -> Any:
    """A field of a settings dataclass. `default` REQUIRED: it must be given.

    The range includes its ends; of a list every entry lies in it. What no range says a dataclass may refuse
    in `__post_init__`, by an AssayError.
    """
    return dataclasses.field(
        default=default,
        metadata={"meaning": meaning, "minimum": minimum, "maximum": maximum, "one_of": one_of},
    )


@dataclasses.dataclass(frozen=True, slots=True)
class Declared:
    """One setting as documentation shows it; `default` is text, "required" where there is none."""

    name: str
    must_be: str
    default: str
    meaning: str


def declared_settings(kind: type[Any]) -> tuple[Declared, ...]:
    """The settings that a dataclass declares, in order, but those that must be given first."""
    hints = get_type_hints(kind)
    return tuple(
        Declared(
            name=field.name,
            must_be=_must_be(field, hints[field.name]),
            default="required" if field.default is REQUIRED else shown(field.default),
            meaning=field.metadata.get("meaning", ""),
        )
        for field in sorted(dataclasses.fields(kind), key=lambda field: field.default is not REQUIRED)
    )


def read_settings(kind: type[T], given: Mapping[str, Any], owner: str) -> T:
    """An instance of the dataclass `kind` from `given`; `owner` names whose they are ("solver 'ir'").

    A list becomes a tuple and a whole number a float where the field wants one; nothing else is converted.
    Raises AssayError for an unknown setting (the known ones are listed), a missing one, a wrong value, or
    values that the dataclass itself refuses.
    """
    fields = {field.name: field for field in dataclasses.fields(cast(Any, kind))}
    for name in given:
        if name not in fields:
            known = ", ".join(fields) or "none"
            raise AssayError(f"{owner} has no setting {name!r}", hint=f"its settings: {known}")
    hints = get_type_hints(kind)
    values: dict[str, Any] = {}
    for name, field in fields.items():
        if name in given:
            values[name] = _checked(field, hints[name], given[name], owner)
        elif field.default is REQUIRED:
            raise AssayError(f"{owner} needs the setting {name!r}", hint=str(field.metadata["meaning"]))
    try:
        return kind(**values)
    except AssayError as error:
        raise AssayError(f"{owner}: {error.faults[0].what}", hint=error.hint) from None


def _checked(field: dataclasses.Field[Any], hint: Any, value: Any, owner: str) -> Any:
    kinds, optional = _kinds(hint)
    if value is None and optional:
        return None
    for kind in kinds:
        converted = _converted(kind, value)
        if converted is not None and _in_range(field, converted):
            return converted
    must_be = _must_be(field, hint)
    raise AssayError(f"{owner}: setting {field.name!r} must be {must_be}. Got {shown(value)}.")


def _kinds(hint: Any) -> tuple[list[Any], bool]:
    """The plain types a hint allows, and whether None is one of them."""
    args = get_args(hint) if get_origin(hint) in (Union, types.UnionType) else (hint,)
    return [arg for arg in args if arg is not type(None)], type(None) in args


def _entries(kind: Any) -> list[Any] | None:
    """The plain types that entries of a list may have, `tuple[int, ...]` as it is declared; None: no list."""
    return _kinds(get_args(kind)[0])[0] if get_origin(kind) is tuple else None


def _converted(kind: Any, value: Any) -> Any:
    """`value` as `kind`, or None where it is something else; True is no number."""
    if (entries := _entries(kind)) is not None:
        return _list_of(entries, value)
    if kind is bool or isinstance(value, bool):
        return value if kind is bool and isinstance(value, bool) else None
    if kind is float and isinstance(value, (int, float)):
        try:
            return float(value) if math.isfinite(value) else None
        except OverflowError:  # a whole number beyond the largest float
            return None
    return value if isinstance(value, kind) else None


def _list_of(kinds: list[Any], value: Any) -> tuple[Any, ...] | None:
    """The list as a tuple, each entry of one of the kinds; None where it is something else."""
    if not isinstance(value, (list, tuple)):
        return None
    found = []
    for item in value:
        fitting = (one for kind in kinds if (one := _converted(kind, item)) is not None)
        if (converted := next(fitting, None)) is None:
            return None
        found.append(converted)
    return tuple(found)


def _in_range(field: dataclasses.Field[Any], value: Any) -> bool:
    if isinstance(value, tuple):
        return all(_in_range(field, item) for item in value)
    rule = field.metadata
    if rule.get("one_of"):
        return value in rule["one_of"]
    low, high = rule.get("minimum"), rule.get("maximum")
    return (low is None or value >= low) and (high is None or value <= high)


def _must_be(field: dataclasses.Field[Any], hint: Any) -> str:
    kinds, optional = _kinds(hint)
    rule = field.metadata
    if rule.get("one_of"):
        text = "one of " + ", ".join(repr(value) for value in rule["one_of"])
    else:
        text = " or ".join(_called(kind) for kind in kinds)
    low, high = rule.get("minimum"), rule.get("maximum")
    if low is not None and high is not None:
        text += f" in [{low:g}, {high:g}]"
    elif low is not None or high is not None:
        text += f" >= {low:g}" if low is not None else f" <= {high:g}"
    return text + (" or none" if optional else "")


def _called(kind: Any) -> str:
    if (entries := _entries(kind)) is not None:
        return "a list of " + " or ".join(MANY[entry] for entry in entries)
    return WORDS.get(kind, getattr(kind, "__name__", str(kind)))


def shown(value: Any) -> str:
    """The value as a message shows it, 80 characters at most."""
    if value is None:
        return "none"
    if isinstance(value, bool):
        return str(value).lower()
    text = repr(list(value) if isinstance(value, tuple) else value)
    return text if len(text) <= 80 else text[:77] + "..."

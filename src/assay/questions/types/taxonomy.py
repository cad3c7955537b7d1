"""Taxonomies of questions: named types with a line that defines each, built in or from a user's own file."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from importlib import resources
from pathlib import Path
from typing import Any

from assay.errors import AssayError, Fault, FaultyInput
from assay.questions.duplicates import folded
from assay.questions.tags import SEPARATOR
from assay.text_files import read_text, read_toml

BUILT_IN = ("arc-knowledge", "arc-reasoning", "arc-topics")
"""ARC's knowledge and reasoning types (Clark et al. 2018, tables 4 and 5); the fields of its topic labels."""
OUTSIDE = "(outside the taxonomy)"
"""What a label becomes that a file of labels says is of no type."""
ANY_MORE = "*"
"""Ends a label that stands for all labels that begin so."""
NO_TYPE = "-"
_KEYS = ("name", "definition", "labels")


@dataclass(frozen=True, slots=True)
class Type:
    """One type. `definition` is a line; `labels` are what else files of labels call it."""

    name: str
    definition: str = ""
    labels: tuple[str, ...] = ()


@dataclass(frozen=True)
class Taxonomy:
    """Types in their order. `outside`: labels that are known to be of none of them."""

    name: str
    types: tuple[Type, ...]
    outside: tuple[str, ...] = field(default=())

    @property
    def names(self) -> tuple[str, ...]:
        """The types' names, in order."""
        return tuple(one.name for one in self.types)

    def type_of(self, label: str) -> str | None:
        """The name of the type that a label stands for, letter case and runs of white space aside.

        A whole name or label goes before one that ends in ANY_MORE, and of those the longest. OUTSIDE for
        one that is known to be of no type, None for one that isn't known.
        """
        key = folded(label)
        if key in self._exact:
            return self._exact[key]
        return next((name for start, name in self._starts if key.startswith(start)), None)

    @cached_property
    def _named(self) -> dict[str, str]:
        named = dict.fromkeys(map(folded, self.outside), OUTSIDE)
        for one in self.types:
            named.update(dict.fromkeys(map(folded, (one.name, *one.labels)), one.name))
        return named

    @cached_property
    def _exact(self) -> dict[str, str]:
        return {label: name for label, name in self._named.items() if not label.endswith(ANY_MORE)}

    @cached_property
    def _starts(self) -> list[tuple[str, str]]:
        starts = [(k.removesuffix(ANY_MORE), name) for k, name in self._named.items() if k.endswith(ANY_MORE)]
        return sorted(starts, key=lambda start: -len(start[0]))


def read_taxonomy(name: str | Path) -> Taxonomy:
    """A built-in taxonomy by its name, or one of a file: TOML, else a table with the heading
    `name<TAB>definition` and, if need be, a third column `labels` (joined by ";").

    Raises FaultyInput, every fault listed: a type or label that stands twice, one without a name, a
    definition of several lines; AssayError for a file that can't be read or holds no type.
    """
    if str(name) in BUILT_IN:
        place = resources.files("assay.questions.types").joinpath(f"{name}.toml")
        with resources.as_file(place) as path:
            return _read(path)
    if not Path(name).exists():
        raise AssayError("no such taxonomy", file=name, hint=f"a file, or one of {', '.join(BUILT_IN)}")
    return _read(Path(name))


def _read(path: Path) -> Taxonomy:
    name: Any = path.stem
    if path.suffix.lower() == ".toml":
        data = read_toml(path)
        name = data.get("name", name)
        found = _of_toml(data, path)
    else:
        found = _of_table(path)
    faults = _twice(found, path)
    if faults:
        raise FaultyInput(faults)
    if not found:
        raise AssayError("holds no type", file=path)
    return Taxonomy(name, tuple(one for _, one in found))


def _of_toml(data: Mapping[str, Any], path: Path) -> list[tuple[int | None, Type]]:
    faults = [
        Fault(f"unknown key {key}: a taxonomy has name and types", str(path))
        for key in data
        if key not in ("name", "types")
    ]
    entries = data.get("types", [])
    if not isinstance(data.get("name", ""), str) or not isinstance(entries, list):
        raise AssayError("name must be a text and types a list of tables: [[types]]", file=path)
    types = []
    for number, entry in enumerate(entries, 1):
        wrong = _wrong(entry)
        if wrong:
            faults.append(Fault(f"type {number}: {wrong}", str(path)))
            continue
        types.append(
            Type(entry["name"].strip(), entry.get("definition", "").strip(), tuple(entry.get("labels", ())))
        )
    if faults:
        raise FaultyInput(faults)
    return [(None, one) for one in types]


def _wrong(entry: Any) -> str | None:
    if not isinstance(entry, dict):
        return "must be a table"
    unknown = [key for key in entry if key not in _KEYS]
    if unknown:
        return f"unknown key {unknown[0]}; a type has {', '.join(_KEYS)}"
    labels = entry.get("labels", [])
    if not isinstance(entry.get("name"), str) or not entry["name"].strip():
        return "no name"
    if not isinstance(entry.get("definition", ""), str) or "\n" in entry.get("definition", "").strip():
        return "its definition must be one line of text"
    if not isinstance(labels, list) or not all(isinstance(label, str) and label.strip() for label in labels):
        return "its labels must be a list of texts"
    return None


def _of_table(path: Path) -> list[tuple[int | None, Type]]:
    lines = [line.removesuffix("\r") for line in read_text(path).split("\n")]
    rows = [(number, [cell.strip() for cell in line.split("\t")]) for number, line in enumerate(lines, 1)]
    rows = [row for row in rows if any(row[1])]
    heading = [title.casefold() for title in rows[0][1]] if rows else []
    if heading not in (list(_KEYS[:2]), list(_KEYS)):
        what = f"no taxonomy: its heading is {', '.join(heading) or 'missing'}"
        hint = "the columns are name and definition, if need be labels, with tabs between"
        raise AssayError(what, file=path, line=rows[0][0] if rows else None, hint=hint)
    faults, types = [], []
    for line, cells in rows[1:]:
        if len(cells) != len(heading):
            faults.append(Fault(f"{len(cells)} cells for {len(heading)} columns", str(path), line))
        elif not cells[0]:
            faults.append(Fault("no name", str(path), line))
        else:
            labels = tuple(
                label for part in cells[2:] for one in part.split(SEPARATOR) if (label := one.strip())
            )
            types.append((line, Type(cells[0], cells[1], labels)))
    if faults:
        raise FaultyInput(faults)
    return [*types]


def _twice(found: Iterable[tuple[int | None, Type]], path: Path) -> list[Fault]:
    """Faults of names and labels that stand for two types; a label may repeat its own type's name."""
    owners: dict[str, str] = {}
    faults, types = [], list(found)
    for line, one in types:
        if folded(one.name) in owners:
            faults.append(Fault(f"type {one.name} stands twice", str(path), line))
        owners.setdefault(folded(one.name), one.name)
    for line, one in types:
        for label in one.labels:
            owner = owners.setdefault(folded(label), one.name)
            if owner != one.name:
                what = f"label {label} stands for {one.name} and for {owner}"
                faults.append(Fault(what, str(path), line))
    return faults


def read_type_labels(path: str | Path) -> dict[str, tuple[int, str]]:
    """Line and type by label, from a file of `label<TAB>type` lines (# begins a comment); the type "-" says
    that a label is of none.

    Raises FaultyInput for a line without both or a label given twice, AssayError for a file that can't be
    read.
    """
    found: dict[str, tuple[int, str]] = {}
    faults = []
    for number, text in enumerate(read_text(path).split("\n"), 1):
        line = text.removesuffix("\r")
        if not line.strip() or line.startswith("#"):
            continue
        label, _, name = (part.strip() for part in line.partition("\t"))
        if not label or not name:
            faults.append(Fault("must be a label, a tab and the type it stands for", str(path), number))
        elif folded(label) in map(folded, found):
            faults.append(Fault(f"the label {label!r} stands twice", str(path), number))
        found.setdefault(label, (number, name))
    if faults:
        raise FaultyInput(faults)
    return found


def with_labels(taxonomies: Mapping[str, Taxonomy], files: Iterable[str | Path]) -> dict[str, Taxonomy]:
    """The taxonomies, by kind of tag, with what files of labels say: each line goes to those that know its
    type, "-" to all; it goes before what a taxonomy says itself.

    Raises FaultyInput for a line whose type none of them knows.
    """
    made = dict(taxonomies)
    for path in files:
        faults = []
        for label, (line, name) in read_type_labels(path).items():
            into = [kind for kind, one in made.items() if name == NO_TYPE or _own_name(one, name)]
            if not into:
                known = "; ".join(", ".join(one.names) for one in made.values()) or "no taxonomy is named"
                what = f"{label!r} stands for {name!r}, which is no type: {known}"
                faults.append(Fault(what, str(path), line))
            for kind in into:
                own, stands = _own_name(made[kind], label), _own_name(made[kind], name)
                if own not in (None, stands):
                    what = f"{label!r} is itself a type of {made[kind].name}: it can't stand for another"
                    faults.append(Fault(what, str(path), line))
                made[kind] = _relabelled(made[kind], label, stands)
        if faults:
            raise FaultyInput(faults)
    return made


def _own_name(taxonomy: Taxonomy, name: str) -> str | None:
    return next((own for own in taxonomy.names if folded(own) == folded(name)), None)


def _relabelled(taxonomy: Taxonomy, label: str, name: str | None) -> Taxonomy:
    """The taxonomy with a label moved to the type of that name; None: outside."""
    key = folded(label)
    types = tuple(
        replace(
            one,
            labels=(
                *(own for own in one.labels if folded(own) != key),
                *([label] if one.name == name else []),
            ),
        )
        for one in taxonomy.types
    )
    outside = (*taxonomy.outside, label) if name is None else taxonomy.outside
    return Taxonomy(taxonomy.name, types, outside)

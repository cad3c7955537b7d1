"""Which column of a table is what: mapped by the caller, or told from the header."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from assay.errors import AssayError
from assay.questions.formats.fields import FACTS, letter
from assay.questions.formats.format import Columns

ROLES = ("id", "stem", "choices", "labels", "answer", "metadata")
_NAMES = {
    "id": ("id", "qid", "question_id", "questionid", "item_id", "uid"),
    "stem": ("stem", "question", "question_stem", "question_text", "query", "prompt"),
    "choices": ("choices", "options", "answers"),
    "labels": ("labels", "choice_labels"),
    "answer": (
        *("answer", "answer_key", "answerkey", "key", "gold", "correct", "correct_answer"),
        *("correct_choice", "correct_option", "answer_idx", "answer_index", "label", "target"),
    ),
}
_SERIES = re.compile(r"(?P<prefix>.*?)[\s_#.:-]*(?P<place>[a-z]|\d{1,2})")
_CHOICE_PREFIXES = ("option", "choice", "opt", "answer", "ans", "")


@dataclass(frozen=True, slots=True)
class Plan:
    """What each column is. `choices` are several columns, or one (`listed`) that holds
    them all; `metadata` is None where every other column is."""

    id: str | None
    stem: str
    choices: tuple[str, ...]
    listed: bool
    labels: tuple[str, ...]
    answer: str | None
    facts: tuple[str, ...]
    metadata: tuple[str, ...] | None

    def keeps(self, column: str) -> bool:
        """Whether a column is metadata: it has no other part and, where metadata is mapped, is named."""
        used = column in (self.id, self.stem, self.answer, *self.choices, *self.labels, *self.facts, "")
        return not used and (self.metadata is None or column in self.metadata)

    def leaves_out(self, columns: Sequence[str]) -> list[str]:
        """The columns that are nothing, as they are to be named in a note."""
        part = (self.id, self.stem, self.answer, *self.choices, *self.labels, *self.facts)
        return [name or "(without a name)" for name in columns if name not in part and not self.keeps(name)]


def plan_columns(columns: Sequence[str], mapped: Columns | None = None) -> Plan | None:
    """The plan for a table's columns; None when stem or choices can't be told.

    Raises AssayError when the map names a role or a column that there isn't.
    """
    given = {role: _listed(role, names, columns) for role, names in (mapped or {}).items()}
    taken = {name for names in given.values() for name in names}
    free = [name for name in columns if name not in taken]
    single = {role: given.get(role) or _named(role, free) for role in ("id", "stem", "answer")}
    taken |= {name for names in single.values() for name in names}
    free = [name for name in columns if name not in taken]
    choices = given.get("choices") or _series(free, _CHOICE_PREFIXES, 2) or _named("choices", free)
    if not single["stem"] or not choices:
        return None
    listed = len(choices) == 1
    taken |= set(choices)
    free = [name for name in columns if name not in taken]
    labels = given.get("labels") or (_named("labels", free) if listed else _series(free, ("label",), 2))
    facts = tuple(name for name in FACTS if name in free)
    return Plan(
        id=_first(single["id"]),
        stem=single["stem"][0],
        choices=choices,
        listed=listed,
        labels=labels,
        answer=_first(single["answer"]),
        facts=facts,
        metadata=given.get("metadata"),
    )


def default_labels(choices: Sequence[str]) -> list[str]:
    """Labels for choice columns: A, B, ... by position, or the numbers that are their whole headings."""
    names = [name.strip() for name in choices]
    if names == [str(place + 1) for place in range(len(names))]:
        return names
    return [letter(place) for place in range(len(names))]


def _first(names: tuple[str, ...]) -> str | None:
    return names[0] if names else None


def _listed(role: str, names: str | Sequence[str], columns: Sequence[str]) -> tuple[str, ...]:
    if role not in ROLES:
        raise AssayError(f"a column map has no {role!r}", hint=f"it maps {', '.join(ROLES)}")
    if isinstance(names, str):
        names = [names] if names in columns else [name.strip() for name in names.split(",")]
    for name in names:
        if name not in columns:
            raise AssayError(
                f"no column {name!r}", hint=f"the columns are {', '.join(map(str, columns[:50]))}"
            )
    if role in ("id", "stem", "answer") and len(names) != 1:
        raise AssayError(f"the column map gives {len(names)} columns for {role}, not one")
    return tuple(names)


def _key(name: str) -> str:
    return re.sub(r"[\s_-]+", "_", name.strip()).casefold()


def _named(role: str, columns: Sequence[str]) -> tuple[str, ...]:
    by_key = {_key(name): name for name in reversed(columns)}
    return next(((by_key[name],) for name in _NAMES[role] if name in by_key), ())


def _series(columns: Sequence[str], prefixes: Sequence[str], least: int) -> tuple[str, ...]:
    """Columns such as option_1, option_2, ... or A, B, ...: consecutive from 0, 1 or A, in that order."""
    groups: dict[tuple[str, bool], dict[int, str]] = {}
    for name in columns:
        found = _SERIES.fullmatch(_key(name))
        if found and found["prefix"] in prefixes:
            digits = found["place"].isdigit()
            place = int(found["place"]) if digits else ord(found["place"]) - ord("a") + 1
            groups.setdefault((found["prefix"], digits), {}).setdefault(place, name)
    for prefix in prefixes:
        for digits in (False, True):
            group = groups.get((prefix, digits), {})
            start = 0 if digits and 0 in group else 1
            run = [group[place] for place in range(start, start + len(group)) if place in group]
            if len(run) == len(group) >= least:
                return tuple(run)
    return ()

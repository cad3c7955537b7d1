"""What a question is grouped or clustered by: metadata, tags, facts, number of choices, by one name."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from assay.errors import AssayError, FaultyInput
from assay.questions.duplicates import folded
from assay.questions.model import Question
from assay.storage import to_json

FACTS = {"fact1": "seed", "fact2": "second", "combinedfact": "composed"}
CHOICES = "choices"
FILE = "file"
ANSWER = "answer"
NO_VALUE = "(none)"
"""What groups call questions that a column says nothing of."""


@dataclass(frozen=True, slots=True)
class Column:
    """A named column: for each question its values (none, one, or, for tags, several). `known`: whether the
    question carries the column at all; a question can be tagged with no tag."""

    name: str
    values: tuple[tuple[str, ...], ...]
    several: bool
    known: tuple[bool, ...] = ()

    def __post_init__(self) -> None:
        """Where nobody says, a question carries the column if it has a value."""
        if len(self.known) != len(self.values):
            object.__setattr__(self, "known", tuple(map(bool, self.values)))

    @property
    def levels(self) -> tuple[str, ...]:
        """The distinct values: numbers in their order, others as text."""
        distinct = {value for values in self.values for value in values}
        return tuple(sorted(distinct, key=_order))


def _order(value: str) -> tuple[bool, float, str]:
    return (False, float(value), value) if value.isdecimal() else (True, 0.0, value)


def _texts(value: object) -> tuple[str, ...]:
    if isinstance(value, str):
        return (value,) if value else ()
    if value is None:
        return ()
    if isinstance(value, (list, tuple)):
        return tuple(dict.fromkeys(text for item in value for text in _texts(item)))
    # As JSON writes it: true, not True.
    return (to_json(value),)


def _values(question: Question, name: str) -> tuple[str, ...]:
    if name in question.tags:
        return tuple(dict.fromkeys(question.tags[name]))
    if name in question.metadata:
        return _texts(question.metadata[name])
    if name in FACTS and question.facts is not None:
        return _texts(getattr(question.facts, FACTS[name]))
    if name == CHOICES:
        return (str(len(question.choices)),)
    if name == ANSWER and question.answer in question.labels:
        text = question.choices[question.labels.index(question.answer)].text
        return (folded(text),)
    if name == FILE and question.origin is not None:
        return (question.origin.file,)
    return ()


def column_names(questions: Iterable[Question]) -> tuple[str, ...]:
    """Every name that `column` knows for these questions, in alphabetical order."""
    names = {CHOICES, FILE}
    for question in questions:
        names.update(question.tags, question.metadata, [ANSWER] * (question.answer is not None))
        if question.facts is not None:
            names.update(name for name, field in FACTS.items() if getattr(question.facts, field) is not None)
    return tuple(sorted(names))


def column(questions: Sequence[Question], name: str) -> Column:
    """The column called `name`: a kind of tag, a metadata column, fact1, fact2, combinedfact, choices (their
    number), file, answer (the key's text, case aside).

    Raises AssayError, listing the columns there are, when no question has it.
    """
    values = tuple(_values(question, name) for question in questions)
    if questions and not any(values):
        known = ", ".join(column_names(questions))
        raise AssayError(f"no question has a column {name}", hint=f"there are: {known}")
    several = any(len(found) > 1 for found in values)
    carried = tuple(bool(found) or name in q.tags for q, found in zip(questions, values, strict=True))
    return Column(name, values, several, carried)


def places_of(questions: Sequence[Question], only: Iterable[tuple[str, str]]) -> list[int]:
    """Places of the questions that carry every (column, value) of `only`, letter case aside.

    Raises AssayError for a column that no question has.
    """
    inside = list(range(len(questions)))
    for name, value in only:
        values, wanted = column(questions, name).values, value.casefold()
        inside = [place for place in inside if any(own.casefold() == wanted for own in values[place])]
    return inside


def cluster_numbers(
    questions: Sequence[Question], name: str, cluster_of: Sequence[str | None] | None = None
) -> npt.NDArray[np.int64]:
    """Cluster of each question by the column `name`: int64 (n,), numbered from 0 without gaps.

    `cluster_of` gives the ids themselves. Raises AssayError naming every question without a cluster id (they
    are not one cluster) or with several.
    """
    given = (
        (_values(question, name) for question in questions)
        if cluster_of is None
        else (_texts(value) for value in cluster_of)
    )
    numbers: dict[str, int] = {}
    clusters = np.empty(len(questions), dtype=np.int64)
    unclustered = []
    for place, values in enumerate(given):
        if len(values) == 1:
            clusters[place] = numbers.setdefault(values[0], len(numbers))
        else:
            unclustered.append((questions[place], values))
    if unclustered and not numbers and cluster_of is None:
        column(questions, name)
    if unclustered:
        raise _not_clustered(unclustered, name, len(questions))
    return clusters


def _not_clustered(
    unclustered: Sequence[tuple[Question, tuple[str, ...]]], name: str, of: int
) -> FaultyInput:
    faults = [
        question.fault(f"several values in column {name}" if values else f"no cluster id in column {name}")
        for question, values in unclustered
    ]
    hint = f"{len(faults):,} of {of:,} questions have no single cluster id: give each its own"
    return FaultyInput(faults, hint=hint)

"""A sheet to give questions their types: a table that people fill in and that reads back as tags."""

from __future__ import annotations

import random
from collections.abc import Sequence

from assay.errors import AssayError, FaultyInput
from assay.questions.model import Question
from assay.questions.tags import ANNOTATOR, QUESTION, guarded
from assay.questions.types.taxonomy import Taxonomy

ID = "id"


def sheet(questions: Sequence[Question], kind: str, taxonomy: Taxonomy) -> str:
    """Tab-separated: id, the question with its choices, and a column a type, to be filled with 1 and 0.

    Questions that carry the kind come filled in; others empty: not yet looked at. The key is marked by a
    star. Raises AssayError for a type called as another column, FaultyInput for ids that can't stand in a
    table.
    """
    taken = [name for name in taxonomy.names if name.casefold() in (ID, QUESTION, ANNOTATOR)]
    if taken:
        raise AssayError(f"a type can't be called {taken[0]} in a sheet: a column is called so")
    faults = [q.fault("an id with a tab or line end can't stand in a sheet") for q in questions if _broken(q)]
    if faults:
        raise FaultyInput(faults)
    rows = [[ID, QUESTION, *map(guarded, taxonomy.names)]]
    for question in questions:
        given = question.tags.get(kind)
        filled = ["" if given is None else str(int(name in given)) for name in taxonomy.names]
        rows.append([guarded(question.id), guarded(in_a_line(question)), *filled])
    return "".join("\t".join(row) + "\n" for row in rows)


def sample(questions: Sequence[Question], n: int, seed: int) -> list[Question]:
    """`n` questions drawn without replacement, in their own order. AssayError where there are fewer."""
    if n > len(questions):
        raise AssayError(f"{n:,} questions can't be drawn from {len(questions):,}")
    places = random.Random(seed).sample(range(len(questions)), n)
    return [questions[place] for place in sorted(places)]


def _broken(question: Question) -> bool:
    return any(character in question.id for character in "\t\r\n")


def in_a_line(question: Question) -> str:
    """Stem and choices, with a star before the key: `What floats? (A) lead *(B) cork`."""
    choices = [
        f"{'*' if choice.label == question.answer else ''}({choice.label}) {choice.text}"
        for choice in question.choices
    ]
    return " ".join(" ".join([question.stem, *choices]).split())

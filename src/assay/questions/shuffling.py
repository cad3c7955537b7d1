"""Reordering questions, or the choices inside them, by a seed: the same seed, the same order anywhere."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import replace

from assay.questions.model import Choice, Question


def seed_of(shuffle: bool | int, seed: int) -> int | None:
    """What a shuffle setting means: False nothing (None), True the run's `seed`, an integer itself."""
    if isinstance(shuffle, bool):
        return seed if shuffle else None
    return shuffle


def _drawn(seed: int, *parts: str) -> bytes:
    text = "\n".join([str(seed), *parts])
    return hashlib.sha256(text.encode("utf-8", errors="backslashreplace")).digest()


def shuffled(questions: Iterable[Question], seed: int) -> list[Question]:
    """The questions ordered by a hash of seed and id: adding a question moves no other past another."""
    return sorted(questions, key=lambda question: _drawn(seed, question.id))


def choice_order(seed: int, question_id: str, choices: int) -> list[int]:
    """Which of so many places, from 0, comes first, second, ... by seed and id alone."""
    return sorted(range(choices), key=lambda place: _drawn(seed, question_id, str(place)))


def shuffled_choices(question: Question, seed: int) -> Question:
    """The question with its texts dealt out anew over its labels, which keep their places; the key follows.

    The order depends on seed and id alone, so that it is the same whatever else is in the set.
    """
    places = choice_order(seed, question.id, len(question.choices))
    choices = tuple(
        Choice(label, question.choices[place].text)
        for label, place in zip(question.labels, places, strict=True)
    )
    return replace(question, choices=choices, answer=_moved(question, places))


def _moved(question: Question, places: Sequence[int]) -> str | None:
    labels = question.labels
    if question.answer is None or question.answer not in labels:
        return question.answer
    return labels[places.index(labels.index(question.answer))]

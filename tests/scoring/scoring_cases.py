"""Questions, answers and real files for the scoring tests."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from assay.questions.model import Answer, Choice, Facts, Question

LETTERS = "ABCDEFGHIJKL"


def question(
    number: int | str, key: str | None = "A", choices: int = 4, *, labels: str = LETTERS, **more: Any
) -> Question:
    return Question(
        f"q{number}",
        f"Which of these is number {number}?",
        tuple(Choice(label, f"choice {label}") for label in labels[:choices]),
        key,
        **more,
    )


def answer(number: int | str, chosen: str, **more: Any) -> Answer:
    """The letters of `chosen` as the tie set; none: unanswered."""
    return Answer(f"q{number}", "answered" if chosen else "unanswered", tuple(chosen), **more)


def pair(sets: Sequence[str], **more: Any) -> tuple[list[Question], list[Answer]]:
    """Four-choice questions with key A, and the sets chosen."""
    questions = [question(i, **more) for i in range(len(sets))]
    return questions, [answer(i, chosen) for i, chosen in enumerate(sets)]


def arc(path: Path) -> list[Question]:
    """The questions of an ARC or QASC jsonl, read without Assay's readers."""
    questions = []
    for line in path.read_text(encoding="utf-8").split("\n"):
        if line:
            record = json.loads(line)
            choices = tuple(Choice(c["label"], c["text"]) for c in record["question"]["choices"])
            facts = (
                Facts(record["fact1"], record["fact2"], record["combinedfact"]) if "fact1" in record else None
            )
            questions.append(
                Question(record["id"], record["question"]["stem"], choices, record.get("answerKey"), facts)
            )
    return questions


def stored(path: Path, questions: Sequence[Question]) -> list[Answer]:
    """The answers of a leaderboard CSV, read without Assay's readers."""
    rows: Mapping[str, str] = dict(
        line.split(",") for line in path.read_text(encoding="utf-8").split("\n") if line
    )
    return [Answer(q.id, "answered", tuple(rows[q.id].split(";"))) for q in questions]

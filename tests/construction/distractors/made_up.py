"""Made-up questions, and the pool of one of them."""

from __future__ import annotations

import random
from dataclasses import replace

from assay.construction.distractors.pool import Pool, make_pools
from assay.construction.distractors.settings import DistractorSettings
from assay.questions.model import Choice, Facts, Question

WORDS = ("iron", "rust", "frog", "pond", "salt", "wind", "leaf", "root", "moon", "tide", "coal", "heat")
LOOSE = DistractorSettings(tokens=None, characters=None)


def question(name: str, key: str, fact: str | None, *others: str, second: str | None = None) -> Question:
    choices = tuple(Choice(label, text) for label, text in zip("ABCDEFG", (key, *others), strict=False))
    facts = None if fact is None else Facts(seed=fact, second=second)
    return Question(name, f"What of {name}?", choices, "A", facts)


def made_up(count: int, seed: int) -> list[Question]:
    draw = random.Random(seed)
    return [
        question(
            f"q{number}",
            " ".join(draw.choices(WORDS, k=draw.randint(1, 4))),
            " ".join(draw.choices(WORDS, k=4)),
            "mars",
            second=draw.choice((None, " ".join(draw.choices(WORDS, k=3)))),
        )
        for number in range(count)
    ]


def pool_of(*texts: str, key: str = "Mars", others: tuple[str, ...] = (), **how: object) -> Pool:
    asked = question("asked", key, "planets are round", *others)
    sources = [question(f"s{n}", text, f"fact number {'x' * (n + 1)}") for n, text in enumerate(texts)]
    return make_pools([asked, *sources], ["f"] * (len(texts) + 1), replace(LOOSE, **how))[0]  # type: ignore[arg-type]


def texts_of(pool: Pool) -> set[str]:
    return {candidate.text for candidate in pool.candidates}

"""Made-up pairs whose label is told by whether the hypothesis's last word stands in the premise."""

from __future__ import annotations

import random

from assay.entailment.pair import Pair
from tests.solvers.neural.tiny_encoder import WORDS

THINGS = ("root", "leaf", "flower", "seed", "bat", "eagle", "iron", "stone")


def toy_pairs(count: int, seed: int) -> list[Pair]:
    draw = random.Random(seed)
    pairs = []
    for number in range(count):
        one, two = draw.sample(THINGS, 2)
        entails = number % 2 == 0
        premise = f"the {one} takes in {'heat ' * draw.randrange(4)}water"
        hypothesis = f"what takes in water is the {one if entails else two}"
        pairs.append(Pair(f"t{number}", premise, hypothesis, "entails" if entails else "neutral"))
    return pairs


def random_pair(draw: random.Random, number: int) -> Pair:
    def text() -> str:
        return " ".join(draw.choices([*WORDS, "qqz", "zink's"], k=draw.randrange(12)))

    return Pair(f"r{number}", text(), text(), None)

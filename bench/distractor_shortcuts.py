"""Two shortcuts that added choices bring: lengths around the key's, and how often a text stands in the set.

"least used" chooses, of the choices whose text stands in the set more than once, the one that does so least.

    python bench/distractor_shortcuts.py FILE [FILE ...]
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable

from assay.questions import read_questions
from assay.questions.model import Question


def nearest(question: Question) -> list[float]:
    lengths = [len(choice.text) for choice in question.choices]
    return [-abs(len(lengths) * length - sum(lengths)) for length in lengths]


def longest(question: Question) -> list[float]:
    return [len(choice.text) for choice in question.choices]


def least_used(counts: Counter[str]) -> Callable[[Question], list[float]]:
    def scores(question: Question) -> list[float]:
        found = [counts[plain(choice.text)] for choice in question.choices]
        return [-count if count > 1 else -float("inf") for count in found]

    return scores


def plain(text: str) -> str:
    return text.casefold().strip()


def main() -> None:
    questions = list(read_questions(sys.argv[1:]).questions)
    counts = Counter(plain(choice.text) for question in questions for choice in question.choices)
    print(f"chance: {100 * sum(1 / len(one.choices) for one in questions) / len(questions):.1f}")
    for name, scores in (
        ("longest", longest),
        ("nearest to the mean length", nearest),
        ("least used", least_used(counts)),
    ):
        total = 0.0
        for question in questions:
            given = scores(question)
            best = [place for place, score in enumerate(given) if score == max(given)]
            key = question.labels.index(str(question.answer))
            total += 1 / len(best) if key in best else 0
        print(f"{name}: {100 * total / len(questions):.1f}")


if __name__ == "__main__":
    main()

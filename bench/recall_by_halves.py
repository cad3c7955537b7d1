"""Recall of the gold facts on two halves of the clusters: choose settings on one, report them on the other.

A cluster is a seed fact with its questions. The clusters, in the order of the file, are shuffled by a seed;
the first half is the one to choose on.

    python bench/recall_by_halves.py $ASSAY_DATA/qasc/dev.jsonl evidence.jsonl other-evidence.jsonl
"""

from __future__ import annotations

import argparse
import random
from pathlib import Path

from assay.questions import read_predictions, read_questions
from assay.questions.model import Question
from assay.scoring.recall import has_gold, recall

SEED = 7


def halves(questions: list[Question]) -> tuple[list[int], list[int]]:
    """Numbers of the questions to choose on, and of those to report."""
    seeds = [question.facts.seed if question.facts else None for question in questions]
    clusters = list(range(len(dict.fromkeys(seeds))))
    random.Random(SEED).shuffle(clusters)
    numbers = {seed: number for number, seed in enumerate(dict.fromkeys(seeds))}
    chosen = set(clusters[: len(clusters) // 2])
    mine = [numbers[seed] in chosen for seed in seeds]
    return [n for n, on in enumerate(mine) if on], [n for n, on in enumerate(mine) if not on]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("questions", type=Path)
    parser.add_argument("evidence", type=Path, nargs="+")
    parser.add_argument("-k", type=int, default=10)
    asked = parser.parse_args()
    whole = read_questions([asked.questions]).questions
    questions = [one for one in whole if has_gold(one)]
    for path in asked.evidence:
        answers = {answer.question_id: answer for answer in read_predictions(str(path), whole).answers}
        for name, numbers in zip(("to choose on", "to report"), halves(questions), strict=True):
            half = [questions[number] for number in numbers]
            (row,) = recall(half, [answers[one.id] for one in half], [asked.k], cluster="fact1").rows
            parts = ", ".join(
                f"{kind} {100 * one.mean:.2f} ({100 * one.low:.2f} to {100 * one.high:.2f})"
                for kind, one in (("both", row.both), ("either", row.either))
            )
            print(f"{path}, {name}, {len(half)} questions: {parts}")


if __name__ == "__main__":
    main()

"""Versions of the same questions, judged by systems that took no part in making them: how much harder is one?

A version is a folder with the files of the others; answers are ANSWERS/VERSION-JUDGE.jsonl, as made by

    assay answer VERSION/dev.jsonl VERSION/test.jsonl --solver ... -o ANSWERS/VERSION-JUDGE.jsonl

The last version is compared with the one before it, question by question, clustered by fact1.

    python bench/distractor_judges.py ANSWERS --files dev.jsonl test.jsonl --judges ir mpnet \
        --versions four=$ASSAY_DATA/openbookqa random=random adversarial=eight
"""

from __future__ import annotations

import argparse
from pathlib import Path

from assay.questions import read_predictions, read_questions
from assay.questions.model import QuestionSet
from assay.scoring.chance import chance, choice_counts
from assay.scoring.columns import cluster_numbers
from assay.scoring.comparison import compare
from assay.scoring.interval import estimate
from assay.scoring.points import Marks, mark


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("answers", type=Path)
    parser.add_argument("--files", nargs="+", required=True)
    parser.add_argument("--judges", nargs="+", required=True)
    parser.add_argument("--versions", nargs="+", required=True, metavar="NAME=FOLDER")
    asked = parser.parse_args()
    folders = dict(version.split("=", 1) for version in asked.versions)
    sets = {
        name: read_questions([f"{folder}/{file}" for file in asked.files]).questions
        for name, folder in folders.items()
    }
    names = list(sets)
    last = f"{names[-1]} less {names[-2]}"
    print("| judge | " + " | ".join(names) + f" | {last} | p |\n|---|" + "---:|" * (len(names) + 2))
    print(
        "| chance | "
        + " | ".join(f"{100 * (chance(choice_counts(one)).mean or 0):.1f}" for one in sets.values())
        + " | | |"
    )
    for judge in asked.judges:
        marks = {name: marked(asked.answers / f"{name}-{judge}.jsonl", own) for name, own in sets.items()}
        print(f"| {judge} | {' | '.join(row(marks, sets))} |")


def marked(path: Path, questions: QuestionSet) -> Marks:
    return mark(questions, read_predictions(str(path), questions).answers)


def row(marks: dict[str, Marks], sets: dict[str, QuestionSet]) -> list[str]:
    clusters = cluster_numbers(list(next(iter(sets.values()))), "fact1")
    scores = [estimate(one.points, clusters) for one in marks.values()]
    cells = [f"{100 * one.mean:.1f} ({100 * one.low:.1f} to {100 * one.high:.1f})" for one in scores]
    before, after = list(marks)[-2:]
    found = compare((after, before), marks[after], marks[before], clusters)
    gap = found.difference
    cells.append(f"{100 * gap.mean:.1f} ({100 * gap.low:.1f} to {100 * gap.high:.1f})")
    p = found.sign_flip.p
    return [*cells, "< 0.0001" if p < 0.0001 else f"{p:.4f}"]


if __name__ == "__main__":
    main()

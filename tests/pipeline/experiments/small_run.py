"""A small run whose reader counts words, so that experiments run whole and need no network."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

from assay.pipeline.configuration import read_configuration
from assay.pipeline.run import RunDone, run

THINGS = "moss fern newt owl crab kelp wasp toad lynx hare mole wren".split()
PLACES = "ponds barns cliffs roots hives caves reeds dunes".split()

READER = """
from assay import Answer
from assay.solvers.evidence_file import EvidenceFile


class Counting:
    \"\"\"The choice whose evidence, best sentence first, holds most of the words of stem and choice.\"\"\"

    def __init__(self, evidence, most=8):
        self.file, self.most = EvidenceFile(evidence), most
        self.settings = {"evidence": self.file.sha256, "most": most}

    def answer(self, questions):
        for question in questions:
            scores = []
            for choice, found in zip(question.choices, self.file[question].evidence, strict=True):
                wanted = set(f"{question.stem} {choice.text}".lower().replace("?", "").split())
                texts = [one.text.lower().replace(".", "") for one in found[: self.most]]
                held = [len(wanted & set(text.split())) for text in texts]
                scores.append(float(max(held, default=0)))
            best = max(scores)
            chosen = tuple(c.label for c, score in zip(question.choices, scores) if score == best)
            yield Answer(question.id, "answered", chosen, tuple(scores))
"""


OVERLAP = '[solvers.overlap]\nevidence = "found"\n'


def write_small(folder: Path, experiments: str, *, questions: int = 24, reader: str = "") -> Path:
    """benchmark.toml with questions that carry two facts, half of which the corpus holds."""
    draw = random.Random(5)
    records, sentences = [], []
    for number in range(questions):
        thing, (place, *others) = draw.choice(THINGS), draw.sample(PLACES, 4)
        texts = [place, *others]
        draw.shuffle(texts)
        fact = f"The {thing} number {number} lives in {place}."
        if number % 2:
            sentences.append(f"{'zoo' if number % 4 == 1 else 'farm'}\t{fact}")
        records.append(
            {
                "id": f"q{number}",
                "stem": f"Where lives the {thing} number {number}?",
                "choices": [
                    {"label": label, "text": text} for label, text in zip("ABCD", texts, strict=True)
                ],
                "answer": "ABCD"[texts.index(place)],
                "facts": {"seed": fact, "second": f"A home of {thing} {number} is where it lives."},
                "metadata": {"set": "Easy" if number % 2 else "Challenge"},
            }
        )
    sentences += [
        f"{draw.choice(['zoo', 'farm'])}\tSome {draw.choice(THINGS)} was seen near {place}."
        for place in PLACES * 6
    ]
    (folder / "corpus.tsv").write_text("\n".join(sentences) + "\n", encoding="utf-8")
    (folder / "questions.jsonl").write_text("".join(json.dumps(r) + "\n" for r in records), encoding="utf-8")
    (folder / "counting.py").write_text(READER, encoding="utf-8")
    path = folder / "benchmark.toml"
    path.write_text(
        f"""
name = "Small"
[questions]
files = ["questions.jsonl"]
[corpora.notes]
files = ["corpus.tsv"]
[evidence.found]
method = "single"
k = 5
[solvers.ir]
corpus = "notes"
[solvers.counting]
kind = "counting.py:Counting"
evidence = "found"
{reader}
[scores]
draws = 200
{experiments}
""",
        encoding="utf-8",
    )
    return path


def run_small(path: Path, folder: Path) -> RunDone:
    return run(read_configuration(path), folder, command="assay run benchmark.toml")


def found(folder: Path, name: str) -> Any:
    """An experiment as the run stored it."""
    return json.loads((folder / "experiments" / f"{name}.json").read_text(encoding="utf-8"))

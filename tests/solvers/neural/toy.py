"""Made-up questions whose key is told by a word, with evidence for them."""

from __future__ import annotations

import json
import random
from pathlib import Path

from assay.solvers.neural.reader import Example

GOOD = ("metal", "copper", "iron", "silver")
BAD = ("wood", "paper", "wool", "glass", "straw", "cork", "wax", "felt")


def write_toy(
    folder: Path, name: str, count: int, seed: int, *, keys: bool = True, evidence: bool = True
) -> tuple[Path, Path]:
    """A question file and an evidence file of that name."""
    draw = random.Random(seed)
    questions, found = folder / f"{name}.jsonl", folder / f"{name}-evidence.jsonl"
    with questions.open("w") as q, found.open("w") as e:
        for number in range(count):
            texts = [draw.choice(GOOD), *draw.sample(BAD, draw.choice((2, 3)))]
            draw.shuffle(texts)
            labels = "ABCD"[: len(texts)]
            key = next(label for label, text in zip(labels, texts, strict=True) if text in GOOD)
            identity = f"{name}-{number}"
            record = {
                "id": identity,
                "question": {
                    "stem": f"What carries current best {'very ' * draw.randrange(5)}well?",
                    "choices": [
                        {"text": text, "label": label} for label, text in zip(labels, texts, strict=True)
                    ],
                },
            }
            if keys:
                record["answerKey"] = key
            q.write(json.dumps(record) + "\n")
            sentences = {
                label: [{"sentence": f"{text} is a material", "score": 1.0, "role": "best"}]
                for label, text in zip(labels, texts, strict=True)
            }
            if evidence:
                line = {"id": identity, "status": "unanswered", "chosen": [], "evidence": sentences}
                e.write(json.dumps(line) + "\n")
    return questions, found


def toy_examples(count: int, seed: int) -> list[Example]:
    draw = random.Random(seed)
    examples = []
    for number in range(count):
        texts = [draw.choice(GOOD), *draw.sample(BAD, draw.choice((2, 3)))]
        draw.shuffle(texts)
        key = next(place for place, text in enumerate(texts) if text in GOOD)
        stem = f"What carries current best {'very ' * draw.randrange(5)}well?"
        examples.append(Example(f"t{number}", stem, tuple(texts), ((),) * len(texts), key))
    return examples

"""Made-up passages of facts, of each of which a question asks; and vectors for their words."""

from __future__ import annotations

import random
from pathlib import Path

from assay.passages.passage import PassageQuestion, Span

NAMES = ("Ana", "Bo", "Cy", "Dee", "Eva", "Finn", "Gus", "Hal")
THINGS = ("copper", "wool", "glass", "cork", "felt", "iron", "straw", "wax")
PLACES = ("Lowmere", "Northby", "Eastwick", "Highton", "Saltford", "Overton")
WORDS = ("what", "where", "who", "does", "sell", "sells", "in", "live", "red", ".", "?", "the")


def save_toy_vectors(folder: Path) -> str:
    """A file of vectors of 12 numbers; a few of the words have none."""
    draw = random.Random(4)
    known = [*WORDS, *(word.lower() for word in (*NAMES[:6], *THINGS[:6], *PLACES[:5]))]
    path = folder / "toy-vectors.txt"
    rows = [" ".join([word, *(f"{draw.gauss(0, 0.5):.3f}" for _ in range(12))]) for word in known]
    path.write_text("\n".join(rows) + "\n")
    return str(path)


def toy_passages(count: int, seed: int) -> list[PassageQuestion]:
    """Each passage says of some people what they sell and where; what one sells, or where, is asked."""
    draw = random.Random(seed)
    made = []
    for number in range(count):
        people = draw.sample(NAMES, draw.randrange(2, 5))
        facts = {
            name: (f"{draw.choice(['', 'red '])}{draw.choice(THINGS)}", draw.choice(PLACES))
            for name in people
        }
        passage = " ".join(f"{name} sells {thing} in {place}." for name, (thing, place) in facts.items())
        asked = draw.choice(people)
        thing, place = facts[asked]
        sentence = passage.index(f"{asked} sells")
        what = draw.random() < 0.5
        answer = thing if what else place
        question = f"What does {asked} sell?" if what else f"Where does {asked} live?"
        start = passage.index(f" {answer}", sentence) + 1
        made.append(
            PassageQuestion(f"t{number}", passage, question, (Span(start, answer),), f"g{number % 5}")
        )
    return made

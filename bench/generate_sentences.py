"""Millions of distinct, realistic sentences from a real corpus: halves of its sentences, joined anew.

Words keep the real distribution (Zipf's), lengths theirs, and every term's neighbours are real ones but at
the seam. One sentence in twenty gains a rare name, so that the vocabulary grows with the corpus, and one in
fifty stands twice, so that de-duplication has work. All but a few in a million of the others are distinct.

    python bench/generate_sentences.py $ASSAY_DATA/corpus/science.tsv.gz 14000000 14m.tsv
"""

from __future__ import annotations

import argparse
import gzip
import sys
from pathlib import Path

import numpy as np

BATCH = 250_000
REPEATED = 0.02
NAMED = 20
SYLLABLES = [a + b for a in b"b d f g k l m n p r s t v z".split() for b in (b"a", b"e", b"i", b"o", b"u")]
SEED = 20181014


def halves(path: Path) -> tuple[list[bytes], list[bytes]]:
    """First and second halves of every sentence of a `source<TAB>sentence` file, cut between words."""
    first, second = [], []
    with gzip.open(path) if path.suffix == ".gz" else path.open("rb") as file:
        for line in file:
            words = line.rstrip(b"\n").split(b"\t", 1)[1].split()
            if len(words) > 3:
                middle = len(words) // 2
                first.append(b" ".join(words[:middle]))
                second.append(b" ".join(words[middle:]))
    return first, second


def name(number: int) -> bytes:
    """A name for one sentence in NAMED, nothing for the others."""
    if number % NAMED:
        return b""
    number //= NAMED
    syllables = []
    for _ in range(4):
        number, at = divmod(number, len(SYLLABLES))
        syllables.append(SYLLABLES[at])
    return b" " + b"".join(syllables).title()


def generate(path: Path, count: int, out: Path, seed: int) -> None:
    first, second = halves(path)
    pairs = len(first) * len(second)
    if count > pairs:
        sys.exit(f"{path} gives only {pairs:,} distinct sentences")
    rng = np.random.default_rng(seed)
    # A step without a common factor walks all pairs once: every sentence made is a pair of its own.
    step = int(rng.integers(pairs // 3, pairs // 2)) | 1
    while np.gcd(step, pairs) != 1:
        step += 2
    at = int(rng.integers(pairs))
    with out.open("wb") as file:
        for begin in range(0, count, BATCH):
            size = min(BATCH, count - begin)
            numbers = [(at + step * k) % pairs for k in range(begin, begin + size)]
            lines = [
                b"web%02d\t%b%b %b"
                % (number % 20, first[number // len(second)], name(number), second[number % len(second)])
                for number in numbers
            ]
            for at_repeat in np.flatnonzero(rng.random(size) < REPEATED).tolist():
                lines[at_repeat] += b"\n" + lines[at_repeat]
            file.write(b"\n".join(lines) + b"\n")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("corpus", type=Path, help="source<TAB>sentence, plain or .gz")
    parser.add_argument("count", type=int, help="distinct sentences to make")
    parser.add_argument("out", type=Path)
    parser.add_argument("--seed", type=int, default=SEED)
    asked = parser.parse_args()
    generate(asked.corpus, asked.count, asked.out, asked.seed)

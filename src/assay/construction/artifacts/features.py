"""What probes see: sparse rows, one a choice, of the choices alone, the question alone, or the shortcuts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from assay.construction.artifacts.conditional_logit import Codes
from assay.questions.model import Question
from assay.questions.ties import highest
from assay.solvers.shortcut_rules import ChoiceTexts, Shortcut
from assay.text.analysis import Analyser

LEAST = 2
"""A feature that stands in fewer choices says nothing beyond its own question."""
Named = list[tuple[str, float]]


@dataclass(frozen=True, slots=True, eq=False)
class Features:
    """`matrix`: SciPy CSR, a row a choice, all questions' choices in order; `names`: its columns; `starts`:
    int64 (n,), where each question's choices begin; `keys`: int64 (n,), the row of each question's key."""

    matrix: Any
    names: tuple[str, ...]
    starts: Codes
    keys: Codes


def choice_features(texts: ChoiceTexts, analyser: Analyser) -> list[Named]:
    """A choice and how it differs from the others: words, pairs of words, form, length. No question."""
    lengths = texts.lengths
    mean = sum(lengths) / len(lengths)
    longest, shortest, nearest = max(lengths), min(lengths), min(texts.from_mean)
    rows = []
    for text, length, far, alike in zip(texts.texts, lengths, texts.from_mean, texts.alike, strict=True):
        words = analyser.tokens(text)
        found: Named = [(f"word {word}", 1.0) for word in dict.fromkeys(words)]
        found += [(f"pair {one} {two}", 1.0) for one, two in dict.fromkeys(pairwise(words))]
        found.append((f"whole {' '.join(words)}", 1.0))
        found += [(f"first {words[0]}", 1.0), (f"last {words[-1]}", 1.0)] if words else []
        found += [(name, 1.0) for name, true in (
            ("is longest", length == longest),
            ("is shortest", length == shortest),
            ("is nearest to the mean length", far == nearest),
            ("starts with a capital", text[:1].isupper()),
            ("ends with a point", text.endswith(".")),
            ("has a digit", any(map(str.isdigit, text))),
        ) if true]  # fmt: skip
        found += [
            (f"words: {min(len(words), 12)}", 1.0),
            ("length over the mean", (length - mean) / max(mean, 1.0)),
            ("far from the mean length", far / max(mean, 1.0)),
            ("like the others", alike),
        ]
        rows.append(found)
    return rows


def question_features(texts: ChoiceTexts, analyser: Analyser) -> list[Named]:
    """The question's words at each place: what the choices say isn't seen."""
    words = dict.fromkeys(analyser.tokens(texts.question.stem))
    return [
        [(f"{place}", 1.0), *((f"{place} {word}", 1.0) for word in words)]
        for place in range(1, len(texts.texts) + 1)
    ]


def shortcut_features(texts: ChoiceTexts, rules: Sequence[Shortcut]) -> list[Named]:
    """What each rule chooses (1 shared by those that tie)."""
    rows: list[Named] = [[] for _ in texts.texts]
    for rule in rules:
        scores = rule.scores(texts)
        if scores is None:
            continue
        chosen = highest(scores)
        if len(chosen) < len(rows):
            for place in chosen:
                rows[place].append((rule.name, 1.0 / len(chosen)))
    return rows


def build_features(questions: Sequence[Question], rows: Iterable[list[Named]]) -> Features:
    """The matrix of one list of named numbers a choice; columns in fewer than LEAST choices are left out."""
    from scipy.sparse import csr_matrix

    kept = [of for question in rows for of in question]
    counts = Counter(name for of in kept for name, _ in of)
    column = {name: place for place, name in enumerate(name for name, n in counts.items() if n >= LEAST)}
    ends, places, values = [0], [], []
    for of in kept:
        for name, value in of:
            if name in column:
                places.append(column[name])
                values.append(value)
        ends.append(len(places))
    matrix = csr_matrix(
        (np.array(values), np.array(places, dtype=np.int64), np.array(ends, dtype=np.int64)),
        shape=(len(kept), len(column)),
    )
    sizes = np.array([len(question.choices) for question in questions], dtype=np.int64)
    starts = np.cumsum(sizes) - sizes
    keys = starts + np.array([question.labels.index(str(question.answer)) for question in questions])
    return Features(matrix, tuple(column), starts, keys)

"""Systems that answer with spans: exact match and F1 with intervals, and compared in pairs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import numpy.typing as npt

from assay.errors import AssayError
from assay.passages.exactness import exact_match, f1
from assay.passages.passage import PassageQuestion
from assay.scoring.comparison import holm
from assay.scoring.interval import CONFIDENCE, Codes, Estimate, estimate, t_estimate
from assay.scoring.signflip import SignFlip, sign_flip

MEASURES = ("em", "f1")
Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class SpanScore:
    """One system's exact match and F1 (0 to 1); `unanswered`: questions without a prediction, 0 each."""

    name: str
    em: Estimate
    f1: Estimate
    unanswered: int


@dataclass(frozen=True, slots=True)
class SpanComparison:
    """First minus second of one measure on the same questions; `holm_p` over all pairs of the measure."""

    first: str
    second: str
    measure: str
    difference: Estimate
    sign_flip: SignFlip
    holm_p: float


@dataclass(frozen=True, slots=True)
class SpanScores:
    """All systems on one file. `hidden`: questions left out for want of references."""

    questions: int
    hidden: int
    clusters: int | None
    systems: tuple[SpanScore, ...]
    comparisons: tuple[SpanComparison, ...]


def score_spans(
    questions: Sequence[PassageQuestion],
    predictions: Mapping[str, Mapping[str, str]],
    *,
    confidence: float = CONFIDENCE,
    seed: int = 0,
) -> SpanScores:
    """Score each system's predictions, texts by question id, against the references.

    Intervals are clustered by group (article) where every question has one, else by passage: questions about
    one text are not independent. Raises AssayError where no question has references.
    """
    asked = [one for one in questions if one.answers]
    if not asked:
        raise AssayError(
            f"none of the {len(questions):,} questions has reference answers",
            hint="they can be answered, not scored",
        )
    clusters = _clusters(asked)
    values = {name: _values(asked, found) for name, found in predictions.items()}
    systems = tuple(
        SpanScore(
            name,
            estimate(values[name]["em"], clusters, confidence=confidence),
            estimate(values[name]["f1"], clusters, confidence=confidence),
            sum(one.id not in found for one in asked),
        )
        for name, found in predictions.items()
    )
    compared = tuple(
        one for measure in MEASURES for one in _compared(values, measure, clusters, confidence, seed)
    )
    groups = None if clusters is None else int(clusters.max()) + 1
    return SpanScores(len(asked), len(questions) - len(asked), groups, systems, compared)


def _values(asked: Sequence[PassageQuestion], found: Mapping[str, str]) -> dict[str, Floats]:
    # What isn't answered earns nothing, though the empty text may equal a reference of articles alone.
    answered = [(found.get(one.id), one.references) for one in asked]
    return {
        name: np.array([0.0 if text is None else measure(text, due) for text, due in answered])
        for name, measure in (("em", exact_match), ("f1", f1))
    }


def _compared(
    values: Mapping[str, Mapping[str, Floats]],
    measure: str,
    clusters: Codes | None,
    confidence: float,
    seed: int,
) -> list[SpanComparison]:
    made = []
    for first, second in combinations(values, 2):
        differences = values[first][measure] - values[second][measure]
        paired = t_estimate(differences, clusters, confidence=confidence)
        flipped = differences if clusters is None else np.bincount(clusters, weights=differences)
        made.append((first, second, paired, sign_flip(np.asarray(flipped, np.float64), seed=seed)))
    adjusted = holm([test.p for *_, test in made])
    return [
        SpanComparison(first, second, measure, paired, test, p)
        for (first, second, paired, test), p in zip(made, adjusted, strict=True)
    ]


def _clusters(asked: Sequence[PassageQuestion]) -> Codes | None:
    """Number of each question's cluster, int64 (n,); None where every question is alone in its own."""
    by_group = all(one.group is not None for one in asked)
    names = [one.group if by_group else one.passage for one in asked]
    numbers: dict[str | None, int] = {}
    codes = np.array([numbers.setdefault(name, len(numbers)) for name in names], dtype=np.int64)
    return None if len(numbers) == len(asked) else codes

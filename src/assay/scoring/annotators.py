"""How far people who gave questions their types agree: Krippendorff's alpha, Cohen's kappa, type by type."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np

from assay.questions.tags import TagFile
from assay.scoring.agreement import cohen_kappa
from assay.scoring.interval import CONFIDENCE, Floats

DRAWS = 2_000
"""Bootstrap draws of questions for an interval of alpha."""
BLOCK = 100
"""Draws at a time: what a large set needs of memory."""


@dataclass(frozen=True, slots=True)
class TypeAgreement:
    """Agreement on one type over `n` questions that at least two people looked at.

    `given`: how many of the n each annotator gave the type (None: it isn't among theirs). `same`: share of
    pairs of people on a question that say the same. `alpha`: Krippendorff's (2011), nominal, people missing
    or not; None where everybody always says the same of all questions, which leaves nothing to agree on.
    `low`, `high`: its 95% interval by the percentile bootstrap over questions. `kappa`: Cohen's (1960), for
    exactly two people.
    """

    name: str
    n: int
    given: tuple[int | None, ...]
    same: float | None
    alpha: float | None
    low: float | None
    high: float | None
    kappa: float | None


@dataclass(frozen=True, slots=True)
class Annotation:
    """Agreement of several people on one kind of tag; `n` questions were looked at by two or more."""

    kind: str
    annotators: tuple[str, ...]
    n: int
    types: tuple[TypeAgreement, ...]


def annotation(
    kind: str, files: Sequence[TagFile], names: Sequence[str], questions: Collection[str], *, seed: int = 0
) -> Annotation | None:
    """Agreement on the types `names` over the questions of these ids; None where nobody looked twice.

    A file that gives columns of 0 and 1 has an opinion on its columns alone.
    """
    people = [one for one in files if kind in one.kinds]
    seen = [[one for one in people if kind in one.by_id.get(name, {})] for name in questions]
    if not any(len(who) > 1 for who in seen):
        return None
    types = []
    for name in names:
        said = [[_said(one, kind, name, question) for one in people] for question in questions]
        types.append(_agreement(name, [row for row in said if sum(x is not None for x in row) > 1], seed))
    sources = tuple(one.source for one in people)
    return Annotation(kind, sources, sum(len(who) > 1 for who in seen), tuple(types))


def _said(one: TagFile, kind: str, name: str, question: str) -> bool | None:
    tags = one.by_id.get(question, {}).get(kind)
    if tags is None or (kind in one.columns and name not in one.columns[kind]):
        return None
    return name in tags


def _agreement(name: str, said: Sequence[Sequence[bool | None]], seed: int) -> TypeAgreement:
    """`said`: a row a question that two or more people looked at, a column a person."""
    if not said:
        return TypeAgreement(name, 0, (), None, None, None, None, None)
    raters = np.array([sum(one is not None for one in row) for row in said], dtype=np.float64)
    yes = np.array([sum(one is True for one in row) for row in said], dtype=np.float64)
    same = np.sum(yes * (yes - 1) + (raters - yes) * (raters - yes - 1)) / np.sum(raters * (raters - 1))
    columns = list(zip(*said, strict=True))
    opinions = [column for column in columns if any(one is not None for one in column)]
    given = tuple(
        None if all(one is None for one in column) else sum(one is True for one in column)
        for column in columns
    )
    kappa = cohen_kappa(*opinions) if len(opinions) == 2 else None
    alpha = _alpha(yes[None, :], raters[None, :])[0]
    return TypeAgreement(name, len(said), given, float(same), alpha, *_interval(yes, raters, seed), kappa)


def _alpha(yes: Floats, raters: Floats) -> list[float | None]:
    """Krippendorff's alpha of each row of counts, float64 (draws, n): people who said yes, of so many."""
    no, total = raters - yes, raters.sum(axis=1)
    differ = np.sum(2 * yes * no / (raters - 1), axis=1)
    ones = yes.sum(axis=1)
    expected = 2 * ones * (total - ones) / (total - 1)
    return [None if e == 0 else float(1 - d / e) for d, e in zip(differ, expected, strict=True)]


def _interval(yes: Floats, raters: Floats, seed: int) -> tuple[float | None, float | None]:
    n = len(yes)
    if n < 2:
        return None, None
    generator = np.random.default_rng(seed)
    known = []
    for _ in range(DRAWS // BLOCK):
        drawn = generator.integers(0, n, size=(BLOCK, n))
        known += [alpha for alpha in _alpha(yes[drawn], raters[drawn]) if alpha is not None]
    # Draws in which everybody says the same have no alpha; where they are many, an interval would mislead.
    if len(known) < CONFIDENCE * DRAWS:
        return None, None
    tail = 50 * (1 - CONFIDENCE)
    low, high = np.percentile(known, [tail, 100 - tail])
    return float(low), float(high)

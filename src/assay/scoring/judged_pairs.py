"""Entailment pairs as a system judges them: accuracy with its interval, and what needs no network."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
import numpy.typing as npt

from assay.entailment.pair import Label, Pair
from assay.errors import AssayError
from assay.scoring.comparison import Comparison, compare_all
from assay.scoring.interval import CONFIDENCE, Codes, Estimate, estimate
from assay.scoring.points import OUTCOMES, Marks

Cluster = Literal["hypothesis", "premise", "none"]
CLUSTERS: tuple[Cluster, ...] = get_args(Cluster)
Judged = npt.NDArray[np.bool_]
"""bool (n,): whether the premise entails the hypothesis, as a system says."""


@dataclass(frozen=True, slots=True)
class OfLabel:
    """Of one label: how often it is said where it is right (recall), and right where it is said (precision).

    None where there is nothing to count.
    """

    label: Label
    n: int
    said: int
    recall: float | None
    precision: float | None


@dataclass(frozen=True, slots=True)
class JudgedPairs:
    """`accuracy` and `labels` by system, all on the same `n` pairs; `comparisons` of each two systems.

    `clusters`: how many distinct hypotheses or premises there are, None where pairs count for themselves.
    """

    n: int
    clusters: int | None
    accuracy: Mapping[str, Estimate]
    labels: Mapping[str, tuple[OfLabel, ...]]
    comparisons: tuple[Comparison, ...]


def judge_pairs(
    pairs: Sequence[Pair],
    systems: Mapping[str, Judged],
    *,
    cluster: Cluster = "hypothesis",
    confidence: float = CONFIDENCE,
    seed: int = 0,
) -> JudgedPairs:
    """How right systems are on pairs with labels.

    `cluster`: pairs with the same text stand or fall together (SciTail holds a hypothesis against some ten
    premises). Raises AssayError when a pair's label is hidden, or there is no pair.
    """
    if not pairs or any(pair.key is None for pair in pairs):
        raise AssayError("only pairs with labels can be judged" if pairs else "there is no pair to judge")
    keys = np.array([pair.key == 1 for pair in pairs])
    codes = _codes(pairs, cluster)
    right = {name: judged == keys for name, judged in systems.items()}
    return JudgedPairs(
        len(pairs),
        None if codes is None else int(codes.max()) + 1,
        {
            name: estimate(one.astype(np.float64), codes, confidence=confidence, seed=seed)
            for name, one in right.items()
        },
        {name: _labels(judged, keys) for name, judged in systems.items()},
        compare_all(
            {name: _marks(one) for name, one in right.items()}, codes, confidence=confidence, seed=seed
        ),
    )


def majority(pairs: Sequence[Pair]) -> Label:
    """The commonest label of pairs with labels; of equally common ones neutral."""
    entailed = sum(pair.key == 1 for pair in pairs)
    return "entails" if 2 * entailed > len(pairs) else "neutral"


def _codes(pairs: Sequence[Pair], cluster: Cluster) -> Codes | None:
    if cluster == "none":
        return None
    texts = [getattr(pair, cluster) for pair in pairs]
    numbers = {text: number for number, text in enumerate(dict.fromkeys(texts))}
    return np.array([numbers[text] for text in texts], dtype=np.int64)


def _labels(judged: Judged, keys: Judged) -> tuple[OfLabel, ...]:
    rows = []
    labels: tuple[tuple[Label, bool], ...] = (("entails", True), ("neutral", False))
    for label, meant in labels:
        n, said = int((keys == meant).sum()), int((judged == meant).sum())
        both = int(((keys == meant) & (judged == meant)).sum())
        rows.append(OfLabel(label, n, said, both / n if n else None, both / said if said else None))
    return tuple(rows)


def _marks(right: Judged) -> Marks:
    codes = np.where(right, OUTCOMES.index("right"), OUTCOMES.index("wrong")).astype(np.int8)
    return Marks(right.astype(np.int64), codes, ((),) * len(right))

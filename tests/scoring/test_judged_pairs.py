"""Accuracy on pairs, clustered by their texts, and per label."""

import numpy as np
import pytest

from assay.entailment.pair import Pair
from assay.errors import AssayError
from assay.scoring.interval import estimate
from assay.scoring.judged_pairs import judge_pairs, majority

PAIRS = [
    Pair(str(number), f"premise {number}", f"hypothesis {number // 3}", label)
    for number, label in enumerate(
        ["entails", "neutral", "neutral", "entails", "neutral", "neutral", "entails"]
    )
]
GOOD = np.array([True, False, True, True, False, False, False])
NONE = np.zeros(7, dtype=bool)


def test_accuracy_recall_and_precision() -> None:
    judged = judge_pairs(PAIRS, {"good": GOOD, "none": NONE})
    assert judged.accuracy["good"].mean == pytest.approx(5 / 7)
    assert judged.accuracy["none"].mean == pytest.approx(4 / 7)
    entails, neutral = judged.labels["good"]
    assert (entails.n, entails.said, entails.recall, entails.precision) == (3, 3, 2 / 3, 2 / 3)
    assert (neutral.n, neutral.said, neutral.recall, neutral.precision) == (4, 4, 3 / 4, 3 / 4)
    assert judged.labels["none"][0].precision is None
    (compared,) = judged.comparisons
    assert compared.difference.mean == pytest.approx(1 / 7)
    assert (compared.mcnemar.only_first, compared.mcnemar.only_second) == (2, 1)


def test_pairs_of_a_hypothesis_stand_together() -> None:
    right = np.array([1.0, 1, 0, 1, 1, 1, 0])
    by_text = {"hypothesis": np.array([0, 0, 0, 1, 1, 1, 2]), "premise": np.arange(7), "none": None}
    for cluster, codes in by_text.items():
        judged = judge_pairs(PAIRS, {"good": GOOD}, cluster=cluster)  # type: ignore[arg-type]
        assert judged.accuracy["good"] == estimate(right, codes)
        assert judged.clusters == (None if codes is None else codes.max() + 1)


def test_majority() -> None:
    assert majority(PAIRS) == "neutral"
    assert majority([pair for pair in PAIRS if pair.label == "entails"]) == "entails"
    assert majority(PAIRS[:2]) == "neutral"


def test_nothing_to_judge() -> None:
    with pytest.raises(AssayError, match="no pair"):
        judge_pairs([], {})
    with pytest.raises(AssayError, match="with labels"):
        judge_pairs([Pair("1", "a", "b", None)], {"one": NONE[:1]})

"""The overlap baseline against every threshold tried."""

import random

import pytest

from assay.entailment.overlap import OverlapBaseline
from assay.entailment.pair import Pair
from assay.errors import AssayError

WORDS = "iron root leaf stone rain cloud bird seed".split()


def drawn(draw: random.Random, number: int) -> Pair:
    hypothesis = " ".join(draw.sample(WORDS, 4))
    premise = " ".join(draw.sample(WORDS, draw.randrange(1, 8)))
    return Pair(str(number), premise, hypothesis, draw.choice(("entails", "neutral")))


@pytest.mark.parametrize("seed", range(20))
def test_no_threshold_is_right_more_often(seed: int) -> None:
    draw = random.Random(seed)
    pairs = [drawn(draw, number) for number in range(draw.randrange(1, 30))]
    made = OverlapBaseline(pairs)
    right = sum(made.entails(pair) == (pair.label == "entails") for pair in pairs)
    assert made.accuracy == right / len(pairs)
    shares = [made.share(pair) for pair in pairs]
    for threshold in (*shares, 2.0):
        tried = [
            (share >= threshold) == (p.label == "entails") for share, p in zip(shares, pairs, strict=True)
        ]
        assert sum(tried) <= right


def test_it_needs_labels() -> None:
    with pytest.raises(AssayError, match="no pair has a label"):
        OverlapBaseline([Pair("1", "a", "b", None)])

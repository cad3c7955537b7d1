"""The join of near texts against every pair."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.construction.leaks.near import near_texts
from assay.errors import AssayError
from assay.text.analysis import Analyser

PLAIN = Analyser("none", "lucene-english")
WORDS = "ant bee cat dog elk fox gnu hen the of".split()


@given(st.lists(st.lists(st.sampled_from(WORDS), max_size=8).map(" ".join), max_size=14), st.integers(1, 20))
def test_the_join_finds_all_pairs_and_no_others(texts: list[str], twentieths: int) -> None:
    threshold = twentieths / 20
    sets = [set(PLAIN.content(text)) for text in texts]
    right = {
        (a, b): len(sets[a] & sets[b]) / len(sets[a] | sets[b])
        for b in range(len(texts))
        for a in range(b)
        # In whole numbers: 3 of 5 are 0.6.
        if sets[a] and sets[b] and 20 * len(sets[a] & sets[b]) >= twentieths * len(sets[a] | sets[b])
    }
    found = near_texts(texts, PLAIN, threshold)
    assert [(near.first, near.second) for near in found] == sorted(right)
    assert {(near.first, near.second): near.similarity for near in found} == right


def test_more_pairs_than_the_first_room_holds() -> None:
    assert len(near_texts(["one bee"] * 60, PLAIN)) == 60 * 59 // 2


@pytest.mark.parametrize("threshold", [0.0, -1.0, 1.5])
def test_a_threshold_that_cannot_be_meant(threshold: float) -> None:
    with pytest.raises(AssayError, match="over 0 and at most 1"):
        near_texts(["ant"], PLAIN, threshold)

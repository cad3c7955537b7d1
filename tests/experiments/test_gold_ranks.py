"""Gold facts among ranked sentences and in a corpus, against plain readings."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.corpus.model import corpus_in_memory
from assay.experiments.gold_ranks import (
    Ranked,
    alike,
    at_depth,
    held_and_found,
    held_by,
    rank_summary,
    ranked,
    verbatim,
)
from assay.text.analysis import Analyser
from assay.text.shares import Shares

WORDS = "moss root water soil the of stone iron light heat a grows takes".split()
texts = st.lists(st.sampled_from(WORDS), min_size=1, max_size=6).map(" ".join)


def test_what_is_the_same_in_other_words() -> None:
    same = alike(Shares(), 0.7)
    assert verbatim("Moss takes in water.", "moss takes in  water")
    assert not verbatim("Moss takes in water.", "Moss takes in waters.")
    assert same("moss takes in water", "Water is what moss takes in.")
    assert same("moss takes in water", "Most moss takes in water.")
    # Twice 3 common stems over 3 + 8: a long sentence that holds all words may say anything.
    assert not same(
        "moss takes in water", "Rain water runs off stones where moss takes hold and grows thick."
    )
    # One word in common says nothing, however short the texts; the same letters do.
    assert not same("moss", "Moss is it.")
    assert same("moss", "Moss!")


@given(texts, texts)
def test_alike_is_dices_coefficient_of_content_stems(one: str, other: str) -> None:
    first, second = set(Analyser().content(one)), set(Analyser().content(other))
    if first and second:
        expected = 2 * len(first & second) / (len(first) + len(second))
        assert Shares().alike(one, other) == pytest.approx(expected)
        assert Shares().alike(other, one) == Shares().alike(one, other)


def test_ranks_repeats_and_figures_by_hand() -> None:
    facts = ["Moss is green.", "Iron is hard.", "Wrens sing."]
    sentences = ["iron is hard", "Roots are long.", "Iron is hard!", "Moss is green."]
    one = ranked(sentences, facts, verbatim, 0)
    assert one == Ranked((True, False, True, True), (True, True, False, True), (4, 1, None), 0)
    other = ranked([], ["Kelp floats."], verbatim, 1)
    assert other == Ranked((), (), (None,), 1)
    first, third, all_four = (at_depth([one, other], depth) for depth in (1, 3, 4))
    assert (first.precision.value, third.precision.value) == (100.0, 50.0)
    assert all_four.precision.value == pytest.approx(200 / 3)
    assert [found.recall.value for found in (first, third, all_four)] == [25.0, 25.0, 50.0]
    assert all_four.any.value == 50.0
    assert all_four.all.value == 0.0
    assert all_four.sentences.value == 1.5
    alone = at_depth([one, ranked(sentences, facts, verbatim, 1)], 1).sentences
    assert (alone.value, alone.low, alone.high) == (1.0, 1.0, 1.0)
    summary = rank_summary([one, other])
    assert summary.facts == 4
    assert summary.found.value == 50.0
    assert summary.quartiles == (1.0, 1.0, 4.0)
    assert summary.reciprocal.value == pytest.approx(100 * (1 / 4 + 1 + 0 + 0) / 4)
    there, found = held_and_found([one, other], [[True, True, True], [False]])
    assert there.value == 75.0
    assert found.value == pytest.approx(200 / 3)


def test_nothing_shown_and_nothing_found_is_undefined_or_none() -> None:
    empty = ranked([], ["Kelp floats."], verbatim, 0)
    found = at_depth([empty, empty], 5)
    assert found.precision.value is None
    assert found.recall.value == 0.0
    assert rank_summary([empty]).quartiles is None
    assert held_and_found([empty], [[False]])[1].value is None


def test_intervals_are_of_questions_not_of_facts() -> None:
    """Facts of one question are found or missed together: 20 questions, not 200 facts, are what is known."""
    some = [Ranked((), (), ((1,) if number % 2 else (None,)) * 10, number) for number in range(20)]
    found = at_depth(some, 1).recall
    assert found.low is not None
    assert found.high is not None
    assert found.high - found.low > 40
    alone = at_depth([Ranked((), (), (1,) if number % 2 else (None,), number) for number in range(200)], 1)
    assert alone.recall.low is not None
    assert alone.recall.high is not None
    assert alone.recall.high - alone.recall.low < 15


def test_no_share_is_below_0_or_above_100() -> None:
    rare = [Ranked((), (), (1 if number == 3 else None, None), number) for number in range(50)]
    found = at_depth(rare, 1).recall
    assert found.low == 0.0
    assert found.value == 1.0


@pytest.mark.parametrize("least", [0.3, 0.5, 0.7, 1.0])
def test_a_corpus_is_searched_as_by_reading_every_sentence(least: float) -> None:
    draw = random.Random(int(10 * least))

    def text() -> str:
        return " ".join(draw.choices(WORDS, k=draw.randrange(1, 7)))

    corpus = corpus_in_memory([*(text() for _ in range(120)), "Moss, moss! Water."])
    facts = [text() for _ in range(150)] + ["", "the of", "unheard words", "moss moss water", "zzz moss"]
    held = held_by(corpus, facts, least)
    same = alike(Shares(corpus.analyser), least)
    assert held.alike == tuple(any(same(fact, one) for one in corpus.texts) for fact in facts)
    assert held.verbatim == tuple(any(verbatim(fact, one) for one in corpus.texts) for fact in facts)
    assert 20 < np.sum(held.alike) < 150 or least > 0.9 or least < 0.4

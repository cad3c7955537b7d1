"""Support, margins, coverage of facts and the funnel, on cases worked out by hand."""

from __future__ import annotations

import random

import numpy as np
import pytest

from assay.corpus import corpus_in_memory
from assay.evidence.held import Holding
from assay.experiments.fact_coverage import fact_coverage, facts_rows, nearest_rows
from assay.experiments.funnel import EVERY, NEAR, RETRIEVED, SOME, WORDS, Reached, said
from assay.experiments.grouped import within
from assay.experiments.margins import LABELS, Margins
from assay.experiments.scored import percent
from assay.experiments.support import CLASSES, Supported, supported
from assay.experiments.vocabulary import ALL_TEXT, KEY, vocabulary_of
from assay.questions.explanations import Fact
from assay.questions.model import Choice, Question
from assay.scoring.interval import estimate
from assay.text.shares import Shares


def question(stem: str, key: str, *others: str) -> Question:
    texts = (key, *others)
    choices = tuple(Choice(label, text) for label, text in zip("ABCD", texts, strict=False))
    return Question(f"{stem} {key}", stem, choices, "A")


def test_a_choice_is_supported_by_one_sentence_that_has_all_of_it() -> None:
    corpus = corpus_in_memory(["Green moss grows.", "Ferns grow in shade.", "Old moss"])
    asked = [
        question("What grows in shade?", "green moss", "ferns"),
        question("What grows?", "newts", "owls"),
    ]
    found = supported(asked, Holding(corpus), corpus.analyser, {"one": 0.0, "all": 1.0})
    assert found["one"].key.tolist() == [True, False]
    assert found["one"].distractors.tolist() == [1, 0]
    # "What" is a content stem of the plain list, so that no sentence has all of a question's.
    assert not found["all"].key.any()
    assert supported([], Holding(corpus), corpus.analyser, {"one": 0.0})["one"].key.tolist() == []


@pytest.mark.parametrize("seed", range(3))
def test_classes_part_the_questions_and_guessing_keeps_their_sum(seed: int) -> None:
    draw = np.random.default_rng(seed)
    key, distractors = draw.random(50) < 0.5, draw.integers(0, 4, 50).astype(float)
    own = Supported(key, distractors, np.full(50, 4.0))
    assert (sum(own.of_class(name).astype(int) for name in CLASSES) == 1).all()
    assert sum(own.by_guess(name) for name in CLASSES) == pytest.approx(np.ones(50))


def test_were_any_choice_the_key_classes_are_as_often_as_by_guess() -> None:
    draw = np.random.default_rng(7)
    yes = draw.random((100_000, 4)) < 0.4
    place = draw.integers(0, 4, 100_000)
    key = yes[np.arange(100_000), place]
    own = Supported(key, yes.sum(axis=1) - key, np.full(100_000, 4.0))
    for name in CLASSES:
        assert own.of_class(name).mean() == pytest.approx(own.by_guess(name).mean(), abs=0.006)


def test_margins_fall_into_steps_around_a_tie() -> None:
    key = np.array([1.0, 0.0, 0.0, 2.0, 95.0, 100.0, 55.0, 100.0])
    distractor = np.array([0.0, 1.0, 0.0, 2.0, 100.0, 95.0, 100.0, 55.0])
    steps = Margins(key, distractor).steps() * 8 / 100
    assert dict(zip(LABELS, steps.tolist(), strict=True)) == {
        **dict.fromkeys(LABELS, 0.0), "++": 2, "−−": 2, "tie": 2, "−10": 1, "+10": 1}  # fmt: skip
    assert Margins(np.zeros(0), np.zeros(0)).steps().tolist() == [0] * len(LABELS)
    draw = random.Random(2)
    values = np.array([[draw.random(), draw.random()] for _ in range(200)])
    steps = Margins(values[:, 0], values[:, 1]).steps()
    assert Margins(values[:, 1], values[:, 0]).steps() == pytest.approx(steps[::-1])


def test_vocabulary_keeps_key_and_distractors_apart() -> None:
    corpus = corpus_in_memory(["x"])
    found = vocabulary_of([question("Moss and mosses?", "ferns", "owls", "newts")], corpus.analyser)
    assert found.terms[KEY] == [["fern"]]
    assert sorted(found.terms[ALL_TEXT][0]) == ["fern", "moss", "moss", "newt", "owl"]
    assert found.spelled["fern"] == "ferns"


def test_facts_are_there_to_the_letter_or_nearly() -> None:
    corpus = corpus_in_memory(["A newt is an animal!", "Moss likes shade and rain, as ferns do."])
    facts = [
        [Fact("a newt is an animal"), Fact("moss likes shade and rain"), Fact("owls like the moon")],
        [Fact("it is the"), Fact("...")],
    ]
    found = fact_coverage(facts, Holding(corpus), corpus.analyser, {"anewtisananimal": (0, "why")}, 3)
    assert found.owners.tolist() == [0, 0, 0, 1, 1]
    assert found.exact.tolist() == [True, False, False, False, False]
    assert found.dropped.tolist() == [True, False, False, False, False]
    assert found.shares[:3] == pytest.approx([1.0, 1.0, 1 / 3])
    shares = Shares(corpus.analyser)
    for row, fact in enumerate(found.facts):
        assert found.shares[row] == pytest.approx(max(shares.share(text, fact.text) for text in corpus.texts))
    assert (found.sayable(0.8) >= found.near(0.8)).all()
    again = fact_coverage(facts, Holding(corpus), corpus.analyser, {}, 3)
    assert found.random.tolist() == again.random.tolist()


def test_facts_stand_or_fall_with_their_question_or_its_cluster() -> None:
    corpus = corpus_in_memory(["A newt is an animal.", "Moss likes shade."])
    facts = [[Fact(text)] * 2 for text in ("a newt is an animal", "moss likes shade", "owls hunt", "fog")] * 2
    found = fact_coverage(facts, Holding(corpus), corpus.analyser, {}, 3)
    half = np.repeat([True, True, False, False] * 2, 2)
    assert found.near(0.8).tolist() == half.tolist()
    for clusters in (None, np.array([0, 1, 2, 3] * 2), np.array([0, 0, 1, 1] * 2)):
        of_fact = found.owners if clusters is None else clusters[found.owners]
        expected = percent(estimate(half.astype(float), of_fact))
        (row,) = facts_rows(found, "c", 0.8, clusters)
        assert row.figures[3] == within(expected)
        nearest = nearest_rows(found, "c", clusters)[0].figures[1]
        assert nearest == within(expected)


def test_the_funnel_counts_some_and_every_fact() -> None:
    owners = np.array([0, 0, 1, 1, 1, 2])
    steps = {WORDS: [1, 1, 1, 1, 0, 1], NEAR: [1, 1, 0, 1, 0, 0], RETRIEVED: [1, 0, 0, 0, 0, 0]}
    reached = Reached(
        owners, {name: np.array(own, np.bool_) for name, own in steps.items()}, *[np.zeros(6, np.bool_)] * 2
    )
    assert reached.questions(WORDS, EVERY).tolist() == [True, False, True]
    assert reached.questions(NEAR, SOME).tolist() == [True, True, False]
    assert reached.questions(NEAR, EVERY).tolist() == [True, False, False]
    assert reached.questions(RETRIEVED, SOME).tolist() == [True, False, False]
    some, every = said(reached, "notes", ("ir", np.array([0.5, 1.0, 1.0])))
    assert "0.0 for want of words, 33.3 for want of a sentence, 33.3 in retrieval" in some
    assert some.endswith("16.7 are left. Most are lost for want of a sentence.")
    assert "33.3 for want of words, 33.3 for want of a sentence, 33.3 in retrieval" in every
    none = Reached(
        np.zeros(0, np.int64), {name: np.zeros(0, np.bool_) for name in steps}, *[np.zeros(0, np.bool_)] * 2
    )
    assert none.questions(NEAR, SOME).tolist() == []

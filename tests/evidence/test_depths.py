"""Evidence cut to its best few is what a search that stopped there finds."""

from __future__ import annotations

import random

import pytest

from assay.corpus.model import corpus_in_memory
from assay.evidence.depths import cut_choices, cut_pool, is_pooled, pool
from assay.evidence.premises import Premises, PremiseSettings
from assay.evidence.retrieval import RetrievalSettings
from assay.evidence.retriever import Retriever
from assay.questions.model import Choice, Question, SentenceEvidence

DRAW = random.Random(2)
WORDS = "moss root water soil stone iron light heat grows takes under near".split()


def text(most: int) -> str:
    return " ".join(DRAW.choices(WORDS, k=DRAW.randrange(1, most)))


CORPUS = corpus_in_memory(sorted({f"{text(8).capitalize()}." for _ in range(150)}))
QUESTIONS = [
    Question(f"q{n}", f"What {text(5)}?", tuple(Choice(label, text(3)) for label in "ABCD"), "A")
    for n in range(20)
]


@pytest.mark.parametrize("depth", [1, 2, 5, 30, 500])
def test_premises_cut_are_those_of_a_smaller_k(depth: int) -> None:
    deepest = Premises(CORPUS, PremiseSettings(k=60, contains="any")).answer(QUESTIONS)
    right = Premises(CORPUS, PremiseSettings(k=min(depth, 60), contains="any")).answer(QUESTIONS)
    for deep, expected in zip(deepest, right, strict=True):
        assert cut_pool(deep.evidence or (), depth) == expected.evidence
        assert is_pooled([deep.evidence or ()])


@pytest.mark.parametrize("depth", [1, 3, 40])
def test_a_single_step_cut_is_that_of_a_smaller_k(depth: int) -> None:
    deepest = Retriever("single", CORPUS, RetrievalSettings(k=30)).answer(QUESTIONS)
    right = Retriever("single", CORPUS, RetrievalSettings(k=min(depth, 30))).answer(QUESTIONS)
    for deep, expected in zip(deepest, right, strict=True):
        assert cut_choices(deep.evidence or (), depth) == expected.evidence
        assert not is_pooled([deep.evidence or ()])


def test_the_order_of_a_pool() -> None:
    def one(text: str, score: float, number: int | None) -> SentenceEvidence:
        return SentenceEvidence(text, score, number)

    evidence = ((one("a", 2.0, 9), one("b", 1.0, 4)), (), (one("c", 2.0, 3), one("b", 1.0, 4)))
    assert [piece.text for piece in pool(evidence)] == ["c", "a", "b", "b"]
    assert cut_pool(evidence, 3) == ((evidence[0]), (), (evidence[2][0],))
    assert cut_pool((), 3) == ()
    assert cut_choices(((), evidence[0]), 1) == ((), evidence[0][:1])

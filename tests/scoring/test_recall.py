"""Recall of gold facts: counted by hand, clustered, and what it can't count."""

from collections.abc import Sequence

import numpy as np
import pytest

from assay.corpus.model import corpus_in_memory
from assay.errors import AssayError, FaultyInput
from assay.evidence.sentence_filter import FilterRules
from assay.questions.model import Answer, Choice, Facts, Question, SentenceEvidence
from assay.scoring.gold import gold_facts, with_both
from assay.scoring.interval import estimate
from assay.scoring.recall import fact_key, recall


def question(name: str, seed: str | None, second: str | None, key: str | None = "B") -> Question:
    return Question(name, "what?", (Choice("A", "a"), Choice("B", "b")), key, Facts(seed, second))


def answer(name: str, texts: Sequence[str]) -> Answer:
    pieces = tuple(SentenceEvidence(text, 1.0, number) for number, text in enumerate(texts))
    wrong = (SentenceEvidence("iron rusts", 9.0), SentenceEvidence("rust is red", 9.0))
    return Answer(name, "unanswered", evidence=(wrong, pieces))


QUESTIONS = [
    question("1", "Iron rusts.", "Rust is red"),
    question("2", "Iron rusts.", "Rust flakes"),
    question("3", "Bats fly", "Flying is fast"),
    question("4", "Bats fly", None),
    question("5", "Bats fly", "Flying is fast", None),
]
ANSWERS = [
    answer("1", ["IRON, rusts", "mud", "iron rusts!", "Rust - is red."]),
    answer("2", ["mud", "rust flakes"]),
    answer("3", ["mud"]),
    answer("4", ["bats fly"]),
    answer("5", ["bats fly"]),
]


def test_counted_by_hand() -> None:
    found = recall(QUESTIONS, ANSWERS, [1, 2, 4])
    assert found.hits == ((1, 4), (None, 2), (None, None))
    assert [row.both.mean for row in found.rows] == pytest.approx([0, 0, 1 / 3])
    assert [row.either.mean for row in found.rows] == pytest.approx([1 / 3, 2 / 3, 2 / 3])
    assert (found.without_facts, found.without_key) == (1, 1)
    assert [kept.id for kept in found.questions] == ["1", "2", "3"]


def test_clustered_by_the_seed_fact() -> None:
    row = recall(QUESTIONS, ANSWERS, [2]).rows[0]
    assert row.either == estimate(np.array([1.0, 1.0, 0.0]), np.array([0, 0, 1]))
    assert row.either.clusters == 2
    alone = recall(QUESTIONS, ANSWERS, [2], cluster=None).rows[0]
    assert alone.either.clusters is None


def test_what_cannot_be_counted() -> None:
    with pytest.raises(AssayError, match="none of the 2 has them"):
        recall(QUESTIONS[3:], ANSWERS[3:], [10])
    with pytest.raises(AssayError, match="1 or more"):
        recall(QUESTIONS, ANSWERS, [1, 0])
    with pytest.raises(FaultyInput, match="grade"):
        recall([Question("1", "", QUESTIONS[0].choices, "B", QUESTIONS[0].facts, {}, {"grade": [1, 2]})],
               ANSWERS[:1], [1], cluster="grade")  # fmt: skip


def test_facts_by_letters_and_digits() -> None:
    assert fact_key("It's 3.5_m -- \u00c9TAIN") == "its35m\u00e9tain"


def test_gold_facts_in_a_corpus() -> None:
    corpus = corpus_in_memory(["mud", "iron! rusts", "Iron rusts", "iron rusts", "(bats) fly"])
    facts = gold_facts(corpus, QUESTIONS, FilterRules())
    assert [(fact.question_id, fact.fact, fact.sentence) for fact in facts] == [
        ("1", "fact1", 2),
        ("1", "fact2", None),
        ("2", "fact1", 2),
        ("2", "fact2", None),
        ("3", "fact1", 4),
        ("3", "fact2", None),
    ]
    assert [fact.dropped for fact in facts] == [None] * 4 + ["begins with '('", None]
    assert with_both(facts) == set()
    whole = corpus_in_memory(["iron rusts", "rust is red"])
    assert with_both(gold_facts(whole, QUESTIONS, FilterRules())) == {"1"}

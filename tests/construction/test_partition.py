"""The partition, its agreement, its sensitivity, and the multi-corpus matrix."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.construction.partition import Rule, agreement, partition
from assay.construction.sensitivity import corpus_matrix, sensitivity
from assay.errors import AssayError
from assay.questions.model import Answer, Choice, Question

CHOICES = (Choice("A", "one"), Choice("B", "two"), Choice("C", "three"))


def question(number: int, published: str | None = None, key: str | None = "A") -> Question:
    metadata = {} if published is None else {"set": published}
    return Question(f"q{number}", "Which?", CHOICES, key, metadata=metadata)


def says(number: int, chosen: str) -> Answer:
    return Answer(f"q{number}", "answered" if chosen else "unanswered", tuple(chosen))


def answers(*chosen: str) -> list[Answer]:
    return [says(number, labels) for number, labels in enumerate(chosen)]


def test_default_rule_wants_exactly_the_key() -> None:
    questions = [question(n) for n in range(4)]
    made = partition(
        questions,
        {"ir": answers("A", "AB", "B", ""), "pmi": answers("B", "B", "A", "ABC")},
        Rule.named("any", 2),
    )
    assert [p.set for p in made.placements] == ["Easy", "Challenge", "Easy", "Challenge"]
    assert made.counts == {"Easy": 2, "Challenge": 2}
    assert made.placements[0].answered == (True, False)


@pytest.mark.parametrize(
    ("name", "credit", "easy"),
    [("any", "exact", 2), ("all", "exact", 0), ("any", "any", 3), (2, "any", 1), ("2", "any", 1)],
)
def test_rules(name: str | int, credit: str, easy: int) -> None:
    questions = [question(n) for n in range(3)]
    given = {"ir": answers("A", "AB", "B"), "pmi": answers("B", "AC", "A")}
    assert partition(questions, given, Rule.named(name, 2, credit)).counts["Easy"] == easy


@pytest.mark.parametrize(("name", "credit"), [("some", "exact"), (0, "exact"), (3, "exact"), ("any", "half")])
def test_unknown_rules_are_refused(name: str | int, credit: str) -> None:
    with pytest.raises(AssayError, match="must be"):
        Rule.named(name, 2, credit)


def test_hidden_questions_and_foreign_answers_are_refused() -> None:
    with pytest.raises(AssayError, match="question q0: no answer key"):
        partition([question(0, key=None)], {"ir": answers("A")}, Rule(1))
    with pytest.raises(AssayError, match="question q1: filter ir answers 'q0'"):
        partition([question(1)], {"ir": answers("A")}, Rule(1))
    with pytest.raises(AssayError, match="2 answers for 1"):
        partition([question(0)], {"ir": answers("A", "A")}, Rule(1))


def test_agreement_by_hand() -> None:
    published = ["Easy", "Easy", "challenge", "ARC-Challenge", None]
    questions = [question(n, s) for n, s in enumerate(published)]
    made = partition(questions, {"ir": answers("A", "B", "A", "B", "A")}, Rule(1))
    found = agreement(made)
    assert found.table == {"Easy": {"Easy": 1, "Challenge": 1}, "Challenge": {"Easy": 1, "Challenge": 1}}
    assert (found.share, found.kappa, found.unpublished) == (0.5, 0.0, 1)


def test_agreement_without_anything_to_compare() -> None:
    made = partition([question(0)], {"ir": answers("A")}, Rule(1))
    assert (agreement(made).share, agreement(made).kappa) == (None, None)


def test_sensitivity_rows() -> None:
    questions = [question(n) for n in range(4)]
    given = {"ir": answers("A", "AB", "B", "B"), "pmi": answers("B", "B", "A", "C")}
    base = partition(questions, given, Rule.named("any", 2))
    rows = {row.change: row for row in sensitivity(base, {"over notes": {"ir": answers("B", "B", "B", "A")}})}
    assert rows["as configured"].moved == 0
    assert (rows["without ir"].to_challenge, rows["without ir"].to_easy) == (1, 0)
    assert rows["2 of 2 filters needed"].challenge == 4
    assert rows["a tie that includes the key counts"].to_easy == 1
    assert (rows["over notes"].to_easy, rows["over notes"].to_challenge) == (1, 1)


def test_matrix_profiles() -> None:
    questions = [question(n) for n in range(3)]
    matrix = corpus_matrix(
        questions, {"web": {"ir": answers("A", "A", "B")}, "books": {"ir": answers("A", "B", "B")}}, Rule(1)
    )
    assert matrix.profiles == {"none": (2,), "web": (1,), "web+books": (0,)}


labels = st.lists(st.sampled_from(["", "A", "B", "AB", "ABC"]), min_size=5, max_size=5)


@given(labels, labels)
def test_more_credit_never_makes_a_question_harder(ir: list[str], pmi: list[str]) -> None:
    questions = [question(n) for n in range(5)]
    given_answers = {"ir": answers(*ir), "pmi": answers(*pmi)}
    exact = partition(questions, given_answers, Rule.named("any", 2, "exact"))
    partial = partition(questions, given_answers, Rule.named("any", 2, "any"))
    both = partition(questions, given_answers, Rule.named("all", 2, "exact"))
    for strict, loose, hardest in zip(exact.placements, partial.placements, both.placements, strict=True):
        assert not (strict.set == "Easy" and loose.set == "Challenge")
        assert not (hardest.set == "Easy" and strict.set == "Challenge")

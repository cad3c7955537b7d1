"""Points and outcomes: ties, refusals, hidden keys, exact totals."""

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.errors import AssayError, FaultyInput
from assay.questions.model import STATUSES, Answer, Choice, Origin, Question
from assay.questions.ties import choose
from assay.scoring.points import OUTCOMES, mark, outcome, points
from tests.scoring.scoring_cases import LETTERS, answer, pair, question


@pytest.mark.parametrize(
    ("key", "chosen", "earned", "what"),
    [
        ("A", "A", 1.0, "right"),
        ("A", "AB", 0.5, "partial"),
        ("D", "ABCD", 0.25, "partial"),
        ("D", "ABC", 0.0, "wrong"),
        ("B", "A", 0.0, "wrong"),
    ],
)
def test_one_over_k(key: str, chosen: str, earned: float, what: str) -> None:
    assert points(question(1, key), answer(1, chosen)) == earned
    assert outcome(question(1, key), answer(1, chosen)) == what


def test_equal_scores_share_the_point() -> None:
    asked = question(1, "D")
    chosen = choose(asked, [-0.7, -0.7, -0.7, -0.7])
    assert points(asked, Answer("q1", "answered", chosen)) == 0.25


def test_labels_are_matched_as_labels() -> None:
    digits = question(1, "2", labels="1234")
    assert points(digits, answer(1, "2")) == 1
    same_text = Question("q1", "Rr or rr?", (Choice("A", "rr"), Choice("B", "rr")), "B")
    assert points(same_text, answer(1, "A")) == 0


@given(
    st.lists(
        st.tuples(st.integers(2, 12), st.sampled_from(STATUSES), st.sets(st.integers(0, 11), min_size=1)),
        max_size=30,
    )
)
def test_marks_agree_with_points_one_by_one(drawn: list[tuple[int, Any, set[int]]]) -> None:
    questions = [question(i, "A", choices) for i, (choices, _, _) in enumerate(drawn)]
    answers = [
        Answer(f"q{i}", status, tuple(LETTERS[place] for place in sorted(places) if place < choices))
        if status == "answered"
        else Answer(f"q{i}", status)
        for i, (choices, status, places) in enumerate(drawn)
    ]
    marks = mark(questions, answers)
    pairs = list(zip(questions, answers, strict=True))
    assert marks.points.tolist() == [points(q, a) for q, a in pairs]
    assert [OUTCOMES[code] for code in marks.outcome_codes] == [outcome(q, a) for q, a in pairs]
    exact = sum((Fraction(1, len(a.chosen)) for a in answers if "A" in a.chosen), Fraction(0))
    assert marks.total == exact
    assert sum(marks.counts.values()) == len(questions)
    assert list(marks.counts) == list(OUTCOMES)


def test_refusals_stay_in_the_denominator() -> None:
    questions, answers = pair(["A", "A", "A", "B", "", ""])
    answers[4:] = [Answer("q4", "refused"), Answer("q5", "refused")]
    marks = mark(questions, answers)
    assert marks.points.mean() == 0.5
    assert (marks.counts["refused"], marks.counts["wrong"]) == (2, 1)


def test_a_question_without_a_key_is_refused_by_name() -> None:
    hidden = question(7, None, origin=Origin("test.jsonl", 3))
    with pytest.raises(AssayError, match=r"test\.jsonl:3: question q7: no answer key"):
        mark([hidden], [answer(7, "A")])
    with pytest.raises(AssayError, match="question q7"):
        points(hidden, answer(7, "A"))
    with pytest.raises(AssayError, match=r"in any of the 900 questions \(the first: q0, q1"):
        mark([question(i, None) for i in range(900)], [answer(i, "A") for i in range(900)])
    some = [question(1), question(2, None), question(3, None)]
    with pytest.raises(FaultyInput) as caught:
        mark(some, [answer(i, "A") for i in (1, 2, 3)])
    assert [fault.question_id for fault in caught.value.faults] == ["q2", "q3"]


def test_answers_out_of_step_are_noticed() -> None:
    questions, answers = pair(["A", "B"])
    with pytest.raises(AssayError, match="met with the answer to question q1"):
        mark(questions, answers[::-1])
    with pytest.raises(AssayError, match="not one answer a question"):
        mark(questions, answers[:1])

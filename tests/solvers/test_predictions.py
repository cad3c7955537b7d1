import pytest

from assay.errors import AssayError, FaultyInput
from assay.questions.model import Choice, Question, QuestionSet
from assay.solvers.registry import build

SET = QuestionSet(
    [
        Question("q1", "Which floats?", (Choice("A", "cork"), Choice("B", "lead"))),
        Question("q2", "Which sinks?", (Choice("1", "ice"), Choice("2", "ore"))),
        Question("q3", "Which melts?", (Choice("A", "wax"), Choice("B", "sand"))),
    ]
)


def stored(folder, text: str, **settings):
    path = folder / "stored.csv"
    path.write_text(text)
    return build("predictions", "stored", {"file": str(path), **settings}, {})


def test_settings_follow_the_content_and_not_the_path(tmp_path) -> None:
    first = stored(tmp_path, "q1,A\nq2,1\nq3,A\n").settings
    assert stored(tmp_path, "q1,B\nq2,1\nq3,A\n").settings != first
    (tmp_path / "elsewhere").mkdir()
    assert stored(tmp_path / "elsewhere", "q1,A\nq2,1\nq3,A\n").settings == first
    assert str(tmp_path) not in str(first)


def test_every_fault_is_said_before_the_first_answer(tmp_path) -> None:
    solver = stored(tmp_path, "q1,X\nq2,A\n")
    with pytest.raises(FaultyInput) as caught:
        next(solver.answer(SET))
    assert [fault.question_id for fault in caught.value.faults] == ["q1", "q2", "q3"]
    with pytest.raises(FaultyInput, match="second prediction"):
        stored(tmp_path, "q1,A\nq1,A\n")


def test_predictions_for_unknown_questions_are_refused_by_the_check(tmp_path) -> None:
    text = "q1,A\nq2,1\nq3,A\nq9,A\n"
    with pytest.raises(FaultyInput, match=r"stored\.csv:4: question q9: no such question"):
        stored(tmp_path, text).check(SET)
    with pytest.raises(FaultyInput) as caught:
        stored(tmp_path, "q9,A\nq1,X\nq2,1\n").check(SET)
    assert [fault.question_id for fault in caught.value.faults] == ["q9", "q1", "q3"]
    notes = stored(tmp_path, text, allow_extra=True).check(SET)
    assert notes == ("1 prediction for other questions left out (q9)",)


def test_a_part_of_the_set_may_be_asked(tmp_path) -> None:
    solver = stored(tmp_path, "q1,A\nq2,1\nq3,A\n")
    assert solver.check(SET, SET[:2]) == ("1 prediction for other questions left out (q3)",)
    assert [answer.chosen for answer in solver.answer(SET[:2])] == [("A",), ("1",)]


def test_mapped_letters_are_said(tmp_path) -> None:
    solver = stored(tmp_path, "q1,A\nq2,B\nq3,A\n", letters_for_digits=True)
    assert solver.check(SET) == ("1 letter read as the digit of that place",)
    assert [answer.chosen for answer in solver.answer(SET)] == [("A",), ("2",), ("A",)]


def test_missing_predictions_are_unanswered_when_allowed(tmp_path) -> None:
    answers = list(stored(tmp_path, "q1,A\n", allow_missing=True).answer(SET))
    assert [answer.status for answer in answers] == ["answered", "unanswered", "unanswered"]


def test_a_file_that_is_not_there(tmp_path) -> None:
    with pytest.raises(AssayError, match="no such file"):
        build("predictions", "stored", {"file": str(tmp_path / "none")}, {})

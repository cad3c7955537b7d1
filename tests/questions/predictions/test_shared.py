"""The shared small cases and the real files: what they are known to come to."""

import json
from pathlib import Path

import pytest

from assay.errors import FaultyInput
from assay.questions.model import Choice, Question, QuestionSet
from assay.questions.predictions import PredictionFile, Predictions, read_predictions
from assay.questions.predictions.lm_eval import LogItem, score_within

pytestmark = pytest.mark.real_data


def questions_of(text: str) -> QuestionSet:
    questions = []
    for line in text.strip().split("\n"):
        record = json.loads(line)
        choices = tuple(Choice(c["label"], c["text"]) for c in record["question"]["choices"])
        questions.append(Question(record["id"], record["question"]["stem"], choices, record.get("answerKey")))
    return QuestionSet(questions)


def score(questions: QuestionSet, predictions: Predictions) -> float:
    pairs = zip(questions, predictions.answers, strict=True)
    return sum(1 / len(a.chosen) for q, a in pairs if q.answer in a.chosen) / len(questions)


def test_the_shared_prediction_cases_come_out_as_they_say(shared_cases: Path, tmp_path: Path) -> None:
    cases = json.loads((shared_cases / "inputs.json").read_text())["cases"]
    seen = 0
    for case in cases:
        if case["kind"] != "predictions":
            continue
        seen += 1
        path = tmp_path / "predictions.csv"
        path.write_bytes(case["text"].encode())
        questions = questions_of(case["questions"])
        if not case["faults"]:
            assert score(questions, read_predictions(path, questions)) == pytest.approx(case["accuracy"])
            continue
        with pytest.raises(FaultyInput) as caught:
            read_predictions(path, questions)
        found = [(fault.line, fault.question_id) for fault in caught.value.faults]
        wanted = [(fault.get("line"), fault.get("id")) for fault in case["faults"]]
        assert [line for line, _ in found] == [line for line, _ in wanted], case["name"]
        for (_, name), (_, expected), fault, right in zip(
            found, wanted, caught.value.faults, case["faults"], strict=True
        ):
            assert expected is None or name == expected, case["name"]
            assert fault.what == right["what"]
    assert seen >= 10


@pytest.fixture(scope="module")
def challenge(shared_data: Path) -> QuestionSet:
    return questions_of((shared_data / "arc/ARC-Challenge/ARC-Challenge-Test.jsonl").read_text())


@pytest.mark.parametrize(
    ("file", "format", "right"),
    [
        ("DGEM.csv", "leaderboard", 26.414960182025027),
        ("GSA.csv", "leaderboard", 28.422923777019342),
        ("dgem-default.jsonl", "arc-solvers", 26.414960182025027),
    ],
)
def test_stored_systems_score_what_they_are_known_to(shared_data, challenge, file, format, right) -> None:
    predictions = read_predictions(shared_data / "predictions/arc-challenge-test" / file, challenge)
    assert predictions.format == format
    assert 100 * score(challenge, predictions) == pytest.approx(right)
    if format == "arc-solvers":
        assert all(answer.scores and answer.evidence is not None for answer in predictions.answers[:1])


def test_the_stored_csv_and_jsonl_say_the_same(shared_data, challenge) -> None:
    folder = shared_data / "predictions/arc-challenge-test"
    rows, records = (read_predictions(folder / n, challenge) for n in ("DGEM.csv", "dgem-default.jsonl"))
    assert [a.chosen for a in rows.answers] == [a.chosen for a in records.answers]


def test_the_real_log_within_itself_and_joined(shared_data, shared_cases, challenge) -> None:
    known = json.loads((shared_cases / "figures.json").read_text())["lm_eval_log"]
    (path,) = (shared_data / "predictions/lm-eval").glob("*.jsonl")
    items = [item for item in PredictionFile(path).predictions if isinstance(item, LogItem)]
    within = score_within(items)
    assert (within.n, within.acc, within.acc_norm) == (known["n"], known["acc"], known["acc_norm"])
    assert within.points == pytest.approx(known["acc_ties_1_over_k"])
    assert within.tied == known["questions_with_raw_tie"]
    joined = read_predictions(path, challenge, allow_missing=True)
    assert joined.counts["unanswered"] == len(challenge) - known["n"]
    assert score(challenge, joined) * len(challenge) == pytest.approx(known["acc_ties_1_over_k"])

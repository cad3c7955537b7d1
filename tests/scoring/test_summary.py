"""Everything in one call: what it holds, what it refuses, and that its JSON is strict and stable."""

import json

import numpy as np
import pytest

from assay.errors import AssayError, FaultyInput
from assay.questions.model import Answer
from assay.scoring.summary import aligned, score_systems
from assay.storage import to_json
from tests.scoring.scoring_cases import answer, pair, question


def mixed():
    questions = [
        question(
            i, choices=3 + i % 3, metadata={"set": "Easy" if i % 2 else "Challenge", "passage": f"p{i // 4}"}
        )
        for i in range(40)
    ]
    sets = {"one": ["A", "B", "AB"], "two": ["AB", "A"], "three": ["C", "A", "A", "ABC"]}
    answers = {name: [answer(i, kinds[i % len(kinds)]) for i in range(40)] for name, kinds in sets.items()}
    return questions, answers


def test_all_parts_in_the_order_given() -> None:
    questions, answers = mixed()
    scores = score_systems(questions, answers, cluster="passage", by=("choices", "set"), draws=200)
    assert [one.system for one in scores.systems] == ["one", "two", "three"]
    assert [(one.first, one.second) for one in scores.comparisons] == [
        ("one", "two"), ("one", "three"), ("two", "three"),
    ]  # fmt: skip
    assert [(one.column, one.system) for one in scores.breakdowns[:4]] == [
        ("choices", "one"), ("choices", "two"), ("choices", "three"), ("set", "one"),
    ]  # fmt: skip
    assert [(gap.system, gap.first, gap.second) for gap in scores.gaps] == [
        (name, "Easy", "Challenge") for name in answers
    ]
    assert len(scores.agreement) == len(scores.comparisons) == 3
    assert {rank.system for rank in scores.ranks} == set(answers)
    assert scores.system("two").score.clusters == 10
    with pytest.raises(AssayError, match="no system called four"):
        scores.system("four")


def test_json_is_strict_and_the_same_twice() -> None:
    questions, answers = mixed()
    texts = [
        to_json(score_systems(questions, answers, by=("set",), method="bca", draws=200, seed=3).to_json())
        for _ in range(2)
    ]
    assert texts[0] == texts[1]
    record = json.loads(texts[0], parse_constant=lambda name: pytest.fail(name))
    assert record["settings"] == {
        "interval": "bca", "confidence": 0.95, "cluster": None, "correction": None, "seed": 3, "draws": 200,
        "unit": "points, 0 to 1",
    }  # fmt: skip


def test_nothing_to_score() -> None:
    scores = score_systems([], {"one": [], "two": []}, by=("grade",), cluster="passage")
    record = json.loads(to_json(scores.to_json()))
    assert (record["n"], record["systems"][0]["score"]["mean"], record["chance"]["mean"]) == (0, None, None)
    assert record["comparisons"] == record["ranks"] == []
    assert score_systems([question(1)], {}).systems == ()


def test_cluster_ids_may_be_given() -> None:
    questions, answers = pair(["A", "B", "A", "B"])
    scores = score_systems(questions, {"s": answers}, cluster_of=["x", "x", "y", "z"])
    assert scores.system("s").score.clusters == 3
    with pytest.raises(FaultyInput, match="question q1"):
        score_systems(questions, {"s": answers}, cluster_of=["x", None, "y", "z"])


def test_answers_are_matched_by_id() -> None:
    questions, answers = pair(["A", "B", "AB"])
    assert aligned(questions, answers[::-1], "s") == answers
    with pytest.raises(FaultyInput, match="question q1: no answer by s"):
        aligned(questions, [answers[0], answers[2]], "s")
    assert aligned(questions, answers[:2], "s", allow_missing=True)[2].status == "unanswered"
    twice = [*answers, answers[0]]
    with pytest.raises(FaultyInput, match="question q0: answered twice by s"):
        aligned(questions, twice, "s")
    with pytest.raises(FaultyInput, match="no such question, answered by s"):
        aligned(questions, [*answers, Answer("q9", "answered", ("A",))], "s")


def test_few_questions_carry_a_warning() -> None:
    questions, answers = pair(["A", "B"] * 5)
    assert "too few to say much" in score_systems(questions, {"s": answers}).system("s").notes[-1]


def test_a_perfect_and_a_hopeless_system() -> None:
    questions, _ = pair(["A"] * 30)
    systems = {name: [answer(i, label) for i in range(30)] for name, label in (("best", "A"), ("none", "B"))}
    scores = score_systems(questions, systems)
    assert scores.system("best").score.low == pytest.approx(0.886, abs=0.001)
    assert scores.system("none").score.high == pytest.approx(0.114, abs=0.001)
    assert scores.comparisons[0].sign_flip.p == pytest.approx(2 / 2**30)
    assert all(np.isfinite(one.against_chance.p or 0) for one in scores.systems)

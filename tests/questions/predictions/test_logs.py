"""Harness logs: scored within themselves, joined by the texts of the choices."""

import json
from pathlib import Path

import pytest

from assay.errors import AssayError, FaultyInput
from assay.questions.model import Choice, Question, QuestionSet
from assay.questions.predictions import read_predictions
from assay.questions.predictions.lm_eval import LogItem, score_within

SET = QuestionSet(
    [
        Question("q1", "Which floats?", (Choice("A", "cork"), Choice("B", "lead"), Choice("C", "slate"))),
        Question("q2", "Which melts?", (Choice("1", "wax"), Choice("2", "sand"))),
    ]
)


def item(number: int, name: str | None, stem: str, texts: list[str], values: list[object], **more) -> dict:
    doc = {"question": stem, "choices": {"text": texts, "label": list("ABCD"[: len(texts)])}}
    if name:
        doc["id"] = name
    return {
        "doc_id": number,
        "doc": doc,
        "target": "0",
        "resps": [[[str(value), "False"]] for value in values],
        "filtered_resps": [[str(value), "False"] for value in values],
        **more,
    }


def write(folder: Path, *records: dict) -> Path:
    path = folder / "samples.jsonl"
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    return path


FIRST = item(0, "q1", "Which floats?", ["slate", "cork", "lead"], [-3.0, -1.0, -2.0])
SECOND = item(1, "q2", "Which melts?", ["sand", "wax"], [-1.5, -1.5])


def test_a_log_is_joined_by_the_texts_of_the_choices(tmp_path) -> None:
    predictions = read_predictions(write(tmp_path, FIRST, SECOND), SET)
    assert predictions.format == "lm-eval"
    assert [answer.chosen for answer in predictions.answers] == [("A",), ("1", "2")]
    assert predictions.answers[0].scores == (-1.0, -2.0, -3.0)
    # The key is place 0: slate is wrong, sand is the first of two equals.
    assert "2 items: acc 50.00 and acc_norm 50.00" in predictions.notes[0]
    assert "25.00 with the point shared over ties (1 tied)" in predictions.notes[0]


def test_length_normalised_scores_decide_when_asked(tmp_path) -> None:
    long = item(0, "q1", "Which floats?", ["slate", "cork", "lead"], [-5.0, -4.4, -9.0])
    path = write(tmp_path, long, SECOND)
    assert read_predictions(path, SET).answers[0].chosen == ("A",)
    assert read_predictions(path, SET, length_normalised=True).answers[0].chosen == ("C",)


def test_items_without_an_id_are_joined_by_their_stem(tmp_path) -> None:
    path = write(
        tmp_path,
        item(0, None, "Which  floats?", ["lead", "slate", "cork"], [0, 1, 2]),
        item(1, "7", "Which melts?", ["wax", "sand"], [0, 1]),
    )
    assert [answer.chosen for answer in read_predictions(path, SET).answers] == [("A",), ("2",)]


def test_what_does_not_join_is_said(tmp_path) -> None:
    path = write(
        tmp_path,
        item(0, "q1", "Which floats?", ["slate", "cork", "iron"], [0, 1, 2]),
        SECOND,
        item(2, "q9", "Which sinks?", ["iron", "cork"], [0, 1]),
    )
    with pytest.raises(FaultyInput, match="question q1: no prediction"):
        read_predictions(path, SET)
    predictions = read_predictions(path, SET, allow_missing=True)
    assert [answer.status for answer in predictions.answers] == ["unanswered", "answered"]
    notes = " ".join(predictions.notes)
    assert "1 item didn't join by the texts of the choices (q1: choice B ('lead') isn't among" in notes
    assert "1 prediction for other questions left out (q9)" in notes


def test_several_filters_are_asked_about(tmp_path) -> None:
    records = [
        {**FIRST, "filter": "strict"},
        {**FIRST, "filter": "flex", "filtered_resps": [["0", "F"], ["-1", "F"], ["-2", "F"]]},
        {**SECOND, "filter": "strict"},
        {**SECOND, "filter": "flex"},
    ]
    path = write(tmp_path, *records)
    with pytest.raises(FaultyInput, match="choose one of strict, flex") as caught:
        read_predictions(path, SET)
    assert len(caught.value.faults) == 1
    assert len(read_predictions(path, SET, log_filter="strict").answers) == 2
    assert read_predictions(path, SET, log_filter="flex").answers[0].chosen == ("C",)
    with pytest.raises(FaultyInput, match="no filter 'loose': the log has strict, flex"):
        read_predictions(path, SET, log_filter="loose")


def test_an_old_log_that_repeats_an_item_is_refused(tmp_path) -> None:
    with pytest.raises(FaultyInput, match=r"samples.jsonl:2: doc_id 0 repeats \(first on line 1\)"):
        read_predictions(write(tmp_path, FIRST, FIRST, SECOND), SET)


@pytest.mark.parametrize("value", ["nan", float("nan")])
def test_a_log_likelihood_that_is_no_number_names_the_choice(tmp_path, value) -> None:
    path = write(tmp_path, item(0, "q1", "Which floats?", ["slate", "cork", "lead"], [value, 1, 2]), SECOND)
    with pytest.raises(FaultyInput, match="question q1: the log-likelihood of choice C is not a number"):
        read_predictions(path, SET)


def test_written_replies_of_a_log_are_read(tmp_path) -> None:
    reply = {**FIRST, "resps": [["So it is lead.\nAnswer: B"]], "filtered_resps": ["B"]}
    assert read_predictions(write(tmp_path, reply, SECOND), SET).answers[0].chosen == ("B",)


@pytest.mark.parametrize(
    ("change", "what"),
    [
        (
            {"doc": {"question": "Which floats?", "id": "q1"}, "arguments": {}},
            "3 log-likelihoods for 0 choices",
        ),
        ({"filtered_resps": [], "resps": None}, "no log-likelihood a choice"),
        ({"doc": 3}, "no doc"),
    ],
)
def test_broken_items(tmp_path, change, what) -> None:
    with pytest.raises(FaultyInput, match=f"samples.jsonl:1: .*{what}|samples.jsonl:1: {what}"):
        read_predictions(write(tmp_path, {**FIRST, **change}, SECOND), SET)


def test_choices_may_stand_in_the_requests_alone(tmp_path) -> None:
    arguments = {
        f"gen_args_{n}": {"arg_0": "?", "arg_1": f" {text}"}
        for n, text in enumerate(["cork", "lead", "slate"])
    }
    record = {**FIRST, "doc": {"id": "q1", "question": "Which floats?"}, "arguments": arguments}
    assert read_predictions(write(tmp_path, record, SECOND), SET).answers[0].chosen == ("B",)


def test_within_a_log_the_first_of_equals_counts_and_ties_share() -> None:
    def of(values: tuple[float, ...], gold: int) -> LogItem:
        return LogItem("q", 1, None, ("ab", "abcd"), values, (2, 4), gold)

    within = score_within(
        [of((-1.0, -1.0), 0), of((-1.0, -1.0), 1), of((-3.0, -2.0), 1), of((-1.0, -1.9), 1)]
    )
    assert (within.n, within.acc, within.acc_norm, within.points, within.tied) == (4, 2, 3, 2.0, 2)


def test_a_file_of_scores_is_no_predictions_file(tmp_path) -> None:
    path = tmp_path / "results.json"
    path.write_text(json.dumps({"results": {"a": {"acc,none": 0.6}, "group": {}}}, indent=2))
    with pytest.raises(AssayError, match=r"scores of lm-evaluation-harness.*samples_\*"):
        read_predictions(path, SET)


def sample(name: object, texts: list[str] | None, reply: str, answer: str | None = None, **more) -> dict:
    scores = {"choice": {"value": "C", "answer": answer}} if answer is not None else {}
    output = {
        "model": "m",
        "completion": reply,
        "choices": [{"message": {"content": reply}, "stop_reason": "stop"}],
    }
    return {
        "id": name,
        "epoch": 1,
        "input": "?",
        "choices": texts,
        "output": output,
        "scores": scores,
        **more,
    }


def inspect(folder: Path, *samples: dict, indent: int | None = None, **more) -> Path:
    path = folder / "log.json"
    log = {"version": 2, "status": "success", "eval": {"task": "t"}, "samples": list(samples), **more}
    path.write_text(json.dumps(log, indent=indent))
    return path


@pytest.mark.parametrize("indent", [None, 2])
def test_an_inspect_log_is_joined_by_the_texts_of_the_choices(tmp_path, indent) -> None:
    path = inspect(
        tmp_path,
        sample("q1", ["slate", "cork", "lead"], "ANSWER: B", "B"),
        sample("q2", ["sand", "wax"], "I think.\nANSWER: A,B"),
        indent=indent,
    )
    predictions = read_predictions(path, SET)
    assert predictions.format == "inspect"
    assert [answer.chosen for answer in predictions.answers] == [("A",), ("1", "2")]


def test_a_future_inspect_log_is_refused_whole(tmp_path) -> None:
    with pytest.raises(FaultyInput, match="log version 99: versions up to 2 are read") as caught:
        read_predictions(inspect(tmp_path, version=99), SET)
    assert len(caught.value.faults) == 1


def test_epochs_of_an_inspect_log_are_asked_about(tmp_path) -> None:
    both = [sample("q1", ["cork", "lead", "slate"], "A"), sample("q2", ["wax", "sand"], "A")]
    later = [{**one, "epoch": 2, "output": {"completion": "ANSWER: B"}} for one in both]
    path = inspect(tmp_path, *both, *later)
    with pytest.raises(FaultyInput, match="choose one of 1, 2"):
        read_predictions(path, SET)
    assert [a.chosen for a in read_predictions(path, SET, epoch=2).answers] == [("B",), ("2",)]


def test_inspect_refusals_and_silence_are_told_apart(tmp_path) -> None:
    blocked = sample("q1", ["cork", "lead", "slate"], "")
    blocked["output"]["choices"][0]["stop_reason"] = "content_filter"
    path = inspect(tmp_path, blocked, sample("q2", ["wax", "sand"], ""), status="cancelled")
    predictions = read_predictions(path, SET)
    assert [answer.status for answer in predictions.answers] == ["refused", "empty"]
    assert "the log's status is 'cancelled', not success" in predictions.notes


@pytest.mark.parametrize(
    ("samples", "what"), [([{"output": {}}], "sample 1 has no id"), ([3], "sample 1 has no id")]
)
def test_broken_samples(tmp_path, samples, what) -> None:
    with pytest.raises(FaultyInput, match=what):
        read_predictions(inspect(tmp_path, *samples), SET)

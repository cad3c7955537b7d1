"""Reading question files: every fault with its place, in every shape that turns up."""

import json

import pytest

from assay.errors import FaultyInput
from assay.questions import read_questions


def line(id="q1", key="A", stem="Which floats?", choices=("cork", "lead")):
    listed = [{"text": text, "label": "ABCDEFGHIJKL"[place]} for place, text in enumerate(choices)]
    return json.dumps({"id": id, "question": {"stem": stem, "choices": listed}, "answerKey": key})


def faults_of(path, **settings):
    with pytest.raises(FaultyInput) as caught:
        read_questions(path, **settings)
    return [(fault.line, fault.question_id, fault.what) for fault in caught.value.faults]


def test_reads_a_file(tmp_path):
    path = tmp_path / "q.jsonl"
    path.write_text(line("q1") + "\n" + line("q2", "B", stem="Which sinks?"))
    reading = read_questions(path)
    assert [question.answer for question in reading.questions] == ["A", "B"]
    assert reading.questions[1].origin.line == 2
    assert reading.format == "arc-jsonl"
    assert not reading.warnings


@pytest.mark.real_data
def test_shared_cases(shared_cases, tmp_path):
    cases = json.loads((shared_cases / "inputs.json").read_text(encoding="utf-8"))["cases"]
    for case in (case for case in cases if case["kind"] == "questions"):
        path = tmp_path / "case.jsonl"
        path.write_text(case["text"], encoding="utf-8")
        try:
            found = read_questions(path).warnings
        except FaultyInput as error:
            found = error.faults
        assert len(found) == len(case["faults"]), case["name"]
        for fault, wanted in zip(found, case["faults"], strict=True):
            assert fault.line == wanted["line"], case["name"]
            assert fault.question_id == wanted.get("id"), case["name"]
            assert wanted["what"] in fault.what, case["name"]
            assert fault.severity == wanted.get("severity", "error"), case["name"]

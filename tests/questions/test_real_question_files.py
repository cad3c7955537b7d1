"""The published files: their counts, ARC's csv equal to its jsonl, ARC's duplicates as published."""

import json

import pytest

from assay.questions import read_questions, write_questions
from assay.questions.duplicates import find_duplicates

pytestmark = pytest.mark.real_data

COUNTS = {
    "ARC-Easy": {"Train": 2251, "Dev": 570, "Test": 2376},
    "ARC-Challenge": {"Train": 1119, "Dev": 299, "Test": 1172},
}


def arc_files(shared_data, ending):
    return [
        shared_data / "arc" / folder / f"{folder}-{split}.{ending}"
        for folder, splits in COUNTS.items()
        for split in splits
    ]


@pytest.fixture(scope="module")
def arc(shared_data):
    return read_questions(arc_files(shared_data, "jsonl"))


def test_arc_has_its_published_counts(arc):
    assert [file.questions for file in arc.files] == [
        n for splits in COUNTS.values() for n in splits.values()
    ]
    assert all(file.keyed == file.questions for file in arc.files)
    assert len(arc.questions) == 7787
    test = [q for q in arc.questions if q.metadata["split"] == "Test"]
    digits = [q.metadata["set"] for q in test if q.answer.isdigit()]
    assert (digits.count("Challenge"), digits.count("Easy")) == (22, 97)


def test_arc_csv_says_the_same_as_the_jsonl(arc, shared_data):
    cells = read_questions(arc_files(shared_data, "csv"))
    assert cells.format == "arc-csv"
    for left, right in zip(arc.questions, cells.questions, strict=True):
        assert (left.id, left.stem, left.choices, left.answer) == (
            *(right.id, right.stem, right.choices, right.answer),
        )
        assert right.metadata["set"] == left.metadata["set"]
        assert right.metadata["split"] == left.metadata["split"]
    years = {q.metadata["year"] for q in cells.questions}
    assert {"?", "2013-2014"} <= years
    assert {q.metadata["grade"] for q in cells.questions} == set("3456789")
    assert not any(q.metadata["diagram"] for q in cells.questions)


def test_arc_has_no_fault_and_its_known_oddities(arc):
    whats = [(warning.question_id, warning.what) for warning in arc.warnings]
    assert ("NYSEDREGENTS_2014_8_20", "control character U+0002 in the stem") in whats
    assert not any("have the same text" in what for _, what in whats)
    assert sum("the stem is that of" in what for _, what in whats) == len(whats) - 1 == 36


def test_arc_duplicates(arc, shared_cases):
    figures = json.loads((shared_cases / "figures.json").read_text(encoding="utf-8"))["arc_duplicates"]
    found = find_duplicates(arc.questions)
    assert found.keys() == figures.keys()
    for kind, wanted in figures.items():
        wanted["groups_spanning_sets"] = wanted.pop("groups_spanning_easy_challenge")
        assert found[kind].summary() == wanted, kind


def test_arc_goes_through_every_format_that_can_carry_it(arc, tmp_path):
    def plain(questions):
        return [(q.id, q.stem, q.choices, q.answer) for q in questions]

    some = arc.questions[:600]
    for name in ("assay", "arc-jsonl", "arc-csv", "hf-jsonl", "hf-parquet", "csv", "tsv", "flat-jsonl"):
        write_questions(some, tmp_path / "file", name)
        assert plain(read_questions(tmp_path / "file").questions) == plain(some), name


@pytest.mark.parametrize(
    ("name", "count", "facts"), [("train", 8134, 0), ("dev", 926, 926), ("test", 920, 0)]
)
def test_qasc(name, count, facts, shared_data, tmp_path):
    path = shared_data / f"qasc/{name}.jsonl"
    reading = read_questions(path)
    assert (reading.format, len(reading.questions)) == ("qasc", count)
    assert sum(q.facts is not None for q in reading.questions) == facts
    assert reading.questions.hidden == (name == "test")
    # The formatted question is derived, so that it is neither kept nor lost.
    assert not any(q.metadata for q in reading.questions)
    write_questions(reading.questions, tmp_path / "copy", "qasc")
    original = [json.loads(line) for line in path.read_text(encoding="utf-8").split("\n") if line]
    copied = [
        json.loads(line) for line in (tmp_path / "copy").read_text(encoding="utf-8").split("\n") if line
    ]
    assert copied == original


@pytest.mark.parametrize(("name", "count"), [("train", 4957), ("dev", 500), ("test", 500)])
def test_openbookqa(name, count, shared_data, tmp_path):
    path = shared_data / f"openbookqa/{name}.jsonl"
    reading = read_questions(path)
    assert (reading.format, len(reading.questions)) == ("openbookqa", count)
    assert all(q.facts and q.facts.seed for q in reading.questions)
    assert not write_questions(reading.questions, tmp_path / "copy", "openbookqa").lost
    original = [json.loads(line) for line in path.read_text(encoding="utf-8").split("\n") if line]
    copied = [
        json.loads(line) for line in (tmp_path / "copy").read_text(encoding="utf-8").split("\n") if line
    ]
    assert copied == original


def test_sciq(shared_data, tmp_path):
    path = shared_data / "sciq/valid.json"
    reading = read_questions(path)
    assert (reading.format, len(reading.questions)) == ("sciq", 1000)
    assert reading.questions[0].id == "valid-1"
    assert [len(q.choices) for q in reading.questions] == [4] * 1000
    places = [q.answer for q in reading.questions]
    assert all(200 < places.count(label) < 300 for label in "ABCD")
    write_questions(reading.questions, tmp_path / "valid.json", "sciq")
    again = read_questions(tmp_path / "valid.json").questions
    assert [(q.id, q.stem, q.answer) for q in again] == [(q.id, q.stem, q.answer) for q in reading.questions]


def test_keys_of_the_leaderboard(shared_data, arc):
    hidden = shared_data / "arc/ARC-Easy/ARC-Easy-Test.jsonl"
    keyed = read_questions(hidden, keys=shared_data / "leaderboard/arc-easy/question-answers.jsonl")
    assert len(keyed.questions) == 2376

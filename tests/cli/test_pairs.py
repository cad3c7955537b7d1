"""`assay pairs`: files in, pairs out, and what is kept out of training."""

import json
from pathlib import Path
from typing import Any

import pytest

from assay.entailment.reading import read_pairs
from assay.questions import read_questions
from assay.questions.duplicates import question_digest
from assay.text.letters import letters_and_digits
from tests.cli.conftest import Assay


def obqa(number: int, stem: str, fact: str) -> dict[str, Any]:
    choices = [{"text": text, "label": label} for text, label in (("root", "A"), ("leaf", "B"))]
    record = {"id": f"o{number}", "question": {"stem": stem, "choices": choices}}
    return {**record, "fact1": fact, "answerKey": "A"}


def write(path: Path, *records: dict[str, Any]) -> Path:
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    return path


@pytest.fixture
def train(tmp_path: Path) -> Path:
    return write(
        tmp_path / "train.jsonl",
        obqa(1, "What takes in water?", "a root takes in water"),
        obqa(2, "What holds a tree?", "a root holds a tree"),
        obqa(3, "What is under ground?", "a root is under ground"),
    )


def test_pairs_of_questions_with_facts(assay: Assay, train: Path, tmp_path: Path) -> None:
    out = tmp_path / "pairs.jsonl"
    _, printed, _ = assay("pairs", str(train), "-o", str(out), "--json")
    record = json.loads(printed)
    assert (record["pairs"], record["questions"]) == (6, 3)
    assert [(row["kind"], row["label"], row["pairs"]) for row in record["counts"]] == [
        ("fact", "entails", 3),
        ("wrong", "neutral", 3),
    ]
    assert any("no questions are held out" in note for note in record["notes"])
    pairs = read_pairs(out).pairs
    assert [pair.label for pair in pairs] == ["entails", "neutral"] * 3
    _, printed, _ = assay("pairs", str(train), "-o", str(out))
    assert printed.endswith(f"wrote 6 pairs of 3 questions to {out}\n")


def test_held_out_questions_their_twins_and_hypotheses(assay: Assay, train: Path, tmp_path: Path) -> None:
    never = write(
        tmp_path / "never.jsonl", obqa(2, "Something else?", "x"), obqa(9, "what takes in WATER", "y")
    )
    held = tmp_path / "held.tsv"
    held.write_text("Many roots lie in the ground.\tUnder ground is the root.\tentails\n")
    out = tmp_path / "pairs.jsonl"
    given = ("pairs", str(train), "-o", str(out))
    _, printed, _ = assay(*given, "--never", str(never), "--json")
    assert [pair.id for pair in read_pairs(out).pairs] == ["o3:1", "o3:2"]
    notes = json.loads(printed)["notes"]
    assert "held out by their id: 1 questions (o2)" in notes
    assert "held out twins by their stem: 1 questions (o1)" in notes
    status, _, error = assay(*given, "--never", str(never), "--never-pairs", str(held))
    assert status == 2
    assert "no pair comes out of these questions; held out by their id: 1 questions (o2); " in error
    assert "held out as a held-out hypothesis: 1 questions (o3)" in error
    assert assay(*given, "--never-pairs", str(held))[0] == 0
    assert {pair.id[:2] for pair in read_pairs(out).pairs} == {"o1", "o2"}


def test_what_gives_nothing_is_counted_and_said(assay: Assay, train: Path, tmp_path: Path) -> None:
    hidden = write(tmp_path / "hidden.jsonl", obqa(4, "What is hidden?", "a root") | {"answerKey": ""})
    evidence = write(
        tmp_path / "e.jsonl",
        {"id": "o1", "status": "unanswered", "chosen": [], "evidence": {"A": [], "B": []}},
    )
    given = ("-o", str(tmp_path / "pairs.jsonl"), "--evidence", str(evidence))
    _, printed, _ = assay("pairs", str(train), *given, "--json")
    assert "2 questions stand in no evidence file: no sentences were found for them" in printed
    status, _, error = assay("pairs", str(hidden), *given)
    assert (status, "1 questions without a key are left out" in error) == (2, True), error
    facts = tmp_path / "unexplained.json"
    facts.write_text(json.dumps({"q1": {"question": "What?", "choices": {}, "explanation": {}}}))
    status, _, error = assay("pairs", str(train), *given, "--facts", str(facts))
    assert (status, error.count("unexplained.json")) == (2, 1), error


def test_what_is_refused(assay: Assay, train: Path, tmp_path: Path) -> None:
    out = tmp_path / "pairs.jsonl"
    test = tmp_path / "ARC-Easy-Test.jsonl"
    test.write_text(train.read_text())
    for said, *given in (
        ("is a test question", test, "-o", out),
        ("would be written over", train, "-o", train),
        ("no setting 'right'", train, "-o", out, "--set", "right=1"),
    ):
        status, _, error = assay("pairs", *map(str, given))
        assert (status, said in error) == (2, True), error
    assert not out.exists()


@pytest.mark.real_data
def test_no_pair_is_of_a_test_question_or_its_twin(assay: Assay, shared_data: Path, tmp_path: Path) -> None:
    """All training questions with explanations, against both test sets, by id, stem and digest."""
    arc, bank = shared_data / "arc", shared_data / "entailment_bank"
    files = {
        split: [arc / f"ARC-{name}" / f"ARC-{name}-{split}.jsonl" for name in ("Easy", "Challenge")]
        for split in ("Train", "Test")
    }
    out = tmp_path / "pairs.jsonl"
    given = [part for path in files["Test"] for part in ("--never", path)]
    given += [part for name in ("train", "dev") for part in ("--facts", bank / "task_2" / f"{name}.tsv")]
    _, printed, _ = assay("pairs", *map(str, [*files["Train"], *given, "-o", out]), "--json")
    assert any("twins by their stem" in note for note in json.loads(printed)["notes"])
    train = read_questions(files["Train"]).questions
    test = read_questions(files["Test"]).questions
    stems = {letters_and_digits(question.stem) for question in test}
    pairs = read_pairs(out).pairs
    assert len(pairs) > 5000
    made_of = {pair.id.rpartition(":")[0] for pair in pairs}
    assert not made_of & {question.id for question in test}
    assert not stems & {letters_and_digits(train.by_id(name).stem) for name in made_of}
    assert not {pair.question for pair in pairs} & {question_digest(question) for question in test}

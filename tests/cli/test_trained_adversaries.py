"""Adversaries that are trained: never on what they attack, and the same however often they are cut off."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

pytest.importorskip("torch", reason="the extra 'neural' isn't installed")


from assay.questions import read_questions
from assay.questions.duplicates import question_digest
from assay.solvers.neural.trained_on import read_trained_on
from tests.cli.conftest import Assay
from tests.cli.test_distractors import files_of, lines_of, write

RECIPE = ("--training", "learning_rate=0.05", "--training", "epochs=1", "--set", "sentences=0")


@pytest.fixture(autouse=True)
def questions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, tiny_reader: None) -> None:
    """train.jsonl and dev.jsonl where the command is run."""
    monkeypatch.chdir(tmp_path)
    write(tmp_path / "train.jsonl", 40, 1)
    write(tmp_path / "dev.jsonl", 30, 2, first=100)


def digests(file: str) -> set[str]:
    return {question_digest(question) for question in read_questions(file).questions}


TINY = (
    "--train-adversary",
    "tiny",
    "--training",
    "learning_rate=0.05",
    "--training",
    "epochs=1",
    "--vectors",
    "none",
)


def test_each_part_is_attacked_from_the_others(tmp_path: Path, assay: Assay) -> None:
    given = ("distractors", "train.jsonl", "dev.jsonl", *TINY, "--parts", "3", "-o", "out", "--json")
    status, out, err = assay(*given)
    assert status == 0, err
    readers = json.loads(out)["adversaries"]["tiny"]["readers"]
    assert [one["trained_on"] + one["attacks"] for one in readers] == [70] * 3
    asked = []
    everything = read_questions(["train.jsonl", "dev.jsonl"]).questions
    authors = {choice.text for q in everything for choice in q.choices if choice.label != q.answer}
    for number in (1, 2, 3):
        (model,) = (tmp_path / "out/adversaries/models").glob(f"tiny-{number}-*")
        trained_on = read_trained_on(model)
        assert trained_on is not None
        own = {line["id"] for line in lines_of(tmp_path / f"out/adversaries/scores/tiny-{number}.jsonl")}
        attacked = {question_digest(q) for q in everything if q.id in own}
        assert trained_on.train == (digests("train.jsonl") | digests("dev.jsonl")) - attacked
        answers = {q.choices[q.labels.index(str(q.answer))].text for q in everything if q.id not in own}
        for lesson in read_questions(tmp_path / f"out/adversaries/lessons/tiny-{number}.jsonl").questions:
            assert len(lesson.choices) > 3
            assert {choice.text for choice in lesson.choices} <= answers | authors
        asked += sorted(own)
    assert len(asked) == len(set(asked)) == 70
    before = files_of(tmp_path / "out")
    for path in (tmp_path / "out/adversaries/scores").iterdir():
        path.unlink()
    assert assay(*given)[0] == 0
    assert files_of(tmp_path / "out") == before


def test_trained_with_other_questions(tmp_path: Path, assay: Assay) -> None:
    given = ("distractors", "dev.jsonl", *TINY, "-o", "out", "--train-with")
    status, _, err = assay(*given, "train.jsonl")
    assert status == 0, err
    (model,) = (tmp_path / "out/adversaries/models").iterdir()
    trained_on = read_trained_on(model)
    assert trained_on is not None
    assert trained_on.train == digests("train.jsonl")
    lessons = read_questions("out/adversaries/lessons/tiny.jsonl").questions
    assert {len(one.choices) for one in lessons} == {8}
    status, _, err = assay(*given, "train.jsonl", "--train-choices", "author", "-o", "other")
    assert {len(one.choices) for one in read_questions("other/adversaries/lessons/tiny.jsonl").questions} == {
        3
    }
    status, _, err = assay(*given, "dev.jsonl")
    assert status == 2
    assert "trained on 30 of the 30 questions that it attacks" in err


@pytest.fixture
def model(tmp_path: Path, assay: Assay) -> str:
    given = ("train", "tiny", "--train", "train.jsonl", "--dev", "dev.jsonl", "--to", "model", *RECIPE)
    status, _, err = assay(*given)
    assert status == 0, err
    return "model"


AGAIN = (
    *("train", "tiny", "--train", "more.jsonl", "--no-dev"),
    *("--from", "model", "--to", "second", *RECIPE),
)
READER = ("--adversary", "reader", "--set", "reader.model=model", "--vectors", "none", "-o", "out")


def test_who_saw_the_questions_is_refused(tmp_path: Path, assay: Assay, model: str) -> None:
    write(tmp_path / "new.jsonl", 30, 3, first=500)
    assert assay("distractors", "new.jsonl", *READER)[0] == 0
    for file, seen in (("train.jsonl", 40), ("dev.jsonl", 30)):
        status, _, err = assay("distractors", file, *READER)
        assert status == 2
        assert f"adversary reader was trained on {seen} of the {seen} questions that it attacks" in err
        assert "--allow-seen" in err
        assert assay("distractors", file, *READER, "--allow-seen")[0] == 0


def test_other_choices_or_another_form_hide_nothing(tmp_path: Path, assay: Assay, model: str) -> None:
    lines = lines_of(tmp_path / "train.jsonl")
    for line in lines:
        line["question"]["stem"] = f"  {line['question']['stem'].upper()} "
        line["question"]["choices"][1]["text"] += " changed"
    (tmp_path / "train.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    status, _, err = assay("distractors", "train.jsonl", *READER)
    assert (status, "trained on 40 of the 40" in err) == (2, True)


def test_a_model_that_doesnt_say_is_refused(tmp_path: Path, assay: Assay, model: str) -> None:
    write(tmp_path / "new.jsonl", 30, 3, first=500)
    card = json.loads((tmp_path / "model/reader.json").read_text())
    del card["files"]["trained-on.json"]
    (tmp_path / "model/reader.json").write_text(json.dumps(card))
    record = (tmp_path / "model/trained-on.json").read_text()
    (tmp_path / "model/trained-on.json").unlink()
    status, _, err = assay("distractors", "new.jsonl", *READER)
    assert (status, "doesn't say which questions it was trained on" in err) == (2, True)
    assert assay("distractors", "new.jsonl", *READER, "--allow-seen")[0] == 0
    write(tmp_path / "more.jsonl", 40, 4, first=900)
    assert assay(*AGAIN)[0] == 0
    second = tuple(one.replace("=model", "=second") for one in READER)
    status, _, err = assay("distractors", "new.jsonl", *second)
    assert (status, "started from a model that doesn't say" in err) == (2, True)
    (tmp_path / "model/trained-on.json").write_text(record[:40])
    status, _, err = assay("distractors", "new.jsonl", *READER)
    assert (status, "no record of questions" in err) == (2, True)


def test_what_a_model_started_from_counts_too(tmp_path: Path, assay: Assay, model: str) -> None:
    write(tmp_path / "more.jsonl", 40, 4, first=900)
    status, _, err = assay(*AGAIN)
    assert status == 0, err
    trained_on = read_trained_on("second")
    assert trained_on is not None
    assert trained_on.train == digests("train.jsonl") | digests("more.jsonl")
    assert trained_on.dev == digests("dev.jsonl")
    assert trained_on.whole

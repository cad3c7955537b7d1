"""`assay overlap`: its table, its CSV, its labels, and what it says of questions without facts."""

import csv
import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from assay.cli.main import app
from assay.errors import AssayError

CHOICES = [{"text": "sand", "label": "A"}, {"text": "iron", "label": "B"}]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    records = [
        {"id": f"q{n}", "question": {"stem": "What rusts in rain?", "choices": CHOICES}, "answerKey": "B"}
        | {"fact1": f"iron rusts {n}", "fact2": "rain is water"}
        for n in (1, 2)
    ]
    (tmp_path / "q.jsonl").write_text("".join(json.dumps(one) + "\n" for one in records))
    (tmp_path / "labels.tsv").write_text("id\trQ\trS\trL\tbridge\tnames_both\nq1\tis\thas\tis\train\tno\n")
    return tmp_path


def overlap(*options: str):
    return CliRunner().invoke(app, ["overlap", *options])


def test_json_and_csv(folder: Path) -> None:
    done = overlap("q.jsonl", "--json", "--csv", "o.csv", "--labels", "labels.tsv")
    assert done.exit_code == 0, done.output
    found = json.loads(done.stdout)
    rows = {row["fact"]: row for row in found["overlap"]["facts"]}
    assert {name: row["average"]["mean"] for name, row in rows.items()} == {
        "fact1": 2, "fact2": 1, "at least one": 1, "both": 2
    }  # fmt: skip
    assert rows["fact1"]["fewer"]["3"]["mean"] == 1
    assert rows["fact1"]["fewer"]["2"]["mean"] == 0
    assert found["overlap"]["settings"]["cluster"] == "fact1"
    assert found["compositions"]["rules"][0]["count"] == 1
    with open("o.csv", newline="", encoding="utf-8") as file:
        table = list(csv.DictReader(file))
    assert [row["shared_fact1_stems"] for row in table] == ["iron rust", "iron rust"]
    assert [row["rS"] for row in table] == ["has", ""]


def test_the_labels_stay_with_the_questions(folder: Path) -> None:
    done = overlap("q.jsonl", "--labels", "labels.tsv", "--labelled", "kept.jsonl")
    assert done.exit_code == 0, done.output
    assert "has + is => is" in done.stdout
    again = overlap("kept.jsonl")
    assert "has + is => is" in again.stdout
    assert "names both relations: 0 of 1" in again.stdout


def test_labels_without_facts(folder: Path) -> None:
    record = {"id": "q1", "stem": "Why?", "choices": CHOICES, "answer": "B"}
    (folder / "bare.jsonl").write_text(json.dumps(record) + "\n")
    with pytest.raises(AssayError, match="no facts in any"):
        app(["overlap", "bare.jsonl"], standalone_mode=False)
    done = overlap("bare.jsonl", "--labels", "labels.tsv")
    assert done.exit_code == 0, done.output
    assert "fact1" not in done.stdout


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--fewer-than", "0"], "whole numbers from 1"),
        (["--apostrophes", "gone"], "apostrophes"),
        (["--language", "klingon"], "klingon"),
        (["--labelled", "x.jsonl"], "no question has a composition label"),
    ],
)
def test_what_cant_be_meant(folder: Path, options: list[str], said: str) -> None:
    with pytest.raises(AssayError, match=said):
        app(["overlap", "q.jsonl", *options], standalone_mode=False)
    assert not (folder / "x.jsonl").exists()

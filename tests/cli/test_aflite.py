"""`assay aflite`: its files, its table, and what can't be meant."""

import csv
import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from assay.cli.main import app
from assay.errors import AssayError
from assay.questions import read_questions


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    lines = []
    for number in range(40):
        texts = [f"word {(number * 7 + place * 3) % 11} {place}" for place in range(3)]
        if number < 25:
            texts[number % 3] += " indeed"
        choices = [{"label": "ABC"[place], "text": text} for place, text in enumerate(texts)]
        made = {
            "id": f"q{number}",
            "stem": f"What is {number}?",
            "choices": choices,
            "answer": "ABC"[number % 3],
        }
        lines.append(json.dumps(made) + "\n")
    (tmp_path / "q.jsonl").write_text("".join(lines))
    return tmp_path


def test_files_and_json(folder: Path) -> None:
    options = ["aflite", "q.jsonl", "--kept", "k.jsonl", "--removed", "r.jsonl", "--csv", "a.csv"]
    options += ["--slice", "0.2", "--penalty", "1"]
    done = CliRunner().invoke(app, options)
    assert done.exit_code == 0, done.output
    assert "q.jsonl\t40\t" in done.stdout
    kept, removed = (read_questions([name]).questions for name in ("k.jsonl", "r.jsonl"))
    assert len(kept) + len(removed) == 40
    assert not {q.id for q in kept} & {q.id for q in removed}
    assert len(removed) >= 20
    found = json.loads(CliRunner().invoke(app, [*options, "--json"]).stdout)
    assert found["kept"] == len(kept)
    assert found["questions"][removed[0].id]["removed_in"] == removed[0].metadata["removed_in"]
    with open("a.csv", newline="", encoding="utf-8") as file:
        assert sum(row["kept"] == "yes" for row in csv.DictReader(file)) == len(kept)
    before = Path("k.jsonl").read_bytes()
    CliRunner().invoke(app, options)
    assert Path("k.jsonl").read_bytes() == before


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--target", "40"], "nothing would be left out"),
        (["--train", "1.5"], "train"),
        (["--see", "all"], "no probe sees"),
        (["--kept", "x.jsonl", "--removed", "x.jsonl"], "name one file"),
        (["--cluster", "fact1"], "fact1"),
    ],
)
def test_what_cant_be_meant(folder: Path, options: list[str], said: str) -> None:
    with pytest.raises(AssayError, match=said):
        app(["aflite", "q.jsonl", *options], standalone_mode=False)
    assert not (folder / "x.jsonl").exists()

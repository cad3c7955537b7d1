"""`assay check --artifacts`: tables, CSV, JSON, and gates that fail a build."""

import csv
import json
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from typer.testing import CliRunner

from assay.cli.main import app
from assay.errors import AssayError


def record(number: int, texts: list[str], key: str = "A") -> str:
    choices = [{"text": text, "label": "ABCD"[n]} for n, text in enumerate(texts)]
    made = {"id": f"q{number}", "stem": f"Which is {number}?", "choices": choices}
    return json.dumps(made | ({"answer": key} if key else {})) + "\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "long.jsonl").write_text("".join(record(n, ["longest", "b", "c"]) for n in range(40)))
    (tmp_path / "even.jsonl").write_text(
        "".join(record(100 + n, ["a", "b", "c"], "ABC"[n % 3]) for n in range(40))
    )
    return tmp_path


def check(*options: str):
    return CliRunner().invoke(app, ["check", *options])


def test_side_by_side(folder: Path) -> None:
    done = check("long.jsonl", "even.jsonl", "--artifacts", "--csv", "a.csv")
    assert done.exit_code == 0, done.output
    assert "longest\t+66.67 (+" in done.stdout
    assert "*\t+0.00" in done.stdout
    with open("a.csv", newline="", encoding="utf-8") as file:
        rows = {(row["group"], row["shortcut"]): row for row in csv.DictReader(file)}
    assert float(rows["long.jsonl", "longest"]["score"]) == 1
    assert float(rows["even.jsonl", "longest"]["above"]) == pytest.approx(0)


def test_a_gate_fails_and_says_which(folder: Path) -> None:
    done = check("long.jsonl", "--artifacts", "--folds", "0", "--fail-above", "longest=5", "--junit", "j.xml")
    assert done.exit_code == 1
    assert "long.jsonl: longest\tat most 5 above chance\tFAILED\tlower end" in done.stdout
    assert ET.parse("j.xml").getroot().get("failures") == "1"
    assert check("even.jsonl", "--artifacts", "--folds", "0", "--fail-above", "5").exit_code == 0
    done = check("long.jsonl", "--artifacts", "--json", "--fail-above", "shortest=5", "--fail-above", "99")
    assert done.exit_code == 0
    found = json.loads(done.stdout)
    assert {gate["passed"] for gate in found["gates"]} == {True}
    assert found["artifacts"]["groups"][0]["figures"][0]["name"] == "longest"


def test_the_bound_and_the_counts(folder: Path) -> None:
    (folder / "few.jsonl").write_text("".join(record(n, ["long", "b", "B "], "AAB"[n % 3]) for n in range(6)))
    few = ["few.jsonl", "--artifacts", "--fail-above", "longest=5"]
    assert check(*few).exit_code == 0
    assert check(*few, "--fail-bound", "score").exit_code == 1
    done = check(
        "few.jsonl", "--artifacts", "--fail-above", "same-choices=5", "--fail-above", "repeated-keys=2"
    )
    assert done.exit_code == 1
    assert "few.jsonl: same-choices" in done.stdout
    assert "1 of 2 gates passed" in done.stdout
    assert "probes left out" in done.stderr


def test_by_a_column_and_a_cue_of_ones_own(folder: Path) -> None:
    done = check(
        "long.jsonl", "even.jsonl", "--artifacts", "--by", "answer", "--cue", "b-ish=^b$", "--folds", "0"
    )
    assert done.exit_code == 0, done.output
    assert "longest\t" in done.stdout.split("shortcut\t")[1].split("\n")[0]
    assert "b-ish\t" in done.stdout


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--artifacts", "--fail-above", "tallest=5"], "no shortcut 'tallest'"),
        (["--artifacts", "--fail-above", "longest=lots"], "'lots' is not a number"),
        (["--artifacts", "--fail-above", "longest=nan"], "within 0 and 100"),
        (["--artifacts", "--fail-above", "same-choices=-1"], "a number of questions"),
        (["--artifacts", "--fail-above", "5", "--fail-bound", "middle"], "no bound called middle"),
        (["--fail-above", "longest=5"], "belongs to --artifacts"),
        (["--artifacts", "--junit", "j.xml"], "no gate"),
        (["--artifacts", "--by", "colour"], "no question has a column colour"),
        (["--artifacts", "--cluster", "fact1"], "fact1"),
        (["--artifacts", "--cue", "x=("], "no regular expression"),
        (["--artifacts", "--cue", "x="], "an empty pattern"),
        (["--artifacts", "--folds", "1"], "at least 2, or 0"),
    ],
)
def test_what_cant_be_meant(folder: Path, options: list[str], said: str) -> None:
    with pytest.raises(AssayError, match=said):
        app(["check", "long.jsonl", *options], standalone_mode=False)


def test_hidden_keys_and_faults_come_first(folder: Path) -> None:
    (folder / "hidden.jsonl").write_text(record(1, ["a", "b"], ""))
    with pytest.raises(AssayError, match="no answer key"):
        app(["check", "hidden.jsonl", "--artifacts"], standalone_mode=False)
    (folder / "same.jsonl").write_text(record(1, ["Mars", " mars", "\uff2dars"]))
    with pytest.raises(AssayError, match="all choices are the same: none can be wrong"):
        app(["check", "same.jsonl", "--artifacts"], standalone_mode=False)
    (folder / "faulty.jsonl").write_text(record(1, ["a", "b"], "Z"))
    done = check("faulty.jsonl", "--artifacts")
    assert done.exit_code == 1
    assert "not looked for" in done.stderr


def test_from_standard_input(folder: Path) -> None:
    text = (folder / "long.jsonl").read_text()
    done = CliRunner().invoke(app, ["check", "-", "--artifacts", "--folds", "0"], input=text)
    assert done.exit_code == 0, done.output
    assert "longest\t40\t100.00" in done.stdout


def test_drawn_on_a_page(folder: Path) -> None:
    done = check("long.jsonl", "--artifacts", "--html", "a.html")
    assert done.exit_code == 0, done.output
    assert "<h1>Artifacts of long.jsonl</h1>" in Path("a.html").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", ["longest", "place-1", "choice-only", "duplicates", "all"])
def test_a_reader_has_a_name_of_its_own(tmp_path: Path, name: str) -> None:
    choices = [{"text": "sand", "label": "A"}, {"text": "iron", "label": "B"}]
    file, answers = tmp_path / "q.jsonl", tmp_path / "p.csv"
    one = {"id": "q1", "question": {"stem": "What rusts?", "choices": choices}, "answerKey": "B"}
    file.write_text(json.dumps(one) + "\n")
    answers.write_text("q1,B\n")
    asked = ["check", str(file), "--artifacts", "--folds", "0", "--reader", f"{name}={answers}"]
    done = CliRunner().invoke(app, asked)
    assert isinstance(done.exception, AssayError)
    assert name in str(done.exception)
    done = CliRunner().invoke(app, [*asked[:-2], "--fail-above", "duplicates=inf"])
    assert "0 or more" in str(done.exception)

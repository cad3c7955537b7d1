"""`assay items`: its table, its orders, its CSV."""

import csv
import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from assay.cli.main import app
from assay.errors import AssayError

TABLE = {"one": "AAAB", "two": "AABB", "three": "ABCA", "four": "BBCA"}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    choices = [{"text": f"t{label}", "label": label} for label in "ABC"]
    records = [{"id": f"q{n}", "stem": f"Which {n}?", "choices": choices, "answer": "A"} for n in range(4)]
    (tmp_path / "q.jsonl").write_text("".join(json.dumps(one) + "\n" for one in records))
    for name, chosen in TABLE.items():
        (tmp_path / f"{name}.csv").write_text("".join(f"q{n},{label}\n" for n, label in enumerate(chosen)))
    return tmp_path


def items(*options: str):
    return CliRunner().invoke(app, ["items", "q.jsonl", *(f"{name}.csv" for name in TABLE), *options])


def test_the_suspect_key_stands_first(folder: Path) -> None:
    done = items("--strong", "0.5")
    assert done.exit_code == 0, done.output
    table = done.stdout.split("Questions: ")[1].split("\n")
    assert table[2].startswith("q3\t50.00\t")
    assert "*A 50, B 50, C 0\tB\tC\t" in table[2]
    assert "suspect keys: 1" in done.stdout
    assert "mostly luck" in done.stderr


def test_orders(folder: Path) -> None:
    def ids(sort: str) -> list[str]:
        return [one["id"] for one in json.loads(items("--json", "--sort", sort).stdout)["items"]]

    assert ids("file") == ["q0", "q1", "q2", "q3"]
    assert ids("difficulty") == ["q2", "q1", "q3", "q0"]
    assert ids("discrimination")[0] == "q3"
    assert ids("never-chosen")[-1] == "q2"


def test_csv_has_a_row_a_choice(folder: Path) -> None:
    assert items("--csv", "i.csv", "--top", "0").exit_code == 0
    with open("i.csv", newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 12
    first = {row["label"]: row for row in rows if row["id"] == "q3"}
    assert (first["A"]["key"], float(first["B"]["share"])) == ("yes", 0.5)


def test_what_cant_be_meant(folder: Path) -> None:
    for options, said in ((["--sort", "age"], "--sort must be"), (["--strong", "2"], "strong")):
        with pytest.raises(AssayError, match=said):
            app(["items", "q.jsonl", "one.csv", *options], standalone_mode=False)

"""Premises and gold facts are read by the verbs that answer: `assay answer`, and a run of benchmark.toml."""

import json
from pathlib import Path

import pytest

pytest.importorskip("torch", reason="the neural extra isn't installed")

from tests.cli.conftest import Assay
from tests.solvers.neural.tiny_encoder import WORDS, save_tiny_encoder

BENCHMARK = """
name = "premises"
seed = 1
[questions]
files = ["q.jsonl"]
[corpora.c]
files = ["s.txt"]
[solvers.ir]
kind = "ir"
corpus = "c"
[solvers.premises]
kind = "reader"
encoder = "encoder"
evidence = "e.jsonl"
[partition]
filters = ["ir"]
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    save_tiny_encoder(tmp_path / "encoder")
    words = [word for word in WORDS if word.isalpha() and len(word) > 3]
    (tmp_path / "s.txt").write_text(
        "".join(f"{' '.join(words[n : n + 4])}\n" for n in range(12)), encoding="utf-8"
    )
    records = []
    for n in range(6):
        choices = [{"label": label, "text": words[n + m]} for m, label in enumerate("ABC")]
        stem = " ".join(words[n : n + 3])
        records.append({"id": f"q{n}", "question": {"stem": stem, "choices": choices}, "answerKey": "B"})
        records[-1]["fact1"] = f"{words[n]} {words[n + 1]}"
    (tmp_path / "q.jsonl").write_text("".join(json.dumps(one) + "\n" for one in records), encoding="utf-8")
    (tmp_path / "benchmark.toml").write_text(BENCHMARK, encoding="utf-8")
    return tmp_path


def sentences(path: Path) -> list[list[list[tuple[str, str]]]]:
    found = []
    for line in path.read_text(encoding="utf-8").splitlines():
        evidence = json.loads(line)["evidence"]
        found.append([[(one["sentence"], one["role"]) for one in pieces] for pieces in evidence.values()])
    return found


@pytest.mark.parametrize("gold", [False, True])
def test_readers_read_them(folder: Path, assay: Assay, gold: bool) -> None:
    made = ("gold",) if gold else ("retrieve", "--corpus", "c", "--method", "premises")
    assert assay("corpus", "import", "s.txt", "--to", "c")[0] == 0
    status, _, err = assay(*made, "q.jsonl", "-o", "e.jsonl")
    assert status == 0, err
    given = sentences(folder / "e.jsonl")
    assert {role for each in given for pieces in each for _, role in pieces} == {
        "gold" if gold else "premise"
    }
    options = ("--set", "encoder=encoder", "--set", "evidence=e.jsonl")
    status, _, err = assay("answer", "q.jsonl", "--solver", "reader", *options, "-o", "a.jsonl")
    assert status == 0, err
    assert sentences(folder / "a.jsonl") == given
    status, _, err = assay("run", "benchmark.toml")
    assert status == 0, err
    assert sentences(folder / "run/answers/premises.jsonl") == given

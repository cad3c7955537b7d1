"""No verb writes over what it reads, by whatever name, nor two things into one file; it says so first."""

import json
import os
from pathlib import Path

import pytest
from typer.testing import CliRunner

from assay.cli.main import app
from assay.errors import AssayError

VERBS = {
    "aflite": ("--kept", "--removed", "--csv"),
    "answer --solver guess-all": ("--output",),
    "check --artifacts --fail-above 100": ("--csv", "--html", "--junit"),
    "compare p.csv two=p.csv": ("--csv", "--output"),
    "convert --to assay": ("--output",),
    "describe": ("--html",),
    "leaks other.jsonl": ("--output",),
    "overlap": ("--csv", "--labelled"),
    "recall p.csv": ("--csv", "--won"),
    "retrieve --corpus none": ("--output",),
    "score p.csv": ("--csv", "--output"),
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    choices = [{"text": "sand", "label": "A"}, {"text": "iron", "label": "B"}]
    for name, first in (("q", 0), ("other", 50)):
        records = [
            {"id": f"q{n}", "question": {"stem": f"What of {n}?", "choices": choices}, "answerKey": "B"}
            | {"fact1": f"iron rusts {n}"}
            for n in range(first, first + 6)
        ]
        Path(f"{name}.jsonl").write_text("".join(json.dumps(one) + "\n" for one in records))
    Path("p.csv").write_text("".join(f"q{n},A\n" for n in range(6)))
    Path("d").mkdir()
    Path("link.jsonl").symlink_to("q.jsonl")
    os.link("q.jsonl", "hard.jsonl")
    return tmp_path


def refused(arguments: list[str]) -> str:
    before = {path: path.read_bytes() for path in Path().iterdir() if path.is_file()}
    done = CliRunner().invoke(app, arguments)
    assert isinstance(done.exception, AssayError), (arguments, done.output)
    assert {path: path.read_bytes() for path in Path().iterdir() if path.is_file()} == before
    return str(done.exception)


@pytest.mark.parametrize(("verb", "option"), [(verb, one) for verb, all_ in VERBS.items() for one in all_])
def test_an_input_is_never_written_over(folder: Path, verb: str, option: str) -> None:
    name, *more = verb.split()
    for output in ("q.jsonl", "./d/../q.jsonl", "link.jsonl", "hard.jsonl", str(folder / "q.jsonl")):
        assert "is one of the inputs" in refused([name, "q.jsonl", *more, option, output])
    assert "is a folder" in refused([name, "q.jsonl", *more, option, "d"])


@pytest.mark.parametrize(
    "arguments",
    [
        ["items", "q.jsonl", "p.csv", "--csv", "q.jsonl"],
        ["items", "q.jsonl", "mine=p.csv", "--csv", "p.csv"],
        ["aflite", "q.jsonl", "--held-out", "other.jsonl", "--kept", "other.jsonl"],
        ["check", "q.jsonl", "--artifacts", "--reader", "mine=p.csv", "--csv", "p.csv"],
        ["leaks", "q.jsonl", "dev=other.jsonl", "--output", "other.jsonl"],
        ["leaks", "other.jsonl", "q.jsonl", "--predictions", "p.csv", "--output", "p.csv"],
        ["overlap", "q.jsonl", "--labels", "p.csv", "--csv", "p.csv"],
        ["score", "q.jsonl", "mine=p.csv", "--output", "p.csv"],
        ["compare", "q.jsonl", "p.csv", "q.jsonl", "--csv", "p.csv"],
        ["recall", "q.jsonl", "mine=p.csv", "--won", "p.csv"],
        ["partition", "q.jsonl", "mine=p.csv", "--output", "p.csv"],
        ["retrieve", "q.jsonl", "--corpus", "none", "-o", "new", "--gold", "q.jsonl"],
        ["retrieve", "q.jsonl", "--corpus", "none", "--set", 'query_stop_words="p.csv"', "-o", "p.csv"],
        ["answer", "q.jsonl", "--solver", "predictions", "--set", 'file="p.csv"', "-o", "p.csv"],
        ["answer", "q.jsonl", "--solver", "entailment", "--set", 'evidence="./p.csv"', "-o", "p.csv"],
        ["answer", "q.jsonl", "--solver", "span", "--set", 'evidence="p.csv"', "-o", "d/../p.csv"],
        ["answer", "q.jsonl", "--solver", "a.py:A", "--set", 'deep={list=["p.csv"]}', "-o", "p.csv"],
        ["entail", "d", "q.jsonl", "--threshold-from", "p.csv", "-o", "p.csv"],
        ["pairs", "q.jsonl", "--facts", "p.csv", "-o", "p.csv"],
        ["pairs", "q.jsonl", "--evidence", "p.csv", "-o", "p.csv"],
        ["pairs", "q.jsonl", "--never-pairs", "p.csv", "-o", "p.csv"],
        ["gold", "q.jsonl", "--facts", "p.csv", "-o", "new", "--to-questions", "p.csv"],
        ["passages", "q.jsonl", "--evidence", "p.csv", "-o", "p.csv"],
        ["spans", "d", "q.jsonl", "--beside", "p.csv", "-o", "p.csv"],
    ],
)
def test_nor_is_any_other_file_that_is_read(folder: Path, arguments: list[str]) -> None:
    assert "is one of the inputs" in refused(arguments)


@pytest.mark.parametrize(
    "arguments",
    [
        ["aflite", "q.jsonl", "--kept", "new", "--csv", "./new"],
        ["check", "q.jsonl", "--artifacts", "--html", "new", "--csv", "d/../new"],
        ["overlap", "q.jsonl", "--csv", "p.csv", "--labelled", "p.csv"],
    ],
)
def test_two_outputs_never_share_a_file(folder: Path, arguments: list[str]) -> None:
    assert "name one file" in refused(arguments)


def test_a_device_may_be_named_twice(folder: Path) -> None:
    both = ["--csv", os.devnull, "--html", os.devnull]
    done = CliRunner().invoke(app, ["check", "q.jsonl", "--artifacts", "--folds", "0", *both])
    assert done.exit_code == 0, done.output

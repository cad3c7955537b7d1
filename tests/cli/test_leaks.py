"""`assay leaks` from end to end."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from assay.cli.main import app


def write(path: Path, facts: list[str], first: int) -> str:
    lines = []
    for number, fact in enumerate(facts, first):
        choices = [{"label": "A", "text": f"yes {number}"}, {"label": "B", "text": "no"}]
        record = {"id": f"q{number}", "question": {"stem": f"What of case {number}?", "choices": choices}}
        lines.append(json.dumps({**record, "answerKey": "A", "fact1": fact}))
    path.write_text("\n".join(lines) + "\n")
    return str(path)


@pytest.fixture
def folds(tmp_path: Path) -> list[str]:
    train = write(tmp_path / "train.jsonl", ["iron rusts", "cats purr", "tin melts"], 0)
    more = write(tmp_path / "more.jsonl", ["gold shines"], 50)
    test = write(tmp_path / "test.jsonl", ["Iron rusts", "gold shines", "snow falls", "owls hoot"], 100)
    return [train, f"train={more}", test]


def leaks(*arguments: object):
    return CliRunner().invoke(app, ["leaks", *map(str, arguments)])


def test_leaks_scores_pairs_and_gates(folds, tmp_path) -> None:
    predictions = tmp_path / "system.csv"
    predictions.write_text("q100,A\nq101,A\nq102,B\nq103,A\n")
    ties = tmp_path / "ties.jsonl"
    result = leaks(*folds, "--predictions", predictions, "-o", ties, "--fail", "fact=2", "--json")
    assert result.exit_code == 0, result.output
    record = json.loads(result.stdout)
    assert record["folds"] == {"train": 4, "test": 4}
    fact = next(row for row in record["leaks"] if row["kind"] == "fact1")
    assert (fact["in_first"], fact["in_second"], fact["pairs"]) == (2, 2, 2)
    assert record["touched"] == 2
    (score,) = record["scores"]
    assert (score["touched"]["mean"], score["untouched"]["mean"]) == (1.0, 0.5)
    listed = [json.loads(line) for line in ties.read_text().splitlines()]
    assert {"train": ["q0"], "test": ["q100"]} in [tie["questions"][0] for tie in listed]
    plain = leaks(*folds, "--predictions", predictions, "--fail", "fact=1")
    assert plain.exit_code == 1
    assert "FAILED: fact at most 1: 2 of 4 questions of test share fact with another fold" in plain.stdout
    assert "test: 2 of 4 questions touched (50.0%)" in plain.stdout
    assert "100.0 [" in plain.stdout


def test_the_test_fold_can_be_another_and_columns_can_be_laid_out(folds) -> None:
    result = leaks(*folds, "--test", "train", "--balance", "choices")
    assert "train: 2 of 4 questions touched" in result.stdout
    assert "choices\t1\t0.00 / 0.00\t0.00 / 0.00" in result.stdout


def test_a_gate_fails_on_what_cannot_be_seen(folds, tmp_path) -> None:
    bare = tmp_path / "bare.jsonl"
    records = [json.loads(line) for line in Path(folds[-1]).read_text().splitlines()]
    kept = [{"id": one["id"], "question": one["question"]} for one in records]
    bare.write_text("".join(json.dumps(one) + "\n" for one in kept))
    for kind in ("fact1", "fact", "near-fact", "answer"):
        result = leaks(*folds[:-1], bare, "--fail", f"{kind}=100%")
        assert result.exit_code == 1
        assert f"FAILED: {kind} at most 100%: not measured: bare can't tell" in result.stdout
    result = leaks(*folds[:-1], bare, "--fail", "any=100%", "--fail", "stem=100%")
    assert result.exit_code == 0, result.output


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--test", "dev"], "no fold is called dev"),
        (["--touched-by", "facts"], "no kind of leak is called 'facts'"),
        (["--near", "near_stem=2"], "near_stem"),
        (["--fail", "fact"], "KIND=MOST is due"),
        (["--fail", "fact=200%"], "100% or less"),
        (["--fail", "fact=1e999999999"], "is no number"),
        (["--balance", "exam"], "no question has a column exam"),
    ],
)
def test_what_cannot_be_meant_says_so(folds, arguments, said) -> None:
    result = leaks(*folds, *arguments)
    assert result.exit_code != 0
    assert said in str(result.exception)


@pytest.mark.real_data
def test_the_published_folds_of_openbookqa_share_their_facts(shared_data) -> None:
    files = [shared_data / f"openbookqa/{name}.jsonl" for name in ("train", "dev", "test")]
    record = json.loads(leaks(*files, "--json").stdout)
    shared = {
        (row["first"], row["second"]): row["in_second"] for row in record["leaks"] if row["kind"] == "fact1"
    }
    assert shared == {("train", "dev"): 485, ("train", "test"): 477, ("dev", "test"): 149}

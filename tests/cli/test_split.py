"""`assay split` from end to end: what lands in the folder, and what doesn't."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from typer.testing import CliRunner

from assay.cli.main import app
from assay.questions import read_questions

ENVIRONMENT = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2] / "src")}
WORDS = "amber basalt copper dolomite emerald flint granite hematite iron jasper".split()
CHOICES = [{"label": "A", "text": "x"}, {"label": "B", "text": "y"}]
QUICK = ["--set", "walks=2", "--set", "steps=500", "--set", "solver=none", "--quiet"]


def write(path: Path, count: int = 120, facts: int = 40, **more: object) -> Path:
    lines = []
    for number in range(count):
        fact = number % (facts if number % 3 else 7)
        record = {
            "id": f"q{number}",
            "question": {
                "stem": f"What is told of {WORDS[fact % 10]} in case {number}?",
                "choices": [{"label": "A", "text": "much"}, {"label": "B", "text": "little"}],
            },
            "answerKey": "A",
            "fact1": f"{WORDS[fact % 10]} and {WORDS[(fact // 4) % 10]} meet in place {fact}",
            **more,
        }
        lines.append(json.dumps(record))
    path.write_text("\n".join(lines) + "\n")
    return path


def split(*arguments: object):
    return CliRunner().invoke(app, ["split", *map(str, arguments)])


def said(result) -> str:
    return " ".join(f"{result.output} {getattr(result, 'exception', '') or ''}".split())


def test_every_question_is_in_one_fold_with_all_of_its_fact(tmp_path) -> None:
    source, to = write(tmp_path / "all.jsonl"), tmp_path / "folds"
    result = split(source, "--to", to, *QUICK, "--compare", "--json", "--similarity", "threshold=1")
    assert result.exit_code == 0, result.output
    record = json.loads(result.stdout)
    facts, ids = {}, []
    for name, fold in record["folds"].items():
        inside = read_questions(to / fold["file"]).questions
        assert len(inside) == fold["questions"]
        assert fold["low"] <= len(inside) <= fold["high"]
        for question in inside:
            ids.append(question.id)
            assert facts.setdefault(question.facts.seed, name) == name
    assert sorted(ids) == sorted(question.id for question in read_questions(source).questions)
    assert record["bound"] <= record["cut"]
    ways = {way["way"]: way for way in record["comparison"]}
    assert ways["this"]["torn"] == ways["random by fact1"]["torn"] == 0 < ways["random by question"]["torn"]
    assert ways["this"]["cut"] == pytest.approx(record["cut"])
    assert ways["this"]["cut"] <= ways["random by fact1"]["cut"]
    assert record["format"] == "openbookqa"


def test_the_same_bytes_again_and_nothing_made_twice(tmp_path) -> None:
    source = write(tmp_path / "all.jsonl")
    for name in ("one", "two"):
        assert split(source, "--to", tmp_path / name, *QUICK).exit_code == 0
    files = sorted(path.name for path in (tmp_path / "one").iterdir())
    assert files == ["dev.jsonl", "folds.json", "test.jsonl", "train.jsonl"]
    for file in files:
        assert (tmp_path / "one" / file).read_bytes() == (tmp_path / "two" / file).read_bytes()
    stamp = (tmp_path / "one").stat().st_ino
    assert split(source, "--to", tmp_path / "one", *QUICK).exit_code == 0
    assert (tmp_path / "one").stat().st_ino == stamp
    (tmp_path / "one/dev.jsonl").write_text("")
    assert split(source, "--to", tmp_path / "one", *QUICK).exit_code == 0
    assert (tmp_path / "one/dev.jsonl").read_bytes() == (tmp_path / "two/dev.jsonl").read_bytes()
    assert (tmp_path / "one").stat().st_ino != stamp


def test_folds_that_the_clock_ended_are_marked_and_made_again(tmp_path) -> None:
    source, to = write(tmp_path / "all.jsonl", 400, 200), tmp_path / "folds"
    slow = ["--set", "walks=2000", "--set", "solver=none", "--seconds", "1", "--quiet"]
    slow += ["--similarity", "threshold=0.5"]
    # Kernels that are compiled in a fresh clone must not eat the second.
    assert split(source, "--to", tmp_path / "compiled", *QUICK).exit_code == 0
    assert split(source, "--to", to, *slow).exit_code == 0
    record = json.loads((to / "folds.json").read_text())
    assert (record["status"], record["definitive"]) == ("feasible, time limit", False)
    stamp = to.stat().st_ino
    assert split(source, "--to", to, *slow).exit_code == 0
    assert to.stat().st_ino != stamp


def test_no_solution_in_time_leaves_no_files(tmp_path) -> None:
    # So many groups take longer than a millisecond on any machine.
    source, to = write(tmp_path / "all.jsonl", count=4000, facts=2000), tmp_path / "folds"
    folds = ("--folds", "a=2001,b=1999")
    result = split(source, "--to", to, *folds, "--seconds", "0.001", "--set", "solver=none")
    assert result.exit_code != 0
    assert "no solution found" in said(result)
    assert not to.exists()


@pytest.mark.parametrize(
    ("arguments", "what"),
    [
        (["--folds", "train=80,dev=11,test=11"], "sum to 102"),
        (["--slack", "much"], "--slack must be a number"),
        (["--slack", "1e999999999"], "--slack must be a number"),
        (["--by", "grade"], "no question has a column grade"),
        (["--by", "fact2"], "no question has a fact2"),
        (["--together", "stems"], "no key called 'stems'"),
        (["--stratify", "exam"], "no question has a column exam"),
        (["--set", "walk=3"], "no setting 'walk'"),
        (["--similarity", "overlap=cosine"], "must be one of"),
    ],
)
def test_what_cannot_be_meant_says_so_and_writes_nothing(tmp_path, arguments, what) -> None:
    result = split(write(tmp_path / "all.jsonl"), "--to", tmp_path / "folds", *QUICK, *arguments)
    assert result.exit_code != 0
    assert what in said(result)
    assert not (tmp_path / "folds").exists()


def test_questions_without_facts_are_told_what_else_they_can_be_grouped_by(tmp_path) -> None:
    path = tmp_path / "all.jsonl"
    lines = [
        {"id": str(n), "stem": f"Case {n}?", "choices": CHOICES, "answer": "A", "metadata": {"topic": n % 12}}
        for n in range(60)
    ]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    result = split(path, "--to", tmp_path / "folds", *QUICK)
    assert result.exit_code != 0
    assert "no question has a fact1" in said(result)
    assert "topic" in result.exception.hint
    good = split(path, "--to", tmp_path / "folds", "--by", "topic", "--slack", "7", *QUICK, "--json")
    assert good.exit_code == 0, said(good)
    assert json.loads(good.stdout)["groups"] == 12


def test_one_question_cannot_be_split(tmp_path) -> None:
    result = split(write(tmp_path / "one.jsonl", 1), "--to", tmp_path / "folds", *QUICK)
    assert result.exit_code != 0
    assert "none of the 1 questions" in said(result)


def test_a_folder_with_other_files_or_the_input_is_left_alone(tmp_path) -> None:
    source = write(tmp_path / "all.jsonl")
    assert "holds an input" in said(split(source, "--to", tmp_path, *QUICK))
    other = tmp_path / "other"
    other.mkdir()
    (other / "train.jsonl").write_text("mine\n")
    assert "holds files that no split made (train.jsonl)" in said(split(source, "--to", other, *QUICK))
    assert (other / "train.jsonl").read_text() == "mine\n"
    assert "is a file" in said(split(source, "--to", source, *QUICK))


def test_several_formats_and_what_a_format_cannot_carry_are_written_as_ours(tmp_path) -> None:
    one, two = write(tmp_path / "one.jsonl"), tmp_path / "two.jsonl"
    lines = [json.loads(line) for line in write(two).read_text().splitlines()]
    assert split(one, "--to", tmp_path / "a", *QUICK, "--metadata", "set=X").exit_code == 0
    record = json.loads((tmp_path / "a/folds.json").read_text())
    assert record["format"] == "assay"
    assert "openbookqa can't carry metadata set" in record["notes"][0]
    own = [
        {"id": f"o{n}", **line["question"], "answer": "A"}
        | {"metadata": {"split": "Old"}, "facts": {"seed": line["fact1"]}}
        for n, line in enumerate(lines)
    ]
    two.write_text("".join(json.dumps(line) + "\n" for line in own))
    result = split(one, two, "--to", tmp_path / "b", *QUICK, "--json")
    assert result.exit_code == 0, said(result)
    assert "several formats" in json.loads(result.stdout)["notes"][0]
    placed = [q for q in read_questions(tmp_path / "b/dev.jsonl").questions if q.id.startswith("o")]
    assert placed
    assert {(q.metadata["split"], q.metadata["published_split"]) for q in placed} == {("dev", "Old")}
    # A stem that stands in both files keeps them in one fold.
    folds = {
        name: read_questions(tmp_path / f"b/{name}.jsonl").questions for name in ("train", "dev", "test")
    }
    everywhere = {question.stem: name for name, inside in folds.items() for question in inside}
    assert all(everywhere[question.stem] == name for name, inside in folds.items() for question in inside)


def test_numbers_of_questions_are_met_exactly_and_columns_lie_evenly(tmp_path) -> None:
    path = tmp_path / "all.jsonl"
    lines = [
        {"id": str(n), "stem": f"Case {n // 2 if n < 20 else n}?", "choices": CHOICES, "answer": "A"}
        | {"metadata": {"set": "EC"[n % 3 == 0], "grade": n % 7}}
        for n in range(1000)
    ]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    result = split(
        path, "--to", tmp_path / "folds", "--by", "none", "--folds", "train=433,dev=111,test=456",
        "--stratify", "set,grade", "--json", *QUICK,
    )  # fmt: skip
    assert result.exit_code == 0, said(result)
    record = json.loads(result.stdout)
    assert [fold["questions"] for fold in record["folds"].values()] == [433, 111, 456]
    assert record["joined_by_duplicates"] == 10
    assert record["method"] == "stratified"
    for each in record["balance"]:
        for counts in each["counts"].values():
            for count, size in zip(counts, (433, 111, 456), strict=True):
                assert abs(count - sum(counts) * size / 1000) < 1.5


def test_killed_at_any_time_and_run_again_gives_the_same_bytes(tmp_path) -> None:
    source = write(tmp_path / "all.jsonl", 400, 150)
    command = [sys.executable, "-m", "assay", "split", str(source), "--to"]
    quick = ["--set", "solver=none", "--set", "steps=3000", "--quiet", "--similarity", "threshold=1"]
    subprocess.run(
        [*command, str(tmp_path / "whole"), *quick], check=True, capture_output=True, env=ENVIRONMENT
    )
    to = tmp_path / "killed"
    for seconds in (0.7, 1.6):
        process = subprocess.Popen(
            [*command, str(to), *quick], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=ENVIRONMENT
        )
        time.sleep(seconds)
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
        # Nothing half-written is taken for whole: the record comes with the folder.
        assert not (to / "train.jsonl").exists() or (to / "folds.json").exists()
    subprocess.run([*command, str(to), *quick], check=True, capture_output=True, env=ENVIRONMENT)
    for file in ("train.jsonl", "dev.jsonl", "test.jsonl", "folds.json"):
        assert (to / file).read_bytes() == (tmp_path / "whole" / file).read_bytes()


@pytest.mark.real_data
def test_the_facts_of_qasc_dev(shared_data, tmp_path) -> None:
    result = split(
        shared_data / "qasc/dev.jsonl", "--to", tmp_path / "folds", "--together", "none", "--json", "--quiet",
        "--set", "walks=4", "--set", "solver=none",
    )  # fmt: skip
    assert result.exit_code == 0, said(result)
    record = json.loads(result.stdout)
    assert record["groups"] == 103
    assert (record["cut"], record["status"]) == (0, "optimal")


@pytest.mark.parametrize("way", [[], ["--stratify", "answer", "--by", "none"]])
def test_questions_in_another_order_lie_in_the_same_folds(tmp_path, way) -> None:
    source = write(tmp_path / "all.jsonl")
    lines = source.read_text().splitlines()
    (tmp_path / "back.jsonl").write_text("\n".join(lines[::-1]) + "\n")
    folds = []
    for name in ("all", "back"):
        to = tmp_path / f"{name}-folds"
        result = split(tmp_path / f"{name}.jsonl", "--to", to, *QUICK, "--similarity", "threshold=0.5", *way)
        assert result.exit_code == 0, said(result)
        ids = [
            {question.id for question in read_questions(to / f"{fold}.jsonl").questions}
            for fold in ("dev", "test")
        ]
        folds.append(ids)
    assert folds[0] == folds[1]

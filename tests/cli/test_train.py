"""`assay train`: a model folder from files, the same after a kill, and clear words for bad input."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("torch", reason="the extra 'neural' isn't installed")


from tests.cli.conftest import Assay
from tests.conftest import ROOT
from tests.solvers.neural.toy import write_toy


def arguments(folder: Path, *more: str, to: str = "model") -> list[str]:
    train, train_evidence = write_toy(folder, "train", 60, 1)
    dev, dev_evidence = write_toy(folder, "dev", 20, 2)
    return [
        *("train", "tiny", "--train", str(train), "--train-evidence", str(train_evidence)),
        *("--dev", str(dev), "--dev-evidence", str(dev_evidence), "--to", str(folder / to)),
        *("--training", "learning_rate=0.05", "--training", "batch=8", "--training", "at_once=3"),
        *("--training", "epochs=4", "--training", "evaluate_every=5", *more),
    ]


pytestmark = pytest.mark.usefixtures("tiny_reader")


def test_trains_and_says_how(tmp_path: Path, assay: Assay) -> None:
    status, out, err = assay(*arguments(tmp_path, "--json"))
    assert status == 0, err
    card = json.loads(out)
    assert card["training"]["best"]["accuracy"] == 1.0
    assert [point["step"] for point in card["training"]["curve"]] == [5, 10, 15, 20, 25, 30, 32]
    assert "dev 100.00 percent" in err
    folder = tmp_path / "model"
    assert sorted(path.name for path in folder.iterdir()) == [
        "README.md",
        "reader",
        "reader.json",
        "trained-on.json",
        "weights.safetensors",
    ]
    assert not (tmp_path / "model.training").exists()
    status, out, _ = assay(*arguments(tmp_path))
    assert (status, "stood there already" in out) == (0, True)
    status, _, err = assay(*arguments(tmp_path, "--seed", "7"))
    assert (status, "made of other data or settings" in err) == (2, True)
    status, _, err = assay(*arguments(tmp_path, "--seed", "7", "--restart"))
    assert status == 0, err


@pytest.mark.slow
def test_killed_anywhere_ends_with_the_same_weights(tmp_path: Path, assay: Assay) -> None:
    assert assay(*arguments(tmp_path, to="whole"))[0] == 0
    work = str(tmp_path / "model.training")
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "tests.cli.kill_training",
            work,
            *arguments(tmp_path, "--checkpoint-steps", "3"),
        ],
        capture_output=True,
        text=True,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": f"src{os.pathsep}.", "OMP_NUM_THREADS": "1"},
        check=False,
    )
    assert done.returncode == 0, done.stderr
    kills = json.loads(done.stdout.splitlines()[-1])
    assert len(kills) >= 3
    assert len({tuple(kept) for kept in kills}) >= 3, "every kill came after another checkpoint"
    whole, model = ((tmp_path / name / "weights.safetensors").read_bytes() for name in ("whole", "model"))
    assert model == whole


def test_minutes_that_are_up_leave_a_model_and_more_go_on(tmp_path: Path, assay: Assay) -> None:
    status, out, err = assay(*arguments(tmp_path, "--max-minutes", "0"))
    assert (status, "ended by max_minutes" in out) == (0, True), err
    assert (tmp_path / "model/weights.safetensors").is_file()
    status, out, err = assay(*arguments(tmp_path))
    assert (status, "32 steps" in out) == (0, True), err
    assert not (tmp_path / "model.training").exists()


def test_starts_with_another_models_weights(tmp_path: Path, assay: Assay) -> None:
    assert assay(*arguments(tmp_path, to="first"))[0] == 0
    more = ("--from", str(tmp_path / "first"), "--training", "evaluate_first=true", "--json")
    status, out, err = assay(*arguments(tmp_path, *more))
    assert status == 0, err
    card = json.loads(out)
    first = json.loads((tmp_path / "first/reader.json").read_bytes())
    assert card["training"]["start"] == first["weights"]
    assert card["training"]["curve"][0]["accuracy"] == 1.0, (
        "before its first step it knows what the first did"
    )
    more = ("--from", str(tmp_path / "first"), "--set", "buckets=32")
    status, _, err = assay(*arguments(tmp_path, *more, to="other"))
    assert (status, "don't fit" in err) == (2, True)


def test_bad_input_is_said(tmp_path: Path, assay: Assay) -> None:
    given = arguments(tmp_path)
    evidence = tmp_path / "train-evidence.jsonl"
    whole = evidence.read_text()

    def error(*changed: str) -> str:
        status, out, err = assay(*changed)
        assert (status, out) == (2, ""), err
        assert "Traceback" not in err
        assert not (tmp_path / "model").exists()
        return err

    evidence.write_text(whole[: whole.index('{"id": "train-7"')])
    found = error(*given)
    assert "train-7" in found
    assert "nor for 52 others" in found
    status, _, err = assay(*given, "--allow-missing", "--to", str(tmp_path / "missing"))
    assert (status, "train: 53 questions have no evidence and are read without" in err) == (0, True)
    evidence.write_text(whole[:-9])
    assert "train-evidence.jsonl:60: not a record of evidence" in error(*given)
    evidence.unlink()
    assert "train-evidence.jsonl" in error(*given)
    write_toy(tmp_path, "dev", 20, 2, keys=False)
    evidence.write_text(whole)
    assert "none of the 20 questions has a key" in error(*given)
    assert "--no-dev" in error("train", "tiny", "--train", "x", "--to", str(tmp_path / "model"))
    assert "no reader 'huge'" in error("train", "huge", *given[2:])
    assert "no reader 'huge'" in error("train", "huge", "--train", "x", "--to", str(tmp_path / "model"))
    without = [part for part in given if part not in ("--train-evidence", str(evidence))]
    assert "none for train" in error(*without)
    assert "has no setting 'rate'" in error(*given, "--training", "rate=3")


def test_what_is_no_model_is_never_replaced(tmp_path: Path, assay: Assay) -> None:
    (tmp_path / "model").mkdir()
    (tmp_path / "model/thesis.txt").write_text("years of work")
    for more in ([], ["--restart"]):
        status, _, err = assay(*arguments(tmp_path), *more)
        assert (status, "no model folder" in err) == (2, True)
    assert (tmp_path / "model/thesis.txt").is_file()


def test_a_recipe_trains_stages_and_keeps_the_best_trial(tmp_path: Path, assay: Assay) -> None:
    arguments(tmp_path)
    recipe = tmp_path / "recipe.toml"
    recipe.write_text(
        """
        dev = {questions = "dev.jsonl", evidence = "dev-evidence.jsonl"}
        [reader]
        kind = "tiny"
        [training]
        batch = 8
        epochs = 2
        [[stages]]
        name = "first"
        train = {questions = "train.jsonl"}
        reader = {sentences = 0}
        training = {max_steps = 3}
        [[stages]]
        name = "second"
        train = {questions = "train.jsonl", evidence = "train-evidence.jsonl"}
        [sweep]
        stages.second.training.learning_rate = [1e-6, 0.1]
        """
    )
    given = ["train", str(recipe), "--to", str(tmp_path / "model")]
    status, out, err = assay(*given, "--json")
    assert status == 0, err
    card = json.loads(out)
    trials = card["recipe"]["trials"]
    assert [trial["values"] for trial in trials] == [
        {"stages.second.training.learning_rate": 1e-6},
        {"stages.second.training.learning_rate": 0.1},
    ]
    assert trials[0]["accuracy"] < trials[1]["accuracy"] == 1.0
    assert card["training"]["settings"]["learning_rate"] == 0.1
    assert [stage["steps"] for stage in card["recipe"]["stages"]] == [3, 16]
    assert err.count("in first-") == 2
    folders = [path.name for path in (tmp_path / "model.training").iterdir() if path.is_dir()]
    assert sorted(name.split("-")[0] for name in folders) == ["first", "second", "second"]
    assert card["training"]["start"] == card["recipe"]["stages"][0]["weights"]
    status, out, _ = assay(*given)
    assert (status, "stood there already" in out) == (0, True)
    assert "1e-06" in out
    status, _, err = assay(*given, "--seed", "3")
    assert (status, "a recipe says by itself" in err) == (2, True)


WRONG = [
    (("--seed", "-1"), "seed must be in"),
    (("--seed", str(2**63)), "seed must be in"),
    (("--limit", "-1"), "limit must be at least 1"),
    (("--max-minutes", "nan"), "max_minutes must be at least 0"),
    (("--max-minutes", "-1"), "max_minutes must be at least 0"),
    (("--checkpoint-minutes", "nan"), "checkpoint_minutes must be at least 0"),
    (("--checkpoint-steps", "0"), "checkpoint_steps must be at least 1"),
    (("--training", "clip=" + "9" * 400), "'clip' must be a number >= 0"),
    (("--training", "clip=nan"), "'clip' must be a number >= 0"),
    (("--training", "weight_decay=1e38", "--training", "warm_up=0"), "a lower learning_rate"),
]


@pytest.mark.parametrize(("more", "said"), WRONG)
def test_numbers_out_of_range_are_said(
    tmp_path: Path, assay: Assay, more: tuple[str, ...], said: str
) -> None:
    status, out, err = assay(*arguments(tmp_path, *more))
    assert (status, out, said in err) == (2, "", True), err
    assert not (tmp_path / "model").exists()


def test_weights_that_are_no_numbers_are_not_kept(tmp_path: Path, assay: Assay) -> None:
    train, _ = write_toy(tmp_path, "train", 8, 1)
    given = ["train", "tiny", "--train", str(train), "--set", "sentences=0", "--no-dev", "--max-steps", "1"]
    given += ["--to", str(tmp_path / "model"), "--training", "warm_up=0"]
    status, out, err = assay(*given, "--training", "learning_rate=1e38", "--training", "weight_decay=1e38")
    assert (status, out, "weights are not numbers" in err) == (2, "", True), err
    assert not (tmp_path / "model").exists()


@pytest.mark.parametrize("to", [".", "/", ".."])
def test_a_folder_without_a_name(
    tmp_path: Path, assay: Assay, monkeypatch: pytest.MonkeyPatch, to: str
) -> None:
    (tmp_path / "here").mkdir()
    given = arguments(tmp_path, "--to", to)
    monkeypatch.chdir(tmp_path / "here")
    status, _, err = assay(*given)
    assert (status, "is no name for a model folder" in err) == (2, True), err


def test_what_stands_there_is_checked_before_it_is_taken(tmp_path: Path, assay: Assay) -> None:
    given = arguments(tmp_path, "--max-steps", "2")
    assert assay(*given)[0] == 0
    weights = tmp_path / "model/weights.safetensors"
    weights.write_bytes(weights.read_bytes()[:-4])
    status, out, err = assay(*given)
    assert (status, out) == (2, "")
    assert "cut off or altered" in err
    assert "--restart" in err
    assert assay(*given, "--restart")[0] == 0
    assert assay(*given)[1].count("stood there already") == 1


@pytest.mark.parametrize(
    "sweep",
    [
        "training.learning_rate = [0.1, nan]",
        "training.learning_rate = [0.1, 1979-05-27]",
        "training.max_steps = [1, 1.5]",
        "reader.buckets = [8, 'many']",
        "reader.kind = ['tiny', 'huge']",
        "seed = [0, -1]",
    ],
)
def test_a_fault_in_the_last_trial_is_said_before_the_first_is_trained(
    tmp_path: Path, assay: Assay, sweep: str
) -> None:
    arguments(tmp_path)
    recipe = tmp_path / "recipe.toml"
    recipe.write_text(
        f"""
        dev = {{questions = "dev.jsonl", evidence = "dev-evidence.jsonl"}}
        reader = {{kind = "tiny"}}
        [[stages]]
        train = {{questions = "train.jsonl", evidence = "train-evidence.jsonl"}}
        [sweep]
        {sweep}
        """
    )
    status, out, err = assay("train", str(recipe), "--to", str(tmp_path / "model"))
    assert (status, out, "step" in err.replace("max_steps", "")) == (2, "", False), err
    assert not (tmp_path / "model.training").exists()


def test_a_file_where_the_model_folder_is_to_be(tmp_path: Path, assay: Assay) -> None:
    file = tmp_path / "notes.txt"
    file.write_text("mine")
    status, _, err = assay(*arguments(tmp_path, "--to", str(file), "--restart"))
    assert (status, "is a file, not a model folder" in err) == (2, True), err
    assert file.read_text() == "mine"
    assert not (tmp_path / "notes.txt.training").exists()

"""A recipe file: what it means, its sweep, and what is wrong with one."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("torch", reason="the extra 'neural' isn't installed")

from assay.errors import AssayError
from assay.pipeline.recipe import Trial, read_recipe
from assay.pipeline.training_data import Data

RECIPE = """
seed = 13
dev = {questions = "dev.jsonl", evidence = "dev-two.jsonl"}
[reader]
kind = "tiny"
buckets = 32
[training]
epochs = 2
[[stages]]
name = "first"
train = [{questions = ["a.jsonl", "b.jsonl"]}, {questions = "c.jsonl"}]
reader = {sentences = 0}
no_dev = true
[[stages]]
name = "second"
train = {questions = "d.jsonl", evidence = "d-two.jsonl"}
training = {epochs = 5}
"""


def recipe(folder: Path, text: str) -> tuple[Trial, ...]:
    path = folder / "recipe.toml"
    path.write_text(text, encoding="utf-8")
    return read_recipe(path)


def test_stages_inherit_and_override(tmp_path: Path) -> None:
    (trial,) = recipe(tmp_path, RECIPE)
    first, second = trial.stages
    assert (first.name, second.name, trial.values) == ("first", "second", {})
    assert first.plan.reader == {"buckets": 32, "sentences": 0}
    assert second.plan.reader == {"buckets": 32}
    assert (first.plan.training, second.plan.training) == ({"epochs": 2}, {"epochs": 5})
    assert first.plan.dev is None
    assert second.plan.dev == Data((str(tmp_path / "dev.jsonl"),), tmp_path / "dev-two.jsonl")
    assert [data.files for data in first.plan.train] == [
        (str(tmp_path / "a.jsonl"), str(tmp_path / "b.jsonl")),
        (str(tmp_path / "c.jsonl"),),
    ]
    assert first.plan.seed == second.plan.seed == 13


def test_a_sweep_is_every_combination_in_order(tmp_path: Path) -> None:
    sweep = '[sweep]\ntraining.learning_rate = [0.1, 0.2]\n"stages.second.reader.buckets" = [8, 16]\n'
    trials = recipe(tmp_path, RECIPE + sweep + "seed = [1]\n")
    assert [tuple(trial.values.values()) for trial in trials] == [
        (0.1, 8, 1),
        (0.1, 16, 1),
        (0.2, 8, 1),
        (0.2, 16, 1),
    ]
    assert trials[3].stages[0].plan.reader["buckets"] == 32
    assert trials[3].stages[1].plan.reader["buckets"] == 16
    assert {stage.plan.training["learning_rate"] for stage in trials[3].stages} == {0.2}
    assert trials[0].stages[1].plan.seed == 1


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (("seed = 13", "sead = 13"), "no 'sead'"),
        (("seed = 13", "seed = true"), "'seed' must be a whole number"),
        (('kind = "tiny"', ""), "needs 'kind'"),
        (('name = "second"', 'name = "first"'), "a text of its own"),
        (('name = "second"', 'name = "a/b"'), "a text of its own"),
        (("no_dev = true", 'no_dev = true\ndev = {questions = "x"}'), "exclude each other"),
        (("dev = {", "limit = 3 #"), "has no 'dev' questions"),
        (('{questions = "d.jsonl"', '{question = "d.jsonl"'), "no 'question'"),
        (("[[stages]]", "[[steps]]"), "no 'steps'"),
        (("training = {epochs = 5}", "training = 5"), "must be a table"),
        (("training = {epochs = 5}", "[sweep]\ntraining.epochs = 3"), "must be a list"),
        (("training = {epochs = 5}", "[sweep]\nstages.third.training.epochs = [3]"), "no stage 'third'"),
        (("training = {epochs = 5}", "[sweep]\nlimit = [3]"), "can't vary 'limit'"),
    ],
)
def test_what_is_wrong_is_said_with_the_file(tmp_path: Path, change: tuple[str, str], said: str) -> None:
    with pytest.raises(AssayError, match=said) as error:
        recipe(tmp_path, RECIPE.replace(*change))
    assert error.value.faults[0].file == str(tmp_path / "recipe.toml")


@pytest.mark.parametrize("stages", ["5", "[5]", '"first"'])
def test_a_sweep_over_stages_that_are_none(tmp_path: Path, stages: str) -> None:
    with pytest.raises(AssayError, match="there is no stage 'first'"):
        recipe(tmp_path, f"stages = {stages}\n[sweep]\n'stages.first.reader.buckets' = [8]\n")


@pytest.mark.parametrize("name", ["", "a/b", "a.b", "a\\u0000b", "x" * 201])
def test_names_of_stages_that_are_no_names_of_folders(tmp_path: Path, name: str) -> None:
    with pytest.raises(AssayError, match="'name' must be a text of its own"):
        recipe(tmp_path, RECIPE.replace('"first"', f'"{name}"'))

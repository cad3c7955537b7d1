"""The sample of experiments: every kind there is, on questions with two facts, without an extra."""

from __future__ import annotations

from pathlib import Path

from assay.pipeline.configuration import read_configuration
from assay.pipeline.experiments.kinds import KINDS
from assay.pipeline.run import run

SAMPLE = Path(__file__).parents[2] / "samples" / "science" / "experiments.toml"


def test_every_kind_of_experiment_runs_on_it(tmp_path: Path) -> None:
    configuration = read_configuration(SAMPLE)
    assert {one.kind for one in configuration.experiments.values()} == set(KINDS)
    done = run(configuration, tmp_path, command="assay run experiments.toml")
    assert [one.name for one in done.data.experiments] == list(configuration.experiments)
    for one in done.data.experiments:
        assert one.says, one.name
        assert one.tables, one.name
        assert one.plots, one.name

"""Oracle evidence: readers with nothing, what was retrieved, gold facts."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.pipeline.experiments.small_run import found, run_small, write_small


def test_a_reader_of_words_rises_to_gold_facts(tmp_path: Path) -> None:
    run_small(write_small(tmp_path, "[experiments.oracle]\n"), tmp_path / "run")
    made = found(tmp_path / "run", "oracle")
    assert [table["caption"].split(",")[0] for table in made["tables"]] == ["Easy", "Challenge", "All"]
    rows = {tuple(row["names"]): row["figures"] for row in made["tables"][2]["rows"]}
    # Without evidence all four tie; the first fact names place and thing.
    assert rows["counting", "none"][0]["value"] == pytest.approx(25.0)
    assert rows["counting", "gold, one by one"][0]["value"] == pytest.approx(100.0)
    assert rows["counting", "none"][1] is None
    retrieved = rows["counting", "retrieved"]
    assert retrieved[1]["value"] == pytest.approx(retrieved[0]["value"] - 25.0)
    easy = {tuple(row["names"]): row["figures"] for row in made["tables"][0]["rows"]}
    # The corpus holds the first facts of Easy questions.
    assert easy["counting", "retrieved"][0]["value"] == pytest.approx(100.0)


def test_plots_have_a_line_a_reader_and_chance(tmp_path: Path) -> None:
    run_small(write_small(tmp_path, "[experiments.oracle]\n"), tmp_path / "run")
    (plot,) = found(tmp_path / "run", "oracle")["plots"]
    assert [line["name"] for line in plot["panels"][0]["lines"]] == ["counting"]
    assert plot["panels"][0]["chance"] == pytest.approx(25.0)
    assert (tmp_path / "run/experiments/oracle.svg").read_text().startswith("<svg")

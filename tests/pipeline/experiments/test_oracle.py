"""Oracle evidence: readers with nothing, what was retrieved, gold facts."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from assay.errors import AssayError
from tests.pipeline.experiments.small_run import OVERLAP, found, run_small, write_small


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


def test_counting_words_stands_beside_every_reader(tmp_path: Path) -> None:
    """`overlap` needs no network, so that it goes through the whole experiment wherever tests run."""
    run_small(write_small(tmp_path, "[experiments.oracle]\n", reader=OVERLAP), tmp_path / "run")
    tables = found(tmp_path / "run", "oracle")["tables"]
    rows = {tuple(row["names"]): row["figures"] for row in tables[2]["rows"]}
    assert rows["overlap", "none"][0]["value"] == pytest.approx(25.0)
    # The fact names the place; joined to a second one it still does.
    assert rows["overlap", "gold, one by one"][0]["value"] == pytest.approx(100.0)
    assert rows["overlap", "gold, joined"][0]["value"] == pytest.approx(100.0)
    assert tables[3]["caption"].endswith("readers against overlap")
    against = {tuple(row["names"]): row["figures"][0]["value"] for row in tables[3]["rows"]}
    assert {name for name, _ in against} == {"counting"}
    conditions = ("retrieved", "gold, one by one", "gold, joined")
    assert [condition for _, condition in against] == list(conditions)
    for condition in conditions:
        expected = rows["counting", condition][0]["value"] - rows["overlap", condition][0]["value"]
        assert against["counting", condition] == pytest.approx(expected)


def test_another_baseline_or_none(tmp_path: Path) -> None:
    path = write_small(tmp_path, '[experiments.oracle]\nbaseline = "counting"\n', reader=OVERLAP)
    run_small(path, tmp_path / "run")
    assert found(tmp_path / "run", "oracle")["tables"][3]["caption"].endswith("against counting")
    path = write_small(tmp_path, '[experiments.oracle]\nsolvers = ["overlap"]\n', reader=OVERLAP)
    run_small(path, tmp_path / "run")
    assert len(found(tmp_path / "run", "oracle")["tables"]) == 3
    path = write_small(tmp_path, '[experiments.oracle]\nbaseline = "ir"\n', reader=OVERLAP)
    with pytest.raises(AssayError, match="baseline names 'ir', which isn't asked here"):
        run_small(path, tmp_path / "run")


def test_without_gold_facts_there_is_no_oracle(tmp_path: Path) -> None:
    path = write_small(tmp_path, "[experiments.oracle]\n")
    lines = (tmp_path / "questions.jsonl").read_text().splitlines()
    records = [{**json.loads(line), "facts": None} for line in lines]
    (tmp_path / "questions.jsonl").write_text("".join(json.dumps(record) + "\n" for record in records))
    with pytest.raises(AssayError, match="none of the 24 questions carries a fact"):
        run_small(path, tmp_path / "run")


def test_all_facts_are_read_whatever_the_solvers_own_limit(tmp_path: Path) -> None:
    path = write_small(tmp_path, "[experiments.oracle]\n", reader=OVERLAP + "most = 1\n")
    lines = (tmp_path / "questions.jsonl").read_text().splitlines()
    records = [json.loads(line) for line in lines]
    for record in records:
        # The fact that names the place stands second.
        facts = record["facts"]
        record["facts"] = {"seed": facts["second"], "second": facts["seed"]}
    (tmp_path / "questions.jsonl").write_text("".join(json.dumps(record) + "\n" for record in records))
    run_small(path, tmp_path / "run")
    rows = found(tmp_path / "run", "oracle")["tables"][2]["rows"]
    by = {tuple(row["names"]): row["figures"] for row in rows}
    assert by["overlap", "gold, one by one"][0]["value"] == pytest.approx(100.0)

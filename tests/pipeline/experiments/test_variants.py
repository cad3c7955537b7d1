"""One setting changed: of a solver, or of the evidence that it reads."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from assay.errors import AssayError
from assay.pipeline.experiments.variants import stored_name
from tests.pipeline.experiments.small_run import OVERLAP, found, run_small, write_small

STATEMENTS = '[experiments.statements]\nkind = "variants"\nsetting = "statements"\n'
BOTH = STATEMENTS + 'values = ["grammatical", "lineage"]\n'


def rows(folder: Path, name: str, table: int = -1) -> dict[tuple[str, ...], list[dict[str, float]]]:
    shown = found(folder, name)["tables"][table]["rows"]
    return {tuple(row["names"]): row["figures"] for row in shown}


def test_a_setting_of_solvers_is_changed_where_they_have_it(tmp_path: Path) -> None:
    run_small(write_small(tmp_path, BOTH, reader=OVERLAP), tmp_path / "run")
    by = rows(tmp_path / "run", "statements")
    # Only `overlap` makes statements; `counting` and `ir` don't.
    assert list(by) == [("overlap", "grammatical"), ("overlap", "lineage")]
    first, second = by.values()
    assert first[1] is None
    assert second[1]["value"] == pytest.approx(second[0]["value"] - first[0]["value"])
    made = found(tmp_path / "run", "statements")
    assert made["plots"][0]["labels"] == ["grammatical", "lineage"]
    assert [table["caption"].split(",")[0] for table in made["tables"]] == ["Easy", "Challenge", "All"]


def test_what_the_run_itself_asked_is_not_asked_again(tmp_path: Path) -> None:
    run_small(write_small(tmp_path, BOTH, reader=OVERLAP), tmp_path / "run")
    asked = sorted(path.name for path in (tmp_path / "run/answers").glob("*@*.jsonl"))
    assert asked == ["overlap@statements-lineage.jsonl"]
    score = json.loads((tmp_path / "run/scores.json").read_text())
    assert score  # the run itself is whole


def test_a_setting_of_evidence_is_changed_for_all_who_read_it(tmp_path: Path) -> None:
    experiments = '[experiments.k]\nkind = "variants"\nsetting = "evidence.k"\nvalues = [5, 1]\n'
    run_small(write_small(tmp_path, experiments, reader=OVERLAP), tmp_path / "run")
    by = rows(tmp_path / "run", "k")
    assert list(by) == [("counting", "5"), ("counting", "1"), ("overlap", "5"), ("overlap", "1")]
    file = tmp_path / "run/experiments/k/found-1.jsonl"
    records = [json.loads(line) for line in file.read_text().splitlines()]
    assert {len(own) for record in records for own in record["evidence"].values()} == {1}
    assert (tmp_path / "run/experiments/k/found-5.jsonl").read_bytes() == (
        tmp_path / "run/evidence/found.jsonl"
    ).read_bytes()


def test_values_of_any_kind_and_names_that_are_no_file(tmp_path: Path) -> None:
    experiments = (
        '[experiments.missing]\nkind = "variants"\nsetting = "allow_missing"\nvalues = [false, true]\n'
        '[experiments.by]\nkind = "variants"\nsetting = "evidence.query_stop_words"\n'
        'values = ["none", "a/b.txt"]\n'
    )
    (tmp_path / "a").mkdir()
    (tmp_path / "a/b.txt").write_text("lives\n")
    path = write_small(tmp_path, experiments, reader=OVERLAP)
    path.write_text(path.read_text().replace('"a/b.txt"', f'"{tmp_path}/a/b.txt"'))
    run_small(path, tmp_path / "run")
    assert list(rows(tmp_path / "run", "missing")) == [("overlap", "false"), ("overlap", "true")]
    assert (tmp_path / "run/experiments/by/found-value_2.jsonl").is_file()


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ('values = ["grammatical"]\n', "experiments.statements: setting 'values' must be two or more"),
        ('values = ["lineage", "lineage"]\n', "lineage stands there twice"),
        ('values = ["lineage", ["a"]]\n', "'values' must be a list of"),
        ('values = ["lineage", "b"]\n', "'statements' must be one of"),
        ("", "needs the setting 'values'"),
        ('values = ["lineage", "grammatical"]\nsolvers = ["ir"]\n', "names 'ir', which isn't a solver with"),
    ],
)
def test_what_cannot_be_is_refused(tmp_path: Path, settings: str, said: str) -> None:
    with pytest.raises(AssayError, match=said):
        run_small(write_small(tmp_path, STATEMENTS + settings, reader=OVERLAP), tmp_path / "run")


@pytest.mark.parametrize(
    ("setting", "said"),
    [
        ('"stamtents"', "no solver is a solver with the setting stamtents"),
        ('"evidence.kk"', "evidence.found: .*no setting 'kk'"),
        ('"evidence.method"', "evidence.method must be a text. Got 1"),
    ],
)
def test_a_setting_that_nobody_has_is_refused(tmp_path: Path, setting: str, said: str) -> None:
    experiments = f'[experiments.x]\nkind = "variants"\nsetting = {setting}\nvalues = [1, 2]\n'
    with pytest.raises(AssayError, match=said):
        run_small(write_small(tmp_path, experiments, reader=OVERLAP), tmp_path / "run")


def test_no_two_values_are_stored_under_one_name() -> None:
    values = ["2", "a b", "value-3", "a/b", 2.5, True, "a"]
    stored = [stored_name(value, place) for place, value in enumerate(values)]
    assert len(set(stored)) == len(values)
    assert stored[:4] == ["2", "value_2", "value-3", "value_4"]

"""Settings that name files are relative to benchmark.toml, wherever it is run from."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path

import pytest

from assay.pipeline.configuration import read_configuration
from assay.pipeline.systems import NAME_OR_PATH, PATH_SETTINGS, build_system
from assay.questions.model import Choice, Question, QuestionSet
from assay.solvers.registry import OURS, solver_class

ASKED = QuestionSet([Question("q", "What melts?", (Choice("A", "ice"), Choice("B", "sand")), "A")])


def test_tables_are_relative_to_the_file_and_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "own/tables").mkdir(parents=True)
    (tmp_path / "own/tables/melting.tsv").write_text("THING\tCHANGE\nice\tmelts\nsand\tstays\n")
    (tmp_path / "own/terms.txt").write_text("melts\n")
    path = tmp_path / "own/benchmark.toml"
    path.write_text(
        '[questions]\nfiles = ["q.jsonl"]\n'
        '[solvers.tableilp]\ntables = "tables"\nscience_terms = "terms.txt"\n'
    )
    monkeypatch.chdir(tmp_path)
    made = read_configuration(path)
    system = build_system("tableilp", made.solvers["tableilp"], made, ASKED, {})
    assert system.ran_on == "tables"
    assert [answer.status for answer in system.solver.answer(ASKED)] == ["answered"]


def test_every_setting_that_is_said_to_name_a_file_or_folder_is_one() -> None:
    known = {*PATH_SETTINGS, *NAME_OR_PATH}
    for kind in OURS:
        for field in fields(solver_class(kind).declared):
            said = " ".join(value for value in field.metadata.values() if isinstance(value, str)).lower()
            if said.startswith("folder of") or "the folder of" in said or "evidence file, as" in said:
                assert field.name in known, (kind, field.name)

"""Solvers as benchmark.toml configures them."""

from pathlib import Path

import pytest

pytest.importorskip("torch", reason="the neural extra isn't installed")

from assay.pipeline.configuration import read_configuration
from assay.pipeline.systems import build_system
from assay.questions.model import Choice, Question, QuestionSet
from tests.solvers.neural.tiny_encoder import save_tiny_encoder

ASKED = QuestionSet([Question("q", "which part", (Choice("A", "root"), Choice("B", "sun")), "A")])


def test_an_encoder_s_folder_is_relative_to_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    save_tiny_encoder(tmp_path / "own/encoder")
    path = tmp_path / "own/benchmark.toml"
    path.write_text(
        '[questions]\nfiles = ["q.jsonl"]\n'
        '[solvers.near]\nkind = "reader"\nencoder = "encoder"\npieces = 32\nsentences = 0\n'
    )
    monkeypatch.chdir(tmp_path)
    made = read_configuration(path)
    system = build_system("near", made.solvers["near"], made, ASKED, {})
    assert [answer.status for answer in system.solver.answer(ASKED)] == ["answered"]

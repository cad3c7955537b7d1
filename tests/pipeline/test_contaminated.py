"""What is known to hold the answers is labelled wherever its score stands."""

from __future__ import annotations

from pathlib import Path

import pytest

from assay.errors import AssayError
from assay.pipeline.configuration import read_configuration
from assay.pipeline.run import RunDone, run
from tests.pipeline.test_run import write_benchmark

KNOWS = """
from assay import Answer


class Knows:
    def answer(self, questions):
        for question in questions:
            number = int(question.id[1:])
            yield Answer(question.id, "answered", (question.labels[number % 4],))
"""


def made(folder: Path, added: str) -> RunDone:
    path = write_benchmark(folder, questions=20)
    (folder / "knows.py").write_text(KNOWS)
    text = path.read_text().split("[partition]")[0]
    path.write_text(text + added)
    return run(read_configuration(path), folder / "run", command="assay run benchmark.toml")


def test_a_solver_that_says_so_is_labelled_and_the_finding_names_the_next(tmp_path: Path) -> None:
    done = made(tmp_path, '[solvers.knows]\nkind = "knows.py:Knows"\ncontaminated = "it was told the keys"\n')
    assert {s.name: s.contaminated for s in done.data.systems}["knows"] == "it was told the keys"
    assert "The best system, knows, reads contaminated sources and scores 100.0" in done.data.sentence
    assert "there, the best of the others, " in done.data.sentence
    assert "knows: contaminated, it was told the keys." in done.report.read_text()


def test_a_solver_over_a_contaminated_corpus_or_its_evidence_is_labelled(tmp_path: Path) -> None:
    added = """
[solvers.over-few]
kind = "ir"
corpus = "few"
"""
    done = made(tmp_path, added)
    known = {system.name: system.contaminated for system in done.data.systems}
    assert known["over-few"] == "made for these questions"
    assert known["ir"] is None


def test_the_reason_must_be_text(tmp_path: Path) -> None:
    with pytest.raises(AssayError, match=r"solvers\.knows\.contaminated must be a string"):
        made(tmp_path, '[solvers.knows]\nkind = "knows.py:Knows"\ncontaminated = true\n')


def test_abstentions_stand_in_the_report(tmp_path: Path) -> None:
    done = made(tmp_path, "")
    rows = {(one.system, one.column): one for one in done.data.abstentions}
    assert rows["guess-all", "All"].count == 20
    assert rows["random", "All"].count == 0

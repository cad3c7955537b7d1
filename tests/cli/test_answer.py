"""`assay answer`: what is given twice is said, not passed over."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import Assay

SAMPLE = Path(__file__).parent.parent.parent / "samples/science"


@pytest.mark.parametrize("solver", ["overlap", "entailment", "span", "tuple-inference", "reader"])
def test_a_corpus_beside_an_evidence_file_is_refused(assay: Assay, tmp_path: Path, solver: str) -> None:
    questions = tmp_path / "q.jsonl"
    questions.write_text(
        '{"id":"q","stem":"What?","choices":[{"label":"A","text":"a"},{"label":"B","text":"b"}]}\n'
    )
    corpus = tmp_path / "corpus"
    (tmp_path / "s.txt").write_text("A newt is wet.\n")
    assert assay("corpus", "import", str(tmp_path / "s.txt"), "--to", str(corpus))[0] == 0
    status, _, error = assay(
        "answer", str(questions), "--solver", solver, "--corpus", str(corpus), "--set", "evidence='e.jsonl'"
    )
    assert status == 2
    assert "given twice: by --corpus, and by the setting evidence" in error


def test_a_number_of_pairs_shown_is_no_evidence_file(assay: Assay, tmp_path: Path) -> None:
    corpus = tmp_path / "corpus"
    (tmp_path / "s.txt").write_text("A newt is wet.\n")
    questions = tmp_path / "q.jsonl"
    questions.write_text(
        '{"id":"q","stem":"What?","choices":[{"label":"A","text":"a"},{"label":"B","text":"b"}]}\n'
    )
    assert assay("corpus", "import", str(tmp_path / "s.txt"), "--to", str(corpus))[0] == 0
    given = ("answer", str(questions), "--solver", "pmi", "--corpus", str(corpus), "--set", "evidence=1")
    assert assay(*given)[0] == 0

"""Paths of benchmark.toml are looked for beside it, wherever one stands; no setting is passed over."""

from pathlib import Path

import pytest

from assay.errors import AssayError
from assay.pipeline.configuration import read_configuration
from assay.pipeline.inputs import load_corpora
from assay.pipeline.systems import build_system
from assay.questions.model import Choice, Question, QuestionSet

ASKED = QuestionSet([Question("q", "which part", (Choice("A", "root"), Choice("B", "sun")), "A")])
CORPUS = '[questions]\nfiles = ["q.jsonl"]\n[corpora.notes]\nfiles = ["notes.txt"]\n'


@pytest.mark.parametrize(
    ("solver", "said"),
    [
        ('kind = "tuple-inference"\ntuples = "kept"\n', "kept"),
        ('kind = "tuple-inference"\ntuples = "parsed"\nparser = "kept"\n', "kept"),
        ('kind = "tableilp"\ntables = "kept"\n', "kept"),
        ('kind = "tableilp"\ntables = "tables"\nalignments = "nowhere.tsv"\n', "nowhere.tsv"),
        ('kind = "predictions"\nfile = "nowhere.csv"\n', "nowhere.csv"),
    ],
)
def test_paths_of_solvers_are_relative_to_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, solver: str, said: str
) -> None:
    pytest.importorskip("spacy", reason="the parse extra isn't installed")
    own = tmp_path / "own"
    (own / "kept").mkdir(parents=True)
    (own / "tables").mkdir()
    (own / "tables" / "t.tsv").write_text("PART\tWHOLE\nroot\ttree\n")
    (own / "notes.txt").write_text("A root is a part of a tree.\n")
    # A folder that is called as one of our words is no reason to take the word for a folder.
    (own / "parsed").mkdir()
    path = own / "benchmark.toml"
    path.write_text(CORPUS + "[solvers.s]\n" + solver)
    monkeypatch.chdir(tmp_path)
    made = read_configuration(path)
    corpora = load_corpora(made, tmp_path / "corpora")
    with pytest.raises(AssayError) as caught:
        build_system("s", made.solvers["s"], made, ASKED, corpora)
    assert str(Path("own") / said) in str(caught.value)


@pytest.mark.parametrize(
    "line", ["evidence = 3", 'dedupe = "none"', 'language = "german"', 'stop_words = "none"', 'typo = "x"']
)
def test_a_setting_beside_a_corpus_s_folder_is_no_silent_one(tmp_path: Path, line: str) -> None:
    path = tmp_path / "benchmark.toml"
    path.write_text(f'[questions]\nfiles = ["q.jsonl"]\n[corpora.c]\nfolder = "c"\n{line}\n')
    with pytest.raises(AssayError, match=rf"corpora\.c\.{line.split()[0]}: beside folder only contaminated"):
        load_corpora(read_configuration(path), tmp_path / "corpora")

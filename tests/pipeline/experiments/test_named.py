"""What experiments name is checked before anybody is asked; who isn't finished holds up nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest

from assay.errors import AssayError
from tests.pipeline.experiments.small_run import OVERLAP, found, run_small, write_small


@pytest.mark.parametrize(
    ("experiments", "said"),
    [
        ('[experiments.oracle]\nfacts = ["lost.tsv"]\n', r"oracle\.facts names a file that isn't there"),
        (
            '[experiments.oracle]\nfacts = ["questions.jsonl"]\nsentences = "lost.json"\n',
            r"oracle\.sentences names a file that isn't there",
        ),
        ('[experiments.oracle]\nsentences = "questions.jsonl"\n', r"sentences is given, and no facts"),
        (
            '[experiments.oracle]\nbaseline = "nobody"\n',
            r"oracle\.baseline names 'nobody', which is no solver",
        ),
        ("[experiments.oracle]\nsolvers = []\n", r"oracle\.solvers names nobody"),
        (
            '[experiments.oracle]\nsolvers = ["overlap", "overlap"]\n',
            r"oracle\.solvers names 'overlap' twice",
        ),
        ('[experiments.oracle]\nonly = { set = "Hard" }\n', r"experiments\.oracle"),
        ('[experiments.depth]\nevidence = "nope"\n', r"neither one of \[evidence\] \(found\) nor a file"),
        ('[experiments.closed-book]\nbeside = ["nobody"]\n', r"closed-book\.beside names 'nobody'"),
        ('[experiments.sources]\nsolvers = ["nobody"]\n', r"sources\.solvers names 'nobody'"),
        ('[experiments.sources]\ncorpus = "news"\n', r"sources\.corpus names 'news', which is no corpus"),
        ('[experiments.corpus]\ncorpora = ["notes", "notes"]\n', r"corpus\.corpora names 'notes' twice"),
        ('[experiments.corpus]\nevidence = "nope"\n', r"corpus\.evidence names 'nope', which is no table"),
    ],
)
def test_what_is_not_there_is_found_before_anybody_is_asked(
    tmp_path: Path, experiments: str, said: str
) -> None:
    path = write_small(tmp_path, experiments, reader=OVERLAP)
    with pytest.raises(AssayError, match=said):
        run_small(path, tmp_path / "run")
    assert not (tmp_path / "run/answers").exists()


@pytest.mark.parametrize(
    ("experiments", "said"),
    [
        (
            '[experiments.v]\nkind = "variants"\nsetting = "statements"\nvalues = ["lineage", "lineag"]\n',
            r"experiments\.v: solver 'overlap': setting 'statements'",
        ),
        ('[experiments.oracle]\nfacts = ["corpus.tsv"]\n', r"corpus\.tsv: experiments\.oracle: no file of"),
        (
            '[experiments.v]\nkind = "variants"\nsetting = "statement"\nvalues = [1, 2]\n',
            r"experiments\.v: no solver is a solver with the setting statement",
        ),
        ('[experiments.closed-book]\nbeside = ["ir", "overlap"]\n', r"'overlap', which is asked without"),
    ],
)
def test_an_error_says_which_experiment_it_is_of(tmp_path: Path, experiments: str, said: str) -> None:
    with pytest.raises(AssayError, match=said):
        run_small(write_small(tmp_path, experiments, reader=OVERLAP), tmp_path / "run")


def test_one_who_searched_a_corpus_did_not_answer_by_the_choices_alone(tmp_path: Path) -> None:
    experiments = '[experiments.closed-book]\nsolvers = ["overlap"]\nbeside = ["ir", "guess-all"]\n'
    run_small(write_small(tmp_path, experiments, reader=f"{OVERLAP}[solvers.guess-all]\n"), tmp_path / "run")
    rows = [tuple(row["names"]) for row in found(tmp_path / "run", "closed-book")["tables"][-1]["rows"]]
    assert rows[2:] == [("ir", "its evidence"), ("guess-all", "choices alone")]


def test_readers_whose_time_was_up_leave_the_rest_of_the_run_as_it_is(tmp_path: Path) -> None:
    path = write_small(tmp_path, '[experiments.oracle]\nsolvers = ["counting"]\n[experiments.corpus]\n')
    whole = path.read_text()
    path.write_text(whole.replace("[solvers.counting]", "[solvers.counting]\nminutes = 0.0000001"))
    done = run_small(path, tmp_path / "run")
    assert any(
        note.startswith("experiments.oracle isn't made: of its solvers none is finished (counting)")
        for note in done.notes
    )
    assert [one.name for one in done.data.experiments] == ["corpus"]
    path.write_text(whole)
    assert [one.name for one in run_small(path, tmp_path / "run").data.experiments] == ["oracle", "corpus"]


def test_readers_of_some_questions_alone_are_named(tmp_path: Path) -> None:
    path = write_small(tmp_path, '[experiments.oracle]\nsolvers = ["counting"]\n')
    path.write_text(
        path.read_text().replace("[solvers.counting]", '[solvers.counting]\nonly = { set = "Easy" }')
    )
    with pytest.raises(AssayError, match="was asked all 24 questions") as caught:
        run_small(path, tmp_path / "run")
    assert caught.value.hint == "asked some of them alone: counting; `only` narrows an experiment likewise"

"""Closed book: readers without evidence, beside systems that never read any."""

from __future__ import annotations

from pathlib import Path

import pytest

from assay.errors import AssayError
from tests.pipeline.experiments.small_run import OVERLAP, found, run_small, write_small
from tests.solvers.neural.tiny_encoder import save_tiny_encoder

BESIDE = '[solvers.guess-all]\n[solvers.shortcut]\nrule = "longest"\n'


def rows(folder: Path) -> dict[tuple[str, ...], list[dict[str, float]]]:
    shown = found(folder, "closed-book")["tables"][-1]["rows"]
    return {tuple(row["names"]): row["figures"] for row in shown}


def test_a_reader_of_words_ties_without_evidence(tmp_path: Path) -> None:
    run_small(write_small(tmp_path, "[experiments.closed-book]\n", reader=OVERLAP + BESIDE), tmp_path / "run")
    by = rows(tmp_path / "run")
    assert list(by) == [
        ("counting", "no evidence"),
        ("counting", "its evidence"),
        ("overlap", "no evidence"),
        ("overlap", "its evidence"),
        ("guess-all", "choices alone"),
        ("shortcut", "choices alone"),
    ]
    for name in ("counting", "overlap"):
        none, evidence = by[name, "no evidence"], by[name, "its evidence"]
        assert none[0]["value"] == pytest.approx(25.0)
        assert "p" not in none[0]
        assert none[1] is None
        assert evidence[1]["value"] == pytest.approx(evidence[0]["value"] - 25.0)
    assert by["guess-all", "choices alone"][0]["value"] == pytest.approx(25.0)
    plot = found(tmp_path / "run", "closed-book")["plots"][0]
    lines = {line["name"]: [point["x"] for point in line["points"]] for line in plot["panels"][0]["lines"]}
    assert lines == {"counting": [1], "overlap": [1], "guess-all": [0], "shortcut": [0]}


def test_who_stands_beside_can_be_said(tmp_path: Path) -> None:
    experiments = '[experiments.closed-book]\nsolvers = ["overlap"]\nbeside = ["ir"]\n'
    run_small(write_small(tmp_path, experiments, reader=OVERLAP + BESIDE), tmp_path / "run")
    assert {name for name, _ in rows(tmp_path / "run")} == {"overlap", "ir"}


@pytest.mark.parametrize(("more", "beside"), [("", ""), (BESIDE, "beside = []\n")])
def test_nobody_beside_is_no_fault(tmp_path: Path, more: str, beside: str) -> None:
    experiments = f"[experiments.closed-book]\n{beside}"
    run_small(write_small(tmp_path, experiments, reader=OVERLAP + more), tmp_path / "run")
    assert {name for name, _ in rows(tmp_path / "run")} == {"counting", "overlap"}


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ('beside = ["nobody"]\n', "names 'nobody', which is no solver"),
        ('solvers = ["ir"]\n', "names 'ir', which isn't a reader"),
        ("besides = []\n", "no setting 'besides'"),
    ],
)
def test_what_cannot_be_is_refused(tmp_path: Path, settings: str, said: str) -> None:
    with pytest.raises(AssayError, match=said):
        run_small(write_small(tmp_path, "[experiments.closed-book]\n" + settings), tmp_path / "run")


def test_networks_read_question_and_choices_alone(tmp_path: Path) -> None:
    pytest.importorskip("torch", reason="the neural extra isn't installed")
    from assay.solvers.neural.decomposable_attention import DecomposableReader, DecomposableSettings
    from assay.solvers.neural.model_folder import save_reader

    (tmp_path / "vectors.txt").write_text("moss 0.1 0.2 -0.3 0.5\nponds -0.4 0.1 0.2 0.2\n")
    settings = DecomposableSettings(vectors=str(tmp_path / "vectors.txt"), hidden=8, unknown=4)
    save_reader(DecomposableReader.new(settings, 1), tmp_path / "pairs", {"reads": "pairs"})
    save_tiny_encoder(tmp_path / "encoder")
    solvers = (
        '[solvers.pairs]\nkind = "entailment"\nmodel = "pairs"\nevidence = "found"\n'
        '[solvers.near]\nkind = "reader"\nencoder = "encoder"\npieces = 32\nevidence = "found"\n'
        '[solvers.blind]\nkind = "reader"\nencoder = "encoder"\npieces = 32\nsentences = 0\n'
    )
    experiments = '[experiments.closed-book]\nsolvers = ["pairs", "near"]\n'
    run_small(write_small(tmp_path, experiments, reader=solvers, questions=6), tmp_path / "run")
    by = rows(tmp_path / "run")
    assert list(by) == [
        ("pairs", "no evidence"),
        ("pairs", "choices alone"),
        ("pairs", "its evidence"),
        ("near", "choices alone"),
        ("near", "its evidence"),
        ("blind", "choices alone"),
    ]
    assert by["pairs", "no evidence"][0]["value"] == pytest.approx(25.0)
    # The same encoder without evidence, whether it was told so here or in its own settings.
    same = by["near", "choices alone"][0]["value"]
    assert same == pytest.approx(by["blind", "choices alone"][0]["value"])

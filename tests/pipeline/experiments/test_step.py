"""Experiments in a run: kept, made anew when what they rest on changes, refused when they can't be."""

from __future__ import annotations

import hashlib
import json
import re
import shutil
from pathlib import Path

import pytest

from assay.errors import AssayError
from assay.pipeline.experiments.kinds import KINDS
from assay.settings import declared_settings
from tests.pipeline.experiments.small_run import OVERLAP, found, run_small, write_small

DOCS = Path(__file__).parents[3] / "docs" / "experiments.md"


def bytes_of(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name not in ("log.jsonl", ".writer.lock")
    }


def step(done: object, name: str) -> dict[str, object]:
    return next(dict(one) for one in done.steps if one["step"] == name)  # type: ignore[attr-defined]


def test_a_second_run_makes_nothing_and_ends_with_the_same_bytes(tmp_path: Path) -> None:
    path = write_small(tmp_path, "[experiments.oracle]\n")
    assert step(run_small(path, tmp_path / "run"), "experiment oracle")["reused"] is False
    first = bytes_of(tmp_path / "run")
    again = run_small(path, tmp_path / "run")
    assert step(again, "experiment oracle")["reused"] is True
    assert step(again, "results")["reused"] is True
    assert bytes_of(tmp_path / "run") == first
    shutil.rmtree(tmp_path / "run")
    run_small(path, tmp_path / "run")
    assert bytes_of(tmp_path / "run") == first


ALL_OF_READERS = """
[experiments.oracle]
[experiments.depth]
depths = [1, 3, 9]
[experiments.closed-book]
[experiments.statements]
kind = "variants"
setting = "statements"
values = ["grammatical", "lineage"]
[experiments.k]
kind = "variants"
setting = "evidence.k"
values = [5, 2]
"""


def test_experiments_on_readers_end_with_the_same_bytes_whenever_they_were_cut_off(tmp_path: Path) -> None:
    path = write_small(tmp_path, ALL_OF_READERS, reader=OVERLAP)
    run_small(path, tmp_path / "run")
    first = bytes_of(tmp_path / "run")
    for kept in ("answers", "evidence", "experiments"):
        for place in [
            *(tmp_path / "run" / kept).rglob("*.jsonl"),
            *(tmp_path / "run" / kept).rglob("*.json"),
        ]:
            place.write_bytes(place.read_bytes()[: place.stat().st_size // 2])
    run_small(path, tmp_path / "run")
    assert bytes_of(tmp_path / "run") == first


@pytest.mark.parametrize("lost", [f"experiments/oracle{end}" for end in (".key", ".json", ".svg", "")])
def test_what_a_kill_left_is_finished_to_the_same_bytes(tmp_path: Path, lost: str) -> None:
    path = write_small(tmp_path, "[experiments.oracle]\n")
    run_small(path, tmp_path / "run")
    first = bytes_of(tmp_path / "run")
    place = tmp_path / "run" / lost
    if place.is_dir():
        for one in place.iterdir():
            one.unlink()
        (tmp_path / "run/experiments/oracle.key").unlink()
    else:
        place.unlink()
    run_small(path, tmp_path / "run")
    assert bytes_of(tmp_path / "run") == first


def test_another_setting_makes_it_anew(tmp_path: Path) -> None:
    path = write_small(tmp_path, "[experiments.oracle]\n")
    run_small(path, tmp_path / "run")
    before = found(tmp_path / "run", "oracle")
    path.write_text(path.read_text() + 'roles = ["fact2"]\n')
    assert step(run_small(path, tmp_path / "run"), "experiment oracle")["reused"] is False
    assert found(tmp_path / "run", "oracle") != before


def test_only_narrows_the_questions(tmp_path: Path) -> None:
    path = write_small(tmp_path, '[experiments.oracle]\nonly = { set = "Easy" }\n')
    run_small(path, tmp_path / "run")
    assert found(tmp_path / "run", "oracle")["says"][0] == "12 questions have gold facts."


@pytest.mark.parametrize(
    ("experiments", "said"),
    [
        ('[experiments.x]\nkind = "oracel"\n', r"experiments\.x\.kind: no experiment 'oracel'"),
        ("[experiments.oracle]\nfcats = 1\n", r"experiments\.oracle has no setting 'fcats'"),
        ('[experiments.oracle]\nsolvers = ["nobody"]\n', r"experiments\.oracle\.solvers names 'nobody'"),
        ('[experiments.oracle]\nsolvers = ["ir"]\n', r"names 'ir', which isn't a reader"),
        ('[experiments.oracle]\nfacts = ["lost.tsv"]\n', r"lost\.tsv"),
        ('[experiments.oracle]\nonly = { grade = "3" }\n', r"experiments\.oracle\.only"),
        ('[experiments."a/b"]\nkind = "oracle"\n', r"a name can't be a path"),
        ("[experiments]\noracle = 3\n", r"experiments\.oracle must be a table"),
    ],
)
def test_what_cannot_be_is_refused_by_name(tmp_path: Path, experiments: str, said: str) -> None:
    with pytest.raises(AssayError, match=said):
        run_small(write_small(tmp_path, experiments), tmp_path / "run")


def test_a_wrong_setting_is_found_before_anything_is_asked(tmp_path: Path) -> None:
    path = write_small(tmp_path, "[experiments.oracle]\nfcats = 1\n")
    with pytest.raises(AssayError):
        run_small(path, tmp_path / "run")
    assert not (tmp_path / "run/answers").exists()


def test_questions_without_facts_are_found_before_anything_is_asked(tmp_path: Path) -> None:
    path = write_small(tmp_path, "[experiments.oracle]\n")
    questions = tmp_path / "questions.jsonl"
    records = [json.loads(line) for line in questions.read_text(encoding="utf-8").splitlines()]
    for record in records:
        del record["facts"]
    questions.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    with pytest.raises(AssayError, match="carries a fact") as caught:
        run_small(path, tmp_path / "run")
    assert "fact1 and fact2" in (caught.value.hint or "")
    assert not (tmp_path / "run/answers").exists()


def test_the_docs_name_every_kind_and_setting() -> None:
    text = DOCS.read_text(encoding="utf-8")
    for name, kind in KINDS.items():
        part = re.search(rf"^## {name}$(.*?)(^## |\Z)", text, re.MULTILINE | re.DOTALL)
        assert part, f"docs/experiments.md has no part on {name}"
        for one in declared_settings(kind.declared):
            assert f"| `{one.name}` |" in part[1], f"{name}: {one.name}"


def test_a_slip_in_the_name_of_evidence_lists_its_tables(tmp_path: Path) -> None:
    path = write_small(tmp_path, "")
    path.write_text(path.read_text().replace('evidence = "found"', 'evidence = "fuond"'))
    with pytest.raises(AssayError, match=r"neither a table of \[evidence\] nor a file") as caught:
        run_small(path, tmp_path / "run")
    assert caught.value.hint == "tables: evidence.found"


def write_predictions(file: Path, label: str) -> None:
    file.write_text("".join(f"q{number},{label}\n" for number in range(24)), encoding="utf-8")


def test_a_file_that_a_value_names_decides_by_what_is_in_it(tmp_path: Path) -> None:
    write_predictions(tmp_path / "one.csv", "A")
    write_predictions(tmp_path / "two.csv", "B")
    experiments = (
        '[experiments.files]\nkind = "variants"\nsetting = "file"\nvalues = ["one.csv", "two.csv"]\n'
    )
    stored = '[solvers.stored]\nkind = "predictions"\nfile = "one.csv"\n'
    path = write_small(tmp_path, experiments, reader=stored)
    run_small(path, tmp_path / "run")
    before = found(tmp_path / "run", "files")
    assert step(run_small(path, tmp_path / "run"), "experiment files")["reused"] is True
    write_predictions(tmp_path / "two.csv", "C")
    assert step(run_small(path, tmp_path / "run"), "experiment files")["reused"] is False
    assert found(tmp_path / "run", "files") != before


def test_systems_in_another_order_stand_in_that_order(tmp_path: Path) -> None:
    path = write_small(tmp_path, "[experiments.oracle]\n", reader=OVERLAP)
    run_small(path, tmp_path / "run")
    counting = '[solvers.counting]\nkind = "counting.py:Counting"\nevidence = "found"\n'
    text = path.read_text()
    assert counting in text
    path.write_text(text.replace(counting, "").replace(OVERLAP, OVERLAP + counting))
    assert step(run_small(path, tmp_path / "run"), "experiment oracle")["reused"] is False
    (tmp_path / "fresh").mkdir()
    run_small(path, tmp_path / "fresh")
    assert found(tmp_path / "run", "oracle") == found(tmp_path / "fresh", "oracle")


def test_tags_added_to_a_finished_run_retrieve_and_ask_nothing_again(tmp_path: Path) -> None:
    experiments = (
        ALL_OF_READERS + "[experiments.corpus]\n[experiments.sources]\nminimum = 1\nleave_one_out = false\n"
    )
    path = write_small(tmp_path, experiments, reader=OVERLAP)
    run_small(path, tmp_path / "run")
    before = {place: place.read_bytes() for place in (tmp_path / "run").rglob("*.key")}
    (tmp_path / "kinds.tsv").write_text("id\tkind\n" + "".join(f"q{n}\teven\n" for n in range(0, 24, 2)))
    path.write_text(path.read_text().replace("[corpora.notes]", 'tags = ["kinds.tsv"]\n[corpora.notes]'))
    assert step(run_small(path, tmp_path / "run"), "results")["reused"] is False
    answers = [place for place in before if place.parent != tmp_path / "run/experiments"]
    kept = {place for place in answers if place.read_bytes() == before[place]}
    assert set(answers) - kept == {tmp_path / "run/results.key"}


def test_a_reader_of_contaminated_sources_is_named_beside_its_figures(tmp_path: Path) -> None:
    path = write_small(tmp_path, "[experiments.oracle]\n", reader=OVERLAP)
    run_small(path, tmp_path / "run")
    assert not any("contaminated" in note for note in found(tmp_path / "run", "oracle")["notes"])
    label = 'contaminated = "it was told the keys"\n'
    path.write_text(path.read_text().replace(OVERLAP, OVERLAP + label))
    run_small(path, tmp_path / "run")
    notes = found(tmp_path / "run", "oracle")["notes"]
    assert notes[0] == "overlap: contaminated, it was told the keys."


def test_one_stored_in_another_shape_is_made_anew(tmp_path: Path) -> None:
    path = write_small(tmp_path, "[experiments.oracle]\n")
    run_small(path, tmp_path / "run")
    first = bytes_of(tmp_path / "run")
    stored, key = (tmp_path / "run/experiments" / f"oracle.{end}" for end in ("json", "key"))
    stored.write_text("{}")
    key.write_text(f"{key.read_text().splitlines()[0]}\n{hashlib.sha256(b'{}').hexdigest()}\n")
    run_small(path, tmp_path / "run")
    assert bytes_of(tmp_path / "run") == first


def test_evidence_that_nobody_reads_is_said(tmp_path: Path) -> None:
    other = '[evidence.other]\nmethod = "single"\n'
    done = run_small(write_small(tmp_path, other), tmp_path / "run")
    assert "evidence.other: nobody reads it, so that it isn't retrieved." in done.notes
    depth = '[experiments.depth]\nevidence = "other"\ndepths = [1]\n'
    done = run_small(write_small(tmp_path, other + depth), tmp_path / "run")
    assert not any("nobody reads it" in note for note in done.notes)


def test_what_a_kill_left_half_written_is_removed(tmp_path: Path) -> None:
    path = write_small(tmp_path, "[experiments.oracle]\n")
    run_small(path, tmp_path / "run")
    first = bytes_of(tmp_path / "run")
    for folder in ("answers", "experiments", "experiments/oracle"):
        (tmp_path / "run" / folder / f".gold.jsonl.{'x' * 8}.part").write_text("{")
    run_small(path, tmp_path / "run")
    assert bytes_of(tmp_path / "run") == first

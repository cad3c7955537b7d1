"""The corpus diagnosis in a run: what stands in its tables, what is left out, what is refused."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path
from typing import Any

import pytest

from assay.errors import AssayError
from tests.pipeline.experiments.small_run import found, run_small, write_small
from tests.pipeline.experiments.test_sources import table
from tests.pipeline.experiments.test_step import bytes_of

CORPUS = "[experiments.corpus]\n"


def with_questions(folder: Path, change: Any) -> None:
    path = folder / "questions.jsonl"
    records = [json.loads(line) for line in path.read_text().splitlines()]
    for number, record in enumerate(records):
        change(number, record)
    path.write_text("".join(json.dumps(record) + "\n" for record in records))


def test_words_facts_and_the_funnel_of_a_small_corpus(tmp_path: Path) -> None:
    run_small(write_small(tmp_path, CORPUS), tmp_path / "run")
    made = found(tmp_path / "run", "corpus")
    words = table(made, "Words of the questions")
    assert words["notes", "All", "key"][1]["value"] == pytest.approx(100.0)
    # The numbers of even questions stand nowhere in the corpus.
    assert (
        words["notes", "Challenge", "question"][1]["value"] < words["notes", "Easy", "question"][1]["value"]
    )
    lacking = table(made, "Words that notes lacks")
    assert ("2",) in lacking
    assert ("1",) not in lacking
    # The corpus holds the first facts of odd questions, which are Easy, and no second fact.
    facts = table(made, "Gold facts that the corpus has")
    assert facts["notes", "fact1"][1]["value"] == pytest.approx(50.0)
    assert facts["notes", "fact2"][1]["value"] == 0
    funnel = table(made, "some or every gold fact")
    assert funnel["notes", "Easy", "retrieved"][0]["value"] == pytest.approx(100.0)
    assert funnel["notes", "Challenge", "in the corpus"][0]["value"] == 0
    assert funnel["notes", "All", "retrieved"][1]["value"] == 0
    assert any("asking for some fact" in one and "for want of a sentence" in one for one in made["says"])
    known = table(made, "Score where gold facts")
    assert known["notes", "All", "some fact retrieved"][1]["value"] == pytest.approx(100.0)
    counts = [
        known["notes", "All", one][0]["value"] for one in ("no fact in the corpus", "some fact in the corpus")
    ]
    assert sum(counts) == 24
    assert {line["name"] for line in made["plots"][0]["panels"][0]["lines"]} == {
        "Easy, some fact", "Easy, every fact", "Challenge, some fact", "Challenge, every fact"}  # fmt: skip


def test_classes_hold_every_question_once_and_margins_sum_to_all(tmp_path: Path) -> None:
    run_small(write_small(tmp_path, CORPUS), tmp_path / "run")
    made = found(tmp_path / "run", "corpus")
    classes = table(made, "Questions by the choices that a sentence supports")
    own = [figures for names, figures in classes.items() if names[1] == "All"]
    assert sum(figures[0]["value"] for figures in own) == 24
    assert sum(figures[2]["value"] for figures in own) == pytest.approx(100.0)
    (panel,) = made["plots"][1]["panels"]
    for line in panel["lines"]:
        assert sum(one["value"] for one in line["points"]) == pytest.approx(100.0)


def test_without_gold_facts_that_part_is_left_out_and_said(tmp_path: Path) -> None:
    path = write_small(tmp_path, CORPUS)
    with_questions(tmp_path, lambda number, record: record.pop("facts"))
    run_small(path, tmp_path / "run")
    made = found(tmp_path / "run", "corpus")
    assert not any("old fact" in one["caption"] for one in made["tables"])
    assert len(made["plots"]) == 1
    assert "No question has gold facts: what is about them is left out." in made["notes"]


def test_facts_said_twice_count_once(tmp_path: Path) -> None:
    path = write_small(tmp_path, CORPUS)
    with_questions(tmp_path, lambda n, r: r["facts"].update(second=r["facts"]["seed"].upper() + "!"))
    run_small(path, tmp_path / "run")
    facts = table(found(tmp_path / "run", "corpus"), "Gold facts that the corpus has")
    assert facts["notes", "all"][0]["value"] == 24


def test_a_corpus_that_shares_no_word_with_the_questions(tmp_path: Path) -> None:
    path = write_small(tmp_path, CORPUS)
    (tmp_path / "corpus.tsv").write_text("zoo\tZyzzyva quux.\n")
    run_small(path, tmp_path / "run")
    made = found(tmp_path / "run", "corpus")
    assert table(made, "Words of the questions")["notes", "All", "all text"][1]["value"] == 0
    best = table(made, "whose best sentence")["notes", "All"]
    assert [figure["value"] for figure in best] == [25, 0, 0, 0, 100]
    assert table(made, "Questions by the choices")["notes", "All", "no choice"][0]["value"] == 24
    assert table(made, "some or every")["notes", "All", "its words"][0]["value"] == 0


def test_questions_without_content_words(tmp_path: Path) -> None:
    path = write_small(tmp_path, CORPUS)
    with_questions(tmp_path, lambda number, record: record.update(stem="It is in the?"))
    run_small(path, tmp_path / "run")
    made = found(tmp_path / "run", "corpus")
    words = table(made, "Words of the questions")["notes", "All", "question"]
    assert words[0]["value"] == 0
    assert words[1]["value"] is None
    assert table(made, "Questions by the choices")["notes", "All", "no choice"][0]["value"] == 24


def test_a_contaminated_corpus_is_called_so_beside_a_clean_one(tmp_path: Path) -> None:
    path = write_small(tmp_path, CORPUS)
    (tmp_path / "more.tsv").write_text(
        (tmp_path / "corpus.tsv").read_text() + "zoo\tA home is where it lives.\n"
    )
    more = (
        '[corpora.more]\nfiles = ["more.tsv"]\ncontaminated = "it holds the facts"\n'
        '[evidence.found]\ncorpus = "notes"'
    )
    path.write_text(path.read_text().replace("[evidence.found]", more))
    run_small(path, tmp_path / "run")
    made = found(tmp_path / "run", "corpus")
    assert {names[0] for names in table(made, "Words of the questions")} == {"notes", "more (contaminated)"}
    (rise,) = (
        own[1] for names, own in table(made, "whose best").items() if names == ("more (contaminated)", "All")
    )
    assert rise["value"] is not None
    assert rise["p"] is not None
    assert any(one.startswith("more (contaminated) has") for one in made["says"])
    assert any("it holds the facts" in note for note in made["notes"])
    # A system that names another corpus isn't shown for this one.
    shown = {names[0] for names in table(made, r"a sentence of more \(contaminated\) supports")}
    assert shown == {"IR over it"}
    assert {names[0] for names in table(made, "a sentence of notes supports")} == {"IR over it", "counting"}


def test_another_method_looks_among_as_many_as_k_says(tmp_path: Path) -> None:
    path = write_small(tmp_path, f'{CORPUS}evidence = "found"\nk = 1\n')
    run_small(path, tmp_path / "run")
    made = found(tmp_path / "run", "corpus")
    assert any(note.startswith("Retrieved: found,") and "the best 1." in note for note in made["notes"])
    assert (tmp_path / "run/experiments/corpus/notes.jsonl").is_file()


def test_killed_and_run_again_it_ends_with_the_same_bytes(tmp_path: Path) -> None:
    path = write_small(tmp_path, CORPUS)
    run_small(path, tmp_path / "run")
    first = bytes_of(tmp_path / "run")
    (tmp_path / "run/experiments/corpus.key").unlink()
    kept = tmp_path / "run/experiments/corpus/notes.jsonl"
    kept.write_bytes(kept.read_bytes()[:900])
    run_small(path, tmp_path / "run")
    assert bytes_of(tmp_path / "run") == first


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ('corpora = ["lost"]', r"experiments\.corpus\.corpora names 'lost', which is no corpus"),
        ('solvers = ["nobody"]', r"experiments\.corpus\.solvers names 'nobody', which is no solver"),
        ('evidence = "lost"', r"experiments\.corpus\.evidence names 'lost'"),
        ("near = 2", r"'near' must be a number in \[0\.1, 1\]"),
        ('facts = ["lost.json"]', r"lost\.json"),
    ],
)
def test_what_cannot_be_is_refused_by_name(tmp_path: Path, settings: str, said: str) -> None:
    with pytest.raises(AssayError, match=said):
        run_small(write_small(tmp_path, f"{CORPUS}{settings}\n"), tmp_path / "run")


@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="cores can't be chosen here")
def test_the_number_of_cores_changes_no_byte(tmp_path: Path) -> None:
    path = write_small(
        tmp_path,
        f"{CORPUS}[experiments.sources]\nminimum = 1\n",
        reader='[solvers.pmi]\ncorpus = "notes"\n',
    )
    run_small(path, tmp_path / "run")
    first = bytes_of(tmp_path / "run")
    shutil.rmtree(tmp_path / "run")
    cores = os.sched_getaffinity(0)
    try:
        os.sched_setaffinity(0, {min(cores)})
        run_small(path, tmp_path / "run")
    finally:
        os.sched_setaffinity(0, cores)
    assert bytes_of(tmp_path / "run") == first

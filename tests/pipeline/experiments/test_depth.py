"""Readers over more and more sentences, and gold facts among them."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from assay.errors import AssayError
from assay.pipeline.configuration import read_configuration
from assay.pipeline.inputs import load_questions
from assay.questions.answers import answer_to_json
from assay.questions.model import Answer
from assay.solvers.evidence_file import EvidenceFile
from tests.pipeline.experiments.small_run import OVERLAP, found, run_small, write_small
from tests.pipeline.experiments.test_step import bytes_of, step

DEPTH = "[experiments.depth]\ndepths = [1, 2, 12]\n"
ONLY = DEPTH + 'solvers = ["overlap"]\n'


def figures(folder: Path, caption: str) -> dict[tuple[str, ...], list[Any]]:
    """The rows of the first table whose caption begins so."""
    table = next(one for one in found(folder, "depth")["tables"] if one["caption"].startswith(caption))
    return {tuple(row["names"]): row["figures"] for row in table["rows"]}


def value(figure: Any) -> Any:
    return None if figure is None else figure.get("value")


def test_readers_are_asked_at_each_depth_with_their_limit_raised(tmp_path: Path) -> None:
    reader = OVERLAP + 'most = 1\npremises = "pool"\n'
    run_small(write_small(tmp_path, DEPTH, reader=reader), tmp_path / "run")
    by = figures(tmp_path / "run", "All, 24 questions: score by depth")
    assert list(by) == [(name, depth) for name in ("counting", "overlap") for depth in ("1", "2", "12")]
    for name in ("counting", "overlap"):
        assert by[name, "1"][1] is None
        assert value(by[name, "12"][1]) == pytest.approx(value(by[name, "12"][0]) - value(by[name, "1"][0]))
    made = found(tmp_path / "run", "depth")
    # `overlap` is told to read one sentence; here it reads all it is shown. `counting` has no such setting.
    assert any(note.startswith("counting is given no setting `most`") for note in made["notes"])
    records = [
        json.loads(line)
        for line in (tmp_path / "run/experiments/depth/best-12.jsonl").read_text().splitlines()
    ]
    assert max(len(own) for record in records for own in record["evidence"].values()) > 5
    assert [point["x"] for point in made["plots"][0]["panels"][0]["lines"][0]["points"]] == [1, 2, 12]
    deep = OVERLAP.replace("found", "deep") + 'most = 999\npremises = "pool"\n'
    deep += '[evidence.deep]\nmethod = "single"\nk = 12\n'
    run_small(write_small(tmp_path, "", reader=deep), tmp_path / "alone")
    answers = (tmp_path / "alone/answers/overlap.jsonl").read_text()
    assert (tmp_path / "run/answers/overlap@depth-12.jsonl").read_text() == answers


def test_gold_facts_are_counted_by_the_keys_sentences(tmp_path: Path) -> None:
    run_small(write_small(tmp_path, ONLY, reader=OVERLAP), tmp_path / "run")
    path = tmp_path / "benchmark.toml"
    questions = load_questions(read_configuration(path)).questions
    evidence = EvidenceFile(tmp_path / "run/experiments/depth/best-12.jsonl")
    by = figures(tmp_path / "run", "All, 24 questions with gold facts: the best sentences of the key")
    for depth in (1, 2, 12):
        gold = shown = hits = 0
        for q in questions:
            own = evidence[q].evidence[q.labels.index(q.answer)][:depth]  # type: ignore[index, arg-type]
            texts = [one.text for one in own]  # type: ignore[union-attr]
            gold += texts.count(q.facts.seed)  # type: ignore[union-attr]
            shown += len(texts)
            hits += q.facts.seed in texts  # type: ignore[union-attr]
        row = by["verbatim", str(depth)]
        assert value(row[1]) == pytest.approx(100 * gold / shown)
        assert value(row[2]) == pytest.approx(100 * hits / 48)
        assert value(row[3]) == pytest.approx(100 * hits / 24)
        assert value(row[4]) == 0
    ranks = figures(tmp_path / "run", "Rank of gold facts")["All", "verbatim"]
    # Half of the first facts stand in the corpus, none of the second ones.
    assert (value(ranks[0]), value(ranks[1])) == (48, 25.0)
    assert value(ranks[3]) == pytest.approx(value(ranks[2]) / 0.25)


def test_premises_are_cut_by_question(tmp_path: Path) -> None:
    path = write_small(tmp_path, ONLY, reader=OVERLAP)
    path.write_text(path.read_text().replace('method = "single"', 'method = "premises"\ncontains = "any"'))
    run_small(path, tmp_path / "run")
    lines = (tmp_path / "run/experiments/depth/best-2.jsonl").read_text().splitlines()
    assert {sum(map(len, json.loads(line)["evidence"].values())) for line in lines} == {2}
    caption = "All, 24 questions with gold facts: the best sentences of a question"
    assert value(figures(tmp_path / "run", caption)["verbatim", "2"][0]) <= 2
    assert "sentences of each question" in found(tmp_path / "run", "depth")["plots"][0]["across"]


def test_another_depth_to_test_against(tmp_path: Path) -> None:
    run_small(write_small(tmp_path, ONLY + "against = 12\n", reader=OVERLAP), tmp_path / "run")
    by = figures(tmp_path / "run", "All, 24 questions: score by depth")
    assert by["overlap", "12"][1] is None
    assert by["overlap", "1"][1] is not None


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ("depths = [0, 1]\n", "'depths' must be a list of whole numbers >= 1"),
        ("depths = [-2]\n", "'depths' must be a list of whole numbers >= 1"),
        ("depths = [1, 1]\n", "experiments.depth: setting 'depths' must rise, each once"),
        ("depths = [5, 1]\n", "'depths' must rise"),
        ("depths = []\n", "'depths' must rise"),
        ("depths = 5\n", "'depths' must be a list"),
        ("against = 3\n", "'against' must be one of the depths. Got 3"),
        ("match = 0.0\n", r"'match' must be a number in \[0.1, 1\]"),
        ('evidence = "nothing"\n', "names neither one of .evidence. .found. nor a file"),
        ('solvers = ["ir"]\n', "names 'ir', which isn't a reader"),
        ('of = "sentence"\n', "'of' must be one of"),
    ],
)
def test_what_cannot_be_is_refused(tmp_path: Path, settings: str, said: str) -> None:
    with pytest.raises(AssayError, match=said):
        run_small(write_small(tmp_path, f"[experiments.depth]\n{settings}"), tmp_path / "run")


def test_readers_of_different_evidence_need_to_be_told(tmp_path: Path) -> None:
    other = '[evidence.other]\nmethod = "single"\n[solvers.far]\nkind = "overlap"\nevidence = "other"\n'
    with pytest.raises(AssayError, match="read different evidence: found, other"):
        run_small(write_small(tmp_path, DEPTH, reader=other), tmp_path / "run")
    run_small(write_small(tmp_path, DEPTH + 'evidence = "other"\n', reader=other), tmp_path / "run")
    assert len(figures(tmp_path / "run", "All, 24 questions: score")) == 6


def test_a_file_made_elsewhere_is_cut_and_that_is_said(tmp_path: Path) -> None:
    path = write_small(tmp_path, "", reader=OVERLAP)
    run_small(path, tmp_path / "first")
    shutil.copy(tmp_path / "first/evidence/found.jsonl", tmp_path / "made.jsonl")
    reader = OVERLAP.replace("found", "made.jsonl")
    write_small(tmp_path, ONLY, reader=reader)
    run_small(path, tmp_path / "run")
    made = found(tmp_path / "run", "depth")
    assert any(note.startswith("made.jsonl was made outside this run") for note in made["notes"])
    assert any("fewer than 12: 24" in note for note in made["notes"])
    # Nothing is known of the corpus behind it.
    assert figures(tmp_path / "run", "Rank of gold facts")["All", "verbatim"][1] is None
    # Another file is another experiment.
    lines = (tmp_path / "made.jsonl").read_text().splitlines()
    empty = [json.loads(line) for line in lines]
    for record in empty:
        record["evidence"] = {label: [] for label in record["evidence"]}
    (tmp_path / "made.jsonl").write_text("".join(json.dumps(record) + "\n" for record in empty))
    assert step(run_small(path, tmp_path / "run"), "experiment depth")["reused"] is False


def test_a_contaminated_corpus_is_called_so(tmp_path: Path) -> None:
    path = write_small(tmp_path, ONLY, reader=OVERLAP)
    path.write_text(path.read_text().replace("[corpora.notes]", '[corpora.notes]\ncontaminated = "it tells"'))
    run_small(path, tmp_path / "run")
    says = found(tmp_path / "run", "depth")["says"]
    assert says[0] == "notes is contaminated: it tells. Nothing made with it is a result."


def test_no_evidence_for_anybody_is_a_tie_at_every_depth(tmp_path: Path) -> None:
    path = write_small(tmp_path, ONLY, reader=OVERLAP.replace("found", "none.jsonl"))
    questions = load_questions(read_configuration(path)).questions
    lines = [
        answer_to_json(q, Answer(q.id, "unanswered", evidence=((),) * len(q.choices))) for q in questions
    ]
    (tmp_path / "none.jsonl").write_text("\n".join(lines) + "\n")
    run_small(path, tmp_path / "run")
    by = figures(tmp_path / "run", "All, 24 questions: score by depth")
    assert {value(row[0]) for row in by.values()} == {25.0}
    gold = figures(tmp_path / "run", "All, 24 questions with gold facts")
    assert value(gold["verbatim", "12"][1]) is None
    assert value(gold["verbatim", "12"][2]) == 0.0


def test_no_gold_facts_leave_the_scores(tmp_path: Path) -> None:
    path = write_small(tmp_path, ONLY, reader=OVERLAP)
    lines = (tmp_path / "questions.jsonl").read_text().splitlines()
    records = [json.loads(line) for line in lines]
    for record in records:
        del record["facts"]
    (tmp_path / "questions.jsonl").write_text("".join(json.dumps(record) + "\n" for record in records))
    run_small(path, tmp_path / "run")
    made = found(tmp_path / "run", "depth")
    assert len(made["tables"]) == 3
    assert len(made["plots"]) == 1
    assert any("No question carries gold facts" in note for note in made["notes"])


@pytest.mark.parametrize(
    "lost",
    [
        "experiments/depth.key",
        "experiments/depth/best-2.jsonl",
        "experiments/depth/retrieved.jsonl",
        "answers/overlap@depth-2.jsonl",
    ],
)
def test_what_a_kill_left_is_finished_to_the_same_bytes(tmp_path: Path, lost: str) -> None:
    path = write_small(tmp_path, ONLY, reader=OVERLAP)
    run_small(path, tmp_path / "run")
    first = bytes_of(tmp_path / "run")
    place = tmp_path / "run" / lost
    if place.suffix == ".jsonl":
        place.write_bytes(place.read_bytes()[: place.stat().st_size // 2])
    else:
        place.unlink()
    (tmp_path / "run/experiments/depth.key").unlink(missing_ok=True)
    run_small(path, tmp_path / "run")
    assert bytes_of(tmp_path / "run") == first

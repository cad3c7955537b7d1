"""Each source as its own corpus: what is asked, what stands in the tables, what is refused."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import Any

import pytest

from assay.errors import AssayError
from tests.pipeline.experiments.small_run import found, run_small, write_small
from tests.pipeline.experiments.test_step import bytes_of

PMI = '[solvers.pmi]\ncorpus = "notes"\n'
SOURCES = "[experiments.sources]\nminimum = 1\n"


def table(made: Any, caption: str) -> dict[tuple[str, ...], list[Any]]:
    one = next(one for one in made["tables"] if re.search(caption, one["caption"]))
    return {tuple(row["names"]): row["figures"] for row in one["rows"]}


def rewritten(folder: Path, change: Any) -> None:
    path = folder / "corpus.tsv"
    path.write_text("".join(change(line) for line in path.read_text().splitlines(keepends=True)))


def test_the_facts_of_a_source_are_answered_over_it(tmp_path: Path) -> None:
    run_small(write_small(tmp_path, SOURCES, reader=PMI), tmp_path / "run")
    made = found(tmp_path / "run", "sources")
    scores = table(made, "Score over each source")
    # Facts of odd questions are in the corpus, those of 1, 5, 9, ... in zoo, those of 3, 7, ... in farm.
    assert [names for names in scores if names[1] == "ir"] == [
        ("all of notes", "ir"), ("zoo", "ir"), ("farm", "ir")]  # fmt: skip
    assert scores["all of notes", "ir"][1]["value"] == pytest.approx(100.0)
    assert scores["zoo", "ir"][1]["value"] < 100 > scores["farm", "ir"][1]["value"]
    assert sum(scores[source, "ir"][0]["value"] for source in ("zoo", "farm")) == 51
    assert scores["zoo", "ir"][3]["chance"] == pytest.approx(25.0)
    lost = table(made, "without a source")
    assert lost["zoo", "ir"][0]["value"] == pytest.approx(scores["farm", "ir"][1]["value"] - 100)
    counted = table(made, "how many sources answer")
    assert sum(counted["All", n][0]["value"] for n in ("0", "1", "2")) == 24
    assert (tmp_path / "run/experiments/sources.svg").read_text().startswith("<svg")


def test_one_source_is_asked_and_nothing_is_left_without_it(tmp_path: Path) -> None:
    path = write_small(tmp_path, SOURCES)
    rewritten(tmp_path, lambda line: line.replace("farm\t", "zoo\t"))
    run_small(path, tmp_path / "run")
    made = found(tmp_path / "run", "sources")
    assert not any("without" in one["caption"] for one in made["tables"])
    assert any("nothing is left of the corpus" in note for note in made["notes"])


def test_sentences_without_a_source_are_of_the_file(tmp_path: Path) -> None:
    path = write_small(tmp_path, SOURCES)
    rewritten(tmp_path, lambda line: line.replace("farm\t", "\t"))
    run_small(path, tmp_path / "run")
    sources = {names[0] for names in table(found(tmp_path / "run", "sources"), "What each source")}
    assert len(sources) == 2
    assert "zoo" in sources


def test_a_pattern_takes_sources_together_and_small_ones_are_said(tmp_path: Path) -> None:
    path = write_small(tmp_path, '[experiments.sources]\nsources = ["*o*", "farm"]\n')
    run_small(path, tmp_path / "run")
    assert set(table(found(tmp_path / "run", "sources"), "What each")) == {("*o*",), ("farm",)}
    names = {file.stem for file in (tmp_path / "run/answers").glob("ir@*.jsonl")}
    assert "ir@sources-only-farm" in names
    assert any(re.fullmatch(r"ir@sources-only--o--[0-9a-f]{8}", name) for name in names)
    path.write_text(path.read_text().replace('sources = ["*o*", "farm"]', "minimum = 25"))
    run_small(path, tmp_path / "run")
    notes = found(tmp_path / "run", "sources")["notes"]
    assert notes[0].startswith("1 sources of fewer than 25 sentences aren't asked alone: ")


def test_rule_and_credit_are_those_of_the_partition(tmp_path: Path) -> None:
    path = write_small(tmp_path, SOURCES, reader=PMI + '[partition]\nfilters = ["ir", "pmi"]\nrule = "all"\n')
    run_small(path, tmp_path / "run")
    assert found(tmp_path / "run", "sources")["notes"][0].startswith(
        "A question is answered over a source if 2 of 2"
    )
    path.write_text(path.read_text().replace('rule = "all"', 'rule = "any"\ncredit = "any"'))
    run_small(path, tmp_path / "run")
    said = found(tmp_path / "run", "sources")["notes"][0]
    assert said.startswith("A question is answered over a source if 1 of 2")
    assert "alone or among others" in said


def test_a_contaminated_corpus_is_called_so(tmp_path: Path) -> None:
    path = write_small(tmp_path, SOURCES)
    path.write_text(
        path.read_text().replace(
            "[corpora.notes]\n", '[corpora.notes]\ncontaminated = "it holds the answers"\n'
        )
    )
    run_small(path, tmp_path / "run")
    made = found(tmp_path / "run", "sources")
    assert "notes (contaminated)" in made["title"]
    assert "notes (contaminated)" in made["says"][0]
    assert ("all of notes (contaminated)", "ir") in table(made, "Score over each")
    assert "it holds the answers" in made["notes"][0]


def test_killed_and_run_again_it_ends_with_the_same_bytes(tmp_path: Path) -> None:
    path = write_small(tmp_path, SOURCES)
    run_small(path, tmp_path / "run")
    first = bytes_of(tmp_path / "run")
    (tmp_path / "run/experiments/sources.key").unlink()
    answers = tmp_path / "run/answers/ir@sources-only-zoo.jsonl"
    answers.write_bytes(answers.read_bytes()[:700])
    run_small(path, tmp_path / "run")
    assert bytes_of(tmp_path / "run") == first
    shutil.rmtree(tmp_path / "run")


def test_questions_without_keys_or_words_do_no_harm(tmp_path: Path) -> None:
    path = write_small(tmp_path, SOURCES, reader=PMI)
    questions = (tmp_path / "questions.jsonl").read_text().splitlines(keepends=True)
    hidden = re.sub(r'"answer": "."', '"answer": null', questions[0])
    wordless = re.sub(r'"stem": "[^"]*"', '"stem": "It is in the?"', questions[1])
    (tmp_path / "questions.jsonl").write_text("".join([wordless, *questions[2:]]))
    (tmp_path / "hidden.jsonl").write_text(hidden)
    path.write_text(path.read_text().replace('["questions.jsonl"]', '["questions.jsonl", "hidden.jsonl"]'))
    run_small(path, tmp_path / "run")
    assert found(tmp_path / "run", "sources")["says"][0].count("23 questions")


@pytest.mark.parametrize(
    ("experiments", "said"),
    [
        ('[experiments.sources]\nsources = ["moon"]\n', r"sources\.sources: notes has no sentence of 'moon'"),
        ('[experiments.sources]\nsources = ["zoo", "z*"]\n', r"sources\.sources names 'zoo' twice"),
        ("[experiments.sources]\n", r"no source of notes has 1,000 sentences"),
        ('[experiments.sources]\ncorpus = "lost"\n', r"sources\.corpus names 'lost', which is no corpus"),
        (f'{SOURCES}solvers = ["nobody"]\n', r"names 'nobody', which is no solver"),
        (f'{SOURCES}solvers = ["counting"]\n', r"names 'counting', which has no setting corpus"),
        (f"{SOURCES}rule = 3\n", r"experiments\.sources\.rule must be within 1 and 1"),
        (f'{SOURCES}credit = "some"\n', r"'credit' must be one of 'exact', 'any'"),
    ],
)
def test_what_cannot_be_is_refused_by_name(tmp_path: Path, experiments: str, said: str) -> None:
    with pytest.raises(AssayError, match=said):
        run_small(write_small(tmp_path, experiments), tmp_path / "run")

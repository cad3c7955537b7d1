"""Tags and taxonomies in benchmark.toml: scores by type, and answers that stay as they are."""

from __future__ import annotations

import json
from pathlib import Path

from tests.pipeline.test_run import assay, steps, write_benchmark

TAGGED = """
tags = ["kinds.tsv", "topics=topics.tsv"]
taxonomy = { type = "kinds.toml", topics = "arc-topics" }
type_labels = ["labels.tsv"]
"""
KINDS = """
[[types]]
name = "even"
[[types]]
name = "third"
[[types]]
name = "never"
definition = "No question is of this type."
"""


def write_tags(folder: Path) -> None:
    rows = [f"q{n}\t{int(n % 2 == 0)}\t{int(n % 3 == 0)}" for n in range(60)]
    (folder / "kinds.tsv").write_text("\n".join(["id\tEven\t3rd", *rows, "elsewhere\t1\t1"]) + "\n")
    topics = [f"q{n}\tEasy\t{'LIFE_FUNCT; MAT_STATES' if n % 2 else 'EARTH_SOIL'}" for n in range(40)]
    (folder / "topics.tsv").write_text("\n".join(["id\tfold\ttopics", *topics]) + "\n")
    (folder / "kinds.toml").write_text(KINDS)
    (folder / "labels.tsv").write_text("3rd\tthird\n")


def test_scores_by_type_of_a_run_that_was_made_before(tmp_path: Path) -> None:
    benchmark = write_benchmark(tmp_path)
    plain = benchmark.read_text().replace('corpora = ["notes", "few"]\nwithout_answer_sentences = 0.5\n', "")
    benchmark.write_text(plain)
    assay("run", benchmark)
    write_tags(tmp_path)
    tagged = plain.replace("[corpora.notes]", TAGGED + "[corpora.notes]", 1)
    benchmark.write_text(tagged.replace('"grade", "choices"', '"type", "topics"'))
    logged = len(steps(tmp_path / "run"))
    assay("run", benchmark)
    again = {str(step["step"]): step for step in steps(tmp_path / "run")[logged:]}
    assert all(step["reused"] for name, step in again.items() if name.startswith("answers"))
    assert not again["results"]["reused"]

    data = json.loads((tmp_path / "run" / "report.json").read_text())
    by_type, by_topic = (
        next(one for one in data["breakdowns"] if one["by"] == by and one["column"] == "All")
        for by in ("type", "topics")
    )
    assert [(group["value"], group["n"]) for group in by_type["groups"]] == [
        ("even", 30),
        ("third", 20),
        ("never", 0),
        ("(no type)", 20),
    ]
    even = by_type["groups"][0]
    assert (even["chance"], even["rest"]) == (25.0, 30)
    assert [score["score"] for score in by_type["groups"][2]["scores"]] == [None] * 4
    guess = by_type["systems"].index("guess-all")
    assert even["scores"][guess].get("p_chance") is None
    assert 0 <= even["scores"][by_type["systems"].index("ir")]["p_chance"] <= 1
    # A group of 20 is shown and not tested; topics are held against the questions that have one.
    assert by_type["groups"][1]["scores"][1].get("p_chance") is None
    assert [(group["value"], group["n"], group.get("rest", 0)) for group in by_topic["groups"]][:3] == [
        ("life", 20, 20),
        ("earth", 20, 20),
        ("matter", 20, 20),
    ]
    page = (tmp_path / "run" / "report.html").read_text()
    assert "Each type against the rest" in page
    # The types are data as well: one that no question has still makes the results anew.
    (tmp_path / "kinds.toml").write_text(KINDS + '[[types]]\nname = "nor this"\n')
    assay("run", benchmark)
    assert "nor this" in (tmp_path / "run" / "report.json").read_text()


def test_what_is_wrong_with_tags_is_said(tmp_path: Path) -> None:
    benchmark = write_benchmark(tmp_path)
    write_tags(tmp_path)
    plain = benchmark.read_text()
    for given, said in (
        ('tags = ["kinds.tsv"]\ntaxonomy = "kinds.toml"\n', "kinds.tsv:1: label '3rd' is no type of kinds"),
        ('tags = ["kinds.tsv"]\ntaxonomy = "nope"\n', "no such taxonomy"),
        ('tags = ["kinds.tsv"]\ntaxonomy = { kind = "kinds.toml" }\n', "no tags of kind kind"),
        ("taxonomy = 3\n", "questions.taxonomy must be a table"),
    ):
        benchmark.write_text(plain.replace("[corpora.notes]", given + "[corpora.notes]", 1))
        assert said in assay("run", benchmark, status=2).stderr

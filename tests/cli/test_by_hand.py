"""From a table with columns of its own to Easy and Challenge, one verb after the other."""

import json
import os
import subprocess
import sys

import pytest

TABLE = """nr,frage,first,second,third,solution,level
1,What makes dough rise?,yeast,salt,oil,1,easy
2,What cools a fresh burn?,butter,running water,flour,2,easy
3,What curdles a mayonnaise?,lemon juice,a new yolk,too much oil at once,3,hard
"""
MAP = ("nr", "frage", "first,second,third", "solution")
READING = [
    *(part for name, columns in zip(("id", "stem", "choices", "answer"), MAP, strict=True)
      for part in ("--map", f"{name}={columns}")),
    "--answers",
    "1-based",
]  # fmt: skip


@pytest.fixture
def assay(tmp_path):
    """Runs the command in a folder that holds the table; gives exit status, output, errors."""
    (tmp_path / "table.csv").write_text(TABLE, encoding="utf-8")

    def run(*arguments):
        done = subprocess.run(
            [sys.executable, "-m", "assay", *map(str, arguments)],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
            timeout=120,
        )
        assert "Traceback" not in done.stderr
        return done.returncode, done.stdout, done.stderr

    return run


def test_every_verb_reads_a_table_by_its_map(assay, tmp_path):
    (tmp_path / "notes.txt").write_text("Yeast makes dough rise.\nRunning water cools a burn.\n", "utf-8")
    assert assay("corpus", "import", "notes.txt", "--to", "notes")[0] == 0
    status, out, _ = assay(
        "answer", "table.csv", *READING, "--solver", "ir", "--corpus", "notes", "-o", "ir.jsonl"
    )
    assert (status, out) == (0, "3 answers in ir.jsonl, 0 of them made before\n")
    (tmp_path / "ours.csv").write_text("id,answer\n1,A\n2,B\n3,A\n", encoding="utf-8")
    status, out, _ = assay("partition", "table.csv", "ir.jsonl", *READING)
    assert (status, out.splitlines()[0]) == (0, "3 questions: 2 Easy, 1 Challenge")
    assert assay("partition", "table.csv", "ir.jsonl", *READING, "--sets", "sets")[0] == 0
    status, out, _ = assay("check", "sets/Easy.jsonl", "sets/Challenge.jsonl")
    assert out.splitlines()[-1] == "no faults, no warnings"
    challenge = json.loads((tmp_path / "sets/Challenge.jsonl").read_text(encoding="utf-8"))
    assert (challenge["id"], challenge["metadata"]) == ("3", {"level": "hard", "set": "Challenge"})
    both = ("sets/Easy.jsonl", "--questions", "sets/Challenge.jsonl")
    status, out, _ = assay("score", *both, "ours.csv", "--by", "set")
    rows = [row.split("\t")[:2] for row in out.splitlines()]
    assert ["Easy", "2*"] in rows
    assert ["Challenge", "1*"] in rows
    status, out, _ = assay("score", "table.csv", "ours.csv", *READING, "--by", "level", "--json")
    assert json.loads(out)["systems"][0]["points"] == "2"
    status, out, _ = assay("compare", "table.csv", "ours.csv", "ir.jsonl", *READING, "--json")
    assert status == 0
    assert json.loads(out)["n"] == 3


def test_a_table_without_a_map_says_what_to_do(assay):
    status, out, err = assay("answer", "table.csv", "--solver", "guess-all")
    assert (status, out) == (2, "")
    assert "table.csv:1: in no known question format: columns nr, frage, first, second, third" in err
    assert "--map stem=" in err


def test_answers_with_two_readings_say_which_to_name(assay, tmp_path):
    (tmp_path / "table.csv").write_text("".join(TABLE.splitlines(keepends=True)[:3]), encoding="utf-8")
    status, out, _ = assay("check", "table.csv", *READING[:-2])
    assert status == 1
    assert "indexes from 0 or indexes from 1: say which, answers 0-based or 1-based" in out
    for format in ("sciq", "assay"):
        status, _, err = assay("convert", "table.csv", *READING[:-2], "--to", format)
        assert status == 2
        assert "say which, answers 0-based or 1-based" in err


def test_what_to_do_is_said_beside_the_fault(assay, tmp_path):
    (tmp_path / "headed.csv").write_text("nr,guess\n1,A\n2,B\n3,A\n", encoding="utf-8")
    status, _, err = assay("score", "table.csv", "headed.csv", *READING)
    assert (status, "if line 1 is a heading" in err) == (2, True)
    (tmp_path / "blank.csv").write_text("id,answer\n1,A\n2,B\n3,\n", encoding="utf-8")
    status, _, err = assay("score", "table.csv", "blank.csv", *READING)
    assert (status, "--allow-missing" in err) == (2, True)
    status, _, err = assay("answer", "table.csv", *READING, "--solver", "ir")
    assert (status, "--corpus FOLDER" in err) == (2, True)


def test_guess_all_as_a_system_stands_beside_chance(assay):
    assert assay("answer", "table.csv", *READING, "--solver", "guess-all", "-o", "guess-all.jsonl")[0] == 0
    quiet = assay(
        "answer", "table.csv", *READING, "--solver", "guess-all", "-o", "guess-all.jsonl", "--quiet"
    )
    assert quiet[:2] == (0, "")
    _, out, _ = assay("score", "table.csv", "guess-all.jsonl", *READING)
    assert [row.split("\t")[0] for row in out.splitlines()[2:4]] == ["guess-all", "chance"]


def test_values_of_a_column_are_named_by_it_in_words(assay, tmp_path):
    assert assay("describe", "table.csv", *READING, "--by", "level", "--html", "page.html")[0] == 0
    assert "3 questions: 2 of level easy, 1 of level hard, with" in (tmp_path / "page.html").read_text(
        "utf-8"
    )

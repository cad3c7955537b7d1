"""TableILP over toy tables whose best graph is known, and over real ones reduced to few rows."""

import json
import math
import os
import random
import subprocess
import sys
from pathlib import Path

import pytest

from assay.errors import AssayError
from assay.questions.answers import answer_from_json, answer_to_json
from assay.questions.model import Answer, Choice, Question
from assay.solvers.support_graphs.problem import Problem
from assay.solvers.support_graphs.search import best_graph
from assay.solvers.table_ilp import TableILP
from tests.solvers.support_graphs.exhaustive import best

WHERE = (
    "[FILL] the\tTHING\t[FILL] lives in\tPLACE\t[SKIP] UID\n"
    "the\tnewt\tlives in\tponds\tu1\nthe\towl\tlives in\tbarns\tu2\n"
)
KINDS = "THING\t[FILL] is a kind of\tCLASS\nnewt\tis a kind of\tamphibian\nowl\tis a kind of\tbird\n"
EATS = "EATER\tFOOD\nheron\tnewts\nheron\tfrogs\n"


def folder(path: Path, **tables: str) -> str:
    path.mkdir(exist_ok=True)
    for name, text in tables.items():
        (path / f"{name}.tsv").write_text(text)
    return str(path)


def question(stem: str, *choices: str) -> Question:
    return Question(
        "q", stem, tuple(Choice(label, text) for label, text in zip("ABCDE", choices, strict=False))
    )


def answer(tables: str, asked: Question, **settings: object) -> Answer:
    return next(iter(TableILP.build("t", {"tables": tables, **settings}, {}).answer([asked])))


def test_one_row_that_states_the_answer(tmp_path: Path) -> None:
    tables = folder(tmp_path, where=WHERE, kinds=KINDS)
    said = answer(tables, question("In what place lives the newt?", "barns", "ponds", "deserts"))
    assert said.chosen == ("B",)
    assert said.scores is not None
    # newt, a science term, 1 + 0.6; the header PLACE 1 + 0.3 + 0.3; ponds 1; both columns 1; table 3, row 1.
    assert said.scores[1] == pytest.approx(1.6 + 1.6 + 1 + 1 - 4)
    assert said.scores[2] == -math.inf
    ((graph,),) = [pieces for pieces in said.evidence if pieces and pieces[0].score == said.scores[1]]
    assert [fact.text for fact in graph.facts] == ["the newt lives in ponds"]
    assert (graph.facts[0].source, graph.facts[0].line, graph.status) == ("where.tsv", 2, "optimal")
    assert sorted((node.kind, node.text) for node in graph.nodes) == [
        ("choice", "ponds"), ("fact", "PLACE"), ("fact", "newt"), ("fact", "ponds"), ("term", "newt"),
        ("term", "place"),
    ]  # fmt: skip
    asked = question("In what place lives the newt?", "barns", "ponds", "deserts")
    assert answer_from_json(asked, answer_to_json(asked, said)) == said


def test_two_tables_are_chained_where_that_gains(tmp_path: Path) -> None:
    """Heron eats newts, newts live in ponds: no row holds both heron and ponds."""
    tables = folder(tmp_path, where=WHERE, eats=EATS)
    asked = question("Where does the newt live that the heron eats?", "barns", "ponds")
    said = answer(tables, asked, table_penalty=0.5, row_penalty=0.2)
    assert said.chosen == ("B",)
    graph = said.evidence[1][0]
    assert [fact.text for fact in graph.facts] == ["heron newts", "the newt lives in ponds"]
    assert "between tables" in {edge.label for edge in graph.edges}


def test_only_allowed_columns_are_tied(tmp_path: Path) -> None:
    tables = folder(tmp_path / "tables", where=WHERE, eats=EATS)
    asked = question("Where does the newt live that the heron eats?", "barns", "ponds")
    for line, tied in (("eats.tsv,1,where.tsv,0", True), ("eats.tsv,0,where.tsv,0", False)):
        (tmp_path / "allowed.csv").write_text(line + "\n")
        said = answer(
            tables, asked, table_penalty=0.5, row_penalty=0.2, alignments=str(tmp_path / "allowed.csv")
        )
        assert ("between tables" in {edge.label for edge in said.evidence[1][0].edges}) == tied


def test_the_word_after_which_counts_more(tmp_path: Path) -> None:
    tables = folder(tmp_path, a="PLANT\tPLACE\nmoss\tstones\n", b="PLANT\tCOLOUR\nmoss\tgreen\n")
    plain = answer(tables, question("Moss is seen on plants of a moor.", "stones", "green"))
    asked = answer(tables, question("Moss is seen on which moss of a moor?", "stones", "green"))
    assert plain.scores is not None
    assert asked.scores is not None
    assert asked.scores[0] == pytest.approx(plain.scores[0] + 1.5 - 1.6 * ("plant" in "plants"))


def test_rows_and_tables_in_another_order(tmp_path: Path) -> None:
    lines = [f"thing{n}\tplace{n % 3}" for n in range(12)]
    asked = question("Which place holds thing7?", "place0", "place1", "place2")
    said = []
    for seed in range(3):
        rows = random.Random(seed).sample(lines, len(lines))
        tables = folder(tmp_path / str(seed), first="THING\tPLACE\n" + "\n".join(rows) + "\n", second=KINDS)
        said.append(answer(tables, asked))
    assert said[0].chosen == said[1].chosen == said[2].chosen == ("B",)
    assert said[0].scores == said[1].scores == said[2].scores


def test_a_table_about_something_else_changes_nothing(tmp_path: Path) -> None:
    asked = question("In what place lives the newt?", "barns", "ponds", "deserts")
    alone = answer(folder(tmp_path / "one", where=WHERE), asked)
    beside = answer(folder(tmp_path / "two", where=WHERE, other="METAL\tUSE\ncopper\twires\n"), asked)
    assert alone == beside


PROGRAM = """
import sys
from assay.questions.answers import answer_to_json
from assay.questions.model import Choice, Question
from assay.solvers.table_ilp import TableILP
choices = (Choice("A", "barns"), Choice("B", "wet ponds"))
asked = Question("q", "Where does the newt live that the heron eats?", choices)
print(answer_to_json(asked, next(iter(TableILP.build("t", {"tables": sys.argv[1]}, {}).answer([asked])))))
"""


def test_the_same_in_every_process(tmp_path: Path) -> None:
    tables = folder(tmp_path, where=WHERE, kinds=KINDS, eats=EATS)
    said = {
        subprocess.run(
            [sys.executable, "-c", PROGRAM, tables],
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": os.pathsep.join(sys.path)},
            capture_output=True, check=True, text=True,
        ).stdout
        for seed in ("1", "2")
    }  # fmt: skip
    assert len(said) == 1
    assert json.loads(said.pop())["chosen"] == ["B"]


@pytest.mark.parametrize("stem", ["", "Which of these is it?", "?!", "the of and"])
def test_a_stem_without_a_content_word_ties_all(tmp_path: Path, stem: str) -> None:
    said = answer(folder(tmp_path, where=WHERE), question(stem, "barns", "ponds"))
    assert said.chosen == ("A", "B")
    assert said.scores == (-math.inf, -math.inf)
    assert said.evidence == ((), ())


def test_a_limit_that_is_hit_is_said_and_the_run_goes_on(tmp_path: Path) -> None:
    rows = "\n".join(f"newt\tponds and thing{n}\tmoor{n}" for n in range(20))
    tables = folder(tmp_path, a=f"THING\tPLACE\tOTHER\n{rows}\n", where=WHERE, kinds=KINDS)
    said = answer(
        tables, question("Where lives the newt of moor3 and moor7 and moor9?", "wet ponds", "x"), effort=1
    )
    assert said.evidence is not None
    assert said.evidence[0][0].status == "feasible, limit hit"


def test_bad_input(tmp_path: Path) -> None:
    with pytest.raises(AssayError, match="holds no table"):
        TableILP.build("t", {"tables": folder(tmp_path / "none")}, {})
    with pytest.raises(AssayError, match="1 cells under 2 headers"):
        TableILP.build("t", {"tables": folder(tmp_path / "ragged", a="A\tB\n1\n")}, {})
    with pytest.raises(AssayError, match="needs the setting 'tables'"):
        TableILP.build("t", {}, {})
    good = folder(tmp_path / "good", where=WHERE)
    with pytest.raises(AssayError, match="no WordNet here"):
        TableILP.build("t", {"tables": good, "similarity": "wordnet", "wordnet": str(tmp_path)}, {})
    with pytest.raises(AssayError, match="can't be read"):
        TableILP.build("t", {"tables": good, "science_terms": str(tmp_path / "absent.txt")}, {})


def test_settings_tell_runs_apart(tmp_path: Path) -> None:
    one = TableILP.build("t", {"tables": folder(tmp_path / "one", where=WHERE)}, {}).settings
    two = TableILP.build("t", {"tables": folder(tmp_path / "two", where=WHERE, kinds=KINDS)}, {}).settings
    three = TableILP.build("t", {"tables": str(tmp_path / "one"), "row_penalty": 2.0}, {}).settings
    assert len({json.dumps(settings, sort_keys=True) for settings in (one, two, three)}) == 3


def reduced(problem: Problem, draw: random.Random) -> Problem | None:
    """A real problem with some of its links, few enough that every set of them can be tried."""
    from dataclasses import replace

    if not (problem.terms and problem.choices):
        return None
    tied = {link.cell.row for link in problem.choices}
    terms = [link for link in problem.terms if link.cell.row in tied] or list(problem.terms)
    rows = {link.cell.row for link in draw.sample(terms, min(2, len(terms)))}
    cells = [k for k in problem.cells if {k.one.row, k.other.row} & rows]
    rows |= {row for k in draw.sample(cells, min(2, len(cells))) for row in (k.one.row, k.other.row)}
    parts = {
        "terms": [link for link in problem.terms if link.cell.row in rows],
        "choices": [link for link in problem.choices if link.cell.row in rows],
        "cells": [k for k in problem.cells if {k.one.row, k.other.row} <= rows],
        "headers": list(problem.headers),
    }
    most = {"terms": 5, "choices": 2, "cells": 3, "headers": 1}
    kept = {name: tuple(draw.sample(links, min(most[name], len(links)))) for name, links in parts.items()}
    return replace(problem, **kept)


@pytest.mark.real_data
def test_real_questions_reduced_against_every_set_of_links(shared_data: Path) -> None:
    from assay.questions import read_questions

    solver = TableILP.build("t", {"tables": str(shared_data / "tables/worldtree-v1")}, {})
    questions = read_questions([str(shared_data / "arc/ARC-Challenge/ARC-Challenge-Dev.jsonl")]).questions
    draw, tried, found = random.Random(1), 0, 0
    for asked in questions:
        for whole in solver.problems(asked)[2]:
            if (problem := reduced(whole, draw)) is not None:
                break
        else:
            continue
        tried += 1
        gain = best_graph(problem, 10**9, 1000).gain
        assert gain == best(problem), asked.id
        found += gain is not None
    assert tried > 250
    assert found > 200

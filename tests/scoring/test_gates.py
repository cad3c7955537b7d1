"""Gates, JUnit, spreadsheet-safe CSV, the leaderboard's exit codes."""

import csv
import io
import json
import locale
import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.errors import AssayError
from assay.scoring.comparison import compare
from assay.scoring.export import csv_table, safe_text
from assay.scoring.gates import GateResult, fail_under, junit_xml, not_worse
from assay.scoring.interval import estimate
from assay.scoring.leaderboard import LeaderboardError, leaderboard_accuracy
from assay.scoring.points import mark
from tests.scoring.scoring_cases import pair

HALF = estimate(np.array([1.0, 0.0] * 50))


def test_a_score_just_reached_passes() -> None:
    assert fail_under("s", HALF, 50).passed
    assert not fail_under("s", HALF, 50.01).passed
    below = fail_under("s", HALF, 50, "lower")
    assert not below.passed
    assert "< 50" in below.what
    assert fail_under("s", HALF, 40, "lower").passed
    assert not fail_under("s", estimate(np.empty(0)), 0).passed


@pytest.mark.parametrize("percent", [0.5, 1, -1, 101, float("nan")])
def test_a_share_is_no_percentage(percent) -> None:
    with pytest.raises(AssayError, match="percent"):
        fail_under("s", HALF, percent)


def test_not_worse_needs_the_whole_interval() -> None:
    better, worse = mark(*pair(["A"] * 80 + ["B"] * 20)), mark(*pair(["A"] * 78 + ["B"] * 22))
    got = compare(("new", "old"), worse, better)
    assert not_worse(got, 5).passed
    assert not not_worse(got, 2).passed
    assert not_worse(compare(("new", "old"), better, better), 0).passed
    with pytest.raises(AssayError, match="margin must be 0 or more"):
        not_worse(got, -1)


def test_junit_is_xml_whatever_the_names() -> None:
    results = [GateResult('a<&"\x00', "score at least 3", False, "2 < 3"), GateResult("b", "g", True, "fine")]
    root = ElementTree.fromstring(junit_xml(results))
    assert (root.get("tests"), root.get("failures")) == ("2", "1")
    assert [case.find("failure") is None for case in root] == [False, True]
    assert root[0].get("classname") == 'a<&"\ufffd'


@pytest.mark.parametrize("name", ["=1+1", "+x", "-y", "@z", "\t=2", " =3"])
def test_a_name_is_no_formula(name) -> None:
    rows = list(csv.reader(io.StringIO(csv_table(["system", "score"], [[name, -0.5]]))))
    assert rows == [["system", "score"], ["'" + name, "-0.5"]]


@given(st.lists(st.floats() | st.integers() | st.none(), max_size=5))
def test_numbers_come_back_as_they_were(cells) -> None:
    row = next(csv.reader(io.StringIO(csv_table(["x"] * len(cells), [cells]).split("\n", 1)[1])), [])
    for cell, text in zip(cells, row, strict=False):
        if cell is None or cell != cell or cell in (float("inf"), float("-inf")):
            assert text == ""
        else:
            assert type(cell)(text) == cell


def test_a_comma_locale_changes_no_cell(monkeypatch) -> None:
    monkeypatch.setattr(locale, "localeconv", lambda: {"decimal_point": ",", "thousands_sep": "."})
    assert csv_table(["accuracy"], [[0.5]]) == "accuracy\n0.5\n"


def test_a_carriage_return_in_a_name_ends_no_row() -> None:
    rows = list(csv.reader(io.StringIO(csv_table(["system", "score"], [["a\rb", 1]]), newline="")))
    assert rows == [["system", "score"], ["a\rb", "1"]]
    assert safe_text("a\rb") == "a\rb"
    assert safe_text("plain") == "plain"


KEYS = '{"id":"q1","answerKey":"A"}\n{"id":"q2","answerKey":"2"}\n'
CHOICES = '{"stem":"?","choices":[{"label":"1","text":"x"},{"label":"2","text":"y"}]}'
QUESTION = '{"id":"q1","question":' + CHOICES + ',"answerKey":"1"}\n'


@pytest.mark.parametrize(
    ("keys", "predictions", "status", "what"),
    [
        ("", "q1,A\n", 1, "no answers"),
        ("this is not json", "q1,A\n", 1, "answers.jsonl:1: not JSON"),
        (
            KEYS + '{"id":"q1","answerKey":"B"}\n',
            "",
            1,
            "answers.jsonl:3: question q1: id appears a second time",
        ),
        ('{"id":"q1"}\n', "", 1, 'answers.jsonl:1: no "answerKey"'),
        ("[1]\n", "", 1, "answers.jsonl:1: not a JSON object"),
        ("[" * 100_000, "", 1, "answers.jsonl:1: not JSON"),
        (KEYS, 'q1,A\n"q2"\n', 2, "predictions.csv:2: 1 columns"),
        (KEYS, "q1,A\nq1,A\nq2,2\n", 2, "second prediction (first on line 1)"),
        (KEYS, ",A\n", 2, "predictions.csv:1: no id"),
        (KEYS, "q1,A;\n", 2, "question q1: empty label"),
        (KEYS, "q1,A;A\n", 2, "label A stands twice"),
        (KEYS, 'q1,"A\nq2,B"\n', 2, "predictions.csv:1: no CSV row"),
        (KEYS, "q1,A\n\nq2,2\n", 2, "predictions.csv:2: 0 columns"),
        (QUESTION, "q1,A\n", 2, "A is not one of 1, 2"),
        (KEYS, "q1,A\n", 4, "question q2: no prediction"),
        (KEYS, "q1,A\nq3,A\n", 4, "expected 2 predictions, got 1"),
        (KEYS, "q1,A\nq2,2\nq3,A\n", 3, "question q3: no such question"),
    ],
)
def test_exit_codes_of_the_evaluator(tmp_path, keys, predictions, status, what) -> None:
    (tmp_path / "answers.jsonl").write_text(keys, encoding="utf-8")
    (tmp_path / "predictions.csv").write_text(predictions, encoding="utf-8")
    with pytest.raises(LeaderboardError) as caught:
        leaderboard_accuracy(tmp_path / "answers.jsonl", tmp_path / "predictions.csv")
    assert caught.value.exit_status == status
    assert what in str(caught.value)


def test_a_missing_file_has_its_code_too(tmp_path) -> None:
    with pytest.raises(LeaderboardError) as caught:
        leaderboard_accuracy(tmp_path / "none.jsonl", tmp_path / "none.csv")
    assert caught.value.exit_status == 1


def test_ties_and_quotes(tmp_path) -> None:
    (tmp_path / "k").write_text(KEYS.replace("\n", "\r\n"), encoding="utf-8")
    (tmp_path / "p").write_text('"q2","1;2"\r\nq1,A', encoding="utf-8")
    assert leaderboard_accuracy(tmp_path / "k", tmp_path / "p") == 0.75


@pytest.mark.real_data
@pytest.mark.parametrize("folder", ["arc-challenge", "arc-easy"])
def test_dummies_of_the_leaderboard(shared_data, folder) -> None:
    files = shared_data / "leaderboard" / folder
    keys = [json.loads(line) for line in (files / "question-answers.jsonl").read_text().split("\n") if line]
    chosen = dict(
        line.split(",") for line in (files / "dummy-predictions.csv").read_text().split("\n") if line
    )
    sets = [(key["answerKey"], chosen[key["id"]].split(";")) for key in keys]
    expected = sum((key in labels) / len(labels) for key, labels in sets) / len(keys)
    got = leaderboard_accuracy(files / "question-answers.jsonl", files / "dummy-predictions.csv")
    assert got == pytest.approx(expected, abs=1e-12)


@pytest.mark.real_data
def test_stored_systems_on_the_leaderboard(shared_data) -> None:
    keys = shared_data / "leaderboard/arc-challenge/question-answers.jsonl"
    folder = shared_data / "predictions/arc-challenge-test"
    assert round(100 * leaderboard_accuracy(keys, folder / "DGEM.csv"), 2) == 26.41
    questions = shared_data / "arc/ARC-Challenge/ARC-Challenge-Test.jsonl"
    assert round(100 * leaderboard_accuracy(questions, folder / "GSA.csv"), 2) == 28.42

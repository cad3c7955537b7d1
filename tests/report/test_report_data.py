"""ReportData to JSON and back, strictly."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from assay.errors import AssayError
from assay.questions.model import Answer, Choice, PairEvidence, Question, ReplyEvidence, SentenceEvidence
from assay.report.data import Asked, Column, ReportData, SystemUsed, read_report_data, write_report_data
from assay.report.page import page
from tests.report.made_up import made_up

SMALL = made_up(12)


def test_round_trip(tmp_path: Path) -> None:
    write_report_data(SMALL, tmp_path / "report.json")
    again = read_report_data(tmp_path / "report.json")
    assert again == SMALL
    assert again.to_json() == SMALL.to_json()
    json.loads(SMALL.to_json(), parse_constant=pytest.fail)


def test_every_kind_of_evidence_and_infinity_come_back() -> None:
    kinds = (SentenceEvidence("s", 1.0), PairEvidence("x", "y", -0.5, 3), ReplyEvidence("B"))
    question = Question("q", "Which?", (Choice("A", "this"), Choice("B", "that")), "A")
    answer = Answer("q", "answered", ("A",), (float("inf"), float("-inf")), (kinds, ()))
    one = Asked(question, (answer,), (1.0,))
    data = ReportData(
        "t", "s", "c", "", (), (SystemUsed("a", "ir"),), (Column("All", "all", 1),), (), questions=(one,)
    )
    again = ReportData.from_json(data.to_json())
    assert again.questions[0].answers[0] == answer
    assert "∞" in page(again)


@pytest.mark.parametrize(
    ("change", "word"),
    [
        (lambda d: d.update(extra=1), "unknown field extra"),
        (lambda d: d.pop("title"), "field title is missing"),
        (lambda d: d["columns"][0].update(n="7"), "columns[0].n must be a whole number"),
        (lambda d: d["columns"][0].update(n=True), "columns[0].n"),
        (lambda d: d["columns"][0].update(basis="mine"), "columns[0].basis must be one of"),
        (lambda d: d["scores"][0].update(score="inf "), "scores[0].score must be a number"),
        (lambda d: d["questions"][0]["question"].update(choices={}), "choices must be a list"),
        (lambda d: d["questions"][0].update(answers=[[]]), "questions[0].answers[0]"),
        (lambda d: d["questions"][0].update(answers=[]), "an answer and points (or null) for every system"),
        (lambda d: d["questions"][0]["answers"][1].update(scores=[1.0]), "don't align with its choices"),
        (lambda d: d["questions"][0]["answers"][1].update(chosen=["Z"]), "a label that isn't"),
        (lambda d: d["scores"][0].update(system="nobody"), "a score names a system 'nobody'"),
        (lambda d: d["comparisons"][0].update(column="Hard"), "a comparison names a column 'Hard'"),
        (lambda d: d["systems"][0].update(name="IR"), "have one name"),
        (lambda d: d["agreement"][0]["share"].pop(), "isn't 10 by 10"),
        (lambda d: d["breakdowns"][0]["groups"][0]["scores"].pop(), "hasn't a score a system"),
        (lambda d: d["matrix"]["profiles"][0]["answered"].pop(), "a profile of the corpus matrix"),
        (lambda d: d["partition"]["agreement"]["table"].pop("Easy"), "isn't a table of Easy"),
    ],
)
def test_what_does_not_fit_is_named(change, word: str) -> None:
    stored = json.loads(SMALL.to_json())
    change(stored)
    with pytest.raises(AssayError) as error:
        ReportData.from_json(json.dumps(stored), file="report.json")
    assert word in str(error.value)
    assert str(error.value).startswith("report.json")


@pytest.mark.parametrize("text", ["", "[", "[]", '{"title":"a","title":"b"}', '{"title":NaN}', "[" * 100_000])
def test_not_a_report(text: str) -> None:
    with pytest.raises(AssayError, match="not a stored report"):
        ReportData.from_json(text)


def test_unreadable_files(tmp_path: Path) -> None:
    with pytest.raises(AssayError, match="can't be read"):
        read_report_data(tmp_path / "none.json")
    (tmp_path / "latin.json").write_bytes(b'{"title": "\xe9"}')
    with pytest.raises(AssayError, match="not UTF-8"):
        read_report_data(tmp_path / "latin.json")

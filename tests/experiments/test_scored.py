"""Points to the figures of an experiment."""

from __future__ import annotations

import pytest

from assay.errors import AssayError
from assay.experiments import Experiment, Figure, Line, Measure, Panel, Plot, Point, Row, Table
from assay.experiments.scored import against_guessing, chance, difference, point, said_p, score, share, signed
from assay.questions.model import Answer, Choice, Question


def question(number: int, choices: int = 4) -> Question:
    labels = "ABCDE"[:choices]
    return Question(f"q{number}", f"Stem {number}?", tuple(Choice(x, x * 3) for x in labels), "A")


def answers(chosen: list[str]) -> list[Answer]:
    return [Answer(f"q{number}", "answered", tuple(labels)) for number, labels in enumerate(chosen)]


def test_a_score_is_in_percent_with_chance_beside_it() -> None:
    asked = [question(0), question(1), question(2, 5), question(3)]
    found = score(asked, answers(["A", "B", "A", "AB"]))
    assert found.value == pytest.approx(62.5)
    assert found.chance == pytest.approx(100 * (0.25 * 3 + 0.2) / 4)
    assert found.low is not None
    assert found.low < 62.5


def test_a_difference_is_paired_and_signed() -> None:
    asked = [question(number) for number in range(8)]
    found = difference(asked, answers(["A"] * 8), answers(["A"] * 2 + ["B"] * 6))
    assert found.value == pytest.approx(75.0)
    # All six that differ point one way: 2 of 2^6 sign patterns are as far from zero.
    assert found.p == pytest.approx(2 / 64)
    assert difference(asked, answers(["B"] * 8), answers(["A"] * 8)).value == pytest.approx(-100.0)


def test_nothing_is_undefined_not_zero() -> None:
    assert share([]).value is None
    assert chance([]) is None
    assert point(3, Figure(None)) is None
    assert said_p(None) == "p undefined"
    assert said_p(0.0123) == "p .012"
    assert said_p(1.0) == "p 1"
    assert signed(-0.52) == "\u22120.5"


def test_what_does_not_fit_together_is_refused() -> None:
    measures = (Measure("score", "percent"),)
    with pytest.raises(AssayError, match="hasn't a cell for each column"):
        Experiment("x", "oracle", "X", (), (Table("t", ("system",), measures, (Row(("a",), ()),)),))
    panels = tuple(Panel(name, (Line(name, (Point(0, 1.0),)),)) for name in ("one", "two"))
    with pytest.raises(AssayError, match="different lines"):
        Experiment("x", "oracle", "X", (), (), (Plot("p", "k", panels),))
    with pytest.raises(AssayError, match="without a label"):
        Experiment(
            "x",
            "oracle",
            "X",
            (),
            (),
            (Plot("p", "k", (Panel("a", (Line("b", (Point(2, 1.0),)),)),), ("y",)),),
        )


def test_what_guesses_by_construction_is_not_tested_against_guessing() -> None:
    asked = [question(number, 3 + number % 3) for number in range(40)]
    ties = [Answer(q.id, "answered", q.labels) for q in asked]
    assert against_guessing(asked, ties) is None
    assert against_guessing(asked, answers(["A"] * 40)) == pytest.approx(0.0, abs=1e-6)
    some = [*ties[:39], Answer(asked[39].id, "answered", ("A",))]
    assert against_guessing(asked, some) is not None

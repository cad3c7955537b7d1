"""The small pieces: escaping, numbers, axes, CSV that a spreadsheet can open safely."""

from __future__ import annotations

import csv
import html
import io
from urllib.parse import unquote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.report import numbers
from assay.report.charts.axis import difference_axis, percent_axis
from assay.report.download import csv_link
from assay.report.markup import el, join, text
from assay.scoring.export import csv_table, safe_text


@given(st.text())
def test_text_never_becomes_markup(value: str) -> None:
    drawn = el("p", value, title=value)
    assert drawn.count("<") == 2
    inside = drawn[drawn.index(">", drawn.rindex('"')) + 1 : -4]
    clean = "".join("\ufffd" if ord(c) < 32 and c not in "\t\n\r" else c for c in value)
    assert html.unescape(inside) == html.unescape(html.escape(clean))
    assert text(text(value)) == text(value)


def test_joining_markup_with_text_escapes_only_the_text() -> None:
    assert join(el("b", "<"), "<", None) == "<b>&lt;</b>&lt;"
    assert el("input", disabled=True, hidden=False, aria_label="x", class_="y") == (
        '<input disabled aria-label="x" class="y">'
    )


def _saved(link: str) -> str:
    """What the link saves."""
    return unquote(link[link.index("utf-8,") + 6 :].split('"')[0])


@pytest.mark.parametrize("name", ["=1+1", "+x", "-y", "@z", "\t=2", "\r=3"])
def test_text_that_a_spreadsheet_would_run_is_led_by_an_apostrophe(name: str) -> None:
    link = csv_link("x", "x", ["system", "score"], [[name, -0.5]])
    rows = list(csv.reader(io.StringIO(_saved(link), newline="")))
    assert rows == [["system", "score"], ["'" + name, "-0.5"]]


@given(st.lists(st.lists(st.text(st.characters(exclude_categories=["Cs"])), min_size=2, max_size=2)))
def test_a_data_link_holds_the_csv_whole(rows: list[list[str]]) -> None:
    link = csv_link("x", "x", ["a", "b"], rows)
    assert _saved(link) == csv_table(["a", "b"], rows, end="\r\n")
    assert list(csv.reader(io.StringIO(_saved(link), newline="")))[1:] == [
        [safe_text(c) for c in row] for row in rows
    ]


def test_numbers_are_written_alike_everywhere() -> None:
    assert numbers.percent(28.4229) == "28.4"
    assert numbers.percent(-0.04) == "0.0"
    assert numbers.percent(None) == "–"
    assert numbers.signed(2.008) == "+2.0"
    assert numbers.signed(-1.26) == "\u22121.3"
    assert numbers.signed(0.04) == "0.0"
    assert numbers.interval(26.31, 30.54) == "[26.3, 30.5]"
    assert numbers.interval(None, 1.0) == "–"
    assert numbers.signed_interval(-1.26, 5.28) == "[\u22121.3, +5.3]"
    assert numbers.probability(0.00034) == "< 0.001"
    assert numbers.probability(0.2289) == "0.229"
    assert numbers.questions(1) == "1 question"
    assert numbers.questions(7787) == "7,787 questions"


@given(st.lists(st.floats(0, 100), max_size=6))
def test_a_percent_axis_holds_its_values_within_bounds(values: list[float]) -> None:
    axis = percent_axis(values)
    assert 0 <= axis.low < axis.high <= 100
    assert all(axis.low <= value <= axis.high for value in values)
    assert 2 <= len(axis.ticks) <= 7
    assert all(axis.low <= tick <= axis.high for tick in axis.ticks)


@given(st.lists(st.floats(-1e6, 1e6), max_size=6))
def test_a_difference_axis_is_even_around_zero(values: list[float]) -> None:
    axis = difference_axis(values)
    assert axis.low == -axis.high
    assert 0 in axis.ticks
    assert all(axis.low <= value <= axis.high for value in values)
    assert len(axis.ticks) <= 9
    assert axis.at(0) == "50.00%"

"""Types of questions on the page of `assay describe --html` and as a picture of their own."""

from __future__ import annotations

import re
import time
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

from assay.questions.description import by_group, describe
from assay.questions.model import Choice, Question, QuestionSet
from assay.questions.tags import TagFile
from assay.questions.types.taxonomy import Taxonomy, Type
from assay.report.charts.shares import shares_picture
from assay.report.description_page import description_page
from assay.scoring.annotators import annotation
from assay.scoring.types import type_table
from tests.report.chromium import Tab

HOSTILE = "</svg><script>alert(1)</script> & a rather long name of a type"
OWN = Taxonomy("<b>own</b>", (Type(HOSTILE, 'defined "so" <i>'), Type("plain"), Type("never")))
CHOICES = (Choice("A", "<img src=x>"), Choice("B", "lead"))


def questions(*, groups: bool) -> QuestionSet:
    return QuestionSet(
        Question(
            f"q{n}<u>",
            f"Which floats, {n}?",
            CHOICES,
            "A" if n % 2 else None,
            tags={"kind": (HOSTILE, "plain")[: n % 3]} if n < 9 else {},
            metadata={"set": "Easy" if n % 2 else "Challenge"} if groups else {},
        )
        for n in range(12)
    )


def page(*, groups: bool) -> str:
    asked = questions(groups=groups)
    table = type_table(asked, "kind", OWN, list(by_group(asked, "set").items()))
    people = [
        TagFile(f"{who}.tsv", ("kind",), {q.id: {"kind": ("plain",)} for q in asked}, (), who)
        for who in ("<ann>", "ben")
    ]
    found = annotation("kind", people, OWN.names, [q.id for q in asked])
    assert found is not None
    return description_page(describe(asked), "A set", "assay describe", [table], [found])


@pytest.mark.parametrize("groups", [True, False])
def test_any_text_is_text(groups: bool) -> None:
    text = page(groups=groups)
    for tag in ("<script", "<img", "<i>", "<u>", "<b>own", "<ann>"):
        assert tag not in text
    assert "&lt;script&gt;alert(1)" in text
    assert "(A) &lt;img src=x&gt; ✓" in text
    assert "9 of 12 questions labelled: 3 of no type, 3 of 1 type, 3 of 2 types" in text


def test_shares_are_bars_with_intervals() -> None:
    one, two = page(groups=False), page(groups=True)
    bars = r'<rect x="0" y="[\d.]+%" width="([\d.]+)%"'
    assert len(re.findall(bars, one)) == 3
    assert len(re.findall(bars, two)) == 6
    # 6 of 9 on an axis that ends at 90: Wilson's upper end is 87.9.
    assert float(re.findall(bars, one)[0]) == pytest.approx(100 * 66.667 / 90, abs=0.01)
    assert "66.7" in one
    assert "[35.4, 87.9]" in one


def test_the_picture_is_xml_and_says_what_it_shows() -> None:
    asked = questions(groups=True)
    table = type_table(asked, "kind", OWN, list(by_group(asked, "set").items()))
    drawn = ElementTree.fromstring(shares_picture([table, table]))
    assert drawn.attrib["aria-label"].count("66.7%") == 2
    heights = float(drawn.attrib["height"])
    assert all(float(one.attrib["y"]) < heights for one in drawn.iter() if one.tag.endswith("text"))
    nothing = type_table([], "kind", OWN)
    assert "no labelled question" in shares_picture([nothing])


def test_many_groups_are_given_room() -> None:
    asked = questions(groups=False)
    groups = [(f"grade {n}", [asked[n]]) for n in range(9)]
    table = type_table(asked, "kind", OWN, groups)
    text = description_page(describe(asked), "A set", "assay describe", [table], [])
    assert text.count("height: 126px") == 3
    drawn = ElementTree.fromstring(shares_picture([table]))
    width, height = float(drawn.attrib["width"]), float(drawn.attrib["height"])
    named = [one for one in drawn.iter() if one.text and one.text.startswith("grade ")]
    assert len(named) == 9
    assert all(float(one.attrib["x"]) + 60 < width for one in named)
    assert all(float(one.attrib["y"]) < height for one in named)


@pytest.mark.browser
def test_it_fits_a_phone_and_asks_for_nothing(tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    path.write_text(page(groups=True), encoding="utf-8")
    tab = Tab(tmp_path / "profile")
    try:
        tab.size(320)
        tab.call("Page.navigate", url=path.as_uri())
        tab.until("document.readyState === 'complete' && document.querySelector('#types-0') !== null")
        time.sleep(0.1)
        assert tab.get("document.documentElement.scrollWidth") == 320
        assert tab.get("getComputedStyle(document.querySelector('.shares rect')).opacity") == "0.6"
        assert not tab.errors
        assert all(request.startswith("file:") for request in tab.requests)
    finally:
        tab.close()

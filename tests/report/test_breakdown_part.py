"""Scores by what questions are, as the report draws them."""

from __future__ import annotations

import re
from dataclasses import replace

from assay.report import data as shown
from assay.report.breakdown import sections
from tests.report.made_up import made_up

DATA = made_up(60)
SYSTEMS = tuple(system.name for system in DATA.systems)


def group(value: str, n: int, *scores: shown.GroupScore, rest: int = 40) -> shown.Group:
    return shown.Group(value, n, n < 30, scores, 25.0, rest)


def drawn(*groups: shown.Group, systems: tuple[str, ...], several: bool = True) -> str:
    one = shown.Breakdown("type", "All", systems, groups, several, "tag:type")
    (section,) = sections(replace(DATA, breakdowns=(one,)))
    return section.body


NAME = next(system.name for system in DATA.systems if system.kind != "guess-all")
ABOVE = shown.GroupScore(60.0, 50.0, 70.0, 0.001, 20.0, 10.0, 30.0, 0.004)
LIKE = shown.GroupScore(30.0, 20.0, 40.0, 0.4, -2.0, -9.0, 5.0, 0.9)
FEW = shown.GroupScore(50.0, 20.0, 80.0, None, 9.0, -20.0, 38.0, None)


def test_full_dots_differ_and_hollow_ones_dont() -> None:
    page = drawn(group("above", 60, ABOVE), group("as chance", 60, LIKE), systems=(NAME,))
    scores, rest = page.split("Each type against the rest")
    assert re.findall(r'class="mark (\w+)"', scores) == ["plain", "open"]
    assert re.findall(r'class="mark (\w+)"', rest) == ["apart", "open"]
    assert scores.count("<small>as chance</small>") == 1
    assert "p 0.004" in rest
    assert "Groups overlap" in rest
    assert "Groups overlap" not in drawn(group("a", 60, ABOVE), systems=(NAME,), several=False)


def test_differences_with_the_others_held_equal_are_in_the_numbers() -> None:
    both = replace(ABOVE, equal=12.0, equal_low=1.0, equal_high=23.0, p_equal=0.031)
    page = drawn(group("above", 60, both), group("like", 60, LIKE), systems=(NAME,))
    equal = page.split("the others held equal, on All")[-1]
    assert "[+1.0, +23.0]" in equal
    assert "p 0.031" in equal
    assert "like" not in equal.split("</table>")[0]
    assert "the others held equal, on" not in drawn(group("above", 60, ABOVE), systems=(NAME,))


def test_small_groups_are_in_the_numbers_alone() -> None:
    page = drawn(group("above", 60, ABOVE), group("rare", 7, FEW), systems=(NAME,))
    assert "Drawn: the 1 largest of 2 groups" in page
    assert page.count("mark ") == 2
    assert "rare" in page
    assert "1 of 2 groups are too small" in page
    assert drawn(group("rare", 7, FEW), systems=(NAME,)).count("mark ") == 2


def test_a_difference_without_an_interval_stands_within_the_scale() -> None:
    one = shown.GroupScore(50.0, None, None, None, 25.0, None, None, None)
    other = replace(one, difference=-12.5)
    page = drawn(group("one", 2, one), group("other", 2, other), systems=(NAME,))
    rest = page.split("Each type against the rest")[1]
    assert re.findall(r'<text[^>]*class="tick"[^>]*>([^<]+)<', rest) == ["\u221230", "0", "+30"]
    assert re.findall(r'x="([\d.]+)%"[^>]*><circle', rest) == ["91.67", "29.17"]


def test_the_numbers_of_a_narrow_scale_have_room() -> None:
    wide = replace(FEW, difference_low=-118.0, difference_high=118.0)
    rest = drawn(group("rare", 7, wide), systems=(NAME,)).split("Each type against the rest")[1]
    assert re.findall(r'<text[^>]*class="tick"[^>]*>([^<]+)<', rest) == ["\u2212150", "0", "+150"]


def test_a_group_without_questions_has_dashes() -> None:
    nothing = shown.GroupScore(None, None, None)
    page = drawn(group("above", 60, ABOVE), group("never", 0, nothing, rest=0), systems=(NAME,))
    assert "never" in page
    assert "–" in page


def test_breakdowns_of_older_runs_are_still_drawn() -> None:
    old = shown.Group("5", 60, False, (shown.GroupScore(60.0, 50.0, 70.0),))
    page = drawn(old, systems=(NAME,))
    assert "against the rest" not in page
    assert page.count("mark ") == 1


def test_long_names_are_given_room() -> None:
    assert "panels wide" in drawn(group("hypothetical and counterfactual", 60, ABOVE), systems=(NAME,))
    assert "panels wide" not in drawn(group("analogy", 60, ABOVE), systems=(NAME,))

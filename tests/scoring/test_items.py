"""Item statistics against a slow reference, and by hand."""

import math
from statistics import correlation, variance

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.errors import AssayError
from assay.scoring.items import ItemSettings, alpha, item_statistics
from assay.scoring.points import mark
from tests.scoring.scoring_cases import answer, question

SETS = st.sampled_from(["A", "B", "C", "AB", "BC", "ABCD", ""])


def systems_of(table):
    """Systems' chosen sets, a row a system; all keys are A."""
    questions = [question(n) for n in range(len(table[0]))]
    answers = {f"s{row}": [answer(n, chosen) for n, chosen in enumerate(of)] for row, of in enumerate(table)}
    return questions, answers


def slow_points(chosen):
    return 1 / len(chosen) if "A" in chosen else 0.0


@given(
    st.integers(2, 6).flatmap(
        lambda n: st.lists(st.lists(SETS, min_size=n, max_size=n), min_size=1, max_size=8)
    ),
    st.sampled_from([0.2, 1 / 3, 0.5, 1.0]),
)
def test_as_a_slow_reference(table, share):
    found = item_statistics(*systems_of(table), ItemSettings(strong=share))
    points = [[slow_points(chosen) for chosen in row] for row in table]
    strong = max(1, round(share * len(table)))
    for place, item in enumerate(found.items):
        own = [row[place] for row in points]
        rest = [math.fsum(row) - row[place] for row in points]
        assert item.difficulty.mean == pytest.approx(sum(own) / len(own))
        if len(table) < 3 or variance(own) < 1e-12 or variance(rest) < 1e-12:
            assert item.discrimination is None
        else:
            assert item.discrimination == pytest.approx(correlation(own, rest), abs=1e-6)
        level = sorted(rest)[-strong]
        best = [row for row, of in zip(table, rest, strict=True) if of >= level - 1e-9]
        for one in item.choices:
            for rows, got in ((table, one.share), (best, one.strong)):
                drawn = [1 / len(row[place]) if one.label in row[place] else 0 for row in rows]
                assert got == pytest.approx(sum(drawn) / len(drawn))
        total = sum(one.share for one in item.choices) + item.unanswered
        assert total == pytest.approx(1)
        assert set(item.never_chosen) == {
            label for label in "BCD" if not any(label in row[place] for row in table)
        }
    if found.alpha is not None:
        n, sums = len(points[0]), [sum(row) for row in points]
        parts = sum(variance([row[place] for row in points]) for place in range(n))
        assert found.alpha == pytest.approx(n / (n - 1) * (1 - parts / variance(sums)))


def test_a_key_that_the_strong_reject():
    """The two best systems agree on B where the key is A; the weak ones choose A."""
    table = [["A", "A", "A", "A", "B"], ["A", "A", "A", "B", "B"], ["A", "B", "C", "B", "A"],
             ["B", "B", "C", "B", "A"], ["B", "C", "C", "B", "A"], ["C", "B", "B", "B", "A"]]  # fmt: skip
    found = item_statistics(*systems_of(table))
    assert found.strong == 2
    assert [item.suspect for item in found.items] == [None, None, None, None, "B"]
    assert found.items[4].preference == 1
    assert found.items[4].discrimination < -0.5
    # Level on A and B: not more than the key.
    assert found.items[3].suspect is None
    assert found.items[0].never_chosen == ("D",)
    strict = item_statistics(*systems_of(table), ItemSettings(strong=0.5, suspect=0.9))
    assert strict.items[4].suspect is None


def test_few_systems_are_warned_of():
    two = item_statistics(*systems_of([["A", "B"], ["B", "A"]]))
    assert two.items[0].discrimination is None
    assert two.alpha is None
    assert "discrimination needs 3 systems at least, here: 2" in two.notes[0]
    few = item_statistics(*systems_of([["A", "B"], ["B", "A"], ["A", "A"]]))
    assert "mostly luck" in few.notes[0]
    many = item_statistics(*systems_of([["A", "AB", "ABC"[n % 3], "ABC"[n // 3 % 3]] for n in range(9)] * 2))
    assert many.notes == tuple(
        f"s{n + 9} answers every question as s{n} does: one system counts twice" for n in range(9)
    )


def test_weak_judges_are_warned_of():
    weak = item_statistics(*systems_of([["B", "A", "C"], ["C", "B", "A"], ["A", "C", "B"]]))
    assert any("more likely right than they are" in note for note in weak.notes)


def test_one_question_has_no_rest():
    found = item_statistics(*systems_of([["A"], ["B"], ["A"]]))
    assert found.items[0].discrimination is None
    assert found.items[0].difficulty.mean == pytest.approx(2 / 3)


def test_what_cant_be_counted():
    with pytest.raises(AssayError, match="no questions"):
        item_statistics([], {"s": []})
    with pytest.raises(AssayError, match="no systems"):
        item_statistics([question(1)], {})
    with pytest.raises(AssayError, match="no answer key"):
        item_statistics([question(1, key=None)], {"s": [answer(1, "A")]})


@pytest.mark.real_data
def test_arc_challenge_test(challenge_test, stored_systems):
    found = item_statistics(challenge_test, stored_systems)
    for name, answers in stored_systems.items():
        assert found.scores[name] == pytest.approx(float(mark(challenge_test, answers).points.mean()))
    assert 100 * found.scores["DGEM"] == pytest.approx(26.41496, abs=1e-5)
    mean = sum(item.difficulty.mean for item in found.items) / len(found.items)
    assert mean == pytest.approx(sum(found.scores.values()) / 2)


def test_alpha_of_perfect_agreement():
    import numpy as np

    assert alpha(np.array([[1.0, 1.0], [0.0, 0.0], [1.0, 1.0]])) == pytest.approx(1)
    assert alpha(np.ones((4, 3))) is None

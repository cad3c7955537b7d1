"""Counting types of questions, and how far people agree on them."""

from __future__ import annotations

import itertools
import random

import pytest

from assay.questions.model import Choice, Question
from assay.questions.tags import TagFile
from assay.questions.types.tagging import tag
from assay.questions.types.taxonomy import OUTSIDE, Taxonomy, Type, read_taxonomy
from assay.scoring.annotators import annotation
from assay.scoring.types import type_table

OWN = Taxonomy("own", (Type("a", "The first."), Type("b"), Type("c"), Type("never")))


def question(name: str, *types: str, stem: str = "Why?", group: str = "", labelled: bool = True) -> Question:
    tags = {"type": types} if labelled else {}
    return Question(name, stem, (Choice("A", "x"), Choice("B", "y")), "A", tags=tags, metadata={"set": group})


QUESTIONS = [
    question("1", "a", stem="A long one of one type, is it?"),
    question("2", "a", "b"),
    question("3", "a", stem="Short, one?"),
    question("4"),
    question("5", "a", "b", "c"),
    question("6", labelled=False),
]


def test_types_are_counted_over_labelled_questions() -> None:
    table = type_table(QUESTIONS, "type", OWN)
    assert (table.questions, table.labelled, table.without) == (6, 5, 1)
    assert table.by_labels == {0: 1, 1: 2, 2: 1, 3: 1}
    a, b, c, never = table.rows
    assert [row.n for row in table.rows] == [4, 2, 1, 0]
    assert (a.alone, b.alone) == (2, 0)
    assert (a.together, b.together, never.together) == ((4, 2, 1, 0), (2, 2, 1, 0), (0, 0, 0, 0))
    # Wilson (1927), by hand: (p + z2/2n -+ z sqrt(p(1-p)/n + z2/4n2)) / (1 + z2/n) of 4 in 5.
    assert a.shares[0].share == 0.8
    assert (a.shares[0].low, a.shares[0].high) == (
        pytest.approx(0.37553, abs=1e-5),
        pytest.approx(0.96378, abs=1e-5),
    )
    assert (never.shares[0].share, never.shares[0].low) == (0.0, 0.0)
    assert c.shares[0].of == 5


def test_the_example_is_the_shortest_of_those_with_the_fewest_types() -> None:
    table = type_table(QUESTIONS, "type", OWN)
    assert [row.example and row.example.id for row in table.rows] == ["3", "2", "5", None]
    assert type_table(QUESTIONS[::-1], "type", OWN).rows[0].example == QUESTIONS[2]


def test_groups_stand_beside_all() -> None:
    easy, hard = QUESTIONS[:2], QUESTIONS[2:]
    table = type_table(QUESTIONS, "type", OWN, [("Easy", easy), ("Hard", hard)])
    assert [(share.group, share.n, share.of) for share in table.rows[0].shares] == [
        ("all", 4, 5),
        ("Easy", 2, 2),
        ("Hard", 2, 3),
    ]
    assert len(type_table(QUESTIONS, "type", OWN, [("all", QUESTIONS)]).rows[0].shares) == 1


def test_nothing_labelled_and_all_types_at_once() -> None:
    nothing = type_table([question("1", labelled=False)], "type", OWN)
    assert (nothing.labelled, nothing.by_labels) == (0, {})
    assert nothing.rows[0].shares[0].share is None
    every = type_table([question("1", *OWN.names)], "type", OWN)
    assert all(row.together == (1, 1, 1, 1) for row in every.rows)
    assert all(row.alone == 0 for row in every.rows)


def test_labels_outside_the_taxonomy_have_a_row() -> None:
    table = type_table([question("1", "a", OUTSIDE), question("2", "b")], "type", OWN)
    assert [(row.name, row.n) for row in table.rows][-1] == (OUTSIDE, 1)


def file(name: str, said: dict[str, bool | None], columns: tuple[str, ...] = ("a",)) -> TagFile:
    by_id = {q: {"type": ("a",) if yes else ()} for q, yes in said.items() if yes is not None}
    return TagFile(f"{name}.tsv", ("type",), by_id, (), name, {"type": columns})


def people(*rows: str) -> list[TagFile]:
    """A row of 0, 1 and . (not looked at) a person."""
    known = {"0": False, "1": True, ".": None}
    return [
        file(f"p{place}", {f"q{n}": known[cell] for n, cell in enumerate(row)})
        for place, row in enumerate(rows)
    ]


def agreement(*rows: str):
    found = annotation("type", people(*rows), ["a"], [f"q{n}" for n in range(len(rows[0]))])
    assert found is not None
    return found.types[0]


def test_alpha_of_two_people_as_published() -> None:
    # Krippendorff 2011, "Computing Krippendorff's alpha-reliability", section A: binary, two observers.
    one = agreement("0100000010", "1110010000")
    assert one.alpha == pytest.approx(0.095, abs=5e-4)
    assert (one.n, one.given, one.same) == (10, (2, 4), 0.6)
    assert one.low is not None
    assert one.high is not None
    assert one.low < one.alpha < one.high


def slow_alpha(rows: tuple[str, ...]) -> float | None:
    """By every pair of values: within questions, and of all that are paired."""
    columns = [[cell for cell in column if cell != "."] for column in zip(*rows, strict=True)]
    paired = [column for column in columns if len(column) > 1]
    values = [cell for column in paired for cell in column]
    observed = sum(
        (a != b) / (len(column) - 1) for column in paired for a, b in itertools.permutations(column, 2)
    ) / len(values)
    expected = sum(a != b for a, b in itertools.permutations(values, 2)) / len(values) / (len(values) - 1)
    return None if expected == 0 else 1 - observed / expected


@pytest.mark.parametrize("seed", range(30))
def test_alpha_is_that_of_the_slow_way(seed: int) -> None:
    drawn = random.Random(seed)
    n, m = drawn.randint(2, 12), drawn.randint(2, 5)
    rows = ["".join(drawn.choice("0011.") for _ in range(n)) for _ in range(m)]
    rows = [row[:-1] + drawn.choice("01") for row in rows]
    assert agreement(*rows).alpha == pytest.approx(slow_alpha(tuple(rows)))


def test_kappa_is_cohens_for_two_and_of_nobody_else() -> None:
    # Cohen 1960: (observed - expected) / (1 - expected), here (0.6 - 0.56) / 0.44.
    assert agreement("0100000010", "1110010000").kappa == pytest.approx(0.04 / 0.44)
    assert agreement("0101", "0111", "0011").kappa is None


def test_where_all_say_the_same_alpha_is_not_defined() -> None:
    one = agreement("0000", "0000")
    assert (one.same, one.alpha, one.low, one.kappa) == (1.0, None, None, None)
    assert agreement("0101", "0101").alpha == 1.0


def test_who_was_not_asked_has_no_say() -> None:
    ann, ben = people("01", "01")
    other = file("cat", {"q0": True, "q1": False}, columns=("b",))
    found = annotation("type", [ann, ben, other], ["a", "b"], ["q0", "q1"])
    assert found is not None
    assert found.types[0].given == (1, 1, None)
    assert (found.types[1].n, found.types[1].alpha) == (0, None)
    assert annotation("type", [ann], ["a"], ["q0", "q1"]) is None


def test_an_interval_is_the_same_every_time_and_narrows() -> None:
    few, many = agreement("01101001", "01111001"), agreement("01101001" * 20, "01111001" * 20)
    assert few == agreement("01101001", "01111001")
    assert None not in (few.low, few.high, many.low, many.high)
    assert many.high - many.low < few.high - few.low


@pytest.mark.real_data
def test_the_published_reasoning_types(shared_data, challenge_test) -> None:
    labels = str(shared_data / "arc/labels/challenge-test-reasoning-types.tsv")
    tagged = tag(challenge_test, [(None, labels)], [(None, "arc-reasoning")])
    table = type_table(tagged.questions, "type", read_taxonomy("arc-reasoning"))
    assert {row.name: row.n for row in table.rows} == {
        "question logic": 1016,
        "linguistic matching": 1074,
        "multihop": 986,
        "comparison": 60,
        "algebraic": 62,
        "hypothetical and counterfactual": 348,
        "explanation and meta-reasoning": 215,
        "spatial and kinematic": 59,
        "analogy": 10,
    }
    assert (table.labelled, table.without) == (1172, 7)

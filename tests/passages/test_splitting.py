"""Parts by article: nothing on two sides, near the targets, by the seed."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.errors import AssayError
from assay.passages.passage import PassageQuestion
from assay.passages.splitting import groups, split_by_group

TARGETS = {"train": 60, "dev": 20, "test": 20}


def made(*pairs: tuple[str, str | None]) -> list[PassageQuestion]:
    return [PassageQuestion(f"q{n}", passage, "?", (), group) for n, (passage, group) in enumerate(pairs)]


def test_what_stays_together() -> None:
    found = groups(
        made(("p", "A"), ("q", "B"), ("r", "A"), ("q", "C"), ("s", None), ("s", None), ("t", None))
    )
    assert found == ((0, 2), (1, 3), (4, 5), (6,))


@given(
    st.lists(
        st.tuples(st.sampled_from("pqrstuvw"), st.sampled_from(["A", "B", "C", "D", "E", None])), max_size=40
    )
)
def test_groups_against_flooding(pairs: list[tuple[str, str | None]]) -> None:
    questions = made(*pairs)
    flooded = list(range(len(questions)))
    for _ in questions:
        for a, one in enumerate(questions):
            for b, other in enumerate(questions):
                if one.passage == other.passage or (one.group is not None and one.group == other.group):
                    flooded[a] = flooded[b] = min(flooded[a], flooded[b])
    number = {place: n for n, places in enumerate(groups(questions)) for place in places}
    assert sorted(number) == list(range(len(questions)))
    for a in number:
        for b in number:
            assert (number[a] == number[b]) == (flooded[a] == flooded[b])


def test_no_article_on_two_sides() -> None:
    questions = made(*((f"p{n % 50}", f"g{n % 25}") for n in range(100)))
    parts = split_by_group(questions, TARGETS, seed=3)
    assert parts == split_by_group(questions, TARGETS, seed=3)
    assert parts != split_by_group(questions, TARGETS, seed=4)
    assert Counter({name: len(part) for name, part in parts.items()}) == TARGETS
    sides = [{one.group for one in part} for part in parts.values()]
    assert sum(map(len, sides)) == len(set.union(*sides)) == 25
    assert sorted(one.id for part in parts.values() for one in part) == sorted(one.id for one in questions)
    assert [one.id for one in parts["dev"]] == sorted(
        (one.id for one in parts["dev"]), key=lambda x: int(x[1:])
    )


def test_every_part_holds_something_even_of_one_large_article() -> None:
    questions = made(*([("p", "A")] * 97 + [("q", "B"), ("r", "C"), ("s", "D")]))
    parts = split_by_group(questions, TARGETS, seed=0)
    assert all(parts.values())


def test_too_few_articles() -> None:
    with pytest.raises(AssayError, match="3 parts, but the 5 questions are in 2 groups"):
        split_by_group(made(*([("p", "A")] * 4 + [("q", "B")])), TARGETS, seed=0)

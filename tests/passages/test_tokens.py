"""Tokens with their places."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.passages.passage import Span
from assay.passages.tokens import off_token, tokens


@pytest.mark.parametrize(
    ("text", "due"),
    [
        ("Don't go, Ana's cat.", "Do n't go , Ana 's cat ."),
        ("It isn’t N'T ISN'T", "It is n’t N'T IS N'T"),
        ("US$3,000.5 (1,2) 3. 1990s 10km", "US $ 3,000.5 ( 1,2 ) 3 . 1990s 10km"),
        ("18th-century rock'n'roll", "18th - century rock ' n ' roll"),
        ("e\u0301te\u0301 🦁🦁 水", "e\u0301te\u0301 🦁 🦁 水"),
        ("the pupils' they've I'm", "the pupils ' they 've I 'm"),
        (" \t\n", ""),
    ],
)
def test_by_hand(text: str, due: str) -> None:
    assert tokens(text).words == due.split()


@given(st.text(max_size=60))
def test_nothing_but_white_space_is_lost(text: str) -> None:
    cut = tokens(text)
    assert "".join(cut.words) == "".join(text.split())
    assert all(start < end for start, end in zip(cut.starts, cut.ends, strict=True))
    assert list(cut.starts) == sorted(cut.starts)


@given(st.text(alphabet="ab' ,1.", min_size=1, max_size=30), st.data())
def test_places_against_every_token_in_turn(text: str, data: st.DataObject) -> None:
    cut = tokens(text)
    start = data.draw(st.integers(0, len(text) - 1))
    end = data.draw(st.integers(start + 1, len(text)))
    touched = [
        place
        for place, (low, high) in enumerate(zip(cut.starts, cut.ends, strict=True))
        if low < end and high > start
    ]
    span = Span(start, text[start:end])
    assert cut.places(span) == ((touched[0], touched[-1]) if touched else None)
    if touched and not off_token(cut, [span]):
        assert cut.span(touched[0], touched[-1]) == span


def test_spans_beyond_the_last_token_that_is_kept() -> None:
    cut = tokens("one two three four").first(2)
    assert len(cut) == 2
    assert cut.places(Span(4, "two")) == (1, 1)
    assert cut.places(Span(4, "two ")) == (1, 1)
    assert cut.places(Span(4, "two three")) is None
    assert cut.places(Span(8, "three")) is None
    assert cut.places(Span(7, " ")) is None
    assert off_token(cut, [Span(4, "two"), Span(4, "tw"), Span(3, " two")]) == 2

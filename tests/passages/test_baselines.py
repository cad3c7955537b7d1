"""Baselines: what they answer, worked out by hand, and that it is always a span."""

from hypothesis import given
from hypothesis import strategies as st

from assay.passages.baselines import BASELINES, first_sentence, overlap
from assay.passages.passage import PassageQuestion, Span
from tests.passages.made import PASSAGE, about


def test_by_hand() -> None:
    assert first_sentence(about(PASSAGE)) == Span(0, "The Amber Tower stands in Lowmere.")
    # "built" is asked for; "masons from Lowmere" is near on one side only, as is 1212.
    found = overlap(about(PASSAGE, ask="When was it built?"))
    assert found.text == "1212 by masons from"
    assert PASSAGE[found.start :].startswith(found.text)
    assert overlap(about(PASSAGE, ask="Which tower stands there?")).text in ("Lowmere", "Amber")
    # Nothing shared: the first sentence, and with no word known no window is near.
    assert overlap(about(PASSAGE, ask="Xyz?")).start < 35


@given(st.text(alphabet="ab.\n ,The1", min_size=1, max_size=60), st.text(alphabet="ab The?", max_size=12))
def test_always_a_span_of_the_passage(passage: str, question: str) -> None:
    one = PassageQuestion("q", passage, question, ())
    for answer in BASELINES.values():
        span = answer(one)
        assert passage[span.start : span.end] == span.text
        assert bool(span.text) == bool(passage.strip())

"""Exact match and F1: values worked out by hand, and an independent implementation."""

import string
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.passages.exactness import exact_match, f1, normalised
from assay.passages.reading import read_passages

CASES = [
    ("Lowmere", ["Lowmere"], 1, 1),
    ("the Lowmere.", ["lowmere"], 1, 1),
    ("in Lowmere", ["Lowmere"], 0, 2 / 3),
    ("Amber Tower of Lowmere", ["the Amber Tower", "Lowmere"], 0, 2 * 0.5 / 1.5),
    ("tower tower", ["tower"], 0, 2 / 3),
    ("tower tower", ["tower tower hill"], 0, 0.8),
    ("1,212", ["1212"], 1, 1),
    ("north-west", ["northwest"], 1, 1),
    ("north west", ["north-west"], 0, 0),
    ("A  Tower", ["an\ttower"], 1, 1),
    ("theory", ["ory"], 0, 0),
    ("“Lowmere”", ["Lowmere"], 0, 0),
    ("Étang", ["étang"], 1, 1),
    ("", ["Lowmere"], 0, 0),
    ("", [], 0, 0),
    ("the", ["a"], 1, 0),
    ("$", ["%"], 1, 0),
]


@pytest.mark.parametrize(("prediction", "references", "em", "overlap"), CASES)
def test_by_hand(prediction: str, references: list[str], em: float, overlap: float) -> None:
    assert exact_match(prediction, references) == em
    assert f1(prediction, references) == pytest.approx(overlap)


pieces = st.sampled_from(
    [
        "a",
        "An",
        "the",
        "The-",
        "tower",
        "Tower.",
        "to",
        "wer",
        "1,2",
        "12",
        "'s",
        "’É",
        "é",
        "\t",
        *string.punctuation,
    ]
)
texts = st.lists(st.tuples(pieces, st.sampled_from(["", " "])).map("".join), max_size=8).map("".join)
worded = texts.filter(normalised)


@given(texts, st.lists(texts, min_size=1, max_size=3))
def test_properties(prediction: str, references: list[str]) -> None:
    em, overlap = exact_match(prediction, references), f1(prediction, references)
    assert em in (0, 1)
    assert 0 <= overlap <= 1
    assert normalised(normalised(prediction)) == normalised(prediction)
    assert em <= exact_match(prediction, [*references, "x"])
    assert overlap == max(f1(prediction, [reference]) for reference in references)
    assert f1(prediction, references[:1]) == pytest.approx(f1(references[0], [prediction]))
    if em and normalised(prediction):
        assert overlap == 1


@given(worded, st.lists(worded, min_size=1, max_size=3))
def test_against_an_independent_package(prediction: str, references: list[str]) -> None:
    """Of texts of which no word is left it takes the rule of version 2.0, so these are left out."""
    pytest.importorskip("torch", reason="the neural extra isn't installed")
    package = pytest.importorskip("torchmetrics.functional.text", reason="torchmetrics isn't installed")
    due = {"answers": {"answer_start": [0] * len(references), "text": references}, "id": "q"}
    found = package.squad([{"prediction_text": prediction, "id": "q"}], [due])
    assert 100 * exact_match(prediction, references) == pytest.approx(float(found["exact_match"]))
    assert 100 * f1(prediction, references) == pytest.approx(float(found["f1"]), rel=1e-5)


@pytest.mark.real_data
def test_people_agree_as_published(shared_data: Path) -> None:
    """The paper's human figures for dev, the second reference against the others: 80.3 and 90.5."""
    whole = [one.references for one in read_passages([shared_data / "squad/dev-v1.1.json"]).questions]
    due = [(texts[1], [texts[0], *texts[2:]]) for texts in whole if len(texts) > 1]
    assert 100 * sum(exact_match(*one) for one in due) / len(due) == pytest.approx(80.3, abs=1.5)
    assert 100 * sum(f1(*one) for one in due) / len(due) == pytest.approx(90.5, abs=1.5)

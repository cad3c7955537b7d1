"""n-grams against a plain reference, and what each kind is."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.errors import AssayError
from assay.evidence.ngrams import KINDS, Groups, ngrams_of_parts, ngrams_of_texts
from assay.text.analysis import Analyser, is_stop


def plain(terms: list[str], kinds: tuple[str, ...] = KINDS) -> list[str]:
    """The distinct n-grams of one text, by name, in order of first appearance."""
    found = []
    for i, first in enumerate(terms):
        shapes = {
            "unigram": terms[i : i + 1],
            "bigram": terms[i : i + 2] if i + 1 < len(terms) else [],
            "trigram": terms[i : i + 3] if i + 2 < len(terms) else [],
            "skip-bigram": [first, "_", terms[i + 2]] if i + 2 < len(terms) else [],
        }
        for kind in kinds:
            parts = shapes[kind]
            if parts and not is_stop(parts[0]) and not is_stop(parts[-1]):
                found.append(" ".join(part.removeprefix("=") for part in parts))
    return list(dict.fromkeys(found))


def named(groups: Groups) -> list[list[str]]:
    return [groups.ngrams.texts(groups.of(group)) for group in range(len(groups))]


def test_stop_words_stand_only_inside() -> None:
    terms = Analyser().all_terms("The roots of a plant take in water")
    assert named(ngrams_of_texts([terms])) == [
        ["root", "plant", "plant take", "take", "take in water", "take _ water", "water"]
    ]


def test_each_kind_alone() -> None:
    terms = ["red", "green", "blue"]
    for kind, right in zip(
        KINDS, (terms, ["red green", "green blue"], ["red green blue"], ["red _ blue"]), strict=True
    ):
        assert named(ngrams_of_texts([terms], [kind])) == [right]
    assert named(ngrams_of_texts([terms], [])) == [[]]


@settings(max_examples=100, deadline=None)
@given(
    st.lists(st.lists(st.sampled_from(["a", "b", "c", "=of", "=the"]), max_size=12), max_size=6),
    st.sets(st.sampled_from(KINDS)),
)
def test_ngrams_are_the_plain_ones(texts: list[list[str]], chosen: set[str]) -> None:
    kinds = tuple(kind for kind in KINDS if kind in chosen)
    groups = ngrams_of_texts(texts, kinds)
    assert named(groups) == [plain(terms, kinds) for terms in texts]
    assert len(np.unique(groups.ngrams.codes)) == len(groups.ngrams)


def test_ngrams_by_their_parts() -> None:
    ngrams, numbers = ngrams_of_parts([("a", "_", "b"), ("a",), ("a", "_", "b"), ("b", "a", "a")])
    assert numbers.tolist() == [0, 1, 0, 2]
    assert ngrams.texts(numbers) == ["a _ b", "a", "a _ b", "b a a"]


@pytest.mark.parametrize("parts", [(), ("_",), ("_", "a"), ("a", "_"), ("a", "b", "_"), ("a", "b", "c", "d")])
def test_other_shapes_are_refused(parts: tuple[str, ...]) -> None:
    with pytest.raises(AssayError, match="1 to 3 terms"):
        ngrams_of_parts([parts])


def test_an_unknown_kind_is_refused() -> None:
    with pytest.raises(AssayError, match="Got 'fourgram'"):
        ngrams_of_texts([], ["unigram", "fourgram"])  # type: ignore[list-item]

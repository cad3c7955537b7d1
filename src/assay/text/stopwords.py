"""Named stop-word lists."""

from __future__ import annotations

import unicodedata
from pathlib import Path

from assay.errors import AssayError
from assay.text_files import read_text

LUCENE_ENGLISH = frozenset(
    "a an and are as at be but by for if in into is it no not of on or such that the their then there these "
    "they this to was will with".split()
)
"""Lucene's English list of 33 words (Elasticsearch's `_english_`): the default."""

QUESTION_ENGLISH = LUCENE_ENGLISH | frozenset(
    "what which who whom whose when where why how do does did done doing has have had having am been "
    "being were can could may might must shall should would i me my mine we us our you your he him his "
    "she her its them theirs themselves itself from about than so also some any each most more many much "
    "very too other another all both only own same after before during until while because since between "
    "through over under above below again further once up down out off".split()
)
"""Those 33 with question words, auxiliaries, pronouns, quantifiers and words of place: 123 words."""

DEFAULT = "default"
OWN_ENGLISH = ("english", "porter", "none")
SAME_LIST = {"dutch_porter": "dutch"}


def default_list(language: str) -> str:
    """The name of the list that goes with a Snowball language."""
    return "lucene-english" if language in OWN_ENGLISH else SAME_LIST.get(language, language)


def stop_words(name: str) -> frozenset[str]:
    """The list called `name`, in lower case and NFKC.

    "lucene-english"; "questions" (that and the words English questions are made of); "none"; a language
    ("german"): its list in the package stop-words; or the path of a text file with one word a line, where
    blank lines and lines that start with # or | are passed over, and what stands behind a | (as in
    Snowball's own lists).
    Raises AssayError when there is no such list or file.
    """
    if name == "lucene-english":
        return LUCENE_ENGLISH
    if name == "questions":
        return QUESTION_ENGLISH
    if name == "none":
        return frozenset()
    listed = _of_language(name)
    return _plain(_of_file(name) if listed is None else listed)


def _plain(words: list[str]) -> frozenset[str]:
    composed = (unicodedata.normalize("NFKC", word).replace("\u2019", "'").lower() for word in words)
    return frozenset(word for word in composed if word)


def _of_language(name: str) -> list[str] | None:
    from stop_words import AVAILABLE_LANGUAGES, get_stop_words

    return get_stop_words(name) if name in AVAILABLE_LANGUAGES else None


def _of_file(name: str) -> list[str]:
    path = Path(name)
    if not path.is_file():
        from stop_words import AVAILABLE_LANGUAGES

        raise AssayError(
            f"no stop-word list called {name!r}",
            hint="'none', 'lucene-english', 'questions', the path of a file with one word a line, or a list "
            f"of the package stop-words: {', '.join(sorted(AVAILABLE_LANGUAGES))}",
        )
    lines = read_text(path).split("\n")
    return [
        word for line in lines if not line.lstrip().startswith("#") for word in line.split("|", 1)[0].split()
    ]

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

NLTK_ENGLISH = frozenset(
    "i me my myself we our ours ourselves you you're you've you'll you'd your yours yourself yourselves "
    "he him his himself she she's her hers herself it it's its itself they them their theirs themselves "
    "what which who whom this that that'll these those am is are was were be been being have has had "
    "having do does did doing a an the and but if or because as until while of at by for with about "
    "against between into through during before after above below to from up down in out on off over "
    "under again further then once here there when where why how all any both each few more most other "
    "some such no nor not only own same so than too very s t can will just don don't should should've now "
    "d ll m o re ve y ain aren aren't couldn couldn't didn didn't doesn doesn't hadn hadn't hasn hasn't "
    "haven haven't isn isn't ma mightn mightn't mustn mustn't needn needn't shan shan't shouldn shouldn't "
    "wasn wasn't weren weren't won won't wouldn wouldn't".split()
)
"""The English list of NLTK, 179 words, as papers that say "NLTK stop words" mean it."""

DEFAULT = "default"
_NAMED = {
    "lucene-english": LUCENE_ENGLISH,
    "questions": QUESTION_ENGLISH,
    "nltk-english": NLTK_ENGLISH,
    "none": frozenset[str](),
}
OWN_ENGLISH = ("english", "porter", "none")
SAME_LIST = {"dutch_porter": "dutch"}


def default_list(language: str) -> str:
    """The name of the list that goes with a Snowball language."""
    return "lucene-english" if language in OWN_ENGLISH else SAME_LIST.get(language, language)


def stop_words(name: str) -> frozenset[str]:
    """The list called `name`, in lower case and NFKC.

    "lucene-english"; "questions" (that and the words English questions are made of); "nltk-english"; "none";
    a language ("german"): its list in the package stop-words; or the path of a text file, one word a line,
    where blank lines and lines that start with # or | are passed over, and what stands behind a | (as in
    Snowball's own lists).
    Raises AssayError when there is no such list or file.
    """
    if name in _NAMED:
        return _NAMED[name]
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
            hint="'none', 'lucene-english', 'questions', 'nltk-english', the path of a file with one word a "
            f"line, or a list of the package stop-words: {', '.join(sorted(AVAILABLE_LANGUAGES))}",
        )
    lines = read_text(path).split("\n")
    return [
        word for line in lines if not line.lstrip().startswith("#") for word in line.split("|", 1)[0].split()
    ]

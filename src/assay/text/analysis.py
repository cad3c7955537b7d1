"""The analyser: from text to the two token streams, all tokens and content stems.

One analyser belongs to a corpus, and questions asked of that corpus are analysed by the same one, whatever
the search engine, so that scores differ by nothing but the engine.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from pathlib import Path

import Stemmer

from assay.errors import AssayError
from assay.text.stopwords import DEFAULT, default_list, stop_words

# Marks (accents that don't compose, vowel signs of Indic scripts, points of Arabic and Hebrew) and joiners
# belong to the word they stand in, as in UAX #29; Python's \w knows only letters, digits and the low line.
MARKS = "".join(
    character for character in map(chr, range(0x300, 0x10000)) if unicodedata.category(character)[0] == "M"
)
MARKS += "\u200c\u200d"
MARKED = re.compile(f"[{MARKS}]")
# Numbers keep their decimal points and thousands commas, words their inner apostrophes, as in UAX #29.
# The first alternative gives nothing new: it is the commonest case, and quick.
NUMBER = r"\d+(?:[.,]\d+)+(?![^\W_])"
TOKEN = re.compile(rf"[a-z]++\b(?!')|{NUMBER}|[^\W_]++(?:'[^\W_]++)*")
"""A token of text without marks."""
MARKED_TOKEN = re.compile(
    rf"[a-z]++\b(?![{MARKS}'])|{NUMBER}(?![{MARKS}])|[^\W_]++(?:'[^\W_]++|[{MARKS}]++[^\W_]*+)*"
)
"""A token of any text; without marks the same as TOKEN, and slower."""
TOKEN_RULE = "words with inner marks and apostrophes, numbers with inner points and commas"
MAX_TERM_BYTES = 65_530
"""A token longer than this in UTF-8 is no word: it is left out of both streams (and an import counts it)."""
PLAIN = {0x2019: "'", 0x02BC: "'", 0x00AD: None}
STOP_MARK = "="
"""Leads a stop word's term, so that it can't be taken for an equal stem ("be", and the stem of "being")."""


@dataclass(frozen=True)
class Analyser:
    """Lower case, stop words marked, Snowball stems.

    `language`: a Snowball algorithm ("english", "german", ...) or "none" (no stemming).
    `stop_words`: the name of a list or the path of one (see `assay.text.stopwords.stop_words`); "default" is
    replaced by the language's own: "lucene-english" for English (and where nothing is stemmed), else the
    list that goes by the language's name.
    Both streams hold *terms*: the stem of a content word, or STOP_MARK + the word itself for a stop word.
    """

    language: str = "english"
    stop_words: str = DEFAULT
    _stems: dict[str, str] = field(default_factory=dict, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Raises AssayError for an unknown language or list."""
        if self.language != "none" and self.language not in Stemmer.algorithms():
            raise AssayError(
                f"no Snowball stemmer for {self.language!r}",
                hint=f"one of none, {', '.join(sorted(Stemmer.algorithms()))}",
            )
        if self.stop_words == DEFAULT:
            object.__setattr__(self, "stop_words", default_list(self.language))
        _ = self.stop_list

    @cached_property
    def stop_list(self) -> frozenset[str]:
        """The stop words, lower-cased."""
        return stop_words(self.stop_words)

    @classmethod
    def with_list(cls, language: str, stop_words: str, stop_list: Iterable[str]) -> Analyser:
        """An analyser with these stop words; no list or file called `stop_words` is looked for."""
        analyser = cls.__new__(cls)
        for name, value in (("language", language), ("stop_words", stop_words), ("_stems", {})):
            object.__setattr__(analyser, name, value)
        analyser.__dict__["stop_list"] = frozenset(stop_list)
        return analyser

    @cached_property
    def settings(self) -> Mapping[str, str]:
        """Everything that decides what terms come out; part of a corpus's fingerprint."""
        digest = hashlib.sha256("\n".join(sorted(self.stop_list)).encode("utf-8")).hexdigest()
        return {
            "language": self.language,
            "stop_words": Path(self.stop_words).name,
            "stop_words_sha256": digest,
            "tokens": TOKEN_RULE,
        }

    def tokens(self, text: str) -> list[str]:
        """Lower-cased surface tokens of `text` after NFKC, in order; none over MAX_TERM_BYTES."""
        plain = normalise(text)
        pattern = TOKEN if plain.isascii() or not MARKED.search(plain) else MARKED_TOKEN
        found: list[str] = pattern.findall(plain)
        if len(text) > MAX_TERM_BYTES // 40:
            return [token for token in found if not too_long(token)]
        return found

    def term(self, token: str) -> str:
        """The term of one surface token."""
        known = self._stems.get(token)
        if known is None:
            known = self._stems[token] = self.new_term(token)
        return known

    def new_term(self, token: str) -> str:
        """What `term` gives, without remembering it: for callers with a memory of their own."""
        if token in self.stop_list:
            return STOP_MARK + token
        # A stem may come out empty ("'s" alone); the token itself then stands for it.
        return _stem(self.language, token) or token

    def all_terms(self, text: str) -> list[str]:
        """The stream of all tokens: positions and windows count these."""
        return [self.term(token) for token in self.tokens(text)]

    def content(self, text: str) -> list[str]:
        """The stream of content stems, repeats kept, in order: retrieval, overlap, n-gram ends."""
        return [term for term in self.all_terms(text) if not is_stop(term)]

    def query_terms(self, text: str) -> list[str]:
        """Content stems, or, where there is none, the stop words themselves ("it")."""
        terms = self.all_terms(text)
        return [term for term in terms if not is_stop(term)] or terms


def normalise(text: str) -> str:
    """NFKC, typographic apostrophes made plain, lower case."""
    return (text if text.isascii() else compose(text)).lower()


def compose(text: str) -> str:
    """NFKC, typographic apostrophes made plain, soft hyphens gone."""
    return unicodedata.normalize("NFKC", text.translate(PLAIN))


def too_long(token: str) -> bool:
    """Whether the token is longer than MAX_TERM_BYTES in UTF-8."""
    return len(token) > MAX_TERM_BYTES // 4 and len(token.encode("utf-8")) > MAX_TERM_BYTES


def is_stop(term: str) -> bool:
    """Whether the term stands for a stop word."""
    return term.startswith(STOP_MARK)


def surface(term: str) -> str:
    """The term as a person reads it."""
    return term.removeprefix(STOP_MARK)


@lru_cache(maxsize=1)
def _stemmer(language: str) -> Stemmer.Stemmer:
    # Without its cache: words are remembered where they are met, and it would be emptied again and again.
    return Stemmer.Stemmer(language, 0)


def _stem(language: str, token: str) -> str:
    return token if language == "none" else str(_stemmer(language).stemWord(token))

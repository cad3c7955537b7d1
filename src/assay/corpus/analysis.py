"""What becomes of one block: read, cleaned, keyed for de-duplication and analysed; in a worker or here."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import islice

import numpy as np
import numpy.typing as npt

from assay.corpus.inputs import Block, Reading
from assay.corpus.records import read_block
from assay.corpus.rules import Cleaning, dedupe_keys
from assay.errors import Fault
from assay.text.analysis import MARKED, MARKED_TOKEN, TOKEN, Analyser, compose, too_long

SENTENCE_END = 0
TOO_LONG = 1
FIRST_TERM = 2
SOURCES = "sources"
LONG_TOKENS = "long-tokens"
"""Counted beside the rules: sentences left out for their source, tokens of over MAX_TERM_BYTES."""
TOKEN_OR_END = re.compile(f"{TOKEN.pattern}|\n")
MARKED_TOKEN_OR_END = re.compile(f"{MARKED_TOKEN.pattern}|\n")
MAX_SURFACES = 1_000_000
"""A lexicon that knows more surface tokens than this starts anew, so that memory stays bounded."""


@dataclass(frozen=True)
class Settings:
    """Everything that decides what becomes of a block."""

    reading: Reading
    cleaning: Cleaning
    dedupe: str
    analyser: Analyser
    include_sources: frozenset[str] | None = None
    exclude_sources: frozenset[str] = frozenset()


@dataclass
class Piece:
    """A block's sentences, in order. Term ids are the lexicon's; FIRST_TERM is the first.

    `text_bytes` and `token_counts`: uint32, shape (n,); `ids`: uint32, all sentences' end to end;
    `keys`: uint64, shape (n, 2), or (0, 2) when nothing is de-duplicated; `new_terms` continue the
    lexicon's list, which starts anew when `lexicon` differs from the last piece's. `asked` counts the
    sentences of the sources to include or exclude.
    """

    input_number: int = 0
    consumed: int = 0
    read: int = 0
    text: bytes = b""
    text_bytes: npt.NDArray[np.uint32] = field(default_factory=lambda: np.empty(0, np.uint32))
    sources: list[str] = field(default_factory=list)
    source_codes: npt.NDArray[np.uint32] = field(default_factory=lambda: np.empty(0, np.uint32))
    documents: list[str] = field(default_factory=list)
    document_codes: npt.NDArray[np.uint32] = field(default_factory=lambda: np.empty(0, np.uint32))
    lines: npt.NDArray[np.uint32] = field(default_factory=lambda: np.empty(0, np.uint32))
    ids: npt.NDArray[np.uint32] = field(default_factory=lambda: np.empty(0, np.uint32))
    token_counts: npt.NDArray[np.uint32] = field(default_factory=lambda: np.empty(0, np.uint32))
    keys: npt.NDArray[np.uint64] = field(default_factory=lambda: np.empty((0, 2), np.uint64))
    lexicon: tuple[int, int] = (0, 0)
    new_terms: list[str] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)
    asked: Counter[str] = field(default_factory=Counter)
    faults: list[Fault] = field(default_factory=list)


class _Surfaces(dict[str, int]):
    """From surface token to term id; a token never seen is analysed, once."""

    def __init__(self, analyser: Analyser) -> None:
        super().__init__({"\n": SENTENCE_END})
        self.analyser = analyser
        self.terms: dict[str, int] = {}

    def __missing__(self, token: str) -> int:
        if too_long(token):
            return TOO_LONG
        term = self.analyser.new_term(token)
        number = self.terms.setdefault(term, len(self.terms) + FIRST_TERM)
        self[token] = number
        return number


class BlockAnalyser:
    """Turns blocks into pieces; `number` tells its lexicon from those of others at work."""

    def __init__(self, settings: Settings, number: int = 0) -> None:
        self.settings = settings
        self._lexicon = (number, 0)
        self._surfaces = _Surfaces(settings.analyser)
        self._sent = 0

    def __call__(self, block: Block) -> Piece:
        settings = self.settings
        records = read_block(block, settings.reading, settings.cleaning, settings.analyser.language)
        piece = Piece(
            input_number=block.input.number,
            consumed=block.consumed,
            read=len(records.texts) + records.counts["drop-faulty"],
            counts=records.counts,
            faults=records.faults,
        )
        if records.faults:
            return piece
        if settings.include_sources is not None or settings.exclude_sources:
            asked = (settings.include_sources or frozenset()) | settings.exclude_sources
            piece.asked = Counter(source for source in records.sources if source in asked)
            wanted = [self._wanted(source) for source in records.sources]
            piece.counts[SOURCES] += wanted.count(False)
            records.select(wanted)
        records.texts, kept = settings.cleaning.apply(records.texts, piece.counts)
        if kept is not None:
            records.narrow(kept)
        encoded = [text.encode("utf-8") for text in records.texts]
        piece.text = b"".join(encoded)
        piece.text_bytes = np.fromiter(map(len, encoded), np.uint32, len(encoded))
        piece.sources, piece.source_codes = _codes(records.sources)
        piece.documents, piece.document_codes = _codes(records.documents)
        piece.lines = np.array(records.lines, dtype=np.uint32)
        if settings.dedupe != "none":
            keys = dedupe_keys(settings.dedupe, records.texts, encoded)
            piece.keys = np.frombuffer(keys, dtype="<u8").reshape(-1, 2)
        self._analyse(records.texts, piece)
        return piece

    def _wanted(self, source: str) -> bool:
        include = self.settings.include_sources
        return (include is None or source in include) and source not in self.settings.exclude_sources

    def _analyse(self, texts: Sequence[str], piece: Piece) -> None:
        if len(self._surfaces) > MAX_SURFACES:
            self._lexicon = (self._lexicon[0], self._lexicon[1] + 1)
            self._surfaces = _Surfaces(self.settings.analyser)
            self._sent = 0
        tokens = tokens_and_ends(texts)
        ids = np.fromiter(map(self._surfaces.__getitem__, tokens), np.uint32, len(tokens))
        if (long := ids == TOO_LONG).any():
            piece.counts[LONG_TOKENS] += int(long.sum())
            ids = ids[~long]
        ends = np.flatnonzero(ids == SENTENCE_END)
        piece.token_counts = (np.diff(ends, prepend=-1) - 1).astype(np.uint32)
        piece.ids = ids[ids != SENTENCE_END]
        piece.lexicon = self._lexicon
        piece.new_terms = list(islice(self._surfaces.terms, self._sent, None))
        self._sent = len(self._surfaces.terms)


def tokens_and_ends(texts: Sequence[str]) -> list[str]:
    """The tokens of all texts as `Analyser.tokens` gives them, a line feed at the end of each text."""
    whole = "\n".join([*texts, ""])
    if whole.count("\n") != len(texts):
        # Neither a line feed nor a space is ever part of a token.
        whole = "\n".join([*(text.replace("\n", " ") for text in texts), ""])
    if whole.isascii():
        return TOKEN_OR_END.findall(whole.lower())
    # Text by text, as most are ASCII even where the whole isn't.
    parts = whole.split("\n")
    odd = [at for at, text in enumerate(parts) if not text.isascii()]
    composed = [compose(parts[at]).lower() for at in odd]
    for at in odd:
        parts[at] = ""
    parts = "\n".join(parts).lower().split("\n")
    for at, text in zip(odd, composed, strict=True):
        parts[at] = text
    pattern = MARKED_TOKEN_OR_END if any(map(MARKED.search, composed)) else TOKEN_OR_END
    return pattern.findall("\n".join(parts))


def _codes(names: Sequence[str]) -> tuple[list[str], npt.NDArray[np.uint32]]:
    if not names or names.count(names[0]) == len(names):
        return list(names[:1]), np.zeros(len(names), np.uint32)
    known: dict[str, int] = {}
    codes = [known.setdefault(name, len(known)) for name in names]
    return list(known), np.array(codes, dtype=np.uint32)

"""Corpus: sentences with their sources, both token streams, and postings, as arrays; on disk or in memory."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
import numpy.typing as npt

from assay.corpus.columns import PlaceOf, Strings
from assay.text.analysis import Analyser, is_stop


@dataclass(frozen=True)
class Vocabulary:
    """Every term of a corpus, ascending by code point: `terms[i]` has id i; `stop`: bool, shape (V,)."""

    terms: Sequence[str]
    stop: npt.NDArray[np.bool_]

    @cached_property
    def ids(self) -> Mapping[str, int]:
        """Term to id."""
        if isinstance(self.terms, Strings):
            return PlaceOf(self.terms)
        return {term: number for number, term in enumerate(self.terms)}

    def __len__(self) -> int:
        return len(self.terms)


@dataclass(frozen=True)
class Stream:
    """Term ids of all sentences, end to end. Sentence s is `ids[starts[s]:starts[s + 1]]`.

    `ids`: uint32, shape (T,); `starts`: int64, shape (n + 1,).
    """

    ids: npt.NDArray[np.uint32]
    starts: npt.NDArray[np.int64]


@dataclass(frozen=True)
class Postings:
    """For each term the sentences that hold it, ascending, and how often.

    Term t has `sentences[starts[t]:starts[t + 1]]` (uint32) with `counts` (uint16, capped at 65,535) beside.
    Stop words have postings too; `lengths` (uint32, shape (n,)) counts content stems alone.
    """

    starts: npt.NDArray[np.int64]
    sentences: npt.NDArray[np.uint32]
    counts: npt.NDArray[np.uint16]
    lengths: npt.NDArray[np.uint32]


@dataclass(frozen=True)
class Provenance:
    """Where sentences came from. File f gave the sentences `starts[f]:starts[f + 1]`.

    `files`: the inputs as they were named, in order; `starts`: int64, shape (files + 1,); `lines`: uint32,
    shape (n,): the line (from 1; of a table: the row); `documents`: n strings, "" where there is none.
    """

    files: Sequence[str]
    starts: npt.NDArray[np.int64]
    lines: npt.NDArray[np.uint32]
    documents: Sequence[str]


@dataclass(frozen=True)
class Place:
    """Where one sentence came from."""

    file: str
    line: int
    source: str
    document: str


@dataclass(frozen=True)
class Corpus:
    """An opened corpus; sentence ids are positions from 0.

    `texts` and `sources` are sequences of n strings (on disk: read when asked for). `tokens` is the stream of
    all tokens, `content` that of content stems. `fingerprint` (hex): sentences, sources, analyser and rules.
    `folder` and `provenance` are None for a corpus in memory.
    """

    name: str
    fingerprint: str
    analyser: Analyser
    texts: Sequence[str]
    sources: Sequence[str]
    vocabulary: Vocabulary
    tokens: Stream
    content: Stream
    postings: Postings
    folder: Path | None = None
    provenance: Provenance | None = None

    def __len__(self) -> int:
        return len(self.texts)

    def place(self, sentence: int) -> Place:
        """Where the sentence with this id came from. Raises IndexError when there is none such."""
        source = self.sources[sentence]
        origin = self.provenance
        if origin is None:
            return Place(self.name, sentence + 1, source, "")
        file = int(np.searchsorted(origin.starts, sentence, side="right")) - 1
        return Place(origin.files[file], int(origin.lines[sentence]), source, origin.documents[sentence])


def corpus_in_memory(
    sentences: Iterable[str], analyser: Analyser | None = None, *, name: str = "memory"
) -> Corpus:
    """A small corpus made on the spot, one source called `name`; nothing is cleaned or dropped.

    Plain and slow (the reference that `assay.corpus` is tested against); for large ones import to a folder.
    """
    analyser = analyser or Analyser()
    texts = list(sentences)
    analysed = [analyser.all_terms(text) for text in texts]
    terms = sorted({term for sentence in analysed for term in sentence})
    vocabulary = Vocabulary(terms, np.array([is_stop(term) for term in terms], dtype=np.bool_))
    content = [[term for term in sentence if not is_stop(term)] for sentence in analysed]
    by_term: list[list[tuple[int, int]]] = [[] for _ in terms]
    for number, sentence in enumerate(analysed):
        for term, count in Counter(sentence).items():
            by_term[vocabulary.ids[term]].append((number, count))
    flat = [entry for entries in by_term for entry in entries]
    postings = Postings(
        starts=_starts([len(entries) for entries in by_term]),
        sentences=np.array([sentence for sentence, _ in flat], dtype=np.uint32),
        counts=np.array([min(count, 65535) for _, count in flat], dtype=np.uint16),
        lengths=np.array([len(sentence) for sentence in content], dtype=np.uint32),
    )
    digest = hashlib.sha256(
        "\n".join([*sorted(analyser.settings.values()), *texts]).encode("utf-8", "replace")
    )
    return Corpus(
        name=name,
        fingerprint=digest.hexdigest(),
        analyser=analyser,
        texts=texts,
        sources=[name] * len(texts),
        vocabulary=vocabulary,
        tokens=_stream(analysed, vocabulary),
        content=_stream(content, vocabulary),
        postings=postings,
    )


def _starts(lengths: Sequence[int]) -> npt.NDArray[np.int64]:
    return np.concatenate([[0], np.cumsum(lengths, dtype=np.int64)]).astype(np.int64)


def _stream(sentences: Sequence[Sequence[str]], vocabulary: Vocabulary) -> Stream:
    ids = [vocabulary.ids[term] for sentence in sentences for term in sentence]
    return Stream(np.array(ids, dtype=np.uint32), _starts([len(sentence) for sentence in sentences]))

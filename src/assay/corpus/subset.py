"""A corpus less some of its sentences, in memory, without analysing anything again."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from typing import overload

import numpy as np
import numpy.typing as npt

from assay.corpus.columns import Coded
from assay.corpus.model import Corpus, Postings, Stream
from assay.errors import AssayError


class _Chosen(Sequence[str]):
    """The strings at `numbers` of a longer sequence, read when asked for."""

    def __init__(self, whole: Sequence[str], numbers: npt.NDArray[np.int64]) -> None:
        self.whole, self.numbers = whole, numbers

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[str]: ...
    def __getitem__(self, index: int | slice) -> str | Sequence[str]:
        if isinstance(index, slice):
            return _Chosen(self.whole, self.numbers[index])
        return self.whole[int(self.numbers[index])]

    def __len__(self) -> int:
        return len(self.numbers)

    def __iter__(self) -> Iterator[str]:
        return (self.whole[int(number)] for number in self.numbers)


def without_sentences(
    corpus: Corpus, sentences: npt.NDArray[np.integer], *, name: str | None = None
) -> Corpus:
    """`corpus` less the sentences of these ids (repeats allowed). The rest keep their order, ids count anew.

    The vocabulary stays; a term that no sentence holds any more has no postings.
    Raises IndexError for an id outside the corpus.
    """
    keep = np.ones(len(corpus), dtype=np.bool_)
    keep[np.asarray(sentences, dtype=np.int64)] = False
    kept = np.flatnonzero(keep).astype(np.int64)
    digest = hashlib.sha256(corpus.fingerprint.encode("ascii"))
    digest.update(np.flatnonzero(~keep).astype("<i8").tobytes())
    return Corpus(
        name=name or corpus.name,
        fingerprint=digest.hexdigest(),
        analyser=corpus.analyser,
        texts=_Chosen(corpus.texts, kept),
        sources=_Chosen(corpus.sources, kept),
        vocabulary=corpus.vocabulary,
        tokens=_stream(corpus.tokens, keep),
        content=_stream(corpus.content, keep),
        postings=_postings(corpus.postings, keep),
    )


def without_sources(corpus: Corpus, sources: Iterable[str], *, name: str | None = None) -> Corpus:
    """`corpus` less all sentences of these sources, as `without_sentences` gives it.

    Raises AssayError for a source that no sentence has.
    """
    return without_sentences(corpus, np.flatnonzero(_of_sources(corpus, sources)), name=name)


def only_sources(corpus: Corpus, sources: Iterable[str], *, name: str | None = None) -> Corpus:
    """The sentences of these sources alone, as `without_sentences` gives them.

    Raises AssayError for a source that no sentence has.
    """
    return without_sentences(corpus, np.flatnonzero(~_of_sources(corpus, sources)), name=name)


def source_sizes(corpus: Corpus) -> dict[str, int]:
    """Sentences by source, in the order in which the corpus names its sources; none that has no sentence."""
    names, codes = _coded(corpus.sources)
    sizes = np.bincount(codes, minlength=len(names)).tolist()
    return {name: size for name, size in zip(names, sizes, strict=True) if size}


def _of_sources(corpus: Corpus, sources: Iterable[str]) -> npt.NDArray[np.bool_]:
    """Whether each sentence is of one of these sources."""
    wanted, known = set(sources), source_sizes(corpus)
    if missing := sorted(wanted - set(known)):
        raise AssayError(
            f"the corpus {corpus.name} has no source {missing[0]!r}",
            hint=f"it has {', '.join(sorted(known)[:20])}",
        )
    names, codes = _coded(corpus.sources)
    chosen: npt.NDArray[np.bool_] = np.array([name in wanted for name in names], dtype=np.bool_)[codes]
    return chosen


def _coded(sources: Sequence[str]) -> tuple[Sequence[str], npt.NDArray[np.integer]]:
    """Distinct sources, and the place of each sentence's among them."""
    if isinstance(sources, Coded):
        return sources.names, sources.codes
    if isinstance(sources, _Chosen):
        names, codes = _coded(sources.whole)
        return names, codes[sources.numbers]
    places: dict[str, int] = {}
    found = np.array([places.setdefault(source, len(places)) for source in sources], dtype=np.int64)
    return list(places), found


def _stream(stream: Stream, keep: npt.NDArray[np.bool_]) -> Stream:
    lengths = np.diff(stream.starts)
    starts = np.concatenate([np.zeros(1, np.int64), np.cumsum(lengths[keep], dtype=np.int64)])
    return Stream(np.asarray(stream.ids[np.repeat(keep, lengths)]), starts)


def _postings(postings: Postings, keep: npt.NDArray[np.bool_]) -> Postings:
    new_ids = (np.cumsum(keep, dtype=np.int64) - 1).astype(np.uint32)
    kept = keep[postings.sentences]
    # Entries kept before each term's start, so that every term's list closes up.
    before = np.concatenate([np.zeros(1, np.int64), np.cumsum(kept, dtype=np.int64)])
    return Postings(
        starts=before[postings.starts],
        sentences=new_ids[postings.sentences[kept]],
        counts=np.asarray(postings.counts[kept]),
        lengths=np.asarray(postings.lengths[keep]),
    )

"""The exact engine: BM25 straight over a corpus's own postings, with exact lengths, nothing to build."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import islice, pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from assay.corpus.model import Corpus
from assay.errors import AssayError
from assay.evidence import blocks, kernels
from assay.evidence.engine import K1, B, Hits, Query, check_hits
from assay.evidence.heaps import Best

BATCH = 32768
"""Queries scored together at most; a block's contributions are worked out once for all of them."""
KEPT = 4_000_000
"""Hits held for a batch at most: k times its queries."""
BLOCK_POSTINGS = 4_000_000
"""Postings a block should hold at most, for corpora of long documents."""

Ints = npt.NDArray[np.int64]


class ExactEngine:
    """BM25 (Robertson and Zaragoza 2009; idf as in Lucene) of every sentence, nothing approximate.

    Scores are sums of contributions rounded to multiples of 2**-36: the same whatever the order of terms,
    the number of threads or the batch, so that equal bags of terms tie exactly.
    """

    name = "exact"

    def __init__(self, corpus: Corpus, *, k1: float = K1, b: float = B, threads: int | None = None) -> None:
        """`k1` >= 0, 0 <= `b` <= 1. `threads`: all cores unless set; changes no result."""
        check_constants(k1, b)
        self._corpus = corpus
        self._k1, self._b = k1, b
        self._threads = threads or len(os.sched_getaffinity(0))
        postings = corpus.postings
        self._starts = np.asarray(postings.starts, dtype=np.int64)
        total = int(postings.lengths.sum(dtype=np.int64))
        count = len(postings.lengths)
        self._postings = blocks.Postings(
            _read_only(postings.sentences, np.uint32),
            _read_only(postings.counts, np.uint16),
            _read_only(postings.lengths, np.uint32),
            float(k1),
            float(b),
            # Where no sentence has a content stem, none is longer than average.
            total / count if total else 1.0,
        )
        self._terms = _Known(corpus.vocabulary.ids)
        self._block = _block_size(len(postings.sentences), count)

    @property
    def settings(self) -> Mapping[str, Any]:
        """Engine, constants, and the corpus's fingerprint."""
        return {
            "engine": self.name,
            "k1": self._k1,
            "b": self._b,
            "lengths": "exact",
            "corpus": self._corpus.fingerprint,
        }

    def search(self, queries: Iterable[Query], k: int) -> Iterator[Hits]:
        """The best k sentences of each query, in the order of the queries (see `SearchEngine`)."""
        check_hits(k)
        k = min(k, max(1, len(self._postings.lengths)))
        size = max(1, min(BATCH, KEPT // k))
        remaining = iter(queries)
        while batch := list(islice(remaining, size)):
            yield from self._search_batch(batch, k)

    def _search_batch(self, batch: Sequence[Query], k: int) -> Iterator[Hits]:
        bounds = self._split(batch)
        chunks = [batch[start:stop] for start, stop in pairwise(bounds)]
        if len(chunks) == 1:
            found = [self._search_chunk(chunks[0], k)]
        else:
            with ThreadPoolExecutor(len(chunks)) as pool:
                found = list(pool.map(lambda chunk: self._search_chunk(chunk, k), chunks))
        for best in found:
            for ids, scores, size in zip(best.ids, best.scores, best.sizes.tolist(), strict=True):
                yield Hits(ids[:size], scores[:size])

    def _split(self, batch: Sequence[Query]) -> list[int]:
        """Bounds of one chunk a thread, never between queries that share their first group."""
        bounds = [0]
        for part in range(1, self._threads):
            bound = len(batch) * part // self._threads
            while 0 < bound < len(batch) and _shared(batch[bound - 1], batch[bound]):
                bound += 1
            if bound > bounds[-1]:
                bounds.append(bound)
        if bounds[-1] < len(batch):
            bounds.append(len(batch))
        return bounds

    def _search_chunk(self, chunk: Sequence[Query], k: int) -> Best:
        asked = _Asked(chunk, self._terms)
        given = (asked.stems, asked.own, asked.required)
        terms, numbered = np.unique(np.concatenate([part.terms for part in given]), return_inverse=True)
        starts, ends = self._starts[terms], self._starts[terms + 1]
        held = ends - starts
        count = len(self._postings.lengths)
        idf = np.log1p((count - held + 0.5) / (held + 0.5))
        stems, own, required = (
            _entries(part, slots, rank)
            for part, slots, rank in zip(
                given,
                np.split(numbered.astype(np.int32), np.cumsum([len(part.terms) for part in given[:-1]])),
                (-held, held, held),
                strict=True,
            )
        )
        best = _empty(len(chunk), k)
        kernels.search_chunk(
            self._postings,
            blocks.Terms(starts, ends, idf),
            kernels.Asked(
                stems,
                own,
                np.array(asked.queries, dtype=np.int64),
                np.array(asked.needed, dtype=np.int32),
                required,
                np.array(asked.required_groups, dtype=np.int32),
            ),
            self._block,
            _empty(len(asked.queries) - 1, k),
            best,
        )
        return best


class _Known(dict[str, int]):
    """Term to id, -1 for an unknown one; what was asked is remembered, since a corpus on disk is bisected."""

    def __init__(self, ids: Mapping[str, int]) -> None:
        self._ids = ids

    def __missing__(self, term: str) -> int:
        self[term] = found = self._ids.get(term, -1)
        return found


class _Terms:
    """Term ids and their groups, of one owner after another."""

    def __init__(self) -> None:
        self._terms: list[int] = []
        self._groups: list[int] = []
        self._counts: list[int] = []

    def add(self, groups: Sequence[Sequence[str]], ids: _Known) -> None:
        """The next owner's groups, numbered from 0; unknown terms are left out."""
        filled = len(self._terms)
        for group, terms in enumerate(groups):
            known = [ids[term] for term in terms if ids[term] >= 0]
            self._terms += known
            self._groups += [group] * len(known)
        self._counts.append(len(self._terms) - filled)

    @property
    def terms(self) -> Ints:
        return np.array(self._terms, dtype=np.int64)

    @property
    def groups(self) -> npt.NDArray[np.int32]:
        return np.array(self._groups, dtype=np.int32)

    @property
    def counts(self) -> Ints:
        return np.array(self._counts, dtype=np.int64)


class _Asked:
    """Queries as numbers: term ids of each question's first group, and of each query's other groups."""

    def __init__(self, chunk: Sequence[Query], ids: _Known) -> None:
        self.stems, self.own, self.required = _Terms(), _Terms(), _Terms()
        self.queries: list[int] = []
        self.needed: list[int] = []
        self.required_groups: list[int] = []
        before: Query | None = None
        for number, query in enumerate(chunk):
            groups, required = query.groups, query.required
            if _alone(query):
                # The stem's own hits are offered to all its queries unseen: none here, all terms are own.
                if query.every_group:
                    required = (*groups, *required)
                groups = ((), *groups)
            if before is None or not _shared(before, query):
                self.queries.append(number)
                self.stems.add(groups[:1], ids)
            before = query
            # Own groups are numbered from 1, after the stem.
            self.own.add(((), *groups[1:]), ids)
            self.required.add(required, ids)
            # One group alone is met by every hit.
            self.needed.append(len(groups) - 1 if query.every_group and not _alone(query) else 0)
            self.required_groups.append(len(required))
        self.queries.append(len(chunk))


def _alone(query: Query) -> bool:
    """Whether groups are required of a query whose stem alone would make a hit."""
    return bool(query.required) and not (query.every_group and len(query.groups) > 1)


def _shared(one: Query, other: Query) -> bool:
    """Whether the two are scored together: the same first group, met in the same way."""
    return (
        bool(one.groups)
        and bool(other.groups)
        and one.groups[0] is other.groups[0]
        and one.every_group == other.every_group
        and (not one.every_group or (len(one.groups) > 1) == (len(other.groups) > 1))
        and not _alone(one)
        and not _alone(other)
    )


def _entries(given: _Terms, slots: npt.NDArray[np.int32], rank: Ints) -> blocks.Entries:
    """Repeats counted, owners in order, each owner's slots by rising `rank` (one a slot)."""
    count = len(given.counts)
    owners, groups = np.repeat(np.arange(count), given.counts), given.groups
    order = np.lexsort((groups, slots, rank[slots], owners))
    owners, slots, groups = owners[order], slots[order], groups[order]
    new = np.ones(len(slots), dtype=np.bool_)
    new[1:] = (owners[1:] != owners[:-1]) | (slots[1:] != slots[:-1]) | (groups[1:] != groups[:-1])
    firsts = np.flatnonzero(new)
    times = np.diff(np.append(firsts, len(slots))).astype(np.float64)
    starts = np.searchsorted(owners[firsts], np.arange(count + 1)).astype(np.int64)
    return blocks.Entries(starts, slots[firsts], times, groups[firsts])


def _empty(owners: int, k: int) -> Best:
    return Best(
        np.empty((owners, k), np.float64), np.empty((owners, k), np.int64), np.zeros(owners, np.int64)
    )


def _read_only(array: npt.NDArray[Any], kind: type[np.generic]) -> npt.NDArray[Any]:
    """A view that can't be written: memory-mapped and plain arrays then share one compiled kernel."""
    view = np.ascontiguousarray(array, dtype=kind).view(np.ndarray)
    view.flags.writeable = False
    return view


def _block_size(postings: int, sentences: int) -> int:
    size = blocks.BLOCK
    while size > 1024 and size * postings > BLOCK_POSTINGS * max(1, sentences):
        size //= 2
    return size


def check_constants(k1: float, b: float) -> None:
    """Raises AssayError unless BM25's constants are in range."""
    if not 0 <= k1 < float("inf"):
        raise AssayError(f"k1 must be 0 or more. Got {k1}")
    if not 0 <= b <= 1:
        raise AssayError(f"b must be between 0 and 1. Got {b}")

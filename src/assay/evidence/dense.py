"""Dense search: the sentences whose vectors have the highest cosine with a query's, all of them looked at."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from assay.evidence.compiled import compiled
from assay.evidence.engine import Hits, check_hits
from assay.evidence.heaps import Best, push
from assay.evidence.vectors import Vectors

BATCH = 1024
"""Queries multiplied with a shard at once: 32 MB of scores."""
SLACK = 16
"""Hits kept over those wanted: single precision tells near scores apart only roughly."""
DIGITS = 6
"""Decimals of a score: vectors that differ by rounding alone tie."""

Floats = npt.NDArray[np.float32]
Doubles = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]


class DenseIndex:
    """Cosine of every sentence with a query (both of length one), nothing approximate.

    Found in single precision, then summed anew in double precision and rounded to 6 decimals: cores, batches
    and the linear algebra library change no result.
    """

    name = "dense"

    def __init__(self, vectors: Vectors, *, threads: int | None = None) -> None:
        """`threads`: all cores unless set; changes no result."""
        self._vectors = vectors
        self._threads = threads or len(os.sched_getaffinity(0))
        # A sum of d products of numbers that round to single precision is at most so far off.
        self._error = vectors.dimension * 2.0**-24 + 10.0**-DIGITS

    @property
    def settings(self) -> Mapping[str, Any]:
        """What decides the hits, beside the queries."""
        return {"search": "exact", "vectors": self._vectors.fingerprint}

    def search(self, queries: Sequence[Floats], k: int) -> Iterator[Hits]:
        """The best k sentences of each query vector, in the order of the queries (see `Hits`)."""
        check_hits(k)
        k = min(k, max(1, len(self._vectors)))
        for first in range(0, len(queries), BATCH):
            yield from self._exactly(np.stack(queries[first : first + BATCH]), k)

    def _exactly(self, queries: Floats, k: int) -> list[Hits]:
        hits: list[Hits] = [Hits(np.empty(0, np.int64), np.empty(0))] * len(queries)
        still, size = np.arange(len(queries)), k + SLACK
        while len(still):
            best = self._roughly(queries[still], size)
            again = []
            for at, query in enumerate(still.tolist()):
                ids, rough = best.ids[at, : best.sizes[at]], best.scores[at, : best.sizes[at]]
                scores = cosines(self._vectors.rows(ids), queries[query])
                order = np.lexsort((ids, -scores))[:k]
                hits[query] = Hits(ids[order], scores[order])
                # What was left out may still stand among the best, were it rounded otherwise.
                if len(ids) == size and rough.min() + self._error >= scores[order[-1]]:
                    again.append(query)
            still, size = np.array(again, np.int64), 4 * size
        return hits

    def _roughly(self, queries: Floats, size: int) -> Best:
        size = min(size, max(1, len(self._vectors)))
        shape = (len(queries), size)
        best = Best(np.empty(shape), np.empty(shape, np.int64), np.zeros(len(queries), np.int64))
        bounds = [len(queries) * part // self._threads for part in range(self._threads + 1)]
        parts = [
            (start, Best(best.scores[start:stop], best.ids[start:stop], best.sizes[start:stop]))
            for start, stop in pairwise(bounds)
        ]
        with ThreadPoolExecutor(self._threads) as pool:
            for first, rows in self._vectors.blocks():
                scores = queries @ rows.astype(np.float32, copy=False).T
                list(pool.map(lambda part: _offer(scores, part[0], first, part[1]), parts))  # noqa: B023
        return best


def cosines(rows: Floats, query: Floats) -> Doubles:
    """The cosine of each row with the query, all of length one: float64, rounded to DIGITS decimals."""
    return np.round(_products(np.ascontiguousarray(rows), np.ascontiguousarray(query)), DIGITS)


@compiled
def _products(rows: Floats, query: Floats) -> Doubles:
    found = np.zeros(len(rows), np.float64)
    for row in range(len(rows)):
        total = 0.0
        for place in range(len(query)):
            total += np.float64(rows[row, place]) * np.float64(query[place])
        found[row] = total
    return found


@compiled
def _offer(scores: Floats, row: int, first: int, best: Best) -> None:
    """Offer each query's scores of consecutive sentences, the first of them `first`, to its heap.

    The heaps' queries are those of `scores` from `row` on.
    """
    size = best.scores.shape[1]
    for query in range(len(best.sizes)):
        bar = best.scores[query, 0] if best.sizes[query] == size else -np.inf
        for place in range(scores.shape[1]):
            score = np.float64(scores[row + query, place])
            if score > bar:
                best.sizes[query] = push(
                    best.scores[query], best.ids[query], best.sizes[query], score, first + place
                )
                if best.sizes[query] == size:
                    bar = best.scores[query, 0]

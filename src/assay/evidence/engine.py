"""The one protocol behind which search engines stand: analysed query in, scored sentence ids out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from assay.errors import AssayError

K1 = 1.2
B = 0.75


@dataclass(frozen=True, slots=True)
class Query:
    """A bag of analysed terms, in groups (for the IR solver: the stem's terms, the choice's terms).

    The score of a sentence is the sum of the BM25 contributions of every term of every group, repeats
    counted as often as they stand. With `every_group`, a sentence is a hit only if it holds at least one
    term of each group; without, at least one term of any. An empty group with `every_group`: no hits.
    `required`: more groups, of which a hit must hold at least one term each, and which add nothing to its
    score (as "filter" clauses in Lucene); an empty one: no hits.
    Consecutive queries that share their first group object are scored together.
    """

    groups: tuple[tuple[str, ...], ...]
    every_group: bool = False
    required: tuple[tuple[str, ...], ...] = ()


class Hits(NamedTuple):
    """Best sentences of one query: score descending, equal scores by ascending sentence id.

    `ids`: int64, shape (h,), h <= k; `scores`: float64, shape (h,).
    """

    ids: npt.NDArray[np.int64]
    scores: npt.NDArray[np.float64]


class SearchEngine(Protocol):
    """Many queries at once, on all cores, results in the order of the queries.

    BM25, k1 1.2 and b 0.75 unless set, idf = ln(1 + (N - df + 0.5) / (df + 0.5)) over the whole corpus,
    the (k1 + 1) factor kept, length = content stems of the sentence.
    """

    name: str

    @property
    def settings(self) -> Mapping[str, Any]:
        """Everything that decides the scores; part of the cache key of whatever is made with them."""
        ...

    def search(self, queries: Iterable[Query], k: int) -> Iterator[Hits]:
        """The best k sentences of each query. Never raises for a query: unknown terms match nothing."""
        ...


def check_hits(k: int) -> None:
    """Raises AssayError unless at least one hit is wanted."""
    if k < 1:
        raise AssayError(f"the number of hits must be 1 or more. Got {k}")

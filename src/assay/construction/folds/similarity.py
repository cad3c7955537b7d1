"""How alike groups are: the unnormalised tf-idf overlap of their texts, as a graph (Khot et al. 2020, B)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from assay.settings import setting
from assay.text.analysis import Analyser
from assay.text.stopwords import DEFAULT

Ints = npt.NDArray[np.int64]

UNITS = 1000
"""Similarities are whole thousandths: sums are exact, in whatever order."""
_BLOCK = 512


@dataclass(frozen=True, slots=True)
class SimilaritySettings:
    """What makes two groups alike. idf is ln(groups / groups with the stem)."""

    overlap: str = setting(
        "product",
        "'product': the sum over shared stems of tf * tf * idf^2, the scalar product of tf-idf vectors that "
        "no length divides; 'idf': the sum of idf",
        one_of=("product", "idf"),
    )
    threshold: float = setting(10.0, "less similar pairs are no edge (the paper's: 10)", minimum=0)
    language: str = setting("english", "Snowball stemmer, or 'none'")
    stop_words: str = setting(DEFAULT, "name or file of the stop list")


@dataclass(frozen=True, slots=True, eq=False)
class Graph:
    """`nodes` groups; edge e joins first[e] < second[e] and weighs similarity[e] > 0 thousandths.

    All three int64 (edges,), sorted by first, then second.
    """

    nodes: int
    first: Ints
    second: Ints
    similarity: Ints

    @property
    def total(self) -> int:
        """The sum of all edges, in thousandths."""
        return int(self.similarity.sum())

    def cut(self, fold: Ints) -> int:
        """The sum of edges between groups of different folds, in thousandths; `fold`: int64 (nodes,)."""
        return int(self.similarity[fold[self.first] != fold[self.second]].sum())


def similarity_graph(texts: Sequence[Sequence[str]], settings: SimilaritySettings) -> Graph:
    """A node for each group of texts. Raises AssayError for an unknown language or stop list."""
    from scipy.sparse import csr_array

    analyser = Analyser(settings.language, settings.stop_words)
    counts = [Counter(stem for text in group for stem in analyser.content(text)) for group in texts]
    groups_with = Counter(stem for count in counts for stem in count)
    numbers = {stem: number for number, stem in enumerate(sorted(groups_with))}
    idf = np.log(len(texts) / np.array([groups_with[stem] for stem in numbers], dtype=np.float64))
    product = settings.overlap == "product"
    rows: list[int] = []
    columns: list[int] = []
    weights: list[float] = []
    for row, count in enumerate(counts):
        for stem in sorted(count):
            number = numbers[stem]
            rows.append(row)
            columns.append(number)
            weights.append(count[stem] * idf[number] if product else np.sqrt(idf[number]))
    matrix = csr_array((weights, (rows, columns)), shape=(len(texts), max(1, len(numbers))))
    return _edges(matrix, len(texts), settings.threshold)


def _edges(matrix: object, nodes: int, threshold: float) -> Graph:
    from typing import Any, cast

    from scipy.sparse import coo_array

    rows = cast(Any, matrix)
    least = max(1, int(np.ceil(threshold * UNITS - 0.5)))
    parts: list[tuple[Ints, Ints, Ints]] = []
    for start in range(0, nodes, _BLOCK):
        block = coo_array(rows[start : start + _BLOCK] @ rows.T)
        first, second = block.coords[0].astype(np.int64) + start, block.coords[1].astype(np.int64)
        similarity = np.rint(block.data * UNITS).astype(np.int64)
        kept = (first < second) & (similarity >= least)
        order = np.lexsort((second[kept], first[kept]))
        parts.append((first[kept][order], second[kept][order], similarity[kept][order]))
    joined = [np.concatenate(column) for column in zip(*parts, strict=True)] or [np.empty(0, np.int64)] * 3
    return Graph(nodes, *joined)

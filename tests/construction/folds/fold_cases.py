"""Small instances of a split, and the best folds by trying all."""

from itertools import product

import numpy as np
from hypothesis import strategies as st

from assay.construction.folds.similarity import Graph
from assay.construction.folds.sizes import FoldSizes


def graph_of(nodes: int, edges: dict[tuple[int, int], int]) -> Graph:
    rows = sorted((a, b, weight) for (a, b), weight in edges.items())
    columns = np.array(rows, dtype=np.int64).reshape(-1, 3).T
    return Graph(nodes, *(np.ascontiguousarray(column) for column in columns))


def smallest_cut(graph: Graph, weights: np.ndarray, sizes: FoldSizes) -> int | None:
    """By trying every assignment; None where none is allowed."""
    best = None
    for given in product(range(len(sizes.names)), repeat=graph.nodes):
        fold = np.array(given, dtype=np.int64)
        held = np.bincount(fold, weights=weights, minlength=len(sizes.names)).astype(int)
        if sizes.allow(held.tolist()):
            cut = graph.cut(fold)
            best = cut if best is None else min(best, cut)
    return best


@st.composite
def instances(draw):
    nodes = draw(st.integers(3, 7))
    folds = draw(st.integers(2, 3))
    weights = np.array(draw(st.lists(st.integers(1, 6), min_size=nodes, max_size=nodes)), dtype=np.int64)
    pairs = [(a, b) for a in range(nodes) for b in range(a + 1, nodes)]
    chosen = draw(st.lists(st.sampled_from(pairs), unique=True, max_size=len(pairs)))
    edges = {pair: draw(st.integers(1, 50)) for pair in chosen}
    ends = sorted(
        draw(
            st.lists(
                st.integers(1, int(weights.sum()) - 1), min_size=folds - 1, max_size=folds - 1, unique=True
            )
        )
    )
    targets = tuple(int(b - a) for a, b in zip((0, *ends), (*ends, weights.sum()), strict=True))
    off = draw(st.integers(0, 3))
    sizes = FoldSizes(
        tuple("abc"[:folds]),
        targets,
        tuple(max(1, size - off) for size in targets),
        tuple(size + off for size in targets),
    )
    return graph_of(nodes, edges), weights, sizes

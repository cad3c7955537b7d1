"""Heaps of the best sentences found so far, compiled; many side by side in plain arrays."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from assay.evidence.compiled import inlined

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]


class Best(NamedTuple):
    """For each owner a heap of its best, worst on top: (owners, k), (owners, k), (owners,)."""

    scores: Floats
    ids: Ints
    sizes: Ints


@inlined
def _worse(score: float, sentence: int, other_score: float, other: int) -> bool:
    """Whether the first stands after the second: lower score, or the same and a higher id."""
    return score < other_score or (score == other_score and sentence > other)


@inlined
def _replace_worst(scores: Floats, ids: Ints, size: int, score: float, sentence: int) -> None:
    """Put a sentence in the place of the worst of a heap of `size`, and let it sink to where it belongs."""
    at = 0
    while True:
        child = 2 * at + 1
        if child >= size:
            break
        if child + 1 < size and _worse(scores[child + 1], ids[child + 1], scores[child], ids[child]):
            child += 1
        if not _worse(scores[child], ids[child], score, sentence):
            break
        scores[at], ids[at] = scores[child], ids[child]
        at = child
    scores[at], ids[at] = score, sentence


@inlined
def push(scores: Floats, ids: Ints, size: int, score: float, sentence: int) -> int:
    """Offer a sentence to a heap of the best len(scores), worst on top; returns the heap's new size."""
    k = len(scores)
    if size < k:
        at = size
        while at > 0:
            parent = (at - 1) >> 1
            if not _worse(score, sentence, scores[parent], ids[parent]):
                break
            scores[at], ids[at] = scores[parent], ids[parent]
            at = parent
        scores[at], ids[at] = score, sentence
        return size + 1
    if not _worse(scores[0], ids[0], score, sentence):
        return size
    _replace_worst(scores, ids, k, score, sentence)
    return size


@inlined
def bar(best: Best, owner: int) -> float:
    """The score that a sentence must reach to matter: the worst kept, or 0 while there is room."""
    return best.scores[owner, 0] if best.sizes[owner] == best.scores.shape[1] else 0.0


@inlined
def keep(best: Best, owner: int, score: float, sentence: int) -> float:
    """Offer a sentence; returns the new floor."""
    best.sizes[owner] = push(best.scores[owner], best.ids[owner], best.sizes[owner], score, sentence)
    return bar(best, owner)


@inlined
def unite(best: Best, query: int, stem_best: Best, question: int) -> None:
    """Offer the stem's own best, where the query's don't hold them with a higher score already."""
    for at in range(stem_best.sizes[question]):
        score, sentence = stem_best.scores[question, at], stem_best.ids[question, at]
        known = score < bar(best, query)
        for other in range(best.sizes[query]):
            known = known or best.ids[query, other] == sentence
        if not known:
            keep(best, query, score, sentence)


@inlined
def sort(scores: Floats, ids: Ints, size: int) -> None:
    """Turn a heap (worst on top) into a list, best first."""
    for end in range(size - 1, 0, -1):
        score, sentence = scores[end], ids[end]
        scores[end], ids[end] = scores[0], ids[0]
        _replace_worst(scores, ids, end, score, sentence)

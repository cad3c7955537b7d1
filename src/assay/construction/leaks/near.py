"""Pairs of texts whose sets of stems are nearly the same: an exact join by Jaccard similarity.

Two sets with similarity of at least t share one of their rarest stems: of the first
|x| - ceil(t |x|) + 1 when stems are ordered from the rarest (Bayardo et al. 2007). Only such pairs are
compared, so that all pairs at or above t are found and few others are looked at.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from assay.errors import AssayError
from assay.evidence.compiled import compiled
from assay.text.analysis import Analyser

Ints = npt.NDArray[np.int64]

NEAR = 0.8
"""Stems shared of all stems of the two: what it takes in on real sets is in docs/folds.md."""


@dataclass(frozen=True, slots=True)
class Near:
    """Texts `first` < `second` (places), and the share of their stems that both have, 0 to 1."""

    first: int
    second: int
    similarity: float


def near_texts(texts: Sequence[str], analyser: Analyser, threshold: float = NEAR) -> list[Near]:
    """All pairs of texts with a Jaccard similarity of their content stems of at least `threshold`.

    Sorted by places. Texts without a content stem are near to none. Raises AssayError for a threshold that
    isn't over 0 and at most 1.
    """
    if not 0 < threshold <= 1:
        raise AssayError(f"the similarity of near texts must be over 0 and at most 1, got {threshold:g}")
    sets = [frozenset(analyser.content(text)) for text in texts]
    order = sorted((place for place, stems in enumerate(sets) if stems), key=lambda place: len(sets[place]))
    counts = Counter(stem for stems in sets for stem in stems)
    ranked = sorted(counts, key=lambda stem: (counts[stem], stem))
    rank = {stem: number for number, stem in enumerate(ranked)}
    begins = np.zeros(len(order) + 1, dtype=np.int64)
    np.cumsum([len(sets[place]) for place in order], out=begins[1:])
    stems = np.array(
        [number for place in order for number in sorted(rank[stem] for stem in sets[place])], dtype=np.int64
    )
    # Whole numbers, so that a similarity of exactly the threshold counts: parts of 10^9.
    parts = round(threshold * 10**9)
    found = _join(begins, stems, len(ranked), parts)
    pairs = []
    for a, b, shared in found.tolist():
        first, second = sorted((order[a], order[b]))
        pairs.append(Near(first, second, shared / (len(sets[first] | sets[second]))))
    return sorted(pairs, key=lambda pair: (pair.first, pair.second))


def _join(begins: Ints, stems: Ints, kinds: int, parts: int) -> Ints:
    """Pairs (a, b, shared stems), int64 (pairs, 3), of sets sorted by size, stems ascending in each."""
    found = np.empty((1024, 3), dtype=np.int64)
    while True:
        count = _pairs(begins, stems, kinds, parts, found)
        if count <= len(found):
            return found[:count]
        found = np.empty((count, 3), dtype=np.int64)


@compiled
def _prefix(size: int, parts: int) -> int:
    return size - (size * parts + 999_999_999) // 1_000_000_000 + 1


@compiled
def _pairs(begins: Ints, stems: Ints, kinds: int, parts: int, found: Ints) -> int:
    """Write as many pairs as `found` holds; returns how many there are."""
    sets = len(begins) - 1
    listed = np.zeros(kinds + 1, np.int64)
    for a in range(sets):
        for place in range(begins[a], begins[a] + _prefix(begins[a + 1] - begins[a], parts)):
            listed[stems[place] + 1] += 1
    starts = np.cumsum(listed)
    ends = starts[:-1].copy()
    members = np.zeros(starts[-1], np.int64)
    seen = np.full(sets, -1, np.int64)
    count = 0
    for b in range(sets):
        size = begins[b + 1] - begins[b]
        prefix = _prefix(size, parts)
        for place in range(begins[b], begins[b] + prefix):
            stem = stems[place]
            # Sets come by size: what is too small for this one is too small for all that follow.
            while starts[stem] < ends[stem]:
                a = members[starts[stem]]
                if (begins[a + 1] - begins[a]) * 1_000_000_000 < size * parts:
                    starts[stem] += 1
                else:
                    break
            for listing in range(starts[stem], ends[stem]):
                a = members[listing]
                if seen[a] == b:
                    continue
                seen[a] = b
                shared = 0
                x, y = begins[a], begins[b]
                while x < begins[a + 1] and y < begins[b + 1]:
                    if stems[x] == stems[y]:
                        shared += 1
                        x += 1
                        y += 1
                    elif stems[x] < stems[y]:
                        x += 1
                    else:
                        y += 1
                union = size + begins[a + 1] - begins[a] - shared
                if shared * 1_000_000_000 >= union * parts:
                    if count < len(found):
                        found[count, 0] = a
                        found[count, 1] = b
                        found[count, 2] = shared
                    count += 1
            members[ends[stem]] = b
            ends[stem] += 1
    return count

"""Mean pointwise mutual information of blocks of n-gram pairs, from their counts."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from assay.evidence.compiled import compiled
from assay.evidence.cooccurrence import Blocks, Counts


@dataclass(frozen=True)
class BlockScores:
    """One row a block. `mean`: float64, nats, shape (blocks,).

    `best`: int64 cells of its strongest pairs, PMI descending, equal ones in the order of the cells, -1 where
    there are fewer; `best_pmi` beside it; both shape (blocks, k).
    """

    mean: npt.NDArray[np.float64]
    best: npt.NDArray[np.int64]
    best_pmi: npt.NDArray[np.float64]


def score_blocks(
    blocks: Blocks, counts: Counts, *, skip_unseen: bool = False, clip: bool = False, strongest: int = 0
) -> BlockScores:
    """Mean PMI(x, y) = ln(p(x, y) / (p(x) p(y))) = ln(joint total / (single_x single_y)) over each block.

    A pair that never co-occurs counts 0, or, with `skip_unseen`, not at all; `clip` makes negative values 0.
    A block without a pair has the mean 0. `strongest`: how many pairs of each block to name, of those seen.
    """
    mean, best, best_pmi = _score(
        blocks.groups.members,
        blocks.groups.starts,
        blocks.left,
        blocks.right,
        blocks.cell_starts,
        counts.single,
        counts.joint,
        float(counts.total),
        skip_unseen,
        clip,
        strongest,
    )
    return BlockScores(mean, best, best_pmi)


@compiled
def _score(
    members: npt.NDArray[np.int32],
    group_starts: npt.NDArray[np.int64],
    left: npt.NDArray[np.int32],
    right: npt.NDArray[np.int32],
    cell_starts: npt.NDArray[np.int64],
    single: npt.NDArray[np.int64],
    joint: npt.NDArray[np.int64],
    total: float,
    skip_unseen: bool,
    clip: bool,
    strongest: int,
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.int64], npt.NDArray[np.float64]]:
    mean = np.zeros(left.size)
    best = np.full((left.size, strongest), -1, np.int64)
    best_pmi = np.zeros((left.size, strongest))
    for block in range(left.size):
        begin, end = group_starts[right[block]], group_starts[right[block] + 1]
        cell = cell_starts[block]
        sum_, seen, kept = 0.0, 0, 0
        for i in range(group_starts[left[block]], group_starts[left[block] + 1]):
            x = float(single[members[i]])
            for j in range(begin, end):
                if joint[cell] > 0:
                    pmi = np.log(float(joint[cell]) * total / (x * float(single[members[j]])))
                    seen += 1
                    if not clip or pmi > 0:
                        sum_ += pmi
                    place = kept
                    while place > 0 and pmi > best_pmi[block, place - 1]:
                        place -= 1
                    if place < strongest:
                        kept = min(kept + 1, strongest)
                        for k in range(kept - 1, place, -1):
                            best[block, k] = best[block, k - 1]
                            best_pmi[block, k] = best_pmi[block, k - 1]
                        best[block, place] = cell
                        best_pmi[block, place] = pmi
                cell += 1
        pairs = seen if skip_unseen else cell - cell_starts[block]
        if pairs > 0:
            mean[block] = sum_ / pairs
    return mean, best, best_pmi

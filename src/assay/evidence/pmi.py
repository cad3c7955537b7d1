"""Mean pointwise mutual information of blocks of n-gram pairs, from their counts."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from assay.evidence.compiled import compiled
from assay.evidence.cooccurrence import Blocks, Counts
from assay.evidence.pairs import Cells


@dataclass(frozen=True)
class BlockScores:
    """One row a right group of a block, in order. `mean`: float64, nats, shape (rows,).

    `best`: int64 cells of its strongest pairs, PMI descending, equal ones in the order of the cells, -1 where
    there are fewer; `best_pmi` beside it; both shape (rows, k).
    """

    mean: npt.NDArray[np.float64]
    best: npt.NDArray[np.int64]
    best_pmi: npt.NDArray[np.float64]


def score_blocks(
    blocks: Blocks, counts: Counts, *, skip_unseen: bool = False, clip: bool = False, strongest: int = 0
) -> BlockScores:
    """Mean PMI(x, y) = ln(p(x, y) / (p(x) p(y))) = ln(joint total / (single_x single_y)) by right group.

    A pair that never co-occurs counts 0, or, with `skip_unseen`, not at all; `clip` makes negative values 0.
    A group without a pair has the mean 0. `strongest`: how many pairs of each to name, of those seen.
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
    joint: Cells,
    total: float,
    skip_unseen: bool,
    clip: bool,
    strongest: int,
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.int64], npt.NDArray[np.float64]]:
    rows = (right[:, 1] - right[:, 0]).sum()
    mean = np.zeros(rows)
    best = np.full((rows, strongest), -1, np.int64)
    best_pmi = np.zeros((rows, strongest))
    row = 0
    for block in range(left.size):
        columns = group_starts[right[block, 1]] - group_starts[right[block, 0]]
        left_begin, left_end = group_starts[left[block]], group_starts[left[block] + 1]
        for group in range(right[block, 0], right[block, 1]):
            begin, end = group_starts[group], group_starts[group + 1]
            sum_, seen, kept = 0.0, 0, 0
            for i in range(left_begin, left_end):
                x = float(single[members[i]])
                cell = cell_starts[block] + (i - left_begin) * columns + begin - group_starts[right[block, 0]]
                for j in range(begin, end):
                    if joint[cell] > 0:
                        pmi = np.log(float(joint[cell]) * total / (x * float(single[members[j]])))
                        seen += 1
                        if not clip or pmi > 0:
                            sum_ += pmi
                        kept = _keep(best[row], best_pmi[row], kept, cell, pmi)
                    cell += 1
            pairs = seen if skip_unseen else (left_end - left_begin) * (end - begin)
            if pairs > 0:
                mean[row] = sum_ / pairs
            row += 1
    return mean, best, best_pmi


@compiled
def _keep(
    best: npt.NDArray[np.int64], best_pmi: npt.NDArray[np.float64], kept: int, cell: int, pmi: float
) -> int:
    """Put the pair among the strongest, if it is one; returns how many are kept."""
    place = kept
    while place > 0 and pmi > best_pmi[place - 1]:
        place -= 1
    if place == best.size:
        return kept
    kept = min(kept + 1, best.size)
    for k in range(kept - 1, place, -1):
        best[k], best_pmi[k] = best[k - 1], best_pmi[k - 1]
    best[place], best_pmi[place] = cell, pmi
    return kept

"""Folds for readers that are trained and judged on one set: what belongs together stays together."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

import numpy as np

from assay.construction.artifacts.conditional_logit import Codes
from assay.construction.linked import linked
from assay.questions.duplicates import stem_key
from assay.questions.model import Question
from assay.scoring.columns import cluster_numbers


def groups_of(questions: Sequence[Question], cluster: str | None = None) -> Codes:
    """A number for each question, int64 (n,), from 0: the same where the stems are the same but for signs and
    case, or where the column `cluster` is the same, or where a chain of these leads from one to the other.

    Raises AssayError for a question without a single cluster id.
    """
    keys: list[list[Hashable]] = [[stem_key(question, "stem_alnum")] for question in questions]
    if cluster is not None:
        for own, number in zip(keys, cluster_numbers(questions, cluster).tolist(), strict=True):
            own.append(number)
    groups = np.empty(len(questions), dtype=np.int64)
    for number, places in enumerate(linked(keys)):
        groups[places] = number
    return groups


def folds_of(groups: Codes, folds: int, seed: int) -> Codes:
    """A fold from 0 to `folds` - 1 for each question, int64 (n,).

    Whole groups, in an order drawn from `seed`, large ones first, each to the fold with fewest questions yet.
    """
    sizes = np.bincount(groups)
    order = np.random.default_rng(seed).permutation(len(sizes))
    order = order[np.argsort(-sizes[order], kind="stable")]
    filled = np.zeros(folds, dtype=np.int64)
    fold_of = np.empty(len(sizes), dtype=np.int64)
    for group in order:
        fold = int(np.argmin(filled))
        fold_of[group] = fold
        filled[fold] += sizes[group]
    return fold_of[groups]

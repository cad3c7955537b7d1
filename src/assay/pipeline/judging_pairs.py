"""Networks over pairs, and baselines, judge a file of pairs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from assay.entailment.overlap import OverlapBaseline
from assay.entailment.pair import Label, Pair
from assay.errors import AssayError
from assay.progress import SILENT, Progress
from assay.scoring.judged_pairs import Cluster, Judged, JudgedPairs, judge_pairs, majority
from assay.storage import to_json

DECIMALS = 4
MAJORITY, OVERLAP = "majority", "overlap"


@dataclass(frozen=True, slots=True)
class Judging:
    """`probabilities`: by model, P(entails) of each pair; `judged` None where labels are hidden.

    `overlap`: the baseline's threshold and its accuracy where it was chosen, None where there is none.
    """

    pairs: tuple[Pair, ...]
    probabilities: Mapping[str, tuple[float, ...]]
    judged: JudgedPairs | None
    majority: Label | None
    overlap: tuple[float, float] | None


def judge(
    models: Mapping[str, Path],
    pairs: Sequence[Pair],
    *,
    chosen_on: Sequence[Pair] | None = None,
    cluster: Cluster = "hypothesis",
    bf16: bool = False,
    seed: int = 0,
    progress: Progress = SILENT,
) -> Judging:
    """What the models say of the pairs and, where their labels are known, how right that is.

    A probability over 0.5, at 4 decimals, says "entails". Beside the models stand the label that is commonest
    in these very pairs, and word overlap with a threshold from `chosen_on`. Raises AssayError for a folder
    that is no model of pairs, no pairs, or none in `chosen_on` with a label: before any model reads.
    """
    if not pairs:
        raise AssayError("there is no pair to judge", hint="pairs without a gold label are left out")
    baseline = None if chosen_on is None else OverlapBaseline(chosen_on)
    found = {name: _read(folder, pairs, bf16, progress, name) for name, folder in models.items()}
    if any(pair.key is None for pair in pairs):
        return Judging(tuple(pairs), found, None, None, None)
    systems: dict[str, Judged] = {name: np.array(values) > 0.5 for name, values in found.items()}
    commonest = majority(pairs)
    systems[MAJORITY] = np.full(len(pairs), commonest == "entails")
    overlap = None
    if baseline is not None:
        systems[OVERLAP] = np.array([baseline.entails(pair) for pair in pairs])
        overlap = baseline.threshold, baseline.accuracy
    judged = judge_pairs(pairs, systems, cluster=cluster, seed=seed)
    return Judging(tuple(pairs), found, judged, commonest, overlap)


def _read(
    folder: Path, pairs: Sequence[Pair], bf16: bool, progress: Progress, name: str
) -> tuple[float, ...]:
    from assay.solvers.neural.pair_scorer import pair_scorer

    scorer = pair_scorer(folder, bf16=bf16)
    values = []
    with progress.task(name, len(pairs), "pairs") as advance:
        # A pair is read alone, so that no other can change its last bits.
        for (value,) in scorer.probabilities([pair] for pair in pairs):
            values.append(round(value, DECIMALS))
            advance(1)
    return tuple(values)


def answer_lines(judging: Judging) -> str:
    """JSON lines: each pair's id, its label if that is known, and by model what it says."""
    lines = []
    for place, pair in enumerate(judging.pairs):
        said = {
            name: {"entails": values[place], "label": "entails" if values[place] > 0.5 else "neutral"}
            for name, values in judging.probabilities.items()
        }
        label = {} if pair.label is None else {"label": pair.label}
        lines.append(to_json({"id": pair.id, **label, "said": said}) + "\n")
    return "".join(lines)

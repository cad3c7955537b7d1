"""AFLite: leave out the questions that linear probes find predictable (Le Bras et al. 2020)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from assay.construction.artifacts.conditional_logit import Codes, Floats
from assay.construction.artifacts.features import Features
from assay.construction.artifacts.probes import fit, probe_points
from assay.errors import AssayError
from assay.progress import SILENT, Progress
from assay.settings import setting


@dataclass(frozen=True, slots=True)
class AfliteSettings:
    """The constants of algorithm 1."""

    target: int | None = setting(
        None, "questions to keep at least; none: only the threshold ends it", minimum=1
    )
    partitions: int = setting(16, "random partitions in an iteration", minimum=2, maximum=1000)
    train: float = setting(0.8, "the share of groups a probe is trained on", minimum=0.05, maximum=0.95)
    slice: float = setting(
        0.05,
        "the share of the questions, at first, that one iteration leaves out at most",
        minimum=0.001,
        maximum=1,
    )
    threshold: float = setting(
        0.75, "a question is predictable from this share of the probes' points on", minimum=0, maximum=1
    )
    penalty: float = setting(10.0, "half of this times the squared weights holds a probe back", minimum=0)
    seed: int = setting(0, "seed of the partitions", minimum=0)


@dataclass(frozen=True, slots=True)
class Iteration:
    """One iteration: probes' mean points on what they weren't trained on, how many questions were
    predictable, how many were left out, how many remain."""

    number: int
    score: float
    predictable: int
    removed: int
    remaining: int


@dataclass(frozen=True, slots=True, eq=False)
class Filtered:
    """What AFLite keeps.

    `removed_in`: int64 (n,), the iteration in which each question was left out, 0: kept. `predictability`:
    float64 (n,), the mean points of the probes that judged it in its last iteration, NaN where none did.
    `judged`: int64 (n,), how many did. `stopped`: why it ended.
    """

    removed_in: Codes
    predictability: Floats
    judged: Codes
    iterations: tuple[Iteration, ...]
    stopped: str

    @property
    def kept(self) -> Codes:
        """Places of the questions kept."""
        return np.flatnonzero(self.removed_in == 0)


def aflite(
    features: Features, groups: Codes, settings: AfliteSettings | None = None, *, progress: Progress = SILENT
) -> Filtered:
    """Filter questions by how predictable `features` make them.

    Each iteration draws `partitions` random parts of the remaining groups, trains a probe on each and judges
    the rest. A question's predictability is the mean of its points (1/k for a tie; in the paper, of right
    answers). The most predictable are left out, at most `slice` of the first number, until fewer than a slice
    are predictable, or `target` questions remain. `groups`: int64 (n,), questions that stay on one side of
    every partition. Raises AssayError for a target that isn't below the number of questions, or one group.
    """
    settings = settings or AfliteSettings()
    n = len(features.starts)
    _check(n, groups, settings)
    draw = np.random.default_rng(settings.seed)
    most = max(1, int(settings.slice * n))
    removed_in, predictability = np.zeros(n, dtype=np.int64), np.full(n, np.nan)
    judged = np.zeros(n, dtype=np.int64)
    iterations: list[Iteration] = []
    stopped = ""
    with progress.task("filtering", None, "partitions") as advance:
        while not stopped:
            remaining = np.flatnonzero(removed_in == 0)
            earned, times = np.zeros(n), np.zeros(n, dtype=np.int64)
            for _ in range(settings.partitions):
                train, test = _partition(remaining, groups, settings.train, draw)
                weights = fit(features, train, settings.penalty)
                earned[test] += probe_points(features, test, weights)
                times[test] += 1
                advance(1)
            seen = remaining[times[remaining] > 0]
            predictability[seen], judged[remaining] = earned[seen] / times[seen], times[remaining]
            out, predictable, stopped = _leave_out(seen, predictability, len(remaining), most, settings)
            removed_in[out] = len(iterations) + 1
            score = float(earned.sum() / max(1, times.sum()))
            iterations.append(
                Iteration(len(iterations) + 1, score, predictable, len(out), len(remaining) - len(out))
            )
            if not stopped and len(np.unique(groups[removed_in == 0])) < 2:
                stopped = "what remains can't be parted any more"
    return Filtered(removed_in, predictability, judged, tuple(iterations), stopped)


def _check(n: int, groups: Codes, settings: AfliteSettings) -> None:
    if settings.target is not None and settings.target >= n:
        what = f"{settings.target:,} questions to keep of {n:,}: nothing would be left out"
        raise AssayError(what, hint="--target must be smaller than the set")
    independent = len(np.unique(groups))
    if independent < 2:
        raise AssayError(
            "questions that all stay together can't be parted into training and judging",
            hint="questions of one cluster, or with the same stem, stay together",
        )


def _partition(
    remaining: Codes, groups: Codes, share: float, draw: np.random.Generator
) -> tuple[Codes, Codes]:
    """The questions of a random `share` of the groups, one at least, and the rest, one group at least."""
    kinds = draw.permutation(np.unique(groups[remaining]))
    size = min(max(1, round(share * len(kinds))), len(kinds) - 1)
    inside = np.isin(groups[remaining], kinds[:size])
    return remaining[inside], remaining[~inside]


def _leave_out(
    seen: Codes, predictability: Floats, remaining: int, most: int, settings: AfliteSettings
) -> tuple[Codes, int, str]:
    """Places to leave out now, how many are predictable, and why it ends ("" if it goes on)."""
    predictable = seen[predictability[seen] >= settings.threshold]
    # The most predictable first; of equals, those that stand first.
    order = predictable[np.argsort(-predictability[predictable], kind="stable")]
    room = remaining if settings.target is None else remaining - settings.target
    out = order[: min(most, room)]
    if len(predictable) < most and len(out) == len(predictable):
        return out, len(predictable), f"fewer than {most:,} questions are predictable"
    if settings.target is not None and len(out) == room:
        return out, len(predictable), f"{settings.target:,} questions are left"
    return out, len(predictable), ""


def random_filter(n: int, keep: int, seed: int) -> Codes:
    """Places of as many questions kept at random: what a filter is to be compared with."""
    return np.sort(np.random.default_rng(seed).permutation(n)[:keep])


def named_parts(names: Sequence[str], kept: Codes) -> dict[str, tuple[int, int]]:
    """For each name, how many of the questions called so there were, and how many are kept."""
    inside = np.zeros(len(names), dtype=np.bool_)
    inside[kept] = True
    found: dict[str, tuple[int, int]] = {}
    for name, one in zip(names, inside.tolist(), strict=True):
        were, are = found.get(name, (0, 0))
        found[name] = were + 1, are + one
    return found

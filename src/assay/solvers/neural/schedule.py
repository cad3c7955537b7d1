"""Which questions a step reads and how fast it learns: pure functions of settings, seed and step."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

import numpy as np

from assay.solvers.neural.training_settings import TrainingSettings


def steps_an_epoch(questions: int, settings: TrainingSettings) -> int:
    """Steps in which every question is read once; the last batch of an epoch may be smaller."""
    return -(-questions // settings.batch)


def total_steps(questions: int, settings: TrainingSettings) -> int:
    """Steps that the schedule spans."""
    return settings.max_steps or settings.epochs * steps_an_epoch(questions, settings)


def learning_rate(step: int, total: int, settings: TrainingSettings) -> float:
    """The rate of step `step` (from 0) of `total`: up through the warm-up, then by the schedule."""
    warm = round(settings.warm_up * total)
    if step < warm:
        return settings.learning_rate * (step + 1) / warm
    if settings.schedule == "constant":
        return settings.learning_rate
    return settings.learning_rate * (total - step) / max(1, total - warm)


def epoch_batches(
    costs: Sequence[int], batch: int, window: int, seed: int, epoch: int
) -> tuple[tuple[int, ...], ...]:
    """The places of one epoch's batches: shuffled, put together by cost within windows, shuffled again."""
    draw = np.random.default_rng([seed, epoch])
    order = draw.permutation(len(costs)).tolist()
    batches: list[tuple[int, ...]] = []
    size = batch * window
    for start in range(0, len(order), size):
        like = sorted(order[start : start + size], key=lambda place: costs[place])
        parts = [tuple(like[at : at + batch]) for at in range(0, len(like), batch)]
        batches += [parts[at] for at in draw.permutation(len(parts))]
    return tuple(batches)


def in_parts(places: Sequence[int], most: int) -> list[Sequence[int]]:
    """The places in runs of `most`, the last perhaps shorter."""
    return [places[at : at + most] for at in range(0, len(places), most)]


def step_seed(seed: int, step: int) -> int:
    """The seed of a step's dropout, so that a run that was cut off needs no generator's state."""
    digest = hashlib.sha256(f"dropout {seed} {step}".encode("ascii")).digest()
    return int.from_bytes(digest[:8], "little") >> 1

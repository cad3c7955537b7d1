"""Points of a reader on examples with keys, by the one tie rule."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

import torch

from assay.errors import AssayError
from assay.questions.ties import highest
from assay.solvers.neural.reader import Reader
from assay.solvers.neural.schedule import in_parts


def accuracy(
    reader: Reader, prepared: Sequence[Any], keys: Sequence[int], *, at_once: int, bf16: bool = False
) -> float:
    """Mean points, 0 to 1: 1/k where the key is among k choices with the highest score, else 0.

    Raises AssayError when a score is not a number.
    """
    scores = list(scored(reader, prepared, at_once=at_once, bf16=bf16))
    points = 0.0
    for place, numbers in scores:
        if any(map(math.isnan, numbers)):
            raise AssayError("the reader's scores are not numbers: its weights are spoilt")
        chosen = highest(numbers)
        points += 1 / len(chosen) if keys[place] in chosen else 0.0
    return points / len(scores)


def scored(
    reader: Reader, prepared: Sequence[Any], *, at_once: int, bf16: bool = False
) -> Iterator[tuple[int, list[float]]]:
    """Each example's place and scores; examples of like cost are read together, `at_once` at a time."""
    network = reader.network
    device = next(network.parameters()).device
    order = sorted(range(len(prepared)), key=lambda place: (reader.cost(prepared[place]), place))
    was_training = network.training
    network.eval()
    try:
        for places in in_parts(order, at_once):
            with torch.no_grad(), torch.autocast(device.type, torch.bfloat16, enabled=bf16):
                found = reader.scores([prepared[place] for place in places])
            for place, tensor in zip(places, found, strict=True):
                yield place, tensor.float().tolist()
    finally:
        network.train(was_training)

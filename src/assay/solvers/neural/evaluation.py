"""Points of a reader on examples with keys: by the one tie rule, or by its own measure."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar, cast

import torch

from assay.errors import AssayError
from assay.questions.ties import highest
from assay.solvers.neural.reader import OwnLoss, Reader, Trainable
from assay.solvers.neural.schedule import in_parts


def accuracy(
    reader: Trainable, prepared: Sequence[Any], keys: Sequence[Any], *, at_once: int, bf16: bool = False
) -> float:
    """Mean points, 0 to 1: 1/k where the key is among k choices with the highest score, else 0.

    A reader with its own measure (`OwnLoss`) is judged by that.
    Raises AssayError when a score is not a number.
    """

    def earned(batch: Sequence[Any], places: Sequence[int]) -> list[float]:
        asked = [keys[place] for place in places]
        if isinstance(reader, OwnLoss):
            return reader.points(batch, asked)
        found = cast(Reader, reader).scores(batch)
        return [_points(scores.float().tolist(), key) for scores, key in zip(found, asked, strict=True)]

    points = [got for _, got in in_batches(reader, prepared, earned, at_once=at_once, bf16=bf16)]
    if any(map(math.isnan, points)):
        raise AssayError("the reader's scores are not numbers: its weights are spoilt")
    return math.fsum(points) / len(points)


def _points(scores: Sequence[float], key: int) -> float:
    if any(map(math.isnan, scores)):
        return math.nan
    chosen = highest(scores)
    return 1 / len(chosen) if key in chosen else 0.0


Read = TypeVar("Read")


def in_batches(
    reader: Trainable,
    prepared: Sequence[Any],
    read: Callable[[Sequence[Any], Sequence[int]], Sequence[Read]],
    *,
    at_once: int,
    bf16: bool = False,
) -> Iterator[tuple[int, Read]]:
    """Each example's place and what `read` made of it, which gets prepared examples and their places.

    Examples of like cost are read together, `at_once` at a time, without gradients or dropout.
    """
    network = reader.network
    device = next(network.parameters()).device
    order = sorted(range(len(prepared)), key=lambda place: (reader.cost(prepared[place]), place))
    was_training = network.training
    network.eval()
    try:
        for places in in_parts(order, at_once):
            with torch.no_grad(), torch.autocast(device.type, torch.bfloat16, enabled=bf16):
                found = read([prepared[place] for place in places], places)
            yield from zip(places, found, strict=True)
    finally:
        network.train(was_training)

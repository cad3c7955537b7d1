"""Parts of passage questions that share no article and no passage."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from assay.errors import AssayError
from assay.passages.passage import PassageQuestion

ORDERS = 100
"""Orders in which groups are laid out, of which the best is taken."""


def groups(questions: Sequence[PassageQuestion]) -> tuple[tuple[int, ...], ...]:
    """Places of the questions that stay together, in order of first appearance.

    Questions of one group (article) do, those of one passage whatever its group, and what either joins.
    """
    owner = list(range(len(questions)))

    def root(place: int) -> int:
        while owner[place] != place:
            owner[place] = owner[owner[place]]
            place = owner[place]
        return place

    first: dict[tuple[str, str], int] = {}
    for place, one in enumerate(questions):
        keys = [("passage", one.passage)] + ([] if one.group is None else [("group", one.group)])
        for key in keys:
            other = root(first.setdefault(key, place))
            owner[max(root(place), other)] = min(root(place), other)
    members: dict[int, list[int]] = {}
    for place in range(len(questions)):
        members.setdefault(root(place), []).append(place)
    return tuple(tuple(places) for places in members.values())


def split_by_group(
    questions: Sequence[PassageQuestion], targets: Mapping[str, int], seed: int
) -> dict[str, tuple[PassageQuestion, ...]]:
    """The questions in parts of about `targets` questions each, in the file's order within a part.

    Groups are laid, in an order drawn by the seed, into the part that lacks the largest share of its target;
    of ORDERS orders the one that ends nearest to the targets is taken. Raises AssayError where there are
    fewer groups than parts.
    """
    together = groups(questions)
    if len(together) < len(targets):
        raise AssayError(
            f"{len(targets)} parts, but the {len(questions):,} questions are in {len(together):,} groups "
            "that stay together: an article, and what shares a passage",
            hint="fewer parts, or more articles",
        )
    sizes = [len(places) for places in together]
    draw = np.random.default_rng(seed)
    laid = [_laid(sizes, targets, draw.permutation(len(sizes)).tolist()) for _ in range(ORDERS)]
    # An empty part is worse than any deviation.
    _, parts = min(laid, key=lambda one: one[0])
    places = {
        name: sorted(place for number in found for place in together[number]) for name, found in parts.items()
    }
    return {name: tuple(questions[place] for place in found) for name, found in places.items()}


def _laid(
    sizes: Sequence[int], targets: Mapping[str, int], order: Sequence[int]
) -> tuple[tuple[int, int], dict[str, list[int]]]:
    """Number of empty parts and summed deviation; the groups of each part."""
    held = dict.fromkeys(targets, 0)
    parts: dict[str, list[int]] = {name: [] for name in targets}
    for number in order:
        most = max(targets, key=lambda name: (targets[name] - held[name]) / targets[name])
        held[most] += sizes[number]
        parts[most].append(number)
    empty = sum(not found for found in parts.values())
    return (empty, sum(abs(held[name] - targets[name]) for name in targets)), parts

"""Places that stay together because they have a key in common, directly or through others."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence


def linked(keys: Sequence[Iterable[Hashable]]) -> list[list[int]]:
    """Groups of places 0 to len(keys) - 1: two with a key in common are in one, and so are chains of such.

    A place without keys is a group of its own. Groups are in order of their first place, places ascending.
    """
    above = list(range(len(keys)))

    def top(place: int) -> int:
        while above[place] != place:
            above[place] = above[above[place]]
            place = above[place]
        return place

    first: dict[Hashable, int] = {}
    for place, own in enumerate(keys):
        for key in own:
            one, other = sorted((top(first.setdefault(key, place)), top(place)))
            above[other] = one
    groups: dict[int, list[int]] = {}
    for place in range(len(keys)):
        groups.setdefault(top(place), []).append(place)
    return list(groups.values())

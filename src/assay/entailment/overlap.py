"""The baseline of a bag of words: a hypothesis is entailed if enough of its words stand in the premise."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from assay.entailment.pair import Pair
from assay.errors import AssayError
from assay.text.shares import Shares


class OverlapBaseline:
    """Entails from a share of the hypothesis's content stems on; the share is chosen on pairs with labels."""

    def __init__(self, chosen_on: Sequence[Pair]) -> None:
        """The share that is right most often on these pairs; of equally good ones the lowest.

        Raises AssayError when none of them has a label.
        """
        self._shares = Shares()
        known = sorted((self.share(pair), pair.key) for pair in chosen_on if pair.key is not None)
        if not known:
            raise AssayError("no pair has a label to choose the overlap's threshold by")
        # From below the lowest share on, all is entailed; each step up makes the pairs passed neutral.
        right = best = sum(key for _, key in known)
        self.threshold = known[0][0]
        for share, group in groupby(known, key=lambda one: one[0]):
            if right > best:
                best, self.threshold = right, share
            right += sum(1 - 2 * key for _, key in group)
        if right > best:
            best, self.threshold = right, float("inf")
        self.accuracy = best / len(known)

    def share(self, pair: Pair) -> float:
        """Share of the hypothesis's distinct content stems that the premise holds, 0 to 1."""
        return self._shares.share(pair.premise, pair.hypothesis)

    def entails(self, pair: Pair) -> bool:
        """Whether the premise holds enough of the hypothesis."""
        return self.share(pair) >= self.threshold

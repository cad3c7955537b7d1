"""How much of one text stands in another: content stems, or stop words where there are no others."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from assay.text.analysis import Analyser, is_stop


class Shares:
    """Compares texts by their stems: how much of a fact a sentence has, of a hypothesis a premise."""

    def __init__(self, analyser: Analyser | None = None) -> None:
        self._analyser = analyser or Analyser()
        self._terms = lru_cache(maxsize=1 << 14)(self._of)

    def _of(self, text: str) -> tuple[frozenset[str], frozenset[str]]:
        """What a text must share (its content stems), and all its terms."""
        return frozenset(self._analyser.query_terms(text)), frozenset(self._analyser.all_terms(text))

    def share(self, premise: str, hypothesis: str) -> float:
        """Share of the hypothesis's distinct content stems that the premise holds, 0 to 1; 0 without any."""
        wanted, there = self._terms(hypothesis)[0], self._terms(premise)[1]
        return len(wanted & there) / len(wanted) if wanted else 0.0

    def alike(self, one: str, other: str) -> float:
        """How much two texts have in common, 0 to 1: twice their common content stems over those of both.

        The coefficient of Dice (1945); the same either way, so that a long text isn't like every short one.
        """
        first, second = self._terms(one)[0], self._terms(other)[0]
        return 2 * len(first & second) / (len(first) + len(second)) if first and second else 0.0

    def stems(self, text: str) -> int:
        """How many distinct content stems a text has."""
        return sum(not is_stop(term) for term in self._terms(text)[0])

    def any(self, premise: str, text: str) -> bool:
        """Whether the premise holds any of the text's content stems."""
        return bool(self._terms(text)[0] & self._terms(premise)[1])

    def all(self, premise: str, text: str) -> bool:
        """Whether the premise holds all of the text's content stems, and there are some."""
        wanted = self._terms(text)[0]
        return bool(wanted) and wanted <= self._terms(premise)[1]

    def most(self, premises: Sequence[str], hypothesis: str) -> list[str]:
        """The premises, those first that share most with the hypothesis; equal ones stay in order."""
        return sorted(premises, key=lambda premise: -self.share(premise, hypothesis))

    def most_of(self, premise: str, hypotheses: Sequence[str]) -> list[str]:
        """The hypotheses, those first of which the premise shares most; equal ones stay in order."""
        return sorted(hypotheses, key=lambda hypothesis: -self.share(premise, hypothesis))

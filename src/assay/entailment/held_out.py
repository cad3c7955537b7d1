"""Hypotheses that a network is judged by, and questions that say the same: these are kept out of training."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable

from assay.text.analysis import Analyser

ALIKE = 0.7
"""Share of all distinct content stems of two statements that both hold, from which they say the same."""


class HeldOut:
    """Hypotheses to keep away from. SciTail's come from questions of SciQ and of exams, reworded."""

    def __init__(self, hypotheses: Iterable[str], alike: float = ALIKE) -> None:
        self._analyser = Analyser()
        self._alike = alike
        self._stems = list(dict.fromkeys(self._of(text) for text in hypotheses))
        self._holding: dict[str, list[int]] = defaultdict(list)
        for place, stems in enumerate(self._stems):
            for stem in stems:
                self._holding[stem].append(place)

    def holds(self, statement: str) -> bool:
        """Whether a hypothesis shares so much with the statement that it may say the same."""
        stems = self._of(statement)
        shared = Counter(place for stem in stems for place in self._holding.get(stem, ()))
        return any(count / len(stems | self._stems[place]) >= self._alike for place, count in shared.items())

    def _of(self, text: str) -> frozenset[str]:
        return frozenset(self._analyser.query_terms(text))

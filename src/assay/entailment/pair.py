"""A premise and a hypothesis: does the one entail the other?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Label = Literal["entails", "neutral"]


@dataclass(frozen=True, slots=True)
class Pair:
    """A pair of texts. `label` None: hidden.

    A contradiction isn't entailed, so that it counts as neutral. `question`: the digest of the question that
    the pair was made of (`questions.duplicates.question_digest`), None where it was made of none.
    """

    id: str
    premise: str
    hypothesis: str
    label: Label | None
    question: str | None = None

    @property
    def key(self) -> int | None:
        """1: entails, 0: neutral, None: hidden."""
        return None if self.label is None else int(self.label == "entails")

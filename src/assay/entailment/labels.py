"""The labels of entailment files, by word and by number, as the two that are told apart here."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any, Literal

from assay.entailment.pair import Label
from assay.errors import AssayError

Read = Label | Literal["-"]
NO_GOLD: Literal["-"] = "-"
"""SNLI's mark of a pair on whose label its annotators did not agree."""

WORDS: Mapping[str, Read] = {
    "entails": "entails",
    "entailment": "entails",
    "e": "entails",
    "neutral": "neutral",
    "n": "neutral",
    "contradiction": "neutral",
    "contradicts": "neutral",
    "c": "neutral",
    "not_entailment": "neutral",
    "not entailment": "neutral",
    NO_GOLD: NO_GOLD,
}
"""Labels of SciTail, SNLI, MultiNLI, SICK and GLUE, in lower case."""
CONTRADICTIONS = ("contradiction", "contradicts", "c")
NUMBERS: Mapping[str, Read] = {"0": "entails", "1": "neutral", "2": "neutral", "-1": NO_GOLD}
"""Hugging Face's three classes (0 entailment, 1 neutral, 2 contradiction) and GLUE's two of RTE (0
entailment, 1 not) agree as far as they go."""
TARGETS: tuple[Read, ...] = ("entails", "neutral", NO_GOLD)


class Labels:
    """How the labels of one file are read; it counts what it reads, so that this can be said."""

    def __init__(self, own: Mapping[str, str] | None = None) -> None:
        """`own`: the file's labels to "entails", "neutral" or "-" (no gold label); all others are faults.

        Raises AssayError for another target.
        """
        self._own: dict[str, Read] | None = None
        if own:
            self._own = {}
            for written, meant in own.items():
                if meant not in TARGETS:
                    raise AssayError(
                        f"label {written!r} can't be {meant!r}", hint=f"one of {', '.join(TARGETS)}"
                    )
                self._own[written.strip().lower()] = meant
        self.counts: Counter[str] = Counter()

    def read(self, value: Any) -> Read | None:
        """The label that a cell or JSON value means; None for an unknown one."""
        meant = self.meaning(value)
        if meant is not None:
            self.counts[plain(value)] += 1
        return meant

    def meaning(self, value: Any) -> Read | None:
        """As `read`, without counting."""
        text = plain(value)
        return (WORDS.get(text) or NUMBERS.get(text)) if self._own is None else self._own.get(text)

    def notes(self) -> list[str]:
        """What was read of numbers, of contradictions, and of pairs without a gold label."""
        said = []
        numbers = sorted(text for text in self.counts if text in NUMBERS and text != "-1")
        if numbers and self._own is None:
            three = "2" in self.counts
            classes = (
                "0 entails, 1 neutral, 2 contradicts (neutral here), as Hugging Face numbers three classes"
                if three
                else "0 entails, 1 neutral, as GLUE numbers RTE's two classes"
            )
            said.append(f"label numbers are read as: {classes}; --label NUMBER=LABEL reads them otherwise")
        contradictions = sum(self.counts[word] for word in CONTRADICTIONS)
        if contradictions and self._own is None:
            said.append(f"{contradictions:,} contradictions count as neutral: they don't entail")
        none = sum(number for text, number in self.counts.items() if self.meaning(text) == NO_GOLD)
        if none:
            said.append(f"{none:,} pairs have no gold label and are left out")
        return said

    @property
    def known(self) -> str:
        """The labels that can be read, for a message."""
        return ", ".join(self._own if self._own is not None else (*WORDS, *NUMBERS))


def plain(value: Any) -> str:
    """A label as it is looked up: text in lower case, a whole number by its digits."""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return "" if isinstance(value, bool) else str(value).strip().lower()

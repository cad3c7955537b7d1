"""Guess-all: every choice, for 1/k a question; the floor in every table (Clark et al. 2018, section 6)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from assay.corpus.model import Corpus
from assay.questions.model import Answer, Question
from assay.solvers.settings import read_settings


@dataclass(frozen=True)
class GuessAllSettings:
    """Guess-all has none."""


class GuessAll:
    """Selects all choices of every question."""

    declared = GuessAllSettings

    def __init__(self, name: str = "guess-all") -> None:
        self.name = name

    @classmethod
    def build(cls, name: str, settings: Mapping[str, Any], corpora: Mapping[str, Corpus]) -> GuessAll:
        """Raises AssayError for any setting."""
        read_settings(cls.declared, settings, f"solver {name!r}")
        return cls(name)

    @property
    def settings(self) -> Mapping[str, Any]:
        """Nothing decides these answers but the questions."""
        return {"solver": "guess-all"}

    def answer(self, questions: Iterable[Question]) -> Iterator[Answer]:
        """One answer a question, in order, with every label and no scores."""
        for question in questions:
            yield Answer(question.id, "answered", question.labels)

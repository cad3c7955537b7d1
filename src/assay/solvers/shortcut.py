"""Shortcut: one of the rules that choose without knowing anything, as a solver."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from assay.corpus.model import Corpus
from assay.questions.model import Answer, Question
from assay.questions.ties import choose
from assay.solvers.settings import read_settings, setting
from assay.solvers.shortcut_rules import ChoiceTexts, shortcut
from assay.text.analysis import Analyser


@dataclass(frozen=True)
class ShortcutSettings:
    """Which rule."""

    rule: str = setting(
        "longest",
        "longest, shortest, mean-length, overlap, least-overlap, most-alike, least-alike, all-of-the-above, "
        "none-of-the-above, absolute, no-absolute, negation, no-negation, place-1, place-2, ...",
    )
    language: str = setting("english", "the stemmer and stop list of rules that compare words")


class ShortcutSolver:
    """Chooses by a rule that knows nothing: by length, shared words, tell-tale words or place.

    Where the rule says nothing about a question, all its choices tie.
    """

    declared = ShortcutSettings

    def __init__(self, name: str = "shortcut", settings: ShortcutSettings | None = None) -> None:
        """Raises AssayError for an unknown rule or language."""
        self.name = name
        given = settings or ShortcutSettings()
        self._rule, self._analyser = shortcut(given.rule), Analyser(given.language)

    @classmethod
    def build(cls, name: str, settings: Mapping[str, Any], corpora: Mapping[str, Corpus]) -> ShortcutSolver:
        """Raises AssayError for a setting that is unknown or wrong."""
        return cls(name, read_settings(cls.declared, settings, f"solver {name!r}"))

    @property
    def settings(self) -> Mapping[str, Any]:
        """The rule and the language."""
        return {"solver": "shortcut", "rule": self._rule.name, "language": self._analyser.language}

    def answer(self, questions: Iterable[Question]) -> Iterator[Answer]:
        """One answer a question, in order."""
        for question in questions:
            said = self._rule.scores(ChoiceTexts(question, self._analyser))
            scores = tuple(map(float, said)) if said is not None else (0.0,) * len(question.choices)
            yield Answer(question.id, "answered", choose(question, scores), scores)

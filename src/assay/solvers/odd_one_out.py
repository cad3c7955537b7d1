"""Odd-one-out: the choice least like the others; the question isn't read (Khot et al. 2020, section 7).

Nothing is trained. Where distractors were made to surround the answer, it may as well be the choice most like
the others: the setting `alike` turns the solver round.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from assay.corpus.model import Corpus
from assay.questions.model import Answer, Question, QuestionSet
from assay.questions.ties import choose
from assay.solvers.settings import read_settings, setting
from assay.solvers.vector_similarity import VectorSettings, notes_on, text_vectors
from assay.text.mean_vectors import cosines

ALIKE = ("least", "most")


@dataclass(frozen=True)
class OddOneOutSettings(VectorSettings):
    """What decides a text's vector, and which choice is best."""

    alike: str = setting("least", "the best choice is the least or the most like the others", one_of=ALIKE)


class OddOneOut:
    """A choice's score is minus its mean cosine to the other choices, by mean word vectors.

    A choice of which no word is known isn't compared: its score is the mean of the others' scores, 0 where
    there is none, so that a gap in the vectors makes nothing odd. Two choices always tie.
    """

    declared = OddOneOutSettings

    def __init__(self, name: str = "odd-one-out", settings: OddOneOutSettings | None = None) -> None:
        """Raises AssayError when the vectors aren't there."""
        self.name = name
        given = settings or OddOneOutSettings()
        self._sign = 1.0 if given.alike == "most" else -1.0
        self._texts = text_vectors(given)

    @classmethod
    def build(cls, name: str, settings: Mapping[str, Any], corpora: Mapping[str, Corpus]) -> OddOneOut:
        """Raises AssayError for a setting that is unknown or wrong, or vectors that aren't there."""
        return cls(name, read_settings(cls.declared, settings, f"solver {name!r}"))

    @property
    def settings(self) -> Mapping[str, Any]:
        """The vectors' fingerprint, what words count, and which choice is best."""
        alike = "most" if self._sign > 0 else "least"
        return {"solver": "odd-one-out", "alike": alike, **self._texts.settings}

    def check(self, known: QuestionSet, asked: Sequence[Question] | None = None) -> tuple[str, ...]:
        """How much of the choices has vectors. Raises AssayError when no word has, or the file is damaged."""
        questions = known if asked is None else asked
        return notes_on(self._texts, [choice.text for q in questions for choice in q.choices], "choices")

    def answer(self, questions: Iterable[Question]) -> Iterator[Answer]:
        """One answer a question, in order; the vectors are read once for all questions."""
        asked = list(questions)
        self._texts.learn(choice.text for question in asked for choice in question.choices)
        for question in asked:
            scores = self._scores(question)
            yield Answer(question.id, "answered", choose(question, scores), scores)

    def _scores(self, question: Question) -> tuple[float, ...]:
        vectors = self._texts.unit([choice.text for choice in question.choices])
        known = np.flatnonzero(vectors.any(axis=1))
        alike = cosines(vectors[known], vectors[known]).tolist()
        others = max(len(known) - 1, 1)
        # fsum, so that the order of the choices doesn't matter.
        means = [math.fsum(row[:at] + row[at + 1 :]) / others for at, row in enumerate(alike)]
        scores = dict(zip(known.tolist(), (self._sign * mean for mean in means), strict=True))
        middle = math.fsum(scores.values()) / max(len(scores), 1)
        return tuple(scores.get(place, middle) for place in range(len(vectors)))

"""How much the source facts of questions have in common."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt

from assay.construction.distractors.sameness import plain
from assay.errors import FaultyInput
from assay.questions.model import Question
from assay.text.analysis import Analyser

Floats = npt.NDArray[np.float64]


def source_facts(question: Question) -> tuple[str, ...]:
    """The facts that it was made from, without the composed one; none where it has none."""
    facts = question.facts
    return () if facts is None else tuple(fact for fact in (facts.seed, facts.second) if fact)


def fact_names(question: Question) -> frozenset[str]:
    """The facts but for case, width and spaces: what tells that two questions share one."""
    return frozenset(map(plain, source_facts(question)))


def key_text(question: Question) -> str:
    """The text of its correct answer."""
    return next(choice.text for choice in question.choices if choice.label == question.answer)


def similarity_texts(questions: Sequence[Question], how: str) -> list[str]:
    """For each question the text that it is compared by: `how` "facts", or "text" (question and answer).

    Raises FaultyInput, naming every question without facts, where facts are wanted.
    """
    if how == "text":
        return [f"{question.stem} {key_text(question)}" for question in questions]
    lacking = [question for question in questions if not source_facts(question)]
    if lacking:
        raise FaultyInput(
            [question.fault("no source fact") for question in lacking],
            hint=f"{len(lacking):,} of {len(questions):,} questions have none: give fact1 (and fact2), or "
            "--without-facts to compare questions and answers instead",
        )
    return [" ".join(source_facts(question)) for question in questions]


class Overlaps:
    """The overlap of one text of a fold with every other, row by row, through postings of stems."""

    def __init__(self, texts: Sequence[str], analyser: Analyser, weigh: str) -> None:
        """`weigh` "stems": distinct content stems in common. "tf-idf": the sum of their squared idf.

        idf is ln(n / df) over the texts of the fold (QASC, appendix B, calls it unnormalised tf-idf overlap).
        """
        self._stems = [sorted(set(analyser.content(text))) for text in texts]
        places: defaultdict[str, list[int]] = defaultdict(list)
        for place, stems in enumerate(self._stems):
            for stem in stems:
                places[stem].append(place)
        self._postings = {stem: np.array(found, np.int64) for stem, found in places.items()}
        n = len(texts)
        self._weight: Callable[[str], float] = (
            (lambda stem: 1.0)
            if weigh == "stems"
            else (lambda stem: math.log(n / len(self._postings[stem])) ** 2)
        )

    def row(self, place: int) -> Floats:
        """float64 (n,): the overlap with each text, itself included; the same to the last bit anywhere."""
        row = np.zeros(len(self._stems))
        for stem in self._stems[place]:
            row[self._postings[stem]] += self._weight(stem)
        return row

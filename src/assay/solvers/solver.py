"""What a solver is: questions in, answers out, in order."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Protocol

from assay.questions.model import Answer, Question


class Solver(Protocol):
    """Batch in, stream out, in order, one Answer a question: progress and resume are the caller's.

    The same questions and settings give the same answers, whatever the number of cores, the batch, or what
    was asked before. A solver never reads `question.answer`.
    """

    name: str

    @property
    def settings(self) -> Mapping[str, Any]:
        """Every constant that decides an answer, fingerprints of corpora and files included (a cache key)."""
        ...

    def answer(self, questions: Iterable[Question]) -> Iterator[Answer]:
        """One answer a question, in order."""
        ...

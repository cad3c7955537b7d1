"""What a solver is: questions in, answers out, in order."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Protocol, runtime_checkable

from assay.questions.model import Answer, Question, QuestionSet


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


@runtime_checkable
class Checking(Protocol):
    """A solver that can say something about the questions before it answers them."""

    def check(self, known: QuestionSet, asked: Sequence[Question] | None = None) -> tuple[str, ...]:
        """Notes for a person. `known`: all questions of the set; `asked`: those of them that it is asked.

        Raises AssayError when what it was built from doesn't fit them.
        """
        ...


@runtime_checkable
class Taught(Protocol):
    """A solver that may have been trained on questions, and can tell which."""

    def seen(self, questions: Iterable[Question]) -> list[Question]:
        """Those of the questions that it was trained on or chosen by, told by stem and answer.

        Raises AssayError when it was trained and its record doesn't say on what.
        """
        ...

"""Points: the one function of Question and Answer that every table, test and leaderboard uses."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, get_args

import numpy as np
import numpy.typing as npt

from assay.errors import AssayError, FaultyInput
from assay.questions.model import Answer, Question

Outcome = Literal["right", "partial", "wrong", "unanswered", "empty", "unparsed", "refused"]
OUTCOMES: tuple[Outcome, ...] = get_args(Outcome)
_CODE = {outcome: code for code, outcome in enumerate(OUTCOMES)}
_NAMED = 5
"""This many ids are named when a whole set has no key."""


def _credit(question: Question, answer: Answer) -> int:
    """k when the key is among the k chosen labels, else 0."""
    if answer.question_id != question.id:
        raise AssayError(f"met with the answer to question {answer.question_id}", question_id=question.id)
    if question.answer is None:
        raise no_keys([question], 1)
    return len(answer.chosen) if question.answer in answer.chosen else 0


def points(question: Question, answer: Answer) -> float:
    """1 for exactly the key, 1/k for a k-way tie that includes it, else 0 (Clark et al. 2018, section 4).

    Raises AssayError, naming the id, when the question has no key or the answer is another question's.
    """
    credit = _credit(question, answer)
    return 1.0 / credit if credit else 0.0


def outcome(question: Question, answer: Answer) -> Outcome:
    """Which of the seven things happened: four of them earn nothing and are not "wrong"."""
    if answer.status != "answered":
        return answer.status
    credit = _credit(question, answer)
    return "wrong" if credit == 0 else "right" if credit == 1 else "partial"


def no_keys(hidden: Sequence[Question], of: int) -> AssayError:
    """The refusal to score `hidden`, the questions without a key among `of`."""
    hint = "a set without keys can be answered, not scored"
    if len(hidden) == of > _NAMED:
        named = ", ".join(question.id for question in hidden[:_NAMED])
        file = hidden[0].origin.file if hidden[0].origin else None
        what = f"no answer key in any of the {of:,} questions (the first: {named})"
        return AssayError(what, file=file, hint=hint)
    return FaultyInput([question.fault("no answer key") for question in hidden], hint=hint)


@dataclass(frozen=True, slots=True, eq=False)
class Marks:
    """What one system earned, a row a question, in the questions' order.

    `credit`, int64 (n,): k where the key is among k chosen labels, else 0. `outcome_codes`, int8 (n,):
    positions in OUTCOMES. `chosen`: the chosen sets.
    """

    credit: npt.NDArray[np.int64]
    outcome_codes: npt.NDArray[np.int8]
    chosen: tuple[tuple[str, ...], ...]

    @property
    def points(self) -> npt.NDArray[np.float64]:
        """float64 (n,), each 1/k or 0."""
        earned = np.zeros(len(self.credit))
        np.divide(1.0, self.credit, out=earned, where=self.credit > 0)
        return earned

    @property
    def total(self) -> Fraction:
        """The sum of the points, exactly."""
        sizes, counts = np.unique(self.credit[self.credit > 0], return_counts=True)
        parts = zip(sizes.tolist(), counts.tolist(), strict=True)
        return sum((Fraction(count, size) for size, count in parts), Fraction(0))

    @property
    def fully_right(self) -> npt.NDArray[np.bool_]:
        """bool (n,): exactly the key was chosen."""
        return np.asarray(self.credit == 1)

    @property
    def counts(self) -> dict[str, int]:
        """How often each outcome stands, every outcome named."""
        counts = np.bincount(self.outcome_codes, minlength=len(OUTCOMES))
        return dict(zip(OUTCOMES, counts.tolist(), strict=True))

    @property
    def set_sizes(self) -> dict[str, int]:
        """How many answers chose 1, 2, ... labels; what chose none isn't listed."""
        sizes: dict[int, int] = {}
        for chosen in self.chosen:
            sizes[len(chosen)] = sizes.get(len(chosen), 0) + 1
        return {str(size): sizes[size] for size in sorted(sizes) if size}

    def __len__(self) -> int:
        return len(self.credit)


def mark(questions: Sequence[Question], answers: Iterable[Answer]) -> Marks:
    """Marks of one answer a question, in the questions' order.

    Raises AssayError when a question has no key (every such id is named), when the answers aren't the
    questions' in order, or when their number differs.
    """
    hidden = [question for question in questions if question.answer is None]
    if hidden:
        raise no_keys(hidden, len(questions))
    credit: list[int] = []
    codes: list[int] = []
    sets: list[tuple[str, ...]] = []
    right, partial, wrong = _CODE["right"], _CODE["partial"], _CODE["wrong"]
    pairs = zip(questions, answers, strict=True)
    try:
        for question, answer in pairs:
            chosen = answer.chosen
            if question.id != answer.question_id:
                raise AssayError(
                    f"met with the answer to question {answer.question_id}", question_id=question.id
                )
            sets.append(chosen)
            if answer.status != "answered":
                credit.append(0)
                codes.append(_CODE[answer.status])
            elif question.answer in chosen:
                credit.append(len(chosen))
                codes.append(right if len(chosen) == 1 else partial)
            else:
                credit.append(0)
                codes.append(wrong)
    except ValueError:
        raise AssayError(f"not one answer a question: {len(questions):,} questions") from None
    return Marks(np.array(credit, dtype=np.int64), np.array(codes, dtype=np.int8), tuple(sets))

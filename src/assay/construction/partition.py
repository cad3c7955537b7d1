"""The Easy/Challenge partition: which questions filter solvers answer (Clark et al. 2018, section 3)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, get_args

from assay.errors import AssayError, FaultyInput
from assay.questions.model import Answer, Question
from assay.scoring.agreement import cohen_kappa

Credit = Literal["exact", "any"]
"""When a filter answers a question: it chooses exactly the key, or the key is among what it chooses."""
Set = Literal["Easy", "Challenge"]
SETS: tuple[Set, ...] = get_args(Set)


@dataclass(frozen=True, slots=True)
class Rule:
    """A question is Easy if at least `needed` of the filters answer it under `credit`, else Challenge.

    The paper's rule is one of two filters ("any"); `Rule.named` makes it from "any", "all" or a number.
    """

    needed: int
    credit: Credit = "exact"

    @classmethod
    def named(cls, name: str | int, filters: int, credit: str = "exact") -> Rule:
        """The rule called "any", "all" or m (of n filters).

        Raises AssayError when m isn't within 1..n or `credit` is neither "exact" nor "any".
        """
        if credit not in ("exact", "any"):
            raise AssayError(f"credit must be 'exact' or 'any', got {credit!r}")
        if filters < 1:
            raise AssayError("a partition needs at least one filter")
        needed = {"any": 1, "all": filters}.get(str(name))
        if needed is None:
            try:
                needed = int(name)
            except ValueError:
                raise AssayError(f"rule must be 'any', 'all' or a number of filters, got {name!r}") from None
        if not 1 <= needed <= filters:
            raise AssayError(f"rule must be within 1 and {filters}, the number of filters, got {needed}")
        return cls(needed, "exact" if credit == "exact" else "any")


@dataclass(frozen=True, slots=True)
class Placement:
    """Where one question falls, and which filters answered it (aligned with the partition's filters)."""

    question: Question
    set: Set
    answers: tuple[Answer, ...]
    answered: tuple[bool, ...]


@dataclass(frozen=True)
class Partition:
    """Placements in the order of the questions, the filters' names, and the rule in force."""

    placements: tuple[Placement, ...]
    filters: tuple[str, ...]
    rule: Rule

    @cached_property
    def sets(self) -> Mapping[str, Set]:
        """Question id to set."""
        return {placement.question.id: placement.set for placement in self.placements}

    @cached_property
    def counts(self) -> Mapping[Set, int]:
        """Questions in each set."""
        easy = sum(placement.set == "Easy" for placement in self.placements)
        return {"Easy": easy, "Challenge": len(self.placements) - easy}


def answers_it(question: Question, answer: Answer, credit: Credit) -> bool:
    """Whether `answer` answers `question` under `credit`.

    The paper's own table gives filters small scores above zero on Challenge, so a tie that includes the key
    did not count: "exact" is the default.
    """
    if credit == "exact":
        return answer.chosen == (question.answer,)
    return question.answer in answer.chosen


def partition(
    questions: Iterable[Question], answers: Mapping[str, Sequence[Answer]], rule: Rule
) -> Partition:
    """Place every question, from each filter's answers (filter name to answers in the questions' order).

    Raises AssayError when a question has no key, or a filter's answers don't follow the questions.
    """
    questions = tuple(questions)
    if not answers:
        raise AssayError("a partition needs at least one filter")
    for name, given in answers.items():
        if len(given) != len(questions):
            raise AssayError(f"filter {name} has {len(given)} answers for {len(questions)} questions")
    placements = []
    for number, question in enumerate(questions):
        if question.answer is None:
            raise FaultyInput([question.fault("no answer key, so no filter can be said to answer it")])
        given = tuple(answers[name][number] for name in answers)
        for name, answer in zip(answers, given, strict=True):
            if answer.question_id != question.id:
                raise AssayError(
                    f"filter {name} answers {answer.question_id!r} in its place", question_id=question.id
                )
        answered = tuple(answers_it(question, answer, rule.credit) for answer in given)
        easy = sum(answered) >= rule.needed
        placements.append(Placement(question, "Easy" if easy else "Challenge", given, answered))
    return Partition(tuple(placements), tuple(answers), rule)


@dataclass(frozen=True, slots=True)
class PartitionAgreement:
    """Against a published partition: `table[made][published]`, share of equal placements, Cohen's kappa.

    `share` and `kappa` are None where nothing can be compared (no question carries a published set), kappa
    also where both put everything into one set. `unpublished` counts questions without a published set.
    """

    table: Mapping[Set, Mapping[Set, int]]
    share: float | None
    kappa: float | None
    unpublished: int


def agreement(made: Partition, column: str = "set") -> PartitionAgreement:
    """Compare with the partition that the questions carry in metadata `column` ("Easy" or "Challenge")."""
    table: dict[Set, dict[Set, int]] = {ours: dict.fromkeys(SETS, 0) for ours in SETS}
    pairs: list[tuple[Set, Set]] = []
    for placement in made.placements:
        published = published_set(placement.question, column)
        if published is not None:
            pairs.append((placement.set, published))
            table[placement.set][published] += 1
    unpublished = len(made.placements) - len(pairs)
    if not pairs:
        return PartitionAgreement(table, None, None, unpublished)
    share = sum(ours == published for ours, published in pairs) / len(pairs)
    kappa = cohen_kappa(*zip(*pairs, strict=True))
    return PartitionAgreement(table, share, kappa, unpublished)


def published_set(question: Question, column: str = "set") -> Set | None:
    """The published set of a question, or None; any letter case, "ARC-Easy" too."""
    value = str(question.metadata.get(column, "")).casefold().removeprefix("arc-")
    return {"easy": "Easy", "challenge": "Challenge"}.get(value)  # type: ignore[return-value]

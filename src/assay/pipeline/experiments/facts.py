"""Gold facts of a run's questions: from files of explanations, or those that the questions carry."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from assay.evidence.gold import gold_facts
from assay.questions.explanations import Fact, join, of_own_facts, read_explanations
from assay.questions.model import QuestionSet


@dataclass(frozen=True)
class Gold:
    """Gold facts by question id, the questions that have some, in order, and notes on how they were read."""

    facts: Mapping[str, tuple[Fact, ...]]
    questions: QuestionSet
    notes: tuple[str, ...]


def read_gold(
    questions: QuestionSet, files: Sequence[str], sentences: str | None = None, roles: Sequence[str] = ()
) -> Gold:
    """The facts in `files` (WorldTree, EntailmentBank), else the questions' own; of `roles` alone, if any.

    Raises AssayError as reading and joining them do, and where no question has one.
    """
    notes: list[str] = []
    if files:
        read = [read_explanations(path, sentences) for path in files]
        notes += [note for one in read for note in one.notes]
        joined = join(questions, [explanation for one in read for explanation in one.explanations])
        if joined.repeated:
            notes.append(f"{len(joined.repeated):,} questions are explained more than once: all facts count.")
        if joined.unused:
            notes.append(f"{len(joined.unused):,} explanations are of other questions.")
    else:
        joined = of_own_facts(questions)
    facts = gold_facts(joined, roles)
    kept = QuestionSet(question for question in questions if question.id in facts)
    if len(kept) < len(questions):
        notes.append(f"{len(questions) - len(kept):,} of {len(questions):,} questions have no gold fact.")
    return Gold(facts, kept, tuple(notes))

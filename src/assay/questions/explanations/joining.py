"""Explanations meet their questions: by id, or by the texts of stem and right choice."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from assay.errors import AssayError, Fault, FaultyInput
from assay.questions.explanations.explanation import Explanation, Fact
from assay.questions.model import Question, QuestionSet
from assay.text.letters import letters_and_digits


@dataclass(frozen=True, slots=True)
class Joined:
    """What joined.

    `by_id`: the explanations of each question that has one, by question id, in the questions' order.
    `without`: ids of the questions that have none; `unused`: explanations of other questions; `repeated`: ids
    of questions with more than one.
    """

    by_id: Mapping[str, tuple[Explanation, ...]]
    without: tuple[str, ...]
    unused: tuple[Explanation, ...]
    repeated: tuple[str, ...]

    def facts(self, question_id: str) -> tuple[Fact, ...]:
        """A question's gold facts, those of several explanations one after another, equal ones once."""
        found: dict[str, Fact] = {}
        for explanation in self.by_id.get(question_id, ()):
            for fact in explanation.facts:
                found.setdefault(letters_and_digits(fact.text), fact)
        return tuple(found.values())


def join(questions: QuestionSet, explanations: Iterable[Explanation]) -> Joined:
    """Explanations with an id are that question's; the others are of every question with the same stem whose
    right choice has the answer's text (any with that stem, where the key is hidden), by letters and digits.

    Raises FaultyInput where the question of an id has another stem, AssayError where nothing joins.
    """
    by_stem: dict[str, list[Question]] = defaultdict(list)
    for question in questions:
        by_stem[letters_and_digits(question.stem)].append(question)
    found: dict[str, list[Explanation]] = defaultdict(list)
    unused: list[Explanation] = []
    faults: list[Fault] = []
    count = 0
    for explanation in explanations:
        count += 1
        own = _by_id(questions, explanation, faults)
        if explanation.question_id is None:
            own = [
                one for one in by_stem[letters_and_digits(explanation.stem)] if _is_answered(one, explanation)
            ]
        for question in own:
            found[question.id].append(explanation)
        if not own:
            unused.append(explanation)
    if faults:
        raise FaultyInput(faults, hint="are these explanations of other questions with the same ids?")
    if not found:
        raise AssayError(f"none of the {count:,} explanations is of one of the {len(questions):,} questions",
                         hint="they join by id, or where there is none by stem and right answer")  # fmt: skip
    return _joined(questions, found, unused)


def _by_id(questions: QuestionSet, explanation: Explanation, faults: list[Fault]) -> list[Question]:
    name = explanation.question_id
    if name is None or not questions.has(name):
        return []
    question = questions.by_id(name)
    if letters_and_digits(question.stem) != letters_and_digits(explanation.stem):
        what = f"explained is a question with another stem, {explanation.stem[:60]!r}"
        faults.append(Fault(what, explanation.file, explanation.line, name))
    return [question]


def _is_answered(question: Question, explanation: Explanation) -> bool:
    texts = {choice.label: choice.text for choice in question.choices}
    right = texts.get(question.answer) if question.answer is not None else explanation.answer
    return right is not None and letters_and_digits(right) == letters_and_digits(explanation.answer)


def of_own_facts(questions: QuestionSet) -> Joined:
    """The facts that the questions carry themselves (OpenBookQA's fact1, QASC's fact1 and fact2).

    Raises AssayError where no question carries one.
    """
    found: dict[str, list[Explanation]] = {}
    for question in questions:
        named = (
            []
            if question.facts is None
            else [("fact1", question.facts.seed), ("fact2", question.facts.second)]
        )
        facts = tuple(Fact(text, name) for name, text in named if text and text.strip())
        if facts:
            texts = {choice.label: choice.text for choice in question.choices}
            answer = texts.get(question.answer or "", "")
            found[question.id] = [Explanation(question.id, question.stem, answer, facts)]
    if not found:
        raise AssayError(
            f"none of the {len(questions):,} questions carries a fact",
            hint="give them fact1 and fact2, or name a file of explanations: --facts FILE, or facts = [FILE]",
        )
    return _joined(questions, found, [])


def _joined(
    questions: QuestionSet, found: Mapping[str, Sequence[Explanation]], unused: Sequence[Explanation]
) -> Joined:
    by_id = {question.id: tuple(found[question.id]) for question in questions if question.id in found}
    return Joined(
        by_id,
        tuple(question.id for question in questions if question.id not in found),
        tuple(unused),
        tuple(name for name, own in by_id.items() if len(own) > 1),
    )


def without_twins(
    explanations: Iterable[Explanation], held_out: Iterable[Question]
) -> tuple[list[Explanation], list[Explanation]]:
    """Explanations that one may train on, and those of questions held out, by id or by the same stem.

    ARC and its explanations hold questions that stand in several splits under other ids.
    """
    ids, stems = set(), set()
    for question in held_out:
        ids.add(question.id)
        stems.add(letters_and_digits(question.stem))
    kept: list[Explanation] = []
    twins: list[Explanation] = []
    for one in explanations:
        held = one.question_id in ids or letters_and_digits(one.stem) in stems
        (twins if held else kept).append(one)
    return kept, twins

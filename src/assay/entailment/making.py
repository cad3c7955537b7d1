"""Training pairs from science questions whose evidence is known: facts that people named, and what is near.

A right choice's statement is entailed by the question's facts; those of wrong choices aren't.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple, cast

from assay.entailment.pair import Label, Pair
from assay.questions.duplicates import question_digest
from assay.questions.explanations import Explanation
from assay.questions.model import Answer, Choice, Question, SentenceEvidence
from assay.settings import setting
from assay.text.sentences import sentences, with_full_stop
from assay.text.shares import Shares
from assay.text.statements import METHODS, Method, statement

Kind = Literal["fact", "facts", "step", "support", "wrong", "near wrong", "near right", "near fact"]
CENTRAL = "CENTRAL"
"""WorldTree's role of facts that carry an explanation; glue between words and grounding entail nothing."""


@dataclass(frozen=True)
class PairSettings:
    """What becomes a pair. Shares are of a statement's content stems, 0 to 1."""

    statements: str = setting("grammatical", "how stem and choice become a statement", one_of=METHODS)
    fact_share: float = setting(
        0.34, "a fact alone entails only what it shares so much with (several together: any)", minimum=0
    )
    wrong: int = setting(2, "wrong choices held against each fact, those first that share most", minimum=0)
    near_wrong: int = setting(
        1, "sentences of each wrong choice's evidence that are held against it, those first that share most",
        minimum=0,
    )  # fmt: skip
    near_right: int = setting(
        1, "sentences of the right choice's evidence that are taken not to say it, those that share least",
        minimum=0,
    )  # fmt: skip
    near_share: float = setting(0.4, "only if they share less than this with the statement", maximum=1)
    near_facts: int = setting(
        2, "sentences beside an explanation that aren't part of it (EntailmentBank), nearest first", minimum=0
    )


class Made(NamedTuple):
    """A pair and what it was made of."""

    pair: Pair
    kind: Kind


class Maker:
    """Questions, their explanations and evidence in; pairs out, in the questions' order, each once."""

    def __init__(self, settings: PairSettings | None = None) -> None:
        self.settings = settings or PairSettings()
        self._shares = Shares()

    def pairs(
        self, question: Question, explanations: Sequence[Explanation], evidence: Answer | None = None
    ) -> Iterator[Made]:
        """The pairs of a question with a key.

        `explanations`: of it; its own facts count as one. `evidence`: sentences found for its choices.
        """
        right = next(choice for choice in question.choices if choice.label == question.answer)
        found = dict[tuple[str, str, Label], Kind]()
        for premise, hypothesis, label, kind in self._all(question, right, explanations, evidence):
            found.setdefault((premise, hypothesis, label), kind)
        # What is entailed by one rule can't be neutral by another.
        said = {(premise, hypothesis) for premise, hypothesis, label in found if label == "entails"}
        number = 0
        for (premise, hypothesis, label), kind in found.items():
            if label == "neutral" and (premise, hypothesis) in said:
                continue
            number += 1
            made = Pair(f"{question.id}:{number}", premise, hypothesis, label, question_digest(question))
            yield Made(made, kind)

    def _all(
        self,
        question: Question,
        right: Choice,
        explanations: Sequence[Explanation],
        evidence: Answer | None,
    ) -> Iterator[tuple[str, str, Label, Kind]]:
        stated = self._statement(question, right)
        for explanation in explanations:
            facts = [_sentence(fact.text) for fact in explanation.facts if fact.role in (None, CENTRAL)]
            facts += [
                _sentence(fact.text) for fact in explanation.facts if (fact.role or "").startswith("fact")
            ]
            for fact in facts:
                if self._says(fact, stated, right):
                    yield fact, stated, "entails", "fact"
                    yield from self._against_wrong(question, fact)
            if facts[1:]:
                joined = " ".join(facts)
                yield joined, explanation.hypothesis or stated, "entails", "facts"
                yield from self._against_wrong(question, joined)
            yield from self._steps(explanation)
            near = [_sentence(fact.text) for fact in explanation.near]
            hypothesis = explanation.hypothesis or stated
            for fact in self._shares.most(near, hypothesis)[: self.settings.near_facts]:
                yield fact, hypothesis, "neutral", "near fact"
        yield from self._composed(question, stated)
        yield from self._support(question, right, stated)
        if evidence is not None:
            yield from self._near(question, right, evidence)

    def _statement(self, question: Question, choice: Choice) -> str:
        return statement(question.stem, choice.text, cast(Method, self.settings.statements)).text

    def _says(self, fact: str, stated: str, right: Choice) -> bool:
        """Whether the fact, alone, may be taken to say that the choice is right."""
        return self._shares.share(fact, stated) >= self.settings.fact_share and self._shares.any(
            fact, right.text
        )

    def _against_wrong(self, question: Question, premise: str) -> Iterator[tuple[str, str, Label, Kind]]:
        wrong = [self._statement(question, choice) for choice in _wrong(question)]
        for hypothesis in self._shares.most_of(premise, wrong)[: self.settings.wrong]:
            yield premise, hypothesis, "neutral", "wrong"

    def _steps(self, explanation: Explanation) -> Iterator[tuple[str, str, Label, Kind]]:
        for step in explanation.steps:
            premise = " ".join(map(_sentence, step.premises))
            yield premise, _sentence(step.conclusion), "entails", "step"

    def _composed(self, question: Question, stated: str) -> Iterator[tuple[str, str, Label, Kind]]:
        """QASC's combined fact, which people wrote of the two."""
        composed = None if question.facts is None else question.facts.composed
        if composed and composed.strip():
            yield _sentence(composed), stated, "entails", "fact"
            yield from self._against_wrong(question, _sentence(composed))

    def _support(
        self, question: Question, right: Choice, stated: str
    ) -> Iterator[tuple[str, str, Label, Kind]]:
        """Of SciQ's paragraph the sentence that names the right choice and shares most with its statement."""
        support = question.metadata.get("support")
        if not isinstance(support, str):
            return
        named = [one for one in sentences(support) if self._shares.all(one, right.text)]
        for sentence in self._shares.most(named, stated)[:1]:
            if self._says(sentence, stated, right):
                yield sentence, stated, "entails", "support"
                yield from self._against_wrong(question, sentence)

    def _near(
        self, question: Question, right: Choice, evidence: Answer
    ) -> Iterator[tuple[str, str, Label, Kind]]:
        settings = self.settings
        for choice, pieces in zip(question.choices, evidence.evidence or (), strict=False):
            texts = [piece.text for piece in pieces if isinstance(piece, SentenceEvidence)]
            stated = self._statement(question, choice)
            if choice.label != right.label:
                for text in self._shares.most(texts, stated)[: settings.near_wrong]:
                    yield text, stated, "neutral", "near wrong"
                continue
            for text in self._shares.most(texts, stated)[::-1][: settings.near_right]:
                if self._shares.share(text, stated) < settings.near_share:
                    yield text, stated, "neutral", "near right"


def _wrong(question: Question) -> Iterable[Choice]:
    return (choice for choice in question.choices if choice.label != question.answer)


def _sentence(text: str) -> str:
    """The fact as a sentence: facts are written without capitals and full stops, which would tell them."""
    text = with_full_stop(text)
    return text[:1].upper() + text[1:]

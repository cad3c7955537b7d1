"""Distractors that may be right as well: what speaks for it, for people to look at the likeliest first."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from assay.construction.distractors.sameness import Sameness
from assay.construction.distractors.selection import Extended, Placed
from assay.construction.distractors.similarity import key_text, source_facts
from assay.questions.model import Question
from assay.settings import setting
from assay.text.mean_vectors import MeanVectors, cosines

Sentences = Mapping[tuple[str, str], str]
"""(question id, choice's text) to a sentence of a corpus that an adversary found for it."""


@dataclass(frozen=True)
class SuspicionSettings:
    """From where on a measure is a reason to look."""

    margin: float = setting(1.0, "spreads above the key, in the adversaries' mean", minimum=0)
    in_facts: float = setting(0.5, "share of its content stems that the facts hold", minimum=0, maximum=1)
    near_key: float = setting(0.8, "cosine to the key by static vectors", minimum=-1, maximum=1)


@dataclass(frozen=True, slots=True)
class Suspicion:
    """An added choice with its measures, and in words what speaks for its being right.

    `in_facts`: share of its content stems, in [0, 1], that the question's facts hold; None without facts.
    `near_key`: cosine to the key by the mean of static vectors; None without vectors.
    `sentence`: what an adversary found for it in a corpus, where one did.
    """

    question: Question
    placed: Placed
    in_facts: float | None
    near_key: float | None
    sentence: str | None
    reasons: tuple[str, ...]


def suspicions(
    extended: Sequence[Extended],
    sameness: Sameness,
    settings: SuspicionSettings,
    vectors: MeanVectors | None = None,
    sentences: Sentences | None = None,
) -> list[Suspicion]:
    """Every added choice, the likeliest to be right first: by mean difference, then number of reasons.

    Of a hundred read by a person the difference told best which were right (docs/distractors.md).
    """
    found = [
        _suspicion(one, placed, sameness, settings, vectors, sentences or {})
        for one in extended
        for placed in one.placed
        if placed.origin == "question"
    ]
    return sorted(
        found,
        key=lambda one: (
            -round(one.placed.judged.difference, 9),
            -len(one.reasons),
            one.question.id,
            one.placed.choice.label,
        ),
    )


def _suspicion(
    extended: Extended,
    placed: Placed,
    sameness: Sameness,
    settings: SuspicionSettings,
    vectors: MeanVectors | None,
    sentences: Sentences,
) -> Suspicion:
    question, text = extended.question, placed.choice.text
    facts = source_facts(question)
    stems = sameness.stems(text)
    in_facts = None
    if facts:
        held = sameness.stems(" ".join(facts))
        in_facts = len(stems & held) / len(stems) if stems else 0.0
    near = None
    if vectors is not None:
        near = round(float(cosines(vectors.unit([text]), vectors.unit([key_text(question)]))[0, 0]), 4)
    sentence = sentences.get((question.id, text))
    reasons = tuple(_reasons(placed, in_facts, near, settings))
    return Suspicion(question, placed, in_facts, near, sentence, reasons)


def _reasons(
    placed: Placed, in_facts: float | None, near: float | None, settings: SuspicionSettings
) -> Iterable[str]:
    judged = placed.judged
    if judged.scores and len(judged.preferred_by) == len(judged.scores):
        yield "every adversary prefers it to the key"
    if judged.difference > settings.margin:
        yield "preferred by a wide margin"
    if in_facts is not None and in_facts >= settings.in_facts:
        yield "the facts speak of it"
    if near is not None and near >= settings.near_key:
        yield "near to the key in meaning"

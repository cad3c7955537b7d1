"""Recall of gold facts at k: both of a question's facts, or either, among the key's best sentences."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from assay.errors import AssayError
from assay.questions.model import Answer, Question, SentenceEvidence
from assay.scoring.columns import cluster_numbers
from assay.scoring.interval import CONFIDENCE, Estimate, estimate
from assay.text.letters import letters_and_digits

KS = (1, 2, 5, 10, 20)
CLUSTER = "fact1"


@dataclass(frozen=True, slots=True)
class RecallAt:
    """Among the key's best k sentences: the share of questions with both gold facts, with either, in 0..1."""

    k: int
    both: Estimate
    either: Estimate


@dataclass(frozen=True, slots=True)
class Recall:
    """Recall at several k over the questions that have a key and two facts; the others are counted.

    `hits`: for each question counted, in order, the 1-based ranks of its first and second fact, None where a
    fact isn't among the sentences.
    """

    rows: tuple[RecallAt, ...]
    questions: tuple[Question, ...]
    hits: tuple[tuple[int | None, int | None], ...]
    without_facts: int
    without_key: int


def fact_key(text: str) -> str:
    """A fact's letters and digits, without case: sentences with the same are the same fact."""
    return letters_and_digits(text)


def has_gold(question: Question) -> bool:
    """Whether the question has a key and two facts."""
    facts = question.facts
    return question.answer is not None and facts is not None and bool(facts.seed) and bool(facts.second)


def recall(
    questions: Sequence[Question],
    answers: Sequence[Answer],
    ks: Sequence[int],
    *,
    cluster: str | None = CLUSTER,
    confidence: float = CONFIDENCE,
) -> Recall:
    """Recall (Khot et al. 2019, table 4) at each of `ks`, of the evidence for the correct choice.

    `answers`: one a question, in order, with evidence. Intervals are clustered by the column `cluster`.
    Raises AssayError when no question has a key and two facts, or a k is below 1.
    """
    if any(k < 1 for k in ks):
        raise AssayError(f"recall is at 1 or more. Got {min(ks)}")
    counted = [(q, a) for q, a in zip(questions, answers, strict=True) if has_gold(q)]
    if not counted:
        raise AssayError(
            f"recall needs questions with a key and two gold facts: none of the {len(questions):,} has them",
            hint="QASC's train and dev sets of the public release hold fact1 and fact2",
        )
    kept = [question for question, _ in counted]
    hits = tuple(_ranks(question, answer) for question, answer in counted)
    clusters = None if cluster is None else cluster_numbers(kept, cluster)

    def share(k: int, of: Callable[[Sequence[bool]], bool]) -> Estimate:
        found = [of([rank is not None and rank <= k for rank in ranks]) for ranks in hits]
        return estimate(np.array(found, np.float64), clusters, confidence=confidence)

    return Recall(
        tuple(RecallAt(k, share(k, all), share(k, any)) for k in ks),
        tuple(kept),
        hits,
        sum(not (q.facts and q.facts.seed and q.facts.second) for q in questions),
        sum(q.answer is None for q in questions),
    )


def _ranks(question: Question, answer: Answer) -> tuple[int | None, int | None]:
    assert question.facts is not None
    assert question.answer is not None
    evidence = answer.evidence[question.labels.index(question.answer)] if answer.evidence else ()
    texts = [piece.text for piece in evidence if isinstance(piece, SentenceEvidence)]
    first_at: dict[str, int] = {}
    for rank, text in enumerate(texts, 1):
        first_at.setdefault(fact_key(text), rank)
    seed, second = question.facts.seed or "", question.facts.second or ""
    return first_at.get(fact_key(seed)), first_at.get(fact_key(second))

"""How many words a question shares with the facts it was composed from (Khot et al. 2020, appendix E)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from assay.errors import AssayError
from assay.questions.model import Question
from assay.scoring.columns import cluster_numbers
from assay.scoring.interval import CONFIDENCE, Estimate, estimate, t_estimate
from assay.scoring.points import no_keys
from assay.settings import setting
from assay.text.analysis import Analyser

FACTS = ("fact1", "fact2")
AT_LEAST_ONE, BOTH = "at least one", "both"
FEWER_THAN = (3, 2, 1)


@dataclass(frozen=True, slots=True)
class OverlapSettings:
    """What counts as a shared word."""

    language: str = setting("english", "a Snowball stemmer, or none")
    stop_words: str = setting(
        "lucene-english",
        "the stop list: lucene-english, nltk-english, questions, none, a language, or a file",
    )
    apostrophes: str = setting(
        "split",
        "split: an apostrophe ends a word, so that the s of a possessive is one (where no stop word); "
        "inside: it belongs to the word",
        one_of=("split", "inside"),
    )


Stems = Callable[[str], set[str]]


def stems_by(settings: OverlapSettings) -> Stems:
    """The function that gives the distinct stems of a text, stop words left out.

    Raises AssayError for an unknown stemmer or list.
    """
    analyser = Analyser(settings.language, settings.stop_words)
    if settings.apostrophes == "inside":
        return lambda text: set(analyser.content(text))
    return lambda text: {
        analyser.term(part)
        for token in analyser.tokens(text)
        if token not in analyser.stop_list
        for part in token.split("'")
        if part and part not in analyser.stop_list
    }


@dataclass(frozen=True, slots=True)
class QuestionOverlap:
    """One question: the stems that each of its facts shares with stem + answer, in alphabetical order."""

    question: Question
    shared: Mapping[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class FactOverlap:
    """One fact, or the two of a question together, over the `n` questions that have it.

    `fewer`: by number, the share of questions that share fewer stems with it. `average`: shared stems, mean;
    of "at least one" the smaller number of the two facts counts, of "both" the larger.
    """

    fact: str
    n: int
    fewer: Mapping[int, Estimate]
    average: Estimate


@dataclass(frozen=True, slots=True)
class Overlap:
    """Appendix E for one question set. Questions without a fact, or a key, are counted, not measured."""

    rows: tuple[FactOverlap, ...]
    questions: tuple[QuestionOverlap, ...]
    without_facts: int
    without_key: int
    settings: OverlapSettings


def overlap(
    questions: Sequence[Question],
    settings: OverlapSettings | None = None,
    *,
    fewer_than: Sequence[int] = FEWER_THAN,
    cluster: str | None = "fact1",
    confidence: float = CONFIDENCE,
) -> Overlap:
    """Stems that each fact shares with question + answer: how often fewer than `fewer_than`, and on average.

    Distinct stems count. Intervals are clustered by the column `cluster`. Raises AssayError when no question
    has a fact, or none that has one has a key.
    """
    settings = settings or OverlapSettings()
    stems = stems_by(settings)
    with_facts = [question for question in questions if _facts(question)]
    if not with_facts:
        raise AssayError(
            f"no facts in any of the {len(questions):,} questions",
            file=questions[0].origin.file if questions and questions[0].origin else None,
            hint="overlap compares a question with the facts it was composed from (fact1, fact2)",
        )
    keyed = [question for question in with_facts if question.answer is not None]
    if not keyed:
        raise no_keys(with_facts, len(with_facts))
    measured = tuple(_measure(question, stems) for question in keyed)
    return Overlap(
        tuple(_rows(measured, fewer_than, cluster, confidence)),
        measured,
        len(questions) - len(with_facts),
        len(with_facts) - len(keyed),
        settings,
    )


def _facts(question: Question) -> dict[str, str]:
    if question.facts is None:
        return {}
    given = dict(zip(FACTS, (question.facts.seed, question.facts.second), strict=True))
    return {name: text for name, text in given.items() if text is not None and text.strip()}


def _measure(question: Question, stems: Stems) -> QuestionOverlap:
    answer = next((choice.text for choice in question.choices if choice.label == question.answer), None)
    if answer is None:
        raise AssayError(f"answer key {question.answer} is not one of its labels", question_id=question.id)
    asked = stems(question.stem) | stems(answer)
    return QuestionOverlap(
        question, {name: tuple(sorted(stems(text) & asked)) for name, text in _facts(question).items()}
    )


def _rows(
    measured: Sequence[QuestionOverlap], fewer_than: Sequence[int], cluster: str | None, confidence: float
) -> list[FactOverlap]:
    """One row a fact that any question has, and two for both facts where any question has both."""
    kinds: dict[str, list[tuple[Question, int]]] = {fact: [] for fact in (*FACTS, AT_LEAST_ONE, BOTH)}
    for one in measured:
        counts = {name: len(shared) for name, shared in one.shared.items()}
        for name, count in counts.items():
            kinds[name].append((one.question, count))
        if len(counts) == len(FACTS):
            kinds[AT_LEAST_ONE].append((one.question, min(counts.values())))
            kinds[BOTH].append((one.question, max(counts.values())))
    rows = []
    for name, found in kinds.items():
        if not found:
            continue
        inside = [question for question, _ in found]
        clusters = None if cluster is None else cluster_numbers(inside, cluster)
        numbers = np.array([count for _, count in found], dtype=np.float64)
        fewer = {
            most: estimate((numbers < most).astype(np.float64), clusters, confidence=confidence)
            for most in fewer_than
        }
        average = t_estimate(numbers, clusters, confidence=confidence)
        rows.append(FactOverlap(name, len(found), fewer, average))
    return rows

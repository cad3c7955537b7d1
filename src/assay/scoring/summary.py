"""Everything a table, a report or a gate needs about systems on one set of questions, in one call."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from assay.errors import AssayError, Fault, FaultyInput
from assay.questions.model import Answer, Question
from assay.scoring.agreement import Agreement, agreement
from assay.scoring.bootstrap import DRAWS
from assay.scoring.breakdown import Breakdown, breakdown, corrected
from assay.scoring.calibration import Calibration, calibration
from assay.scoring.chance import AgainstChance, Chance, against_chance, chance, choice_counts
from assay.scoring.columns import Column, cluster_numbers, column
from assay.scoring.comparison import Comparison, compare_all
from assay.scoring.gap import CHALLENGE, EASY, Gap, gap
from assay.scoring.interval import CONFIDENCE, SMALL, Codes, Correction, Estimate, Method, estimate
from assay.scoring.points import Marks, mark
from assay.scoring.power import power_against_chance
from assay.scoring.ranks import Rank, ranks
from assay.scoring.record import as_record

SET = "set"
"""The metadata column that says Easy or Challenge."""


@dataclass(frozen=True, slots=True)
class SystemScore:
    """One system: its score, outcome counts (right, partial, wrong, unanswered, empty, unparsed, refused),
    exact points, how many answers chose 1, 2, ... labels, and how it stands to chance. `power`: the chance
    that a system of this true score is told from guessing."""

    system: str
    score: Estimate
    points: Fraction
    counts: dict[str, int]
    set_sizes: dict[str, int]
    against_chance: AgainstChance
    power: float | None
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Scores:
    """Results of `score_systems`. All means, differences and intervals are points from 0 to 1; tables show
    percent. `systems`, `ranks` and `comparisons` (all pairs) keep the order given; `breakdowns` run by
    column, then system; `gaps` (Easy minus Challenge) stand where the questions say their set; `calibration`
    where a system gives probabilities. `settings` holds every constant that decides a figure."""

    n: int
    chance: Chance
    systems: tuple[SystemScore, ...]
    ranks: tuple[Rank, ...]
    comparisons: tuple[Comparison, ...]
    agreement: tuple[Agreement, ...]
    breakdowns: tuple[Breakdown, ...]
    gaps: tuple[Gap, ...]
    calibration: tuple[Calibration, ...]
    settings: dict[str, Any]
    notes: tuple[str, ...]

    def system(self, name: str) -> SystemScore:
        """The system of that name; AssayError if there is none."""
        for found in self.systems:
            if found.system == name:
                return found
        raise AssayError(f"no system called {name}")

    def to_json(self) -> dict[str, Any]:
        """A strict JSON value, the same for the same input; what isn't defined is null."""
        record = as_record(self)
        assert isinstance(record, dict)
        return record


def aligned(
    questions: Sequence[Question], answers: Sequence[Answer], system: str, *, allow_missing: bool = False
) -> list[Answer]:
    """One answer a question, in the questions' order, whatever order `answers` come in.

    Raises AssayError listing answers given twice, answers to unknown questions, and, unless `allow_missing`
    makes them unanswered, questions without an answer.
    """
    if len(answers) == len(questions) and all(
        answer.question_id == question.id for answer, question in zip(answers, questions, strict=True)
    ):
        return list(answers)
    by_id: dict[str, Answer] = {}
    known = {question.id for question in questions}
    faults = []
    for answer in answers:
        if answer.question_id in by_id:
            faults.append(Fault(f"answered twice by {system}", question_id=answer.question_id))
        elif answer.question_id not in known:
            faults.append(Fault(f"no such question, answered by {system}", question_id=answer.question_id))
        by_id[answer.question_id] = answer
    if not allow_missing:
        faults += [
            Fault(f"no answer by {system}", question_id=question.id)
            for question in questions
            if question.id not in by_id
        ]
    if faults:
        raise FaultyInput(faults)
    return [by_id.get(question.id) or Answer(question.id, "unanswered") for question in questions]


def _system_score(
    name: str, marks: Marks, counts: Codes, guessing: Chance, clusters: Codes | None, how: _How
) -> SystemScore:
    points = marks.points
    score = estimate(
        points, clusters, method=how.method, correction=how.correction, confidence=how.confidence,
        seed=how.seed, draws=how.draws,
    )  # fmt: skip
    notes = list(score.notes)
    if 0 < score.n < SMALL:
        notes.append(f"only {score.n} question{'s' * (score.n > 1)}: too few to say much")
    power = None if score.mean is None else power_against_chance(score.mean, guessing)
    return SystemScore(
        name, score, marks.total, marks.counts, marks.set_sizes,
        against_chance(points, counts, clusters), power, tuple(notes),
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class _How:
    method: Method
    correction: Correction
    confidence: float
    seed: int
    draws: int


def score_systems(
    questions: Sequence[Question],
    answers_by_system: Mapping[str, Sequence[Answer]],
    *,
    cluster: str | None = None,
    cluster_of: Sequence[str | None] | None = None,
    by: Sequence[str] = (),
    levels: Mapping[str, Sequence[str]] | None = None,
    method: Method = "t",
    correction: Correction = "CR0",
    confidence: float = CONFIDENCE,
    seed: int = 0,
    draws: int = DRAWS,
    allow_missing: bool = False,
) -> Scores:
    """Score every system on the same questions and compare all pairs.

    `cluster` names a column (see `scoring.columns.column`) whose values are clusters of questions that stand
    or fall together (QASC: fact1); `cluster_of` gives the ids instead, one a question. `by` names columns or
    kinds of tag to break the scores down by, `levels` groups of them that get a row in any case. `method`:
    t, wilson, percentile or bca. Raises AssayError when a question has no key, an answer is missing (unless
    `allow_missing`) or belongs to no question, or a cluster id is missing; each names the questions.
    """
    how = _How(method, correction, confidence, seed, draws)
    answers = {
        name: aligned(questions, given, name, allow_missing=allow_missing)
        for name, given in answers_by_system.items()
    }
    marks = {name: mark(questions, given) for name, given in answers.items()}
    clusters = None
    if cluster is not None or cluster_of is not None:
        cluster = cluster or "cluster"
        clusters = cluster_numbers(questions, cluster, cluster_of) if questions else None
    counts = choice_counts(questions)
    guessing = chance(counts, confidence)
    names = list(marks)
    pairs = [(a, b) for place, a in enumerate(names) for b in names[place + 1 :]] if questions else []
    compared = compare_all(marks, clusters, correction=correction, confidence=confidence, seed=seed)
    points = {name: one.points for name, one in marks.items()}
    columns = [column(questions, name) for name in by]
    calibrated = [calibration(name, questions, answers[name], marks[name]) for name in names]
    return Scores(
        n=len(questions),
        chance=guessing,
        systems=tuple(_system_score(name, marks[name], counts, guessing, clusters, how) for name in names),
        ranks=ranks(points, clusters, confidence=confidence, seed=seed, draws=draws),
        comparisons=compared if questions else (),
        agreement=tuple(agreement((a, b), marks[a], marks[b]) for a, b in pairs),
        breakdowns=tuple(
            found
            for one in columns
            for found in corrected(
                [_broken_down(name, marks[name], one, clusters, levels, how, counts) for name in names]
            )
        ),
        gaps=_gaps(questions, points, clusters, confidence),
        calibration=tuple(one for one in calibrated if one is not None),
        settings={
            "interval": method,
            "confidence": confidence,
            "cluster": cluster,
            "correction": correction if cluster is not None else None,
            "seed": seed,
            "draws": draws,
            "unit": "points, 0 to 1",
        },
        notes=(),
    )  # fmt: skip


def _broken_down(
    name: str,
    marks: Marks,
    one: Column,
    clusters: Codes | None,
    levels: Mapping[str, Sequence[str]] | None,
    how: _How,
    counts: Codes,
) -> Breakdown:
    return breakdown(
        name, marks.points, one, clusters,
        levels=None if levels is None else levels.get(one.name),
        method=how.method, correction=how.correction, confidence=how.confidence, seed=how.seed,
        draws=how.draws, counts=counts,
    )  # fmt: skip


def _gaps(
    questions: Sequence[Question],
    points: Mapping[str, np.ndarray],
    clusters: Codes | None,
    confidence: float,
) -> tuple[Gap, ...]:
    sets = np.array([str(question.metadata.get(SET, "")) for question in questions], dtype=object)
    easy, challenge = sets == EASY, sets == CHALLENGE
    if not questions or not easy.any() or not challenge.any():
        return ()
    return tuple(
        gap(name, earned, (EASY, CHALLENGE), (easy, challenge), clusters, confidence=confidence)
        for name, earned in points.items()
    )

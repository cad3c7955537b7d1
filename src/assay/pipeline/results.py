"""The scoring step: every system on every column (Easy, Challenge, All) that it was asked whole."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal

import numpy as np

from assay.construction.partition import SETS, published_set
from assay.errors import AssayError
from assay.experiments import Experiment
from assay.pipeline.configuration import Configuration
from assay.pipeline.partitioning import Partitioned, partition_record
from assay.pipeline.systems import System, by_question, matching
from assay.questions.model import Answer, Question, QuestionSet
from assay.scoring.columns import cluster_numbers, column
from assay.scoring.gap import Gap, gap
from assay.scoring.points import mark
from assay.scoring.record import as_record
from assay.scoring.summary import Scores, score_systems

Basis = Literal["published", "made", "all"]


@dataclass(frozen=True)
class ScoredColumn:
    """A set of questions and the scores of the systems that were asked all of it."""

    name: str
    basis: Basis
    headline: bool
    questions: tuple[Question, ...]
    scores: Scores


@dataclass(frozen=True)
class Results:
    """All columns, the gaps by whose sets they are, the scored questions, and what was left out, in words.

    `reported`: scores that the configuration says systems reached elsewhere, by system and column, percent.
    """

    columns: tuple[ScoredColumn, ...]
    gaps: tuple[tuple[Basis, Gap], ...]
    scored: QuestionSet
    left_out: tuple[str, ...]
    reported: Mapping[str, Mapping[str, float]]


def check_scores(
    configuration: Configuration, questions: QuestionSet, types: Mapping[str, Sequence[str]]
) -> None:
    """Raises AssayError where [scores] names a column that no question has, nor `types` as a kind of tag."""
    settings = configuration.scores
    matching(questions, settings.only, "scores.only")
    clusters = () if settings.cluster is None else (settings.cluster,)
    tagged = {kind for question in questions for kind in question.tags}
    for setting, names in (("by", settings.by), ("cluster", clusters)):
        for name in names:
            if name in types or name in tagged:
                continue
            try:
                column(questions, name)
            except AssayError as error:
                raise AssayError(f"scores.{setting}: {error.faults[0].what}", hint=error.hint) from None


def make_results(
    configuration: Configuration,
    questions: QuestionSet,
    systems: Mapping[str, System],
    answers: Mapping[str, Sequence[Answer]],
    partitioned: Partitioned | None,
    types: Mapping[str, Sequence[str]] | None = None,
) -> Results:
    """Score the questions that have a key and that [scores] `only` names, by the partitions there are.
    `types` of taxonomies, by kind of tag, have a row in breakdowns even where no question is of them.

    Raises AssayError when nothing is left to score.
    """
    chosen = matching(questions, configuration.scores.only, "scores.only")
    scored = [question for question in chosen if question.answer is not None]
    if not scored:
        raise AssayError("no question is left to score", hint="look at the answer keys, and at scores.only")
    left_out = []
    if len(chosen) < len(questions):
        wanted = ", ".join(f"{name} {value}" for name, value in configuration.scores.only.items())
        left_out.append(f"{len(questions) - len(chosen):,} of {len(questions):,} questions: not {wanted}.")
    if len(scored) < len(chosen):
        left_out.append(f"{len(chosen) - len(scored):,} questions have no key: answered, not scored.")
    given = {name: by_question(found) for name, found in answers.items()}
    columns = []
    for name, basis, headline, members in _columns(configuration, scored, partitioned):
        inside = {
            s: [known[q.id] for q in members] for s, known in given.items() if _asked_all(known, members)
        }
        for missing in [s for s in given if s not in inside] if headline else []:
            count = sum(question.id in given[missing] for question in members)
            left_out.append(
                f"{missing} isn't scored on {name}: asked {count:,} of {len(members):,} questions."
            )
        columns.append(
            ScoredColumn(name, basis, headline, tuple(members), _score(configuration, members, inside, types))
        )
    gaps = _gaps(configuration, columns, given)
    reported = {name: configuration.solvers[name].reported for name in systems}
    names = {column.name for column in columns}
    left_out += [
        f"solvers.{name}.reported has a score on {column}: there is no such column."
        for name, figures in reported.items()
        for column in figures
        if column not in names
    ]
    return Results(tuple(columns), tuple(gaps), QuestionSet(scored), tuple(left_out), reported)


def _asked_all(known: Mapping[str, Answer], members: Sequence[Question]) -> bool:
    return all(question.id in known for question in members)


def _score(
    configuration: Configuration,
    members: Sequence[Question],
    answers: Mapping[str, Sequence[Answer]],
    types: Mapping[str, Sequence[str]] | None,
) -> Scores:
    settings = configuration.scores
    by = [name for name in settings.by if any(_carries(question, name) for question in members)]
    return score_systems(
        members, answers, cluster=settings.cluster, by=by, levels=types, seed=configuration.seed,
        draws=settings.draws,
    )  # fmt: skip


def _carries(question: Question, name: str) -> bool:
    try:
        return bool(column([question], name).values[0])
    except AssayError:
        return False


def _columns(
    configuration: Configuration, scored: Sequence[Question], partitioned: Partitioned | None
) -> list[tuple[str, Basis, bool, list[Question]]]:
    """The published sets where questions carry them, the made ones beside them, and all questions."""
    published = {
        question.id: published_set(question, configuration.questions.published) for question in scored
    }
    has_published = any(published.values())
    columns: list[tuple[str, Basis, bool, list[Question]]] = []
    if has_published:
        columns += [
            (name, "published", True, [q for q in scored if published[q.id] == name]) for name in SETS
        ]
    if partitioned is not None:
        made = partitioned.partition.sets
        for name in SETS:
            title = f"{name} (made here)" if has_published else name
            columns.append((title, "made", not has_published, [q for q in scored if made.get(q.id) == name]))
    columns.append(("All", "all", True, list(scored)))
    return [found for found in columns if found[3]]


def _gaps(
    configuration: Configuration, columns: Sequence[ScoredColumn], given: Mapping[str, Mapping[str, Answer]]
) -> list[tuple[Basis, Gap]]:
    gaps: list[tuple[Basis, Gap]] = []
    for basis in ("published", "made"):
        parts = [column for column in columns if column.basis == basis]
        if len(parts) != 2:
            continue
        members = [*parts[0].questions, *parts[1].questions]
        first = np.arange(len(members)) < len(parts[0].questions)
        cluster = configuration.scores.cluster
        clusters = None if cluster is None else cluster_numbers(members, cluster)
        for name, known in given.items():
            if _asked_all(known, members):
                points = mark(members, [known[question.id] for question in members]).points
                found = gap(name, points, ("Easy", "Challenge"), (first, ~first), clusters)
                gaps.append((basis, found))
    return gaps


def results_record(
    results: Results, partitioned: Partitioned | None, experiments: Sequence[Experiment] = ()
) -> dict[str, Any]:
    """scores.json: every column's scores, gaps, the partition's figures, experiments, what was left out."""
    record: dict[str, Any] = {
        "columns": [
            {
                "name": column.name,
                "basis": column.basis,
                "questions": len(column.questions),
                "scores": column.scores.to_json(),
            }
            for column in results.columns
        ],
        "gaps": [{"basis": basis, **as_record(found)} for basis, found in results.gaps],
        "left_out": list(results.left_out),
    }
    if any(results.reported.values()):
        record["reported"] = {name: dict(figures) for name, figures in results.reported.items() if figures}
    if partitioned is not None:
        record["partition"] = partition_record(partitioned)
    if experiments:
        record["experiments"] = [asdict(one) for one in experiments]
    return record

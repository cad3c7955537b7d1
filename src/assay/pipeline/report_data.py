"""From results to what the report shows: percent for points, words for rules, a story for each question."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal

from assay.construction.partition import published_set
from assay.pipeline.breakdowns import shown_breakdowns
from assay.pipeline.finding import finding
from assay.pipeline.finished_run import Run
from assay.pipeline.partitioning import Partitioned
from assay.pipeline.results import ScoredColumn
from assay.pipeline.suspects import no_suspects, suspects
from assay.pipeline.systems import by_question
from assay.questions.model import STATUSES, Answer, Question
from assay.report import data as shown
from assay.scoring.abstentions import abstentions
from assay.scoring.calibration import Calibration
from assay.scoring.columns import cluster_numbers
from assay.scoring.comparison import Comparison
from assay.scoring.gap import Gap
from assay.scoring.interval import estimate
from assay.scoring.points import mark, points
from assay.scoring.summary import SystemScore

READINGS = ("estimator", "window", "skip_unseen", "clip", "engine", "k1", "b", "lengths", "seed")
"""Settings of solvers that a reader of the report must know."""


def report_data(run: Run) -> shown.ReportData:
    """Everything the page shows. Pure: the same run gives the same data."""
    configuration, results = run.configuration, run.results
    headline = [column for column in results.columns if column.headline]
    return shown.ReportData(
        title=configuration.name,
        sentence=finding(run),
        command=run.command,
        configuration=run.configuration_text,
        corpora=tuple(
            shown.CorpusUsed(name, len(corpus), corpus.fingerprint, configuration.corpora[name].contaminated)
            for name, corpus in run.corpora.items()
        ),
        systems=tuple(
            shown.SystemUsed(
                name,
                system.kind,
                system.ran_on,
                name in configuration.partition.filters,
                run.contaminated(name),
            )
            for name, system in run.systems.items()
        ),
        columns=tuple(
            shown.Column(column.name, column.basis, len(column.questions), column.headline)
            for column in results.columns
        ),
        scores=tuple(
            _score(column, system, results.reported[system.system].get(column.name))
            for column in results.columns
            for system in column.scores.systems
        ),
        abstentions=tuple(one for column in headline for one in _abstentions(run, column)),
        gaps=tuple(_gap(basis, found) for basis, found in results.gaps),
        ranks=tuple(
            shown.Rank(rank.system, column.name, rank.rank, rank.low, rank.high)
            for column in headline
            for rank in column.scores.ranks
        ),
        comparisons=tuple(
            _comparison(column, pair) for column in headline for pair in column.scores.comparisons
        ),
        agreement=tuple(_agreement(column) for column in headline if len(column.scores.systems) > 1),
        breakdowns=tuple(one for column in headline for one in shown_breakdowns(column)),
        partition=_partition(run.partitioned),
        sensitivity=run.partitioned.sensitivity if run.partitioned else (),
        matrix=_matrix(run),
        calibration=tuple(
            _calibration(column, one) for column in headline for one in column.scores.calibration
        ),
        suspects=suspects(run),
        experiments=run.experiments,
        questions=_asked(run),
        left_out=(
            *results.left_out,
            *no_suspects(run),
            *(run.partitioned.notes if run.partitioned else ()),
            *run.notes,
        ),
        settings=_settings(run),
        reported_in=configuration.scores.reported_in,
    )


def _percent(value: float | None) -> float | None:
    return None if value is None else 100 * value


def _score(column: ScoredColumn, system: SystemScore, reported: float | None) -> shown.Score:
    chance = column.scores.chance
    counts = system.counts
    answered = counts["right"] + counts["partial"] + counts["wrong"]
    return shown.Score(
        system=system.system,
        column=column.name,
        n=system.score.n,
        score=_percent(system.score.mean),
        low=_percent(system.score.low),
        high=_percent(system.score.high),
        chance=_percent(chance.mean),
        chance_low=_percent(chance.low),
        chance_high=_percent(chance.high),
        p_chance=system.against_chance.p,
        right=counts["right"],
        tied=counts["partial"],
        wrong=counts["wrong"],
        statuses={status: answered if status == "answered" else counts[status] for status in STATUSES},
        reported=reported,
    )


def _abstentions(run: Run, column: ScoredColumn) -> Iterator[shown.Abstention]:
    cluster = run.configuration.scores.cluster
    clusters = None if cluster is None else cluster_numbers(column.questions, cluster)
    for system in column.scores.systems:
        known = by_question(run.answers[system.system])
        answers = [known[question.id] for question in column.questions]
        found = abstentions(system.system, column.questions, answers, clusters)
        others = found.others
        yield shown.Abstention(
            found.system, column.name, found.n, found.count,
            _percent(others.mean), _percent(others.low), _percent(others.high), found.graphs,
        )  # fmt: skip


def _gap(basis: str, found: Gap) -> shown.Gap:
    whose: Literal["published", "made"] = "published" if basis == "published" else "made"
    return shown.Gap(
        found.system, whose, _percent(found.difference), _percent(found.low), _percent(found.high)
    )


def _comparison(column: ScoredColumn, pair: Comparison) -> shown.Comparison:
    return shown.Comparison(
        a=pair.first,
        b=pair.second,
        column=column.name,
        n=pair.difference.n,
        difference=_percent(pair.difference.mean),
        low=_percent(pair.difference.low),
        high=_percent(pair.difference.high),
        p=pair.sign_flip.p,
        p_holm=pair.holm_p,
        only_a=pair.first_higher,
        only_b=pair.second_higher,
        mcnemar_p=pair.mcnemar.p,
        right_only_a=pair.mcnemar.only_first,
        right_only_b=pair.mcnemar.only_second,
        opposite="; ".join(pair.notes) if pair.opposed else None,
        detectable=_percent(pair.smallest_difference),
    )


def _agreement(column: ScoredColumn) -> shown.Agreement:
    names = tuple(system.system for system in column.scores.systems)
    found = {(one.first, one.second): one for one in column.scores.agreement}
    found |= {(one.second, one.first): one for one in column.scores.agreement}
    return shown.Agreement(
        column.name,
        names,
        tuple(tuple(1.0 if a == b else found[a, b].same_choice for b in names) for a in names),
        tuple(tuple(1.0 if a == b else found[a, b].kappa for b in names) for a in names),
    )


def _partition(partitioned: Partitioned | None) -> shown.PartitionMade | None:
    if partitioned is None:
        return None
    made = partitioned.partition
    needed, filters = made.rule.needed, len(made.filters)
    how = "chooses exactly the key" if made.rule.credit == "exact" else "has the key among what it chooses"
    rule = (
        f"Easy if at least {needed} of {filters} filters ({', '.join(made.filters)}) {how}, else Challenge."
    )
    outcomes = [
        shown.FilterOutcome(
            name,
            sum(placement.answered[number] for placement in made.placements),
            sum(placement.answered[number] and sum(placement.answered) == 1 for placement in made.placements),
        )
        for number, name in enumerate(made.filters)
    ]
    compared = partitioned.agreement if partitioned.agreement.share is not None else None
    return shown.PartitionMade(
        rule, made.counts["Easy"], made.counts["Challenge"], tuple(outcomes), compared, partitioned.unplaced
    )


def _matrix(run: Run) -> shown.CorpusMatrixShown | None:
    """Availability profiles, with every system's score on the scored questions of each."""
    if run.partitioned is None or run.partitioned.matrix is None:
        return None
    matrix = run.partitioned.matrix
    given = {name: by_question(found) for name, found in run.answers.items()}
    names = tuple(given)
    profiles = []
    for numbers in matrix.profiles.values():
        inside = [matrix.questions[number] for number in numbers]
        scores = tuple(_profile_score(run, inside, given[name]) for name in names)
        profiles.append(shown.Profile(matrix.answered[numbers[0]], len(inside), scores))
    return shown.CorpusMatrixShown(matrix.corpora, tuple(profiles), names)


def _profile_score(
    run: Run, questions: Sequence[Question], known: Mapping[str, Answer]
) -> shown.GroupScore | None:
    inside = [q for q in questions if run.results.scored.has(q.id) and q.id in known]
    if not inside:
        return None
    score = estimate(mark(inside, [known[q.id] for q in inside]).points, None)
    return shown.GroupScore(_percent(score.mean), _percent(score.low), _percent(score.high))


def _calibration(column: ScoredColumn, one: Calibration) -> shown.Calibration:
    return shown.Calibration(
        one.system,
        column.name,
        one.n,
        _percent(one.expected_error),
        one.brier,
        tuple(
            shown.CalibrationBin(
                100 * row.low, 100 * row.high, row.n, _percent(row.confidence), _percent(row.points)
            )
            for row in one.bins
        ),
        tuple(shown.SelectivePoint(100 * row.coverage, 100 * row.points) for row in one.selective),
    )


def _asked(run: Run) -> tuple[shown.Asked, ...]:
    given = [by_question(found) for found in run.answers.values()]
    made = run.partitioned.partition if run.partitioned else None
    placements = {p.question.id: p for p in made.placements} if made else {}
    column = run.configuration.questions.published
    asked = []
    for question in run.questions:
        answers = tuple(known.get(question.id) for known in given)
        placement = placements.get(question.id)
        explanation = None
        if placement is not None and made is not None:
            yes = [name for name, ok in zip(made.filters, placement.answered, strict=True) if ok]
            no = [name for name, ok in zip(made.filters, placement.answered, strict=True) if not ok]
            said = [
                f"{' and '.join(yes)} answered it" if yes else "",
                f"{' and '.join(no)} didn't" if no else "",
            ]
            explanation = f"{placement.set}: {', '.join(part for part in said if part)}."
        asked.append(
            shown.Asked(
                question,
                answers,
                tuple(
                    None if answer is None or question.answer is None else points(question, answer)
                    for answer in answers
                ),
                published_set(question, column),
                placement.set if placement else None,
                explanation,
            )
        )
    return tuple(asked)


def _plain(settings: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Settings one by one, those within settings too, as text."""
    for key, value in settings.items():
        if isinstance(value, Mapping):
            yield from _plain(value)
        else:
            yield key, str(value)


def _settings(run: Run) -> dict[str, str]:
    """The readings in force that a reader must know, name to value."""
    found: dict[str, str] = {}
    for name, corpus in run.corpora.items():
        found[f"analyser of {name}"] = f"{corpus.analyser.language}, stop words {corpus.analyser.stop_words}"
    for name, system in run.systems.items():
        found |= {f"{name}: {key}": value for key, value in _plain(system.solver.settings) if key in READINGS}
    scores = run.configuration.scores
    found["interval"] = "95%, t on the points" + (
        f", clustered by {scores.cluster}" if scores.cluster else ""
    )
    found["draws"] = f"{scores.draws:,}, seed {run.configuration.seed}"
    return found

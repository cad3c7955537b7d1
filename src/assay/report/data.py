"""ReportData: everything a report page shows, as plain immutable values. What fills it needs no page.

Units throughout: scores, chances, differences, gaps and their intervals are percent (0 to 100, differences
-100 to 100), unrounded; points, shares, kappas and p values are fractions. None means undefined (no
questions, no key, not asked), never zero. The page only formats: every number on it is one of these or a
sum of these counts.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from assay.construction.partition import PartitionAgreement, Set
from assay.construction.sensitivity import SensitivityRow
from assay.errors import AssayError
from assay.experiments import Experiment
from assay.questions.model import Answer, Question, Status
from assay.report import stored
from assay.report.consistency import misfits
from assay.report.grouped import Breakdown as Breakdown
from assay.report.grouped import Group as Group
from assay.report.grouped import GroupScore as GroupScore
from assay.storage import write_text
from assay.text_files import read_text


@dataclass(frozen=True, slots=True)
class CorpusUsed:
    """A corpus some system searched or counted. `contaminated` says why, where it holds the questions' own
    answers.
    """

    name: str
    sentences: int
    fingerprint: str
    contaminated: str | None = None


@dataclass(frozen=True, slots=True)
class SystemUsed:
    """A solver or a stored predictions file. `name` is unique in the report.

    `kind` is the solver ("ir", "pmi", "guess-all", "predictions"); `ran_on` says in words what it drew on
    (a corpus, a file); `filter` marks the solvers that made the partition. `contaminated` says why, where
    what it reads or was trained on may hold the questions' own answers.
    """

    name: str
    kind: str
    ran_on: str = ""
    filter: bool = False
    contaminated: str | None = None


@dataclass(frozen=True, slots=True)
class Column:
    """A set of questions that scores are given on. `name` is unique in the report ("Easy", "Challenge",
    "All").

    `basis` says whose sets these are: the "published" partition, the one "made" just now, or "all"
    questions. `headline` columns stand in the first picture and table (published ones where the questions
    carry them); others (the made sets beside published ones) stand in the partition's section.
    """

    name: str
    basis: Literal["published", "made", "all"]
    n: int
    headline: bool = True


@dataclass(frozen=True, slots=True)
class Score:
    """One system on one column, over the `n` questions of it that the system was asked.

    `chance`: mean of 1/choices over these questions; `chance_low`, `chance_high`: 95% band of a guesser of
    one choice a question; `p_chance`: two-sided p of the score against chance, None where there is no such
    test. `right`, `tied` (the key among several: partial points) and `wrong` count answered questions;
    `statuses` counts all n by status. `reported`: the score it is said to have reached elsewhere.
    """

    system: str
    column: str
    n: int
    score: float | None
    low: float | None
    high: float | None
    chance: float | None
    chance_low: float | None
    chance_high: float | None
    p_chance: float | None
    right: int
    tied: int
    wrong: int
    statuses: Mapping[Status, int]
    reported: float | None = None


@dataclass(frozen=True, slots=True)
class Abstention:
    """On `count` of `n` questions of a column a system told no choice from the others; its score on the rest.

    `graphs`: choices by the status of their support graph; empty for systems without such.
    """

    system: str
    column: str
    n: int
    count: int
    score: float | None
    low: float | None
    high: float | None
    graphs: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Gap:
    """Easy minus Challenge of one system, with its interval; `basis` says whose sets."""

    system: str
    basis: Literal["published", "made"]
    gap: float | None
    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True)
class Rank:
    """A system's rank on a column (1 is best) with its bootstrap interval."""

    system: str
    column: str
    rank: int
    low: int
    high: int


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two systems on the same n questions: `difference` is the score of a minus that of b.

    `p`: sign-flip permutation on points; `p_holm`: the same, Holm over all pairs of the column. `only_a`,
    `only_b`: questions where one earns more points than the other. `mcnemar_p`: exact, on fully right, with
    `right_only_a` and `right_only_b`. `opposite` says in words why the two tests point in opposite
    directions, where they do. `detectable`: smallest difference these n questions show with 80% power.
    """

    a: str
    b: str
    column: str
    n: int
    difference: float | None
    low: float | None
    high: float | None
    p: float | None
    p_holm: float | None
    only_a: int
    only_b: int
    mcnemar_p: float | None = None
    right_only_a: int | None = None
    right_only_b: int | None = None
    opposite: str | None = None
    detectable: float | None = None


@dataclass(frozen=True, slots=True)
class Agreement:
    """How often systems give the same answer (the same set of labels) on a column's questions.

    `share[i][j]` and `kappa[i][j]` (Cohen, chance-corrected) for systems i and j: square, symmetric, None
    where the two have no question in common or kappa is undefined.
    """

    column: str
    systems: tuple[str, ...]
    share: tuple[tuple[float | None, ...], ...]
    kappa: tuple[tuple[float | None, ...], ...]


@dataclass(frozen=True, slots=True)
class FilterOutcome:
    """What one filter did for the partition: questions it answered (by the rule's credit), and it alone."""

    filter: str
    answered: int
    only_this: int


@dataclass(frozen=True, slots=True)
class PartitionMade:
    """The partition just made: its rule in words, the sets' sizes, each filter's part, and how it compares.

    `agreement` against the published partition is None where no question carries one; `unplaced` counts
    questions that couldn't be placed (no key).
    """

    rule: str
    easy: int
    challenge: int
    filters: tuple[FilterOutcome, ...]
    agreement: PartitionAgreement | None = None
    unplaced: int = 0


@dataclass(frozen=True, slots=True)
class Profile:
    """Questions with the same availability: `answered` aligned with the matrix's corpora, `scores` with its
    systems.
    """

    answered: tuple[bool, ...]
    n: int
    scores: tuple[GroupScore | None, ...] = ()


@dataclass(frozen=True, slots=True)
class CorpusMatrixShown:
    """Which corpora answer which questions (ARC, section 7): Challenge only if all of them fail."""

    corpora: tuple[str, ...]
    profiles: tuple[Profile, ...]
    systems: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class CalibrationBin:
    """Questions whose stated probability of the chosen answer lies in [low, high): means, both in percent."""

    low: float
    high: float
    n: int
    confidence: float | None
    score: float | None
    score_low: float | None = None
    score_high: float | None = None


@dataclass(frozen=True, slots=True)
class SelectivePoint:
    """Score on the `coverage` percent of questions the system is surest of."""

    coverage: float
    score: float


@dataclass(frozen=True, slots=True)
class Calibration:
    """How far a system's probabilities can be trusted, on one column. `ece` is in percent, `brier` a mean
    loss.
    """

    system: str
    column: str
    n: int
    ece: float | None
    brier: float | None
    bins: tuple[CalibrationBin, ...]
    selective: tuple[SelectivePoint, ...] = ()


@dataclass(frozen=True, slots=True)
class SuspectKey:
    """A question that strong systems answer alike and against the key: perhaps the key is wrong."""

    question_id: str
    label: str
    systems: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Asked:
    """A question for the browser, with what every system said.

    `answers` and `points` (0 to 1) are aligned with the report's systems; None where a system wasn't asked,
    or (points alone) the question has no key. `explanation`: why the partition put it where it is, in
    words.
    """

    question: Question
    answers: tuple[Answer | None, ...]
    points: tuple[float | None, ...]
    published: Set | None = None
    made: Set | None = None
    explanation: str | None = None


@dataclass(frozen=True, slots=True)
class ReportData:
    """Everything a report shows. A part that is empty leaves its section out.

    `sentence`: the finding in words, under the title. `command` made the run; `configuration` is its
    resolved text. `settings`: the readings in force that a reader must know (tie rule, estimator, stop
    list, interval), name to value. `left_out`: one sentence for each thing that was not scored, shown or
    tested, and why. `systems` are in the author's
    order; the page sorts them by score on the last headline set. `suspects` stand in the page's order.
    """

    title: str
    sentence: str
    command: str
    configuration: str
    corpora: tuple[CorpusUsed, ...]
    systems: tuple[SystemUsed, ...]
    columns: tuple[Column, ...]
    scores: tuple[Score, ...]
    abstentions: tuple[Abstention, ...] = ()
    gaps: tuple[Gap, ...] = ()
    ranks: tuple[Rank, ...] = ()
    comparisons: tuple[Comparison, ...] = ()
    agreement: tuple[Agreement, ...] = ()
    breakdowns: tuple[Breakdown, ...] = ()
    partition: PartitionMade | None = None
    sensitivity: tuple[SensitivityRow, ...] = ()
    matrix: CorpusMatrixShown | None = None
    calibration: tuple[Calibration, ...] = ()
    suspects: tuple[SuspectKey, ...] = ()
    experiments: tuple[Experiment, ...] = ()
    questions: tuple[Asked, ...] = ()
    left_out: tuple[str, ...] = ()
    settings: Mapping[str, str] = field(default_factory=dict)
    reported_in: str = ""

    def __post_init__(self) -> None:
        """Raises AssayError when the parts don't fit each other (unknown names, rows of another length)."""
        for misfit in misfits(self):
            raise AssayError(f"the report doesn't fit together: {misfit}")

    def to_json(self) -> str:
        """Strict JSON, one line; fields at their default are left out, infinities are "inf" and "-inf"."""
        return stored.encode(self)

    @classmethod
    def from_json(cls, text: str, *, file: str | Path | None = None) -> ReportData:
        """The report that `to_json` wrote. Raises AssayError naming the field that is unknown, missing or
        wrong.
        """
        return stored.decode(cls, text, file=file)


def read_report_data(path: str | Path, *, questions: bool = True) -> ReportData:
    """ReportData from a file, without its questions if `questions` is false (they are nearly all of it).

    Raises AssayError when there is none or it isn't one.
    """
    without = () if questions else ("questions",)
    return stored.decode(ReportData, read_text(path), file=path, without=without)


def write_report_data(data: ReportData, path: str | Path) -> None:
    """Write ReportData to a file, atomically."""
    write_text(path, data.to_json() + "\n")

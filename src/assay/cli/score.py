"""assay score: systems on a question set, with intervals, comparisons, breakdowns and gates."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from assay.cli.output import print_json
from assay.cli.question_options import QuestionOptions
from assay.cli.spread import spread
from assay.cli.systems import (
    Cluster,
    Json,
    OptionalPredictions,
    QuestionsArgument,
    Seed,
    SystemOptions,
    Systems,
    named_files,
    read_systems,
)
from assay.errors import AssayError

if TYPE_CHECKING:
    from assay.scoring.gates import GateResult
    from assay.scoring.summary import Scores


@dataclass(frozen=True, slots=True)
class StatisticsOptions:
    """How intervals come about, and what is drawn."""

    cluster: Cluster = None
    interval: Annotated[
        str, typer.Option(metavar="METHOD", help="t, wilson, percentile or bca (the last two: bootstrap).")
    ] = "t"
    correction: Annotated[
        str, typer.Option(metavar="NAME", help="Of clustered standard errors: CR0 or CR1.")
    ] = "CR0"
    confidence: Annotated[float, typer.Option(metavar="SHARE", help="Of every interval.")] = 0.95
    seed: Seed = 0
    draws: Annotated[int, typer.Option(min=100, max=10_000_000, metavar="N", help="Bootstrap draws.")] = (
        10_000
    )

    @property
    def shared(self) -> dict[str, Any]:
        """What single scores, comparisons and repeated runs all take; AssayError for a wrong option."""
        from assay.scoring.interval import CORRECTIONS, METHODS

        if self.interval not in METHODS:
            raise AssayError(f"--interval must be one of {', '.join(METHODS)}, got {self.interval}")
        if self.correction not in CORRECTIONS:
            raise AssayError(f"--correction must be {' or '.join(CORRECTIONS)}, got {self.correction}")
        if not 0 < self.confidence < 1:
            raise AssayError(f"--confidence must be between 0 and 1, got {self.confidence:g}")
        return {"correction": self.correction, "confidence": self.confidence}


@dataclass(frozen=True, slots=True)
class GateOptions:
    """What must hold, for continuous integration."""

    fail_under: Annotated[
        float | None, typer.Option(metavar="PERCENT", help="Gate: every system must reach this score.")
    ] = None
    fail_bound: Annotated[
        str,
        typer.Option(metavar="BOUND", help="What must reach it: score, or lower (the interval's lower end)."),
    ] = "score"
    not_worse_than: Annotated[
        str | None,
        typer.Option(
            metavar="FILE", help="Gate: no system may be worse than this one by more than --margin."
        ),
    ] = None
    margin: Annotated[
        float, typer.Option(metavar="POINTS", help="Of --not-worse-than, in points of a hundred.")
    ] = 0.0
    junit: Annotated[Path | None, typer.Option(metavar="FILE", help="Write the gates as JUnit XML.")] = None

    def check(self) -> None:
        """AssayError for an option without the gate it belongs to."""
        if self.not_worse_than is None and self.margin:
            raise AssayError("--margin belongs to --not-worse-than, which isn't given")
        if self.junit is not None and self.fail_under is None and self.not_worse_than is None:
            raise AssayError("no gate for --junit to report", hint="add --fail-under or --not-worse-than")


@spread
def score(
    context: typer.Context,
    questions: QuestionsArgument,
    predictions: OptionalPredictions = None,
    *,
    options: SystemOptions,
    how: QuestionOptions,
    by: Annotated[
        list[str] | None,
        typer.Option(
            metavar="COLUMN", help="Break down by metadata, a kind of tag, choices, set; may be repeated."
        ),
    ] = None,
    statistics: StatisticsOptions,
    repeated: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="The files are repeated runs of one system, called NAME."),
    ] = None,
    power_at: Annotated[
        float | None,
        typer.Option(
            metavar="PERCENT",
            help="How likely a system of this true score is told from guessing; needs no predictions.",
        ),
    ] = None,
    gates: GateOptions,
    csv: Annotated[
        Path | None, typer.Option("--csv", metavar="FILE", help="Write the scores as CSV.")
    ] = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="Write the results as JSON.")
    ] = None,
    leaderboard: Annotated[
        bool,
        typer.Option(
            "--leaderboard",
            help='Score as the AI2 leaderboard does and print {"accuracy": x}; its exit codes: 1 answers '
            "malformed, 2 predictions malformed, 3 extra, 4 missing.",
        ),
    ] = False,
    json: Json = False,
) -> None:
    """Score predictions: 1 for exactly the key, 1/k for a k-way tie with it, in percent, with its interval.

    Several systems are compared in pairs on the same questions. Exit status 1 when a gate fails.
    """
    from assay.cli.written import check_written

    outputs = {"--output": output, "--csv": csv, "--junit": gates.junit}
    check_written(outputs, [questions, *(predictions or ())])
    if leaderboard:
        _refuse_beside(context, "--leaderboard", {"questions", "predictions", "output", "json"})
        _leaderboard(questions, predictions or [], output)
        return
    gates.check()
    if not predictions and power_at is None:
        raise AssayError("no predictions file", hint="assay score QUESTIONS PREDICTIONS...")
    if repeated is not None:
        _refuse_beside(context, "--repeated", RUNS_TAKE)
    shared = statistics.shared
    systems = read_systems(questions, predictions or (), options, how)
    if repeated is not None:
        _repeated(systems, repeated, statistics, output, json)
        return
    from assay.scoring.summary import score_systems

    columns = by or []
    scores = score_systems(
        systems.questions,
        systems.answers,
        by=columns,
        levels=systems.levels(columns, options.only),
        cluster=statistics.cluster,
        method=statistics.interval,  # type: ignore[arg-type]
        seed=statistics.seed,
        draws=statistics.draws,
        **shared,
    )
    baseline = None
    if gates.not_worse_than is not None:
        baseline = read_systems(questions, _baselines(systems, gates.not_worse_than), options, how)
    power = None if power_at is None else _power(scores, power_at)
    results = _gates(scores, systems, baseline, gates, statistics)
    record = _record(scores, power, results, systems.notes)
    _write(scores, record, results, gates.junit, csv, output)
    if json:
        print_json(record)
    else:
        _show(scores, power, results, systems.notes)
    if not all(gate.passed for gate in results):
        raise typer.Exit(1)


RUNS_TAKE = {
    *("questions", "predictions", "more_questions", "tags", "taxonomy", "type_labels", "only"),
    *("cluster", "correction", "confidence"),
    *("allow_missing", "allow_extra", "letters_for_digits", "log_filter", "epoch", "length_normalised"),
    *("format", "map_", "answers", "drop_empty", "output", "json"),
}
"""The options that repeated runs heed; others would be passed over in silence, so they are refused."""


def _refuse_beside(context: typer.Context, mode: str, heeded: set[str]) -> None:
    """AssayError for an option on the command line that the mode would pass over."""
    given = [
        option.opts[0]
        for option in context.command.params
        if option.name is not None
        and option.name not in heeded
        and option.opts[0] != mode
        and (source := context.get_parameter_source(option.name)) is not None
        and source.name == "COMMANDLINE"
    ]
    if given:
        raise AssayError(f"{mode} can't be combined with {', '.join(given)}")


def _leaderboard(answers: str, predictions: list[str], output: Path | None) -> None:
    from assay.cli.output import print_lines
    from assay.scoring.leaderboard import leaderboard_accuracy
    from assay.storage import to_json, write_text

    if len(predictions) != 1:
        raise AssayError(f"--leaderboard scores one predictions file, got {len(predictions)}")
    line = to_json({"accuracy": leaderboard_accuracy(answers, predictions[0])})
    if output is not None:
        write_text(output, line + "\n")
    print_lines([line])


def _repeated(
    systems: Systems, name: str, statistics: StatisticsOptions, output: Path | None, as_json: bool
) -> None:
    from assay.cli.output import print_json, print_notes
    from assay.cli.score_tables import print_runs
    from assay.scoring.points import mark
    from assay.scoring.record import as_record
    from assay.scoring.runs import repeated_runs
    from assay.storage import write_json

    clusters = _clusters(systems, statistics)
    runs = [mark(systems.questions, answers) for answers in systems.answers.values()]
    result = repeated_runs(name, runs, clusters, **statistics.shared)
    record = {**as_record(result), "notes": list(systems.notes)}
    if output is not None:
        write_json(output, record)
    if as_json:
        print_json(record)
        return
    print_notes(systems.notes)
    print_runs(result)


def _baselines(systems: Systems, stored: str) -> list[str]:
    """The file that every system is held against; in a run folder, the answers of each system's namesake."""
    if not Path(stored).is_dir():
        return [stored]
    namesakes = {name: file for name, file in named_files([stored]).items() if name in systems.answers}
    missing = [name for name in systems.answers if name not in namesakes]
    if missing:
        raise AssayError(f"no answers of {', '.join(missing)}", file=stored)
    return [f"{name}={file}" for name, file in namesakes.items()]


def _clusters(systems: Systems, statistics: StatisticsOptions) -> Any:
    from assay.scoring.columns import cluster_numbers

    return None if statistics.cluster is None else cluster_numbers(systems.questions, statistics.cluster)


def _gates(
    scores: Scores,
    systems: Systems,
    baseline: Systems | None,
    gates: GateOptions,
    statistics: StatisticsOptions,
) -> list[GateResult]:
    from assay.scoring.comparison import compare
    from assay.scoring.gates import fail_under, not_worse
    from assay.scoring.points import mark

    results = []
    if (under := gates.fail_under) is not None:
        bound: Any = gates.fail_bound
        results += [fail_under(one.system, one.score, under, bound) for one in scores.systems]
    if baseline is None:
        return results
    clusters = _clusters(systems, statistics)
    for name, answers in systems.answers.items():
        other = name if name in baseline.answers else next(iter(baseline.answers))
        marks = mark(systems.questions, answers), mark(systems.questions, baseline.answers[other])
        names = name, f"the stored {other}"
        results.append(not_worse(compare(names, *marks, clusters, **statistics.shared), gates.margin))
    return results


def _power(scores: Scores, percent: float) -> dict[str, Any]:
    from assay.scoring.power import power_against_chance

    if not 0 < percent < 100:
        raise AssayError(f"--power-at must be between 0 and 100 percent, got {percent:g}")
    return {"score": percent / 100, "power": power_against_chance(percent / 100, scores.chance)}


def _record(
    scores: Scores, power: dict[str, Any] | None, gates: list[GateResult], notes: tuple[str, ...]
) -> dict[str, Any]:
    from assay.scoring.record import as_record

    record = scores.to_json()
    asked = {} if power is None else {"power": power}
    return {**record, **asked, "gates": as_record(gates), "notes": [*record["notes"], *notes]}


def _write(
    scores: Scores,
    record: dict[str, Any],
    gates: list[GateResult],
    junit: Path | None,
    csv: Path | None,
    output: Path | None,
) -> None:
    from assay.cli.score_tables import score_cells
    from assay.scoring.export import csv_table
    from assay.scoring.gates import junit_xml
    from assay.storage import write_json, write_text

    if junit is not None:
        write_text(junit, junit_xml(gates))
    if csv is not None:
        write_text(csv, csv_table(*score_cells(scores)))
    if output is not None:
        write_json(output, record)


def _show(
    scores: Scores, power: dict[str, Any] | None, gates: list[GateResult], notes: tuple[str, ...]
) -> None:
    from assay.cli import score_tables
    from assay.cli.output import print_lines, print_notes

    print_notes([*scores.notes, *notes])
    score_tables.print_systems(scores)
    if power is not None and power["power"] is not None:
        told = f"power: a true score of {100 * power['score']:g} is told from guessing with probability"
        print_lines([f"{told} {power['power']:.2f}"])
    if scores.comparisons:
        score_tables.print_comparisons(scores.comparisons)
    score_tables.print_breakdowns(scores.breakdowns)
    score_tables.print_rest(scores)
    if gates:
        score_tables.print_gates(gates)

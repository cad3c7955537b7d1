"""`assay run`: the main job."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from assay.pipeline.run import RunDone


def run(
    benchmark: Annotated[
        Path,
        typer.Argument(metavar="BENCHMARK", help="The benchmark.toml that says what the run is made of."),
    ],
    to: Annotated[
        Path | None,
        typer.Option("--to", metavar="FOLDER", help="Run folder; by default 'run' beside benchmark.toml."),
    ] = None,
    json: Annotated[
        bool, typer.Option("--json", help="Print the result as JSON; scores are points, 0 to 1.")
    ] = False,
    costs: Annotated[
        bool,
        typer.Option("--costs", help="Also say what each system's answers took: time, rate, peak memory."),
    ] = False,
    quiet: Annotated[bool, typer.Option("--quiet", help="No progress and no summary.")] = False,
) -> None:
    """From questions and a corpus to Easy and Challenge, scored, with a report.

    Answers every question with every solver of benchmark.toml, parts the questions into Easy and Challenge,
    scores the systems, and writes one self-contained page. A second run does only what has changed; a killed
    one goes on where it stood.
    """
    from dataclasses import asdict

    from assay.cli.output import print_json, print_lines
    from assay.cli.progress import progress
    from assay.pipeline.configuration import read_configuration
    from assay.pipeline.costs import read_costs
    from assay.pipeline.run import run as run_benchmark

    configuration = read_configuration(benchmark)
    folder = to or benchmark.parent / "run"
    done = run_benchmark(
        configuration, folder, command=f"assay run {benchmark.name}", progress=progress(quiet=quiet or json)
    )
    if json:
        print_json(
            {
                "folder": str(done.folder),
                "report": str(done.report),
                "sentence": done.data.sentence,
                "scores": _scores(done.folder),
                "notes": list(done.notes),
                "costs": [asdict(cost) for cost in read_costs(done.folder)],
                "steps": [dict(step) for step in done.steps],
            }
        )
    elif not quiet:
        if any(step["step"] == "results" and step["reused"] for step in done.steps):
            print_lines(["Nothing has changed since the last run, which found:"])
        _print_summary(done)
        if costs:
            _print_costs(done.folder)
        print_lines(["", f"The report to open: {done.report}"])


def _scores(folder: Path) -> list[dict[str, object]]:
    """Every system's score on every column, as scores.json has them."""
    import json

    columns = json.loads((folder / "scores.json").read_text(encoding="utf-8"))["columns"]
    return [
        {
            "system": system["system"],
            "column": column["name"],
            "n": system["score"]["n"],
            "score": system["score"]["mean"],
            "low": system["score"]["low"],
            "high": system["score"]["high"],
        }
        for column in columns
        for system in column["scores"]["systems"]
    ]


def _print_costs(folder: Path) -> None:
    from assay.cli.output import print_table
    from assay.pipeline.costs import read_costs

    columns = {
        "system": "left", "questions": "right", "seconds": "right", "a second": "right", "peak MB": "right"
    }  # fmt: skip
    rows = [
        [
            cost.system,
            f"{cost.questions:,}",
            f"{cost.seconds:,.1f}",
            f"{cost.rate:,.1f}",
            f"{cost.peak_bytes / 1e6:,.0f}",
        ]
        for cost in read_costs(folder)
    ]
    print_table("What the answers took, from log.jsonl", columns, rows)


def _print_summary(done: RunDone) -> None:
    from assay.cli.output import print_lines, print_table

    data = done.data
    columns = [column for column in data.columns if column.headline]
    by = {(score.system, score.column): score for score in data.scores}

    def cell(system: str, column: str) -> str:
        score = by.get((system, column))
        if score is None or score.score is None:
            return "not asked"
        said = f"{score.score:.1f}"
        if score.low is not None and score.high is not None:
            said += f" [{score.low:.1f}, {score.high:.1f}]"
        return said if score.reported is None else f"{said} (reported {score.reported:.1f})"

    if data.partition is not None:
        made = data.partition
        print_lines([f"Partition: {made.easy:,} Easy, {made.challenge:,} Challenge. {made.rule}"])
        if made.agreement is not None and made.agreement.share is not None:
            kappa = "" if made.agreement.kappa is None else f", kappa {made.agreement.kappa:.2f}"
            print_lines([f"Agreement with the published partition: {100 * made.agreement.share:.1f}%{kappa}"])
    headings = {"system": "left"} | {f"{column.name} (n {column.n:,})": "right" for column in columns}
    rows = [[used.name, *(cell(used.name, column.name) for column in columns)] for used in data.systems]
    print_table("Score, percent, with 95% intervals", headings, rows, foot=data.sentence)
    for experiment in data.experiments:
        print_lines(["", f"{experiment.name}: {experiment.title}", *experiment.says])
    if done.notes:
        print_lines([f"{len(done.notes):,} notes on the inputs: at the foot of the report"])

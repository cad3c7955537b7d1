"""assay compare: systems in pairs on the same questions, with all that a difference rests on."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from assay.cli.question_options import QuestionOptions
from assay.cli.spread import spread
from assay.cli.systems import (
    Cluster,
    Json,
    PredictionsArgument,
    QuestionsArgument,
    Seed,
    SystemOptions,
    read_systems,
)
from assay.errors import AssayError


@spread
def compare(
    questions: QuestionsArgument,
    predictions: PredictionsArgument,
    *,
    options: SystemOptions,
    how: QuestionOptions,
    cluster: Cluster = None,
    seed: Seed = 0,
    csv: Annotated[Path | None, typer.Option("--csv", metavar="FILE", help="Write the pairs as CSV.")] = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="Write the results as JSON.")
    ] = None,
    json: Json = False,
) -> None:
    """Compare systems in pairs: difference, tests, effects both ways, and what the set could have shown.

    The difference is the first system's score less the second's, on the same questions.
    """
    from assay.cli.output import print_json, print_notes
    from assay.cli.score_tables import comparison_cells, print_agreement, print_comparisons, print_effects
    from assay.cli.written import check_written
    from assay.scoring.export import csv_table
    from assay.scoring.summary import score_systems
    from assay.storage import write_json, write_text

    check_written({"--csv": csv, "--output": output}, [questions, *predictions])
    systems = read_systems(questions, predictions, options, how)
    if len(systems.answers) < 2:
        raise AssayError("a comparison needs at least two predictions files")
    scores = score_systems(systems.questions, systems.answers, cluster=cluster, seed=seed, draws=100)
    whole = scores.to_json()
    record = {key: whole[key] for key in ("n", "comparisons", "agreement")}
    record["settings"] = {"cluster": cluster, "seed": seed, "unit": whole["settings"]["unit"]}
    record["notes"] = list(systems.notes)
    if csv is not None:
        write_text(csv, csv_table(*comparison_cells(scores.comparisons)))
    if output is not None:
        write_json(output, record)
    if json:
        print_json(record)
        return
    print_notes(systems.notes)
    print_comparisons(scores.comparisons)
    print_effects(scores.comparisons)
    print_agreement(scores.agreement)

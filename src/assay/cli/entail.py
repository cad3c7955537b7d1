"""`assay entail`: what networks over pairs say of a file of pairs, and how right that is."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from assay.cli.question_options import pairs as named
from assay.cli.systems import Json, Seed
from assay.errors import AssayError, need_neural

if TYPE_CHECKING:
    from assay.pipeline.judging_pairs import Judging


def entail(
    model: Annotated[
        Path, typer.Argument(metavar="MODEL", help="Folder of a network over pairs.", show_default=False)
    ],
    pairs: Annotated[
        str,
        typer.Argument(
            metavar="PAIRS",
            help='Pairs of any known form (SciTail, SNLI, SICK, GLUE, our own); "-" is standard input.',
            show_default=False,
        ),
    ],
    beside: Annotated[
        list[str] | None,
        typer.Option("--beside", metavar="NAME=MODEL", help="One more network, compared on the same pairs."),
    ] = None,
    threshold_from: Annotated[
        list[str] | None,
        typer.Option(
            "--threshold-from",
            metavar="PAIRS",
            help="Pairs that the overlap baseline's threshold is chosen on: training or dev, never the same.",
        ),
    ] = None,
    label: Annotated[
        list[str] | None,
        typer.Option(
            "--label",
            metavar="WRITTEN=LABEL",
            help="What a label of PAIRS means: entails, neutral, - for none; all are due. Again for more.",
        ),
    ] = None,
    cluster: Annotated[
        str,
        typer.Option(
            "--cluster",
            metavar="TEXT",
            help="Pairs of one hypothesis, or premise, stand together; none: not.",
        ),
    ] = "hypothesis",
    seed: Seed = 0,
    bf16: Annotated[bool, typer.Option("--bf16", help="Read in half precision.")] = False,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="FILE", help="Write what is said of each pair (jsonl)."),
    ] = None,
    json: Json = False,
) -> None:
    """Say with what probability premises entail hypotheses; with labels, how right that is.

    Beside the networks stand the commonest label of the file, and the overlap of words with one threshold.
    All are compared in pairs. A contradiction counts as neutral.
    """
    from assay.cli.output import print_json, print_notes
    from assay.cli.progress import progress
    from assay.cli.written import check_written
    from assay.entailment.reading import read_pairs
    from assay.pipeline.judging_pairs import answer_lines, judge
    from assay.scoring.judged_pairs import CLUSTERS
    from assay.scoring.record import as_record
    from assay.storage import write_text

    check_written({"--output": output}, [pairs, *(threshold_from or ())])
    if cluster not in CLUSTERS:
        raise AssayError(f"--cluster must be one of {', '.join(CLUSTERS)}. Got {cluster!r}")
    if threshold_from and any(Path(file).resolve() == Path(pairs).resolve() for file in threshold_from):
        raise AssayError(
            "--threshold-from names the pairs that are judged",
            file=pairs,
            hint="a threshold chosen on the test says nothing: name training or dev pairs",
        )
    models = {model.resolve().name: model}
    for name, folder in named(beside, "--beside").items():
        if name in models:
            raise AssayError(f"--beside: {name} is named twice")
        models[name] = Path(folder)
    need_neural("judging pairs")
    reading = read_pairs(pairs, named(label, "--label") or None)
    chosen_on = read_pairs(threshold_from).pairs if threshold_from else None
    judging = judge(
        models,
        reading.pairs,
        chosen_on=chosen_on,
        cluster=cluster,
        bf16=bf16,
        seed=seed,
        progress=progress(quiet=json),
    )
    if output is not None:
        write_text(output, answer_lines(judging))
    if json:
        record = {name: as_record(getattr(judging, name)) for name in ("judged", "majority", "overlap")}
        print_json({**record, "without_gold": reading.without_gold, "notes": list(reading.notes)})
        return
    print_notes(reading.notes)
    _print(judging, cluster)


def _print(judging: Judging, cluster: str) -> None:
    from assay.cli.output import print_lines, print_table
    from assay.cli.score_tables import ends, percent, print_comparisons

    if judging.judged is None:
        print_lines(
            f"{name}: {sum(value > 0.5 for value in values):,} of {len(values):,} pairs entail"
            for name, values in judging.probabilities.items()
        )
        print_lines(["labels are hidden: no accuracy"])
        return
    judged = judging.judged
    columns = {"system": "left"} | dict.fromkeys(
        ["accuracy", "95% interval", "recall", "precision", "neutral recall"], "right"
    )
    rows = []
    for name, score in judged.accuracy.items():
        entails, neutral = judged.labels[name]
        shown = [percent(entails.recall), percent(entails.precision), percent(neutral.recall)]
        rows.append([name, percent(score.mean), ends(score.low, score.high), *shown])
    clusters = f", {judged.clusters:,} clusters by {cluster}" if judged.clusters is not None else ""
    foot = f"{judged.n:,} pairs{clusters}; recall and precision: of entails; majority: all {judging.majority}"
    if judging.overlap is None:
        foot += "; no overlap baseline: --threshold-from names the pairs to choose its threshold on"
    else:
        threshold, accuracy = judging.overlap
        foot += f"; overlap: from a share of {threshold:.3f} on ({percent(accuracy)} where it was chosen)"
    print_table("Accuracy, percent", columns, rows, foot=foot)
    print_comparisons(judged.comparisons)

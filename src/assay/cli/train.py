"""`assay train`: a reader from questions and their evidence."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from assay.cli.question_options import toml_pairs
from assay.errors import AssayError, need_neural


def train(
    reader: Annotated[
        str,
        typer.Argument(
            metavar="READER",
            help="Kind of reader: mcq, similarity, support, esim (docs/readers.md), bidaf (docs/bidaf.md), "
            "decomposable-attention, cross-entailment (docs/entailment.md), dgem (docs/dgem.md); "
            "or a recipe.toml: stages and a sweep, with questions and settings of its own.",
        ),
    ],
    to: Annotated[
        Path,
        typer.Option(
            "--to",
            metavar="FOLDER",
            help="Model folder, best outside the repository. A run that was cut off goes on, from "
            "FOLDER.training.",
        ),
    ],
    train: Annotated[
        list[str] | None,
        typer.Option(
            "--train",
            metavar="FILE",
            help="Questions (or pairs, or passages: what the reader reads) to train on; again for more sets.",
        ),
    ] = None,
    train_evidence: Annotated[
        list[Path] | None,
        typer.Option(
            "--train-evidence",
            metavar="FILE",
            help="Evidence that 'assay retrieve' wrote for --train; one for each, in the same order.",
        ),
    ] = None,
    dev: Annotated[
        list[str] | None,
        typer.Option(
            "--dev", metavar="FILE", help="Questions, pairs or passages that the best weights are chosen by."
        ),
    ] = None,
    dev_evidence: Annotated[
        Path | None, typer.Option("--dev-evidence", metavar="FILE", help="Evidence for --dev.")
    ] = None,
    no_dev: Annotated[
        bool, typer.Option("--no-dev", help="Train without dev questions and keep the last weights.")
    ] = False,
    start: Annotated[
        Path | None,
        typer.Option("--from", metavar="MODEL", help="Start with the weights of this model folder."),
    ] = None,
    setting: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            metavar="NAME=VALUE",
            help="A setting of the reader (TOML; plain text needs no quotes); again for more.",
        ),
    ] = None,
    training: Annotated[
        list[str] | None,
        typer.Option(
            "--training",
            metavar="NAME=VALUE",
            help="A setting of the training (TOML): learning_rate, epochs, batch, precision, ...",
        ),
    ] = None,
    max_steps: Annotated[
        int | None, typer.Option("--max-steps", metavar="N", help="Steps at most; the schedule spans them.")
    ] = None,
    max_minutes: Annotated[
        float | None,
        typer.Option(
            "--max-minutes",
            metavar="M",
            help="End after so many minutes of training (each one of a recipe), with the best weights until "
            "then; the same command with more goes on.",
        ),
    ] = None,
    seed: Annotated[int, typer.Option("--seed", metavar="N", help="Seed of weights, order and dropout.")] = 0,
    limit: Annotated[
        int | None,
        typer.Option("--limit", metavar="N", help="Read the first N of each set."),
    ] = None,
    allow_missing: Annotated[
        bool, typer.Option("--allow-missing", help="Read questions that have no evidence without it.")
    ] = False,
    restart: Annotated[
        bool,
        typer.Option("--restart", help="Throw away what stands in FOLDER and FOLDER.training; train anew."),
    ] = False,
    checkpoint_minutes: Annotated[
        float,
        typer.Option("--checkpoint-minutes", metavar="M", help="Keep where it stands at least so often."),
    ] = 10.0,
    checkpoint_steps: Annotated[
        int | None,
        typer.Option("--checkpoint-steps", metavar="N", help="Keep where it stands every N steps too."),
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print the card as JSON.")] = False,
) -> None:
    """Train a reader and write a model folder: weights, and a card that says how they were made.

    After each look at the dev questions the best weights are kept. A run that was cut off, by a kill too,
    goes on with the same command and ends with the same weights.
    """
    from assay.cli.output import print_json, print_lines, say
    from assay.cli.progress import progress

    need_neural("training a reader")
    from assay.pipeline.training import Plan, train_model
    from assay.solvers.neural.readers import reader_class
    from assay.solvers.neural.training_settings import Budget

    how: Any = {
        "budget": Budget(max_minutes, checkpoint_minutes, checkpoint_steps),
        "restart": restart,
        "progress": progress(quiet=json),
        "tell": lambda line: say(f"assay: {line}"),
    }
    if reader.endswith(".toml"):
        own = (train, train_evidence, dev, dev_evidence, start, setting, training, max_steps, limit)
        if any(own) or no_dev or allow_missing or seed:
            raise AssayError("a recipe says by itself what it trains with: only --to, --max-minutes, "
                             "--restart and the checkpoints can be given beside it", file=reader)  # fmt: skip
        _recipe(Path(reader), to, how, json)
        return
    reader_class(reader)
    plan = Plan(
        kind=reader,
        train=_sets(train or [], train_evidence or []),
        dev=_dev(dev or [], dev_evidence, no_dev),
        reader=toml_pairs(setting, "--set"),
        training=_training(toml_pairs(training, "--training"), max_steps),
        start=start,
        seed=seed,
        limit=limit,
        allow_missing=allow_missing,
    )
    made = train_model(plan, to, **how)
    if json:
        print_json({"model": str(made.folder), "reused": made.reused, **made.card})
        return
    print_lines([_summary(made.card, made.folder, made.reused)])


def _recipe(path: Path, to: Path, how: Mapping[str, Any], json: bool) -> None:
    from assay.cli.output import print_json, print_lines, print_table
    from assay.pipeline.recipe import read_recipe
    from assay.pipeline.staged_training import train_recipe

    done = train_recipe(read_recipe(path), to, **how)
    if json:
        print_json({"model": str(to), "reused": done.model.reused, **done.model.card})
        return
    names = list(done.trials[0].values)
    if names:
        columns = dict.fromkeys(names, "right") | {"dev": "right", "steps": "right", "minutes": "right"}
        rows = []
        for trial in done.trials:
            training = trial.stages[-1].card["training"]
            cells = [f"{100 * (trial.accuracy or 0.0):.2f}", f"{training['steps']:,}"]
            rows.append([*(f"{trial.values[name]}" for name in names), *cells, f"{training['minutes']:.1f}"])
        best = ", ".join(f"{name} = {value}" for name, value in done.trials[done.best].values.items())
        print_table("Best dev accuracy of each trial, percent", columns, rows, foot=f"Best: {best}")
    print_lines([_summary(done.model.card, to, done.model.reused)])


def _sets(questions: list[str], evidence: list[Path]) -> tuple[Any, ...]:
    from assay.pipeline.training_data import Data

    if not questions:
        raise AssayError("nothing to train on", hint="--train FILE")
    if evidence and len(evidence) != len(questions):
        raise AssayError(
            f"{len(questions)} times --train, {len(evidence)} times --train-evidence: one for each is due"
        )
    if not evidence:
        return tuple(Data((path,)) for path in questions)
    return tuple(Data((path,), file) for path, file in zip(questions, evidence, strict=True))


def _dev(questions: list[str], evidence: Path | None, no_dev: bool) -> Any:
    from assay.pipeline.training_data import Data

    if no_dev == bool(questions):
        raise AssayError(
            "--dev and --no-dev exclude each other"
            if no_dev
            else "no dev questions to choose the weights by",
            hint=None if no_dev else "--dev FILE; or --no-dev to keep the last weights",
        )
    return Data(tuple(questions), evidence) if questions else None


def _training(given: Mapping[str, Any], max_steps: int | None) -> dict[str, Any]:
    if max_steps is not None and "max_steps" in given:
        raise AssayError("max_steps is given twice: by --max-steps and by --training")
    return {**given, **({} if max_steps is None else {"max_steps": max_steps})}


def _summary(card: Mapping[str, Any], folder: Path, reused: bool) -> str:
    training = card["training"]
    best = training["best"]
    dev = (
        "no dev questions"
        if best is None
        else f"dev {100 * best['accuracy']:.2f} percent after step {best['step']:,}"
    )
    made = (
        "stood there already" if reused else f"{training['steps']:,} steps in {training['minutes']:.1f} min"
    )
    ended = "" if training["stopped"] == "done" else f", ended by {training['stopped']}"
    return f"{folder}: {dev}; {made}{ended}"

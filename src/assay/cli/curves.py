"""`assay curves`: how trainings went, as a picture."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from assay.errors import AssayError, need_neural


def curves(
    models: Annotated[
        list[str],
        typer.Argument(metavar="MODEL", help="Folders of trained models, NAME=FOLDER to name one."),
    ],
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="FILE", help="The picture: a name in .svg.")
    ],
) -> None:
    """Draw the learning curves of trained models: dev and loss at each look, from their cards."""
    from assay.cli.output import print_lines
    from assay.report.charts.training_curves import training_curves
    from assay.storage import write_text

    if output.suffix.lower() != ".svg":
        raise AssayError("the picture is SVG: a name that ends in .svg is due", file=output)
    need_neural("reading models")
    from assay.solvers.neural.model_folder import read_card

    cards = {}
    for argument in models:
        name, equals, folder = argument.partition("=")
        if not equals or Path(argument).exists():
            name, folder = Path(argument).resolve().name, argument
        if name in cards:
            raise AssayError(f"model {name} is named twice", hint="name each: NAME=FOLDER")
        cards[name] = read_card(folder)
    write_text(output, training_curves(cards))
    print_lines([f"wrote the curves of {len(cards):,} models to {output}"])

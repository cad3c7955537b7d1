"""`assay export`: a trained reader as an ONNX graph."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from assay.errors import need_neural


def export(
    model: Annotated[Path, typer.Argument(metavar="MODEL", help="Model folder, as assay train writes it.")],
    to: Annotated[Path, typer.Option("--to", metavar="FOLDER", help="Where it goes, whole or not at all.")],
    *,
    int8: Annotated[
        bool, typer.Option("--int8", help="Weights as 8-bit integers: quicker, and a little off.")
    ] = False,
    json: Annotated[bool, typer.Option("--json", help="Print the card as JSON.")] = False,
) -> None:
    """Turn a trained reader into an ONNX graph, which reads faster on a CPU.

    The folder is a model like any other for --solver reader. Both then read made-up questions, and the
    largest difference between their scores is said; fp32 scores must agree.
    """
    from assay.cli.output import print_json, print_lines
    from assay.storage import only_writer

    need_neural("exporting a reader")
    from assay.solvers.neural.onnx_model import export as export_model

    with only_writer(to.parent, shared=True):
        card = export_model(model, to, int8=int8)
    if json:
        print_json(dict(card))
        return
    done = card["export"]
    print_lines(
        [f"{to}: {card['kind']} in {done['precision']}; scores of made-up questions differ by at most "
         f"{done['farthest']:.2g}"]
    )  # fmt: skip

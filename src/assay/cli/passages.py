"""`assay passages`: what files of passage questions hold; their parts by article."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from assay.cli.systems import Json
from assay.errors import AssayError

PASSAGE_FILES = "SQuAD's JSON, SciQ with support, or a record a line (docs/passages.md)."


def passages(
    files: Annotated[
        list[str], typer.Argument(metavar="PASSAGES", help=f"Passage questions: {PASSAGE_FILES}")
    ],
    to: Annotated[
        Path | None,
        typer.Option("--to", metavar="FOLDER", help="Write the parts here, a file each, with parts.json."),
    ] = None,
    parts: Annotated[
        str, typer.Option("--parts", metavar="SIZES", help="Names and shares in percent, or numbers.")
    ] = "train=80,dev=10,test=10",
    seed: Annotated[int, typer.Option(min=0, metavar="N", help="Seed of the order of articles.")] = 0,
    json: Json = False,
) -> None:
    """Check files of passage questions and say what they hold; with --to, split them by article.

    No article lies in two parts, nor does a passage. Every answer must stand where it is said to.
    """
    from assay.cli.output import print_json, print_notes, print_table
    from assay.passages.reading import read_passages
    from assay.pipeline.passage_splitting import held, passage_parts, write_parts

    if to is None:
        reading = read_passages(files)
        shown, notes = {"all": held(reading.questions)}, reading.notes
        record = {"parts": shown, "left_out": dict(reading.left_out)}
    else:
        if any(Path(file).resolve().parent == to.resolve() for file in files):
            raise AssayError("holds an input: name another folder to write", file=to)
        made = passage_parts(files, parts, seed)
        notes, record = made.notes, write_parts(made, to, parts, seed)
        shown = {name: held(questions) for name, questions in made.parts.items()}
    if json:
        print_json(record)
        return
    print_notes(notes)
    names = list(next(iter(shown.values())))
    columns = {"part": "left"} | dict.fromkeys(names, "right")
    rows = [[name, *(f"{counts[column]:,}" for column in names)] for name, counts in shown.items()]
    foot = "groups: what stays together, an article or what shares a passage; hidden: without answers"
    print_table("Passage questions", columns, rows, foot=foot)

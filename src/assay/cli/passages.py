"""`assay passages`: what files of passage questions hold; their parts by article."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

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
    evidence: Annotated[
        Path | None,
        typer.Option(
            "--evidence",
            metavar="FILE",
            help="PASSAGES are questions with choices: make passage questions of them and of this evidence "
            "file, where the key's text stands in it.",
        ),
    ] = None,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", metavar="FILE", help="With --evidence: write them here.")
    ] = None,
    json: Json = False,
) -> None:
    """Check files of passage questions and say what they hold; with --to, split them by article.

    No article lies in two parts, nor does a passage. Every answer must stand where it is said to. With
    --evidence, make passage questions of questions with choices and their retrieved sentences.
    """
    if (evidence is None) != (output is None) or (evidence is not None and to is not None):
        raise AssayError("--evidence FILE and -o FILE go together, and without --to")
    if evidence is not None and output is not None:
        _make(files, evidence, output, json)
        return
    from assay.passages.reading import read_passages
    from assay.pipeline.passage_splitting import held, passage_parts, write_parts

    notes: Sequence[str]
    record: Mapping[str, Any]
    if to is None:
        reading = read_passages(files)
        shown, notes = {"all": held(reading.questions)}, reading.notes
        record = {"parts": shown, "left_out": dict(reading.left_out)}
    else:
        made = passage_parts(files, parts, seed)
        notes, record = made.notes, write_parts(made, to, files, parts, seed)
        shown = {name: held(questions) for name, questions in made.parts.items()}
    _print(shown, notes, record, json)


def _make(files: list[str], evidence: Path, output: Path, json: bool) -> None:
    from assay.cli.written import check_written
    from assay.passages.rows import own_record
    from assay.pipeline.passage_making import make_passages
    from assay.pipeline.passage_splitting import held
    from assay.storage import to_json, write_text

    check_written({"--output": output}, [*files, evidence])
    made = make_passages(files, evidence)
    if not made.questions:
        raise AssayError(
            "no passage question could be made: no key's text stands in its evidence", file=evidence
        )
    write_text(output, "".join(to_json(own_record(one)) + "\n" for one in made.questions))
    shown = {output.name: held(made.questions)}
    _print(shown, made.notes, {"parts": shown, "left_out": dict(made.left_out)}, json)


def _print(
    shown: Mapping[str, Mapping[str, int]], notes: Sequence[str], record: Mapping[str, Any], json: bool
) -> None:
    from assay.cli.output import print_json, print_notes, print_table

    if json:
        print_json(record)
        return
    print_notes(notes)
    names = list(next(iter(shown.values())))
    columns = {"part": "left"} | dict.fromkeys(names, "right")
    rows = [[name, *(f"{counts[column]:,}" for column in names)] for name, counts in shown.items()]
    foot = "groups: what stays together, an article or what shares a passage; hidden: without answers"
    print_table("Passage questions", columns, rows, foot=foot)

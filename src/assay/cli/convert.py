"""`assay convert`: question files from one format to another."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from assay.cli.output import say
from assay.cli.question_options import Metadata, QuestionOptions
from assay.cli.spread import spread


@spread
def convert(
    files: Annotated[
        list[str], typer.Argument(metavar="FILE", help='Question files; "-" is standard input.')
    ],
    to: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            help="Format to write: assay (every field), arc-jsonl, arc-csv, qasc, openbookqa, sciq, "
            "hf-jsonl, hf-parquet, csv, tsv, flat-jsonl.",
        ),
    ] = "assay",
    output: Annotated[
        str,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help='File to write (.gz, .zst, .xz: compressed); "-" is standard output.',
        ),
    ] = "-",
    *,
    how: QuestionOptions,
    metadata: Metadata = None,
    keys: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="File of answer keys (id and key) for hidden questions."),
    ] = None,
    shuffle: Annotated[int | None, typer.Option(metavar="SEED", help="Shuffle the questions.")] = None,
    shuffle_choices: Annotated[
        int | None, typer.Option(metavar="SEED", help="Shuffle each question's choices; the key follows.")
    ] = None,
    json_: Annotated[
        bool, typer.Option("--json", help="Say what was done as strict JSON, on standard output; needs -o.")
    ] = False,
) -> None:
    """Convert question files into another format; says what the format couldn't carry.

    The output appears whole or not at all. Exit status 2 when the input has faults: all of them are listed.
    """
    from collections.abc import Iterable

    from assay.cli.output import print_json, print_notes
    from assay.cli.written import check_written
    from assay.errors import AssayError
    from assay.questions import QuestionStream, read_questions, write_questions
    from assay.questions.formats.registry import format_named
    from assay.questions.model import Question
    from assay.questions.writing import STDOUT

    format_named(to)
    if json_ and output == STDOUT:
        raise AssayError("--json needs an output file: -o FILE")
    if output != STDOUT:
        check_written({"-o": Path(output)}, files)
    reading = how.settings(metadata)
    stream = QuestionStream(files, **reading)
    questions: Iterable[Question] = stream
    notes = stream.notes
    if keys is not None or shuffle is not None or shuffle_choices is not None:
        whole = read_questions(
            files,
            **reading,
            keys=keys,
            shuffle=False if shuffle is None else shuffle,
            shuffle_choices=False if shuffle_choices is None else shuffle_choices,
        )
        questions, notes = whole.questions, list(whole.notes)
    written = write_questions(questions, output, to)
    if json_:
        record = {"questions": written.questions, "output": output, "format": to}
        print_json({**record, "not_carried": written.lost, "notes": notes})
        return
    print_notes(notes)
    for field, count in written.lost.items():
        say(f"not carried by {to}: {field} ({count:,} question{'s' * (count != 1)})")
    where = "standard output" if output == STDOUT else output
    say(f"wrote {written.questions:,} question{'s' * (written.questions != 1)} to {where}")

"""The options of every verb that reads question files its own way: format, column map, answers, metadata."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from assay.errors import AssayError

if TYPE_CHECKING:
    from assay.questions.formats.format import AnswerReading
    from assay.questions.reading import ReadingSettings

Format = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help="Force a format: assay, arc-jsonl, arc-csv, qasc, openbookqa, sciq, hf-jsonl, hf-parquet, csv, "
        "tsv, flat-jsonl.",
    ),
]
ColumnMap = Annotated[
    list[str] | None,
    typer.Option(
        "--map",
        metavar="PART=COLUMNS",
        help="What a table's columns are, one part each time: --map stem=text --map choices=w,x,y,z "
        "--map answer=key; the parts: id, stem, choices, labels, answer, metadata.",
    ),
]
Answers = Annotated[
    str | None,
    typer.Option(
        metavar="READING",
        help="How a table's answers are to be read: label, letter, text, 0-based, 1-based.",
    ),
]
DropEmpty = Annotated[bool, typer.Option("--drop-empty", help="Leave out a table's blank choice cells.")]
Metadata = Annotated[
    list[str] | None,
    typer.Option(metavar="NAME=VALUE", help="Add metadata to every question; again for more."),
]


def settings(
    format: str | None,
    map_: Sequence[str] | None,
    answers: str | None,
    drop_empty: bool,
    metadata: Sequence[str] | None = None,
) -> ReadingSettings:
    """The options, checked. AssayError names the one that is wrong."""
    return {
        "format": format,
        "columns": pairs(map_, "--map") or None,
        "answers": answer_reading(answers),
        "drop_empty": drop_empty,
        "metadata": pairs(metadata, "--metadata"),
    }


def pairs(given: Sequence[str] | None, option: str) -> dict[str, str]:
    """Options of the form NAME=VALUE. AssayError for another form, or a name given twice."""
    found: dict[str, str] = {}
    for text in given or ():
        name, equals, value = text.partition("=")
        if not equals or not name:
            raise AssayError(f"{option} {text!r} is not of the form NAME=VALUE")
        if name in found:
            raise AssayError(f"{option} gives {name} twice")
        found[name] = value
    return found


def answer_reading(given: str | None) -> AnswerReading | None:
    """A known way to read answers. AssayError otherwise."""
    from assay.questions.formats.format import ANSWER_READINGS

    if given is not None and given not in ANSWER_READINGS:
        raise AssayError(f"--answers must be one of {', '.join(ANSWER_READINGS)}. Got {given!r}")
    return given

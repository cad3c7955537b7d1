"""Options that verbs share: how question files are read, and NAME=VALUE pairs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from assay.errors import AssayError

if TYPE_CHECKING:
    from assay.questions.formats.format import AnswerReading
    from assay.questions.reading import ReadingSettings


QuestionFiles = Annotated[
    list[str],
    typer.Argument(metavar="QUESTIONS", help='Question files of any known format; "-" is standard input.'),
]
SentencesFile = Annotated[
    Path | None,
    typer.Option(
        "--sentences", metavar="FILE", help="WorldTree's sentences: one JSON object of texts by id."
    ),
]


@dataclass(frozen=True, slots=True)
class QuestionOptions:
    """How question files are read; `map_` and `answers` are for plain tables."""

    format: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="Force a format: assay, arc-jsonl, arc-csv, qasc, openbookqa, sciq, hf-jsonl, hf-parquet, "
            "csv, tsv, flat-jsonl.",
        ),
    ] = None
    map_: Annotated[
        list[str] | None,
        typer.Option(
            "--map",
            metavar="PART=COLUMNS",
            help="What a table's columns are, one part each time: --map stem=text --map choices=w,x,y,z "
            "--map answer=key; the parts: id, stem, choices, labels, answer, metadata.",
        ),
    ] = None
    answers: Annotated[
        str | None,
        typer.Option(
            metavar="READING",
            help="How a table's answers are to be read: label, letter, text, 0-based, 1-based.",
        ),
    ] = None
    drop_empty: Annotated[
        bool, typer.Option("--drop-empty", help="Leave out a table's blank choice cells.")
    ] = False

    def settings(self, metadata: Sequence[str] | None = None) -> ReadingSettings:
        """The options, checked, as `read_questions` takes them. AssayError names the one that is wrong."""
        return {
            "format": self.format,
            "columns": pairs(self.map_, "--map") or None,
            "answers": answer_reading(self.answers),
            "drop_empty": self.drop_empty,
            "metadata": pairs(metadata, "--metadata"),
        }


Metadata = Annotated[
    list[str] | None,
    typer.Option(metavar="NAME=VALUE", help="Add metadata to every question; again for more."),
]


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


def toml_pairs(given: Sequence[str] | None, option: str) -> dict[str, Any]:
    """As `pairs`, with TOML values; one that isn't TOML is taken as text."""
    import tomllib

    values: dict[str, Any] = {}
    for name, value in pairs(given, option).items():
        try:
            values[name] = tomllib.loads(f"value = {value}")["value"]
        except tomllib.TOMLDecodeError:
            values[name] = value
    return values


def answer_reading(given: str | None) -> AnswerReading | None:
    """A known way to read answers. AssayError otherwise."""
    from assay.questions.formats.format import ANSWER_READINGS

    if given is not None and given not in ANSWER_READINGS:
        raise AssayError(f"--answers must be one of {', '.join(ANSWER_READINGS)}. Got {given!r}")
    return given

"""`assay merge`: several sources into one question set, with their rights and what was left out."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from assay.errors import AssayError

if TYPE_CHECKING:
    from assay.questions.merging import MergeSource


class KeepOrDrop(StrEnum):
    """What becomes of questions of a kind."""

    keep = "keep"
    drop = "drop"


def merge(
    sources: Annotated[
        list[Path],
        typer.Argument(
            metavar="SOURCES", help="A TOML file with [[sources]], or question files, each a source."
        ),
    ],
    output: Annotated[
        Path,
        typer.Option("--output", "-o", metavar="FILE", help="Where the merged questions go (our jsonl)."),
    ],
    licence: Annotated[
        list[str] | None,
        typer.Option(
            metavar="TEXT", help="Licence of the question files: once for all, or once a file, in order."
        ),
    ] = None,
    permission: Annotated[
        list[str] | None,
        typer.Option(metavar="TEXT", help="What allows their use: once for all, or once a file, in order."),
    ] = None,
    diagrams: Annotated[
        KeepOrDrop, typer.Option(help="Questions that need a picture: keep them flagged, or drop them.")
    ] = KeepOrDrop.keep,
    duplicates: Annotated[
        KeepOrDrop, typer.Option(help="Equal questions: keep all, or drop all but the first.")
    ] = KeepOrDrop.keep,
    prefix: Annotated[bool, typer.Option("--prefix", help="Put the source's name before every id.")] = False,
    report: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Where the provenance goes (OUTPUT with .provenance.json if not said)."
        ),
    ] = None,
    json_: Annotated[bool, typer.Option("--json", help="Print the provenance as strict JSON.")] = False,
) -> None:
    """Merge several sources into one question set, and record where every question came from.

    Licence and permission are required for each source and kept with each question, as are exam, grade and
    year. Questions that need a picture are flagged, duplicates listed, and whatever is left out is counted.
    """
    from assay.cli.output import print_json, print_lines, print_notes, print_table
    from assay.questions.merge_file import read_merge_file
    from assay.questions.merging import MergeRules, provenance
    from assay.questions.merging import merge as merge_sources
    from assay.questions.writing import write_questions
    from assay.storage import write_json

    if any(path.suffix == ".toml" for path in sources):
        if len(sources) > 1 or licence or permission:
            raise AssayError("one TOML file says it all: no other files, --licence or --permission beside it")
        listed: Sequence[MergeSource] = read_merge_file(sources[0])
    else:
        listed = _named_by_files(sources, licence or [], permission or [])
    report = report or output.with_name(f"{output.name}.provenance.json")
    inputs = {path.resolve() for path in (*sources, *(file for source in listed for file in source.files))}
    for written in (output, report):
        if written.resolve() in inputs:
            raise AssayError("is one of the sources: name another file to write", file=written)
    merged = merge_sources(listed, MergeRules(diagrams.value, duplicates.value, prefix))
    record = provenance(merged)
    write_questions(merged.questions, output, "assay")
    write_json(report, record)
    if json_:
        print_json(record)
        return
    print_table(
        f"{len(merged.questions):,} questions from {len(listed)} sources",
        {
            "source": "left",
            "licence": "left",
            "permission": "left",
            **dict.fromkeys(("read", "need a picture", "left out", "kept"), "right"),
        },
        [_row(source) for source in record["sources"]],
    )
    print_lines(_said(record))
    print_lines([f"wrote {output} and {report}"])
    print_notes(record["notes"])


def _named_by_files(files: Sequence[Path], licence: list[str], permission: list[str]) -> list[MergeSource]:
    from assay.questions.merging import MergeSource

    def of_each(name: str, given: list[str]) -> list[str]:
        if len(given) not in (1, len(files)):
            said = f"--{name} must be given once for all, or once a file ({len(files)}). Got {len(given)}."
            raise AssayError(said)
        return given * len(files) if len(given) == 1 else given

    rights = zip(files, of_each("licence", licence), of_each("permission", permission), strict=True)
    stems = [path.name.split(".")[0] for path in files]
    distinct = len(set(stems)) == len(stems)
    names = stems if distinct else [str(path).replace(":", "_") for path in files]
    return [
        MergeSource(name, (path,), terms, allowed)
        for name, (path, terms, allowed) in zip(names, rights, strict=True)
    ]


def _row(source: dict[str, Any]) -> list[str]:
    numbers = [f"{source[key]:,}" for key in ("read", "need_diagram", "left_out", "kept")]
    return [source["name"], source["licence"], source["permission"], *numbers]


def _said(record: dict[str, Any]) -> list[str]:
    """Duplicates across sources, one line a group, then what was left out by its reason."""
    across = [group for group in record["duplicates"] if group["across_sources"]]
    lines = [f"groups of equal questions across sources: {len(across):,}"]
    for group in across:
        but = "" if group["keys_agree"] else ", keys differ"
        lines.append(f"  {group['kind']}{but}: " + " = ".join(q["merged_id"] for q in group["questions"]))
    within = len(record["duplicates"]) - len(across)
    if within:
        lines.append(f"within a source: {within:,}")
    lines += [
        f"left out: {entry['merged_id']} ({entry['source']}): {entry['why']}" for entry in record["left_out"]
    ]
    return lines

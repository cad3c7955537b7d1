"""The sources of a merge, written down in a small TOML file."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

from assay.errors import AssayError
from assay.questions.formats.format import ANSWER_READINGS, AnswerReading
from assay.questions.merging import MergeSource
from assay.text_files import read_toml

_TEXTS = ("name", "licence", "permission")
_KNOWN = (*_TEXTS, "files", "exam", "grade", "year", "metadata", "format", "columns", "answers")


def read_merge_file(path: str | Path) -> tuple[MergeSource, ...]:
    """The sources of a TOML file: one `[[sources]]` each with name, files, licence and permission.

    Also known: exam, grade, year and a table `metadata`, given to questions that lack them; format, columns
    and answers, as `read_questions` takes them. Paths are relative to the file.
    Raises AssayError for a file that can't be read or a key that is unknown, missing or of the wrong kind.
    """
    path = Path(path)
    data = read_toml(path)
    listed = data.get("sources")
    if data.keys() - {"sources"}:
        unknown = ", ".join(sorted(data.keys() - {"sources"}))
        raise AssayError(f"unknown: {unknown}", file=path, hint="known is [[sources]]")
    if not isinstance(listed, list) or not listed or not all(isinstance(item, dict) for item in listed):
        raise AssayError("no [[sources]]", file=path)
    return tuple(_source(item, number, path) for number, item in enumerate(listed, 1))


def _source(table: Mapping[str, Any], number: int, path: Path) -> MergeSource:
    name = table.get("name") if isinstance(table.get("name"), str) else f"number {number}"

    def wrong(what: str, hint: str | None = None) -> AssayError:
        return AssayError(f"source {name!r}: {what}", file=path, hint=hint)

    for key in table:
        if key not in _KNOWN:
            raise wrong(f"unknown setting {key!r}", f"known: {', '.join(_KNOWN)}")
    for key in _TEXTS:
        if not isinstance(table.get(key), str) or not table[key].strip():
            raise wrong(f"needs {key!r}, a text")
    files = table.get("files")
    files = [files] if isinstance(files, str) else files
    if not isinstance(files, list) or not files or not all(isinstance(file, str) for file in files):
        raise wrong("needs 'files', a path or a list of paths")
    metadata = table.get("metadata", {})
    columns = table.get("columns")
    if not isinstance(metadata, dict) or not (columns is None or isinstance(columns, dict)):
        raise wrong("'metadata' and 'columns' must be tables")
    answers, form = table.get("answers"), table.get("format")
    if answers is not None and answers not in ANSWER_READINGS:
        raise wrong(f"'answers' must be one of {', '.join(ANSWER_READINGS)}. Got {answers!r}.")
    if form is not None and not isinstance(form, str):
        raise wrong("'format' must be text")
    given = {key: table[key] for key in ("exam", "grade", "year") if key in table}
    for key, value in {**given, **metadata}.items():
        if not isinstance(value, (str, int, float, bool)):
            raise wrong(f"{key!r} must be text or a number. Got {value!r}.")
    return MergeSource(
        name=table["name"],
        files=tuple(path.parent / file for file in files),
        licence=table["licence"],
        permission=table["permission"],
        metadata={**given, **metadata},
        format=form,
        columns=columns,
        answers=cast(AnswerReading | None, answers),
    )

"""Checking question files: all faults, all warnings, and on demand the duplicates, in one pass."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Unpack

from assay.errors import Fault
from assay.questions.duplicates import DuplicateFinder, Groups, KeyKind
from assay.questions.integrity import Watch
from assay.questions.model import Question
from assay.questions.reading import FileReading, PathLike, QuestionStream, ReadingSettings


@dataclass(frozen=True, slots=True)
class Check:
    """What a check found. `duplicates` and `questions` are None unless they were asked for."""

    files: tuple[FileReading, ...]
    faults: tuple[Fault, ...]
    warnings: tuple[Fault, ...]
    notes: tuple[str, ...]
    duplicates: dict[KeyKind, Groups] | None = None
    questions: tuple[Question, ...] | None = None

    def record(self) -> dict[str, Any]:
        """The check as a JSON object."""
        record: dict[str, Any] = {
            "questions": sum(file.questions for file in self.files),
            "files": [
                {"file": file.path, "format": file.format, "questions": file.questions, "keyed": file.keyed}
                for file in self.files
            ],
            "faults": [_record(fault) for fault in self.faults],
            "warnings": [_record(fault) for fault in self.warnings],
            "notes": list(self.notes),
        }
        if self.duplicates is not None:
            record["duplicates"] = {kind: groups.summary() for kind, groups in self.duplicates.items()}
            record["duplicate_groups"] = {
                kind: [[place.id for place in group] for group in groups.groups]
                for kind, groups in self.duplicates.items()
            }
        return record


def _record(fault: Fault) -> dict[str, Any]:
    return {"file": fault.file, "line": fault.line, "id": fault.question_id, "what": fault.what}


def check_questions(
    paths: PathLike | Iterable[PathLike],
    *,
    duplicates: bool = False,
    keep: bool = False,
    **how: Unpack[ReadingSettings],
) -> Check:
    """Check question files of any size, as `read_questions` would read them; nothing in them raises.

    Keeps the ids and a few short digests a question, and with `keep` the questions. Raises AssayError when a
    file can't be opened, or a setting is wrong.
    """
    stream = QuestionStream(paths, watch=Watch(), lenient=True, **how)
    finder = DuplicateFinder() if duplicates else None
    kept: list[Question] = []
    for question in stream:
        if finder is not None:
            finder.add(question)
        if keep:
            kept.append(question)
    return Check(
        tuple(stream.files),
        tuple(stream.faults),
        tuple(stream.warnings),
        tuple(stream.notes),
        None if finder is None else finder.groups(),
        tuple(kept) if keep else None,
    )

"""An evidence file, as `assay retrieve` writes it, looked up by question."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from pathlib import Path

from assay.errors import AssayError
from assay.questions.answers import answer_from_record
from assay.questions.model import Answer, Question

WHOLE = "a file that assay retrieve writes is due; if it was cut off, run it again"


class EvidenceFile:
    """Records stay on disk; what is held is where each begins. `sha256` (hex) is over the file's bytes."""

    def __init__(self, path: str | Path) -> None:
        """Raises AssayError when the file can't be read, holds what is no record, or a question twice."""
        self.path = Path(path)
        self._places: dict[str, tuple[int, int]] = {}
        digest, start = hashlib.sha256(), 0
        try:
            with self.path.open("rb") as file:
                for number, line in enumerate(file, 1):
                    digest.update(line)
                    question_id = self._id(line, number)
                    if question_id in self._places:
                        raise AssayError(
                            "its evidence stands twice", file=path, line=number, question_id=question_id
                        )
                    self._places[question_id] = number, start
                    start += len(line)
        except OSError as error:
            raise AssayError(f"can't be read: {error.strerror or error}", file=path) from None
        self.sha256 = digest.hexdigest()

    def _id(self, line: bytes, number: int) -> str:
        try:
            record = json.loads(line)
        except ValueError:
            record = None
        if not isinstance(record, dict) or not isinstance(record.get("id"), str):
            raise AssayError("not a record of evidence", file=self.path, line=number, hint=WHOLE)
        return str(record["id"])

    def __contains__(self, question: Question) -> bool:
        return question.id in self._places

    def __len__(self) -> int:
        return len(self._places)

    def lacking(
        self, questions: Iterable[Question], allowed_by: str | None = None, *, allowed: bool
    ) -> list[Question]:
        """The questions that it has no evidence for, in order.

        Raises AssayError, at the first, where there are some and that isn't `allowed`; `allowed_by` is what
        a person would set to allow it, None where nothing does.
        """
        found = [question for question in questions if question not in self]
        if found and not allowed:
            more = f", nor for {len(found) - 1:,} others" if found[1:] else ""
            raise AssayError(
                f"no evidence for this question{more}",
                file=self.path,
                question_id=found[0].id,
                hint="assay retrieve makes it"
                + ("" if allowed_by is None else f"; {allowed_by} reads such questions without"),
            )
        return found

    def __getitem__(self, question: Question) -> Answer:
        """The record with the question's evidence.

        Raises AssayError when there is none, it is damaged, or the file isn't what it was when it was opened.
        """
        where = self._places.get(question.id)
        if where is None:
            raise AssayError("no evidence for this question", file=self.path, question_id=question.id)
        line, start = where
        with self.path.open("rb") as file:
            file.seek(start)
            read = file.readline()
        if self._id(read, line) != question.id:
            raise AssayError("was written to while it was read", file=self.path, line=line, hint=WHOLE)
        record = json.loads(read)
        try:
            answer = answer_from_record(question, record)
        except AssayError as error:
            what = "; ".join(fault.what for fault in error.faults)
            raise AssayError(what, file=self.path, line=line, question_id=question.id) from None
        if answer.evidence is None:
            raise AssayError(
                "the record holds no evidence",
                file=self.path,
                line=line,
                question_id=question.id,
                hint=WHOLE,
            )
        return answer

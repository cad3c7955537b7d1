"""What a question format is: how it is recognised, read and written, and what it can't carry."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import IO, Any, Literal

from assay.errors import Fault
from assay.questions.model import Metadata, Question
from assay.questions.sources import Source

Columns = Mapping[str, str | Sequence[str]]
"""A table's columns: "id", "stem", "answer" to one name; "choices", "labels", "metadata" to several."""

AnswerReading = Literal["label", "letter", "text", "0-based", "1-based"]
ANSWER_READINGS: tuple[AnswerReading, ...] = ("label", "letter", "text", "0-based", "1-based")

Kind = Literal["jsonl", "json", "csv", "tsv", "parquet"]


@dataclass(frozen=True, slots=True)
class Settings:
    """How one file is to be read; formats take from it what concerns them."""

    columns: Columns | None = None
    answers: AnswerReading | None = None
    drop_empty: bool = False
    metadata: Metadata = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Head:
    """The beginning of a file, enough to tell its format: its first objects, or its first row of cells."""

    kind: Kind
    objects: tuple[Mapping[str, Any], ...] = ()
    header: tuple[str, ...] = ()


class Log:
    """What a reader has to say beside its questions: faults, and notes on what it decided or left out."""

    def __init__(self, file: str | None) -> None:
        self.file = file
        self.faults: list[Fault] = []
        self.notes: list[str] = []
        self._counts: dict[str, int] = {}

    def report(self, fault: Fault) -> None:
        """Take a fault as it is."""
        self.faults.append(fault)

    def fault(self, what: str, line: int | None, question_id: str | None = None) -> None:
        """A fault at a line of this file."""
        self.faults.append(Fault(what, self.file, line, question_id or None))

    def note(self, what: str) -> None:
        """Something to say once about the file."""
        if what not in self.notes:
            self.notes.append(what)

    def count(self, what: str) -> None:
        """Something that happens to many questions: noted at the end with their number."""
        self._counts[what] = self._counts.get(what, 0) + 1

    def close(self) -> None:
        """Turn the counts into notes."""
        for what, number in self._counts.items():
            self.notes.append(f"{what} ({number:,} question{'s' * (number != 1)})")
        self._counts.clear()


@dataclass(frozen=True, slots=True)
class Format:
    """One question format.

    `recognises` decides by the head of a file. `read` yields questions, sound or not, with their origin, and
    reports what can't even be made a question. `write` raises AssayError, naming the question, for what the
    format can't express at all. `lost` names what of a question it leaves out ("facts", "metadata grade").
    """

    name: str
    about: str
    recognises: Callable[[Head], bool]
    read: Callable[[Source, Settings, Log], Iterator[Question]]
    write: Callable[[Iterable[Question], IO[bytes]], None]
    lost: Callable[[Question], Iterable[str]]

"""What a question format is: how it is recognised, read and written, and what it can't carry."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import IO, Any, Literal, get_args

from assay.errors import Fault
from assay.questions.model import Metadata, Question

Columns = Mapping[str, str | Sequence[str]]
"""A table's columns: "id", "stem", "answer" to one name; "choices", "labels", "metadata" to several."""

AnswerReading = Literal["label", "letter", "text", "0-based", "1-based"]
ANSWER_READINGS: tuple[AnswerReading, ...] = get_args(AnswerReading)

Kind = Literal["jsonl", "json", "csv", "tsv", "parquet", "rows"]
"""JSON lines, one JSON list, comma- or tab-separated cells, Parquet, rows handed over from Python."""

LISTED_FAULTS = 100_000
"""More faults of one file are counted, not kept."""

Record = Mapping[str, Any]
Rows = Callable[[], Iterator[tuple[int, Record]]]
"""Begins a pass over the records of an input, each with its line (its row, where there are no lines)."""


@dataclass(frozen=True, slots=True)
class Settings:
    """How one file is to be read; formats take from it what concerns them. `format`: the one forced."""

    format: str | None = None
    columns: Columns | None = None
    answers: AnswerReading | None = None
    drop_empty: bool = False
    metadata: Metadata = field(default_factory=dict)
    fewest_choices: int = 2


@dataclass(frozen=True, slots=True)
class Head:
    """The beginning of an input, enough to tell its format: its columns' names and its first records.

    `faults` are those met on the way, which explain why nothing is recognised, where nothing is.
    """

    kind: Kind
    columns: tuple[str, ...]
    records: tuple[Record, ...]
    faults: tuple[Fault, ...] = ()


class Log:
    """What a reader has to say beside its questions: faults, and notes on what it decided or left out.

    While `silent`, nothing is taken: a first pass over an input must not say everything twice. `fresh` holds
    the lines of faults until whoever reads clears it.
    """

    def __init__(self, file: str | None) -> None:
        self.file = file
        self.faults: list[Fault] = []
        self.notes: list[str] = []
        self.silent = False
        self.fresh: set[int | None] = set()
        self._unlisted = 0
        self._counts: dict[str, int] = {}

    def report(self, fault: Fault) -> None:
        """Take a fault as it is."""
        if self.silent:
            return
        self.fresh.add(fault.line)
        if len(self.faults) < LISTED_FAULTS:
            self.faults.append(fault)
        else:
            self._unlisted += 1

    def fault(self, what: str, line: int | None, question_id: str | None = None) -> None:
        """A fault at a line of this file."""
        self.report(Fault(what, self.file, line, question_id or None))

    def note(self, what: str) -> None:
        """Something to say once about the file."""
        if what not in self.notes:
            self.notes.append(what)

    def count(self, what: str) -> None:
        """Something that happens to many questions: noted at the end with their number."""
        if not self.silent:
            self._counts[what] = self._counts.get(what, 0) + 1

    def close(self) -> None:
        """Turn the counts into notes, and say how many faults were too many to list."""
        if self._unlisted:
            self.faults.append(Fault(f"{self._unlisted:,} more faults are not listed", self.file))
            self._unlisted = 0
        for what, number in self._counts.items():
            self.notes.append(f"{what} ({number:,} times)" if number > 1 else f"{what} (once)")
        self._counts.clear()


Read = Callable[[Rows, Settings, Log], Iterator[Question]]


def each_record(question: Callable[[Record, int, Log], Question | None]) -> Read:
    """The `read` of a format in which each record is a question, or (None) none, and a fault was reported."""

    def read(rows: Rows, settings: Settings, log: Log) -> Iterator[Question]:
        for line, record in rows():
            made = question(record, line, log)
            if made is not None:
                yield made

    return read


@dataclass(frozen=True, slots=True)
class Format:
    """One question format.

    `kind` is the container it is written in. `recognises` decides by the head of a file. `read` yields
    questions, sound or not, with their origin, and reports what can't even be made a question. `write` raises
    AssayError, naming the question, for what the format can't express at all. `lost` names what of a question
    it leaves out or changes ("facts", "metadata grade").
    """

    name: str
    about: str
    kind: Kind
    recognises: Callable[[Head], bool]
    read: Read
    write: Callable[[Iterable[Question], IO[bytes]], None]
    lost: Callable[[Question], Iterable[str]]

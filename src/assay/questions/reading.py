"""Reading question files of any known format: `read_questions` whole, `QuestionStream` one at a time."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TypedDict, Unpack

from assay.errors import AssayError, Fault, FaultyInput
from assay.questions import integrity
from assay.questions.formats.containers import HEAD_LINES, plain_record, read_head, records_of
from assay.questions.formats.format import (
    AnswerReading,
    Columns,
    Format,
    Head,
    Log,
    Rows,
    Settings,
)
from assay.questions.formats.registry import format_named, recognise
from assay.questions.integrity import Watch
from assay.questions.keys import read_keys, with_keys
from assay.questions.model import Metadata, Question, QuestionSet
from assay.questions.shuffling import seed_of, shuffled, shuffled_choices
from assay.questions.sources import Source, open_source

_PUBLISHED_NAME = re.compile(r"^ARC-(Easy|Challenge)-(Train|Dev|Test)\b")


@dataclass(frozen=True, slots=True)
class QuestionFile:
    """A file with its own way of being read, where several are read together.

    What is None or empty is taken from the call. `metadata` is added to every question of the file.
    """

    path: str | Path
    format: str | None = None
    columns: Columns | None = None
    answers: AnswerReading | None = None
    drop_empty: bool | None = None
    metadata: Metadata = field(default_factory=dict)


class ReadingSettings(TypedDict, total=False):
    """How question files are read.

    `format` forces a format (else it is told from the content), `columns` maps a table's columns ("id",
    "stem", "choices", "answer", ...), `answers` says how its answers are to be read, `drop_empty` leaves out
    blank choice cells, `metadata` is added to every question. `fewest_choices` 1: a question may have its
    correct answer alone.
    """

    format: str | None
    columns: Columns | None
    answers: AnswerReading | None
    drop_empty: bool
    metadata: Metadata
    fewest_choices: int


PathLike = str | Path | QuestionFile


@dataclass(frozen=True, slots=True)
class FileReading:
    """What one file turned out to be: its format, its questions and how many of them have a key."""

    path: str
    format: str
    questions: int
    keyed: int


@dataclass(frozen=True, slots=True)
class Reading:
    """Questions as read, with everything that was noticed on the way.

    `format` names the format (several, joined by ", ", when files differ), `notes` say what was decided,
    added or left out, `warnings` are faults of severity "warning".
    """

    questions: QuestionSet
    warnings: tuple[Fault, ...]
    notes: tuple[str, ...]
    format: str
    files: tuple[FileReading, ...]


def read_questions(
    paths: PathLike | Iterable[PathLike],
    *,
    keys: str | Path | None = None,
    shuffle: bool | int = False,
    shuffle_choices: bool | int = False,
    seed: int = 0,
    **how: Unpack[ReadingSettings],
) -> Reading:
    """Questions of one or more files ("-": standard input), in order, with every fault found.

    `how` they are read: `format`, `columns`, `answers`, `drop_empty`, `metadata` (see ReadingSettings).
    `keys` names a file of answer keys for hidden questions. `shuffle` and `shuffle_choices` reorder: False
    not at all, True by `seed`, an integer (0 too) by itself.

    Raises FaultyInput with all faults, each with file, line and id; AssayError when a file can't be opened.
    """
    stream = QuestionStream(paths, watch=Watch(), **how)
    questions: Iterable[Question] = list(stream)
    if keys is not None:
        questions = with_keys(questions, read_keys(keys))
    return _reading(stream, questions, shuffle, shuffle_choices, seed)


def questions_from_rows(
    rows: Iterable[Mapping[str, Any]] | Mapping[str, Iterable[Any]],
    *,
    shuffle: bool | int = False,
    shuffle_choices: bool | int = False,
    seed: int = 0,
    **how: Unpack[ReadingSettings],
) -> Reading:
    """Questions from Python: rows (mappings, a `datasets.Dataset`), or columns (a mapping of sequences).

    Sequences and arrays of any library count as lists, not-a-number as absent. The format is told from the
    first rows, as `read_questions` does, or forced. Faults name the row, from 1, as their line.
    Raises FaultyInput with all faults.
    """
    records = _transposed(rows) if isinstance(rows, Mapping) else rows
    stream = QuestionStream([], watch=Watch(), rows=records, **how)
    return _reading(stream, list(stream), shuffle, shuffle_choices, seed)


def _transposed(columns: Mapping[str, Iterable[Any]]) -> list[dict[str, Any]]:
    lists = {name: list(values) for name, values in columns.items()}
    lengths = {name: len(values) for name, values in lists.items()}
    if len(set(lengths.values())) > 1:
        said = ", ".join(f"{name} {length:,}" for name, length in lengths.items())
        raise AssayError(f"columns of different lengths: {said}")
    return [dict(zip(lists, values, strict=True)) for values in zip(*lists.values(), strict=True)]


def _reading(
    stream: QuestionStream,
    questions: Iterable[Question],
    shuffle: bool | int,
    shuffle_choices: bool | int,
    seed: int,
) -> Reading:
    notes = list(stream.notes)
    choice_seed, order_seed = seed_of(shuffle_choices, seed), seed_of(shuffle, seed)
    if choice_seed is not None:
        questions = [shuffled_choices(question, choice_seed) for question in questions]
        notes.append(f"choices shuffled with seed {choice_seed}")
    if order_seed is not None:
        questions = shuffled(questions, order_seed)
        notes.append(f"questions shuffled with seed {order_seed}")
    names = dict.fromkeys(file.format for file in stream.files)
    return Reading(
        QuestionSet(questions), tuple(stream.warnings), tuple(notes), ", ".join(names), tuple(stream.files)
    )


class QuestionStream:
    """Questions one at a time, in order; only their ids are kept, so that a file of any size can be read.

    Iterate over it once: faulty questions are passed over while reading, and FaultyInput with all the faults
    is raised at the end (unless `lenient`: they are then in `faults`). `warnings`, `notes` and `files` are
    complete when the iteration is. Warnings are looked for only with a `watch`, which keeps two short digests
    a question more. `rows` are records handed over from Python, read after the files.
    """

    def __init__(
        self,
        paths: PathLike | Iterable[PathLike],
        *,
        watch: Watch | None = None,
        lenient: bool = False,
        rows: Iterable[Mapping[str, Any]] | None = None,
        **how: Unpack[ReadingSettings],
    ) -> None:
        listed = [paths] if isinstance(paths, str | Path | QuestionFile) else list(paths)
        self._inputs = [path if isinstance(path, QuestionFile) else QuestionFile(path) for path in listed]
        if not self._inputs and rows is None:
            raise AssayError("no question file given")
        self._settings = Settings(**how)
        self._watch, self._lenient, self._rows = watch, lenient, rows
        self._first: dict[str, tuple[str, int | None]] = {}
        self.faults: list[Fault] = []
        self.warnings: list[Fault] = []
        self.notes: list[str] = []
        self.files: list[FileReading] = []

    def __iter__(self) -> Iterator[Question]:
        for wanted in self._inputs:
            with open_source(wanted.path) as source:
                yield from self._file(source, wanted)
        if self._rows is not None:
            yield from self._handed_over(self._rows)
        if self._watch is not None:
            self.warnings.extend(self._watch.finish())
        if self.faults and not self._lenient:
            raise FaultyInput(self.faults)

    def _file(self, source: Source, wanted: QuestionFile) -> Iterator[Question]:
        settings = replace(
            self._settings,
            format=wanted.format or self._settings.format,
            columns=wanted.columns or self._settings.columns,
            answers=wanted.answers or self._settings.answers,
            drop_empty=self._settings.drop_empty if wanted.drop_empty is None else wanted.drop_empty,
            metadata={**self._settings.metadata, **wanted.metadata},
        )
        log = Log(source.name)
        try:
            head = read_head(source)
            form = _format(head, source.name, settings)
        except FaultyInput as error:
            self.faults.extend(error.faults)
            return
        yield from self._checked(records_of(source, head.kind, log), form, settings, log)

    def _handed_over(self, rows: Iterable[Mapping[str, Any]]) -> Iterator[Question]:
        records = []
        for number, row in enumerate(rows, 1):
            if not isinstance(row, Mapping):
                raise AssayError(
                    f"row {number} is no mapping of columns to values but a {type(row).__name__}"
                )
            records.append(plain_record(row))
        columns = dict.fromkeys(key for record in records[:HEAD_LINES] for key in record)
        head = Head("rows", tuple(columns), tuple(records[:HEAD_LINES]))
        form = _format(head, None, self._settings)
        yield from self._checked(lambda: iter(enumerate(records, 1)), form, self._settings, Log(None))

    def _checked(self, rows: Rows, form: Format, settings: Settings, log: Log) -> Iterator[Question]:
        named = _named_metadata(log.file or "", log)
        count = keyed = 0
        whole = True  # until something is wrong with the file rather than with a line of it
        unkeyed: list[tuple[int | None, str]] = []
        for question in form.read(rows, settings, log):
            count += 1
            extra = {**named, **question.metadata, **settings.metadata}
            complete = replace(question, metadata=extra) if extra else question
            line = complete.origin.line if complete.origin else None
            if complete.answer is None:
                unkeyed.append((line, complete.id))
            else:
                keyed += 1
            # The reader puts something in the place of what it can't read: such a question is no question.
            for fault in (*integrity.faults(complete, settings.fewest_choices), *self._repeated(complete)):
                log.report(fault)
            whole = whole and None not in log.fresh
            sound = whole and line not in log.fresh
            log.fresh.clear()
            if self._watch is not None:
                self.warnings.extend((*integrity.warnings(complete), *self._watch.see(complete)))
            if sound:
                yield complete
        if keyed:
            for place, question_id in unkeyed:
                log.fault("no answer key, though other questions of the file have one", place, question_id)
        if not count and not log.faults:
            log.fault("holds no question", None)
        log.close()
        self.files.append(FileReading(log.file or "", form.name, count, keyed))
        # Faults of the file as a whole come last.
        self.faults.extend(sorted(log.faults, key=lambda fault: (fault.line is None, fault.line or 0)))
        self.notes.extend(f"{log.file}: {note}" if log.file else note for note in log.notes)

    def _repeated(self, question: Question) -> Iterator[Fault]:
        if not question.id:
            return
        file, line = (question.origin.file, question.origin.line) if question.origin else ("", None)
        first = self._first.get(question.id)
        if first is None:
            self._first[question.id] = (file, line)
        else:
            where = f"on line {first[1]}" if first[0] == file else f"in {first[0]}:{first[1]}"
            yield question.fault(f"id appears a second time (first {where})")


def _format(head: Head, file: str | None, settings: Settings) -> Format:
    return format_named(settings.format) if settings.format else recognise(head, file, settings.columns)


def _named_metadata(path: str, log: Log) -> dict[str, str]:
    found = _PUBLISHED_NAME.match(Path(path).name)
    if found is None:
        return {}
    log.note(f"set {found[1]} and split {found[2]} taken from the published file name")
    return {"set": found[1], "split": found[2]}

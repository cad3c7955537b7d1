"""Reading question files of any known format: `read_questions` whole, `QuestionStream` one at a time."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from assay.errors import Fault, FaultyInput
from assay.questions import integrity
from assay.questions.formats.format import AnswerReading, Columns, Format, Log, Settings
from assay.questions.formats.registry import format_named, recognise
from assay.questions.model import Metadata, Question, QuestionSet
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
    format: str | None = None,
    columns: Columns | None = None,
    answers: AnswerReading | None = None,
    drop_empty: bool = False,
    metadata: Metadata | None = None,
    keys: str | Path | None = None,
    shuffle: bool | int = False,
    shuffle_choices: bool | int = False,
    seed: int = 0,
) -> Reading:
    """Questions of one or more files ("-": standard input), in order, with every fault found.

    `format` forces a format (else it is told from the content), `columns` maps a table's columns ("id",
    "stem", "choices", "answer", ...), `answers` says how its answers are to be read ("label", "letter",
    "text", "0-based", "1-based"), `drop_empty` leaves out blank choice cells, `metadata` is added to every
    question, `keys` names a file of answer keys for hidden questions. `shuffle` and `shuffle_choices`
    reorder: False not at all, True by `seed`, an integer (0 too) by itself.

    Raises FaultyInput with all faults, each with file, line and id; AssayError when a file can't be opened.
    """
    stream = QuestionStream(
        paths, format=format, columns=columns, answers=answers, drop_empty=drop_empty, metadata=metadata
    )
    questions = QuestionSet(stream)
    names = dict.fromkeys(file.format for file in stream.files)
    return Reading(
        questions, tuple(stream.warnings), tuple(stream.notes), ", ".join(names), tuple(stream.files)
    )


class QuestionStream:
    """Questions one at a time, in order; only their ids are kept, so that a file of any size can be read.

    Iterate over it once: faulty questions are passed over while reading, and FaultyInput with all the faults
    is raised at the end (unless `lenient`: they are then in `faults`). `warnings`, `notes` and `files` are
    complete when the iteration is.
    """

    def __init__(
        self,
        paths: PathLike | Iterable[PathLike],
        *,
        format: str | None = None,
        columns: Columns | None = None,
        answers: AnswerReading | None = None,
        drop_empty: bool = False,
        metadata: Metadata | None = None,
        lenient: bool = False,
    ) -> None:
        listed = [paths] if isinstance(paths, str | Path | QuestionFile) else list(paths)
        self._inputs = [path if isinstance(path, QuestionFile) else QuestionFile(path) for path in listed]
        self._format = format
        self._settings = Settings(columns, answers, drop_empty, metadata or {})
        self._lenient = lenient
        self._first: dict[str, tuple[str, int | None]] = {}
        self.faults: list[Fault] = []
        self.warnings: list[Fault] = []
        self.notes: list[str] = []
        self.files: list[FileReading] = []

    def __iter__(self) -> Iterator[Question]:
        for wanted in self._inputs:
            with open_source(wanted.path) as source:
                yield from self._file(source, wanted)
        if self.faults and not self._lenient:
            raise FaultyInput(self.faults)

    def _file(self, source: Source, wanted: QuestionFile) -> Iterator[Question]:
        log = Log(source.name)
        name = wanted.format or self._format
        try:
            form = format_named(name) if name else recognise(source)
        except FaultyInput as error:
            self.faults.extend(error.faults)
            return
        settings = replace(
            self._settings,
            columns=wanted.columns or self._settings.columns,
            answers=wanted.answers or self._settings.answers,
            drop_empty=self._settings.drop_empty if wanted.drop_empty is None else wanted.drop_empty,
            metadata={**self._settings.metadata, **wanted.metadata},
        )
        yield from self._checked(source, form, settings, log)

    def _checked(self, source: Source, form: Format, settings: Settings, log: Log) -> Iterator[Question]:
        named = _named_metadata(source.name, log)
        count = keyed = 0
        unkeyed: list[tuple[int | None, str]] = []
        for question in form.read(source, settings, log):
            count += 1
            extra = {**named, **question.metadata, **settings.metadata}
            complete = replace(question, metadata=extra) if extra else question
            if complete.answer is None:
                unkeyed.append((complete.origin.line if complete.origin else None, complete.id))
            else:
                keyed += 1
            found = [*integrity.faults(complete), *self._repeated(complete)]
            log.faults.extend(found)
            self.warnings.extend(integrity.warnings(complete))
            if not found:
                yield complete
        if keyed:
            for line, question_id in unkeyed:
                log.fault("no answer key, though other questions of the file have one", line, question_id)
        if not count and not log.faults:
            log.fault("holds no question", None)
        log.close()
        self.files.append(FileReading(source.name, form.name, count, keyed))
        self.faults.extend(sorted(log.faults, key=lambda fault: fault.line or 0))
        self.notes.extend(f"{source.name}: {note}" for note in log.notes)

    def _repeated(self, question: Question) -> Iterator[Fault]:
        if not question.id:
            return
        file, line = (question.origin.file, question.origin.line) if question.origin else ("", None)
        first = self._first.setdefault(question.id, (file, line))
        if first != (file, line):
            where = f"on line {first[1]}" if first[0] == file else f"in {first[0]}:{first[1]}"
            what = f"id appears a second time (first {where})"
            yield Fault(what, file, line, question.id)


def _named_metadata(path: str, log: Log) -> dict[str, str]:
    found = _PUBLISHED_NAME.match(Path(path).name)
    if found is None:
        return {}
    log.note(f"set {found[1]} and split {found[2]} taken from the published file name")
    return {"set": found[1], "split": found[2]}

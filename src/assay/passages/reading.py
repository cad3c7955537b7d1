"""Passage questions from files of any known format; every fault listed, what is left out counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from assay.compression import DamagedStream
from assay.errors import AssayError, Fault, FaultyInput
from assay.passages.checking import Log, repeated_ids, shown
from assay.passages.passage import PassageQuestion
from assay.passages.rows import record_reader
from assay.passages.squad import read_squad
from assay.questions.records import BadJson, json_lines, json_list, parse_json
from assay.questions.sources import Source, open_source

KNOWN = (
    "SQuAD's JSON; SciQ with support; or a record a line with id, passage, question and answers "
    "(start, text), or as SQuAD's rows with context and answers (text, answer_start)"
)
HEAD = 1 << 16


@dataclass(frozen=True, slots=True)
class PassageReading:
    """Questions in the files' order. `left_out`: counted by reason; `hidden`: how many have no answers."""

    questions: tuple[PassageQuestion, ...]
    left_out: Mapping[str, int]
    hidden: int

    @property
    def notes(self) -> tuple[str, ...]:
        """What a person should know of the reading."""
        said = [f"{count:,} questions {why} are left out" for why, count in self.left_out.items()]
        if self.hidden:
            said.append(f"{self.hidden:,} questions have no reference answers")
        return tuple(said)


def read_passages(paths: Sequence[str | Path]) -> PassageReading:
    """The questions of the files, read as one set.

    Raises FaultyInput with every fault: answers that don't stand where they are said to, empty texts, ids
    that appear twice; AssayError for a file that can't be read, is of no known format, or holds no question.
    """
    questions: list[tuple[str, PassageQuestion]] = []
    left_out: Counter[str] = Counter()
    faults: list[Fault] = []
    for path in paths:
        log = Log(str(path))
        with open_source(path) as source:
            _read(source, log)
        if not log.faults and not log.questions and not log.left_out:
            log.fault("holds no question")
        questions += [(log.file, one) for one in log.questions]
        left_out += log.left_out
        faults += log.faults
    faults += repeated_ids(questions)
    if faults:
        raise FaultyInput(faults)
    found = tuple(one for _, one in questions)
    return PassageReading(found, dict(left_out), sum(not one.answers for one in found))


def _read(source: Source, log: Log) -> None:
    try:
        head = source.open().read(HEAD).removeprefix(b"\xef\xbb\xbf").lstrip()
        if head[:1] == b"[":
            return _read_records(json_list(source, log.faults.append), log)
        if head[:1] != b"{":
            log.fault(f"no known format: {KNOWN}" if head else "is empty", 1)
            return None
        if _one_document(head):
            return _read_document(source, log)
    except DamagedStream as error:
        log.fault(str(error))
        return None
    return _read_records(json_lines(source, log.faults.append), log)


def _one_document(head: bytes) -> bool:
    """Whether the file is one JSON object, of several lines or with a list `data`, rather than one a line."""
    first, newline, _ = head.partition(b"\n")
    try:
        record = parse_json(first.decode("utf-8", errors="replace"))
    except BadJson:
        # A line that ends within the head and is no JSON by itself: the object goes on.
        return b'"paragraphs"' in head or b'"data"' in head[:200] or (bool(newline) and b'"' not in first)
    return isinstance(record, dict) and isinstance(record.get("data"), list)


def _read_document(source: Source, log: Log) -> None:
    try:
        text = source.open().read().decode("utf-8-sig")
        document = parse_json(text)
    except UnicodeDecodeError as error:
        return log.fault(f"not UTF-8: byte 0x{error.object[error.start]:02x} at byte {error.start + 1}")
    except BadJson as error:
        return log.fault(f"{error}: the file may be cut off")
    return read_squad(document, log)


def _read_records(records: Iterator[tuple[int, Any]], log: Log) -> None:
    for position, (line, record) in enumerate(records, 1):
        if not isinstance(record, dict):
            log.fault(f"a record must be an object. Got {shown(record)}", line)
            continue
        read = record_reader(record)
        if read is None:
            fields = ", ".join(map(shown, list(record)[:8])) or "no fields"
            raise AssayError(
                f"a record of no known format: it has {fields}",
                file=log.file,
                line=line,
                hint=KNOWN,
            )
        made = read(record, line, position, log)
        if made is not None:
            log.questions.append(made)

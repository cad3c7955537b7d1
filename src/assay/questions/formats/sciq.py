"""SciQ as published: a JSON list of question, distractor1.., correct_answer, support; no ids, no order."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Iterator
from typing import IO, Any

from assay.errors import AssayError
from assay.questions.formats.fields import letter, lost_of, text_of, turned_to_text
from assay.questions.formats.format import Format, Head, Log, Record, Rows, Settings
from assay.questions.formats.place import id_by_position
from assay.questions.model import Choice, Origin, Question

_DISTRACTOR = re.compile(r"distractor(\d{1,2})")
KEY, SUPPORT = "correct_answer", "support"


def key_place(stem: str, key: str, choices: int) -> int:
    """Where the key stands among `choices` choices, from 0: SHA-256 of stem and key, modulo their number."""
    digest = hashlib.sha256(f"{stem}\n{key}".encode("utf-8", errors="backslashreplace")).digest()
    return int.from_bytes(digest[:8], "big") % choices


def _question(record: Record, line: int, question_id: str, log: Log) -> Question:
    numbered = [(int(found[1]), name) for name in record if (found := _DISTRACTOR.fullmatch(name))]
    texts = [text_of(record[name], name, line, question_id, log) for _, name in sorted(numbered)]
    stem = text_of(record.get("question"), "question", line, question_id, log)
    key = text_of(record.get(KEY), KEY, line, question_id, log)
    if not key.strip():
        log.fault("no correct_answer", line, question_id)
        key = "?"
    place = key_place(stem, key, len(texts) + 1)
    texts.insert(place, key)
    known = {"question", KEY, *(name for _, name in numbered)}
    return Question(
        id=question_id,
        stem=stem,
        choices=tuple(Choice(letter(number), text) for number, text in enumerate(texts)),
        answer=letter(place),
        metadata={name: value for name, value in record.items() if name not in known and value != ""},
        origin=Origin(log.file or "", line),
    )


def _read(rows: Rows, settings: Settings, log: Log) -> Iterator[Question]:
    log.note("no order of choices is published: the key's place comes from a hash of stem and key")
    log.note("no ids are published: they are made from the file's name and the position")
    for position, (line, record) in enumerate(rows(), 1):
        yield _question(record, line, id_by_position(log.file, position), log)


def _record(question: Question) -> dict[str, Any]:
    key = next((choice for choice in question.choices if choice.label == question.answer), None)
    if key is None:
        raise AssayError("SciQ can't hold a question without a key", question_id=question.id)
    others = [choice.text for choice in question.choices if choice is not key]
    record: dict[str, Any] = {"question": question.stem}
    record |= {f"distractor{number}": text for number, text in enumerate(others, 1)}
    record |= {KEY: key.text, SUPPORT: str(question.metadata.get(SUPPORT, ""))}
    return record


def _write(questions: Iterable[Question], file: IO[bytes]) -> None:
    separator = b"[\n"
    for question in questions:
        text = json.dumps(_record(question), ensure_ascii=False, allow_nan=False)
        file.write(separator + text.encode("utf-8", errors="backslashreplace"))
        separator = b",\n"
    file.write(b"\n]\n" if separator == b",\n" else b"[]\n")


def _recognises(head: Head) -> bool:
    return any(KEY in record and "distractor1" in record for record in head.records)


def _lost(question: Question) -> list[str]:
    return [
        "id",
        "labels and order of choices",
        *lost_of(question, metadata=(SUPPORT,)),
        *turned_to_text(question, [SUPPORT]),
    ]


SCIQ = Format("sciq", "SciQ, a JSON list", "json", _recognises, _read, _write, _lost)

"""Questions and their evidence file as a reader's examples; what is left out is counted."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from assay.errors import AssayError
from assay.questions.answers import answer_from_record
from assay.questions.model import Answer, Question
from assay.solvers.neural.reader import Example, example


@dataclass(frozen=True, slots=True)
class Examples:
    """`examples` have a key, in the questions' order. How many questions were left out for want of one, how
    many had no evidence and were taken without, and how many records of evidence were for other questions."""

    examples: tuple[Example, ...]
    without_key: int = 0
    without_evidence: int = 0
    other_evidence: int = 0


def examples_of(
    questions: Sequence[Question], evidence: Path | None, sentences: int, *, allow_missing: bool = False
) -> Examples:
    """The questions that have a key, each choice with its best `sentences` of the evidence file.

    Raises AssayError when the file can't be read, a record in it is damaged, or a question isn't in it and
    `allow_missing` isn't set.
    """
    keyed = [question for question in questions if question.answer is not None]
    left_out = len(questions) - len(keyed)
    if evidence is None or not sentences:
        return Examples(tuple(example(question, None, 0) for question in keyed), left_out)
    wanted = {question.id: question for question in questions}
    found: dict[str, Example] = {}
    others = 0
    for line, record in _records(evidence):
        question = wanted.get(record.get("id", ""))
        if question is None:
            others += 1
            continue
        if question.id in found:
            raise AssayError("its evidence stands twice", file=evidence, line=line, question_id=question.id)
        found[question.id] = example(question, _answer(question, record, evidence, line), sentences)
    missing = [question for question in keyed if question.id not in found]
    if missing and not allow_missing:
        raise AssayError(
            f"no evidence, nor for {len(missing) - 1:,} other questions" if missing[1:] else "no evidence",
            file=evidence,
            question_id=missing[0].id,
            hint="make it with assay retrieve; --allow-missing reads such questions without",
        )
    made = tuple(found.get(question.id) or example(question, None, 0) for question in keyed)
    return Examples(made, left_out, len(missing), others)


def fingerprint(examples: Iterable[Example]) -> str:
    """SHA-256 (hex) over all that a reader sees of the examples, in order."""
    digest = hashlib.sha256()
    for shown in examples:
        record = [shown.id, shown.stem, shown.choices, shown.contexts, shown.key, shown.scores]
        digest.update(json.dumps(record, ensure_ascii=True).encode("ascii") + b"\n")
    return digest.hexdigest()


def _records(path: Path) -> Iterable[tuple[int, Mapping[str, Any]]]:
    try:
        with path.open("rb") as file:
            for number, line in enumerate(file, 1):
                try:
                    record = json.loads(line)
                except ValueError:
                    record = None
                if not isinstance(record, dict):
                    raise AssayError(
                        "not a record of evidence",
                        file=path,
                        line=number,
                        hint="a file that assay retrieve writes is due; if it was cut off, run it again",
                    )
                yield number, record
    except OSError as error:
        raise AssayError(f"can't be read: {error.strerror or error}", file=path) from None


def _answer(question: Question, record: Mapping[str, Any], path: Path, line: int) -> Answer:
    try:
        answer = answer_from_record(question, record)
    except AssayError as error:
        what = "; ".join(fault.what for fault in error.faults)
        raise AssayError(what, file=path, line=line, question_id=question.id) from None
    if answer.evidence is None:
        raise AssayError("the record holds no evidence", file=path, line=line, question_id=question.id)
    return answer

"""Questions and their evidence file as a reader's examples; what is left out is counted."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import astuple, dataclass, fields
from pathlib import Path
from typing import Any

from assay.questions.model import Question
from assay.solvers.evidence_file import EvidenceFile
from assay.solvers.neural.reader import Example, example


@dataclass(frozen=True, slots=True)
class Examples:
    """`examples` have a key, in the questions' order. How many questions were left out for want of one, how
    many had no evidence and were taken without, and how many records of evidence were for other questions.

    `evidence_sha256` (hex) is over the evidence file, None where none was read.
    """

    examples: tuple[Example, ...]
    without_key: int = 0
    without_evidence: int = 0
    other_evidence: int = 0
    evidence_sha256: str | None = None


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
    file = EvidenceFile(evidence)
    missing = file.lacking(keyed, "--allow-missing", allowed=allow_missing)
    without = {question.id for question in missing}
    made = tuple(
        example(question, None if question.id in without else file[question], sentences) for question in keyed
    )
    others = len(file) - sum(question in file for question in questions)
    return Examples(made, left_out, len(missing), others, file.sha256)


def fingerprint(examples: Iterable[Any]) -> str:
    """SHA-256 (hex) over all fields of the examples (dataclasses of any one kind), in order."""
    digest = hashlib.sha256()
    for shown in examples:
        record = [getattr(shown, field.name) for field in fields(shown)]
        digest.update(json.dumps(record, ensure_ascii=True, default=astuple).encode("ascii") + b"\n")
    return digest.hexdigest()

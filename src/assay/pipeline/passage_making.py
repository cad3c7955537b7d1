"""Passage questions of questions with choices: their evidence as the passage, the key as the answer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from assay.passages.checking import occurrences
from assay.passages.paragraph import paragraph, pooled
from assay.passages.passage import PassageQuestion
from assay.questions.reading import read_questions
from assay.solvers.evidence_file import EvidenceFile

NO_KEY = "without a key"
NO_EVIDENCE = "without a sentence of evidence"
ELSEWHERE = "whose key's text doesn't stand in their evidence"


@dataclass(frozen=True, slots=True)
class MadePassages:
    """The questions that could be made, and how many couldn't, by why."""

    questions: tuple[PassageQuestion, ...]
    left_out: Mapping[str, int]
    notes: tuple[str, ...]


def make_passages(files: Sequence[str], evidence: Path, sentences: int = 0) -> MadePassages:
    """A passage question for each question whose key's text stands in the paragraph of its evidence.

    The paragraph is that of the solver `span`; every place where the key's text stands is a reference.
    Raises AssayError for files that can't be read, or a question that the evidence file lacks.
    """
    reading = read_questions(files)
    file = EvidenceFile(evidence)
    left_out: Counter[str] = Counter()
    made = []
    file.lacking(reading.questions, allowed=False)
    for question in reading.questions:
        if question.answer is None:
            left_out[NO_KEY] += 1
            continue
        text = paragraph(piece.text for piece in pooled(file[question].evidence or (), sentences))
        if not text:
            left_out[NO_EVIDENCE] += 1
            continue
        key = question.choices[question.labels.index(question.answer)].text
        spans = occurrences(text, key)
        if not spans:
            left_out[ELSEWHERE] += 1
            continue
        made.append(PassageQuestion(question.id, text, question.stem, spans))
    notes = [*reading.notes, *(f"{count:,} questions {why} are left out" for why, count in left_out.items())]
    return MadePassages(tuple(made), dict(left_out), tuple(notes))

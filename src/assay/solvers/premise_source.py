"""Premises of questions for solvers that read them: from an evidence file, or retrieved from a corpus."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import tee
from typing import Any

from assay.corpus.model import Corpus
from assay.errors import AssayError
from assay.evidence.premises import Premises
from assay.questions.model import Answer, Evidence, Question, SentenceEvidence
from assay.solvers.evidence_file import EvidenceFile

ALLOWED_BY = "allow_missing = true"

Pieces = Sequence[Sequence[Evidence]]
"""A question's evidence, choice by choice, as it was found."""


class PremiseSource:
    """The file where one is given; else the corpus, searched with the default settings of premises."""

    def __init__(self, owner: str, file: str | None, corpus: Corpus | None, *, allow_missing: bool) -> None:
        """`allow_missing`: a question that the file lacks has no premises.

        Raises AssayError when the file can't be read, or there is neither file nor corpus.
        """
        self._allow_missing = allow_missing
        self._file = self._retriever = None
        if file is not None:
            self._file = EvidenceFile(file)
        elif corpus is not None:
            self._retriever = Premises(corpus)
        else:
            raise AssayError(
                f"{owner} needs premises",
                hint="evidence = FILE, as assay retrieve --method premises writes it; or corpus = NAME",
            )

    @property
    def settings(self) -> Mapping[str, Any]:
        """The file's fingerprint, or every constant of the retrieval."""
        if self._file is not None:
            return {"sha256": self._file.sha256}
        assert self._retriever is not None
        return dict(self._retriever.settings)

    def check(self, questions: Sequence[Question], then: str = "their choices tie") -> tuple[str, ...]:
        """How many questions the file has no premise for, and what becomes of them.

        Raises AssayError for those that it lacks.
        """
        if self._file is None:
            return ()
        missing = self._file.lacking(questions, ALLOWED_BY, allowed=self._allow_missing)
        without = sum(not any(map(premises, pieces)) for _, pieces in self.of(questions))
        if not without:
            return ()
        lacking = f", {len(missing):,} of them not in the evidence file" if missing else ""
        return (f"{without:,} of {len(questions):,} questions have no premise{lacking}: {then}",)

    def of(self, questions: Iterable[Question]) -> Iterator[tuple[Question, Pieces]]:
        """Each question, in order, with what was found for its choices.

        Raises AssayError for one that the file lacks.
        """
        for question, found in self._found(questions):
            given = found.evidence if found is not None else None
            yield question, given or ((),) * len(question.choices)

    def _found(self, questions: Iterable[Question]) -> Iterator[tuple[Question, Answer | None]]:
        if self._retriever is not None:
            asked, searched = tee(questions)
            yield from zip(asked, self._retriever.answer(searched), strict=True)
            return
        assert self._file is not None
        for question in questions:
            missing = self._allow_missing and question not in self._file
            yield question, None if missing else self._file[question]


def premises(pieces: Iterable[Evidence]) -> list[SentenceEvidence]:
    """The sentences among pieces of evidence; one of white space alone is none."""
    return [piece for piece in pieces if isinstance(piece, SentenceEvidence) and piece.text.strip()]

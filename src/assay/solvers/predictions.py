"""Stored predictions: a file of answers is a solver like any other."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from assay.corpus.model import Corpus
from assay.errors import Fault, FaultyInput
from assay.questions.model import Answer, Question, QuestionSet
from assay.questions.predictions import (
    NO_SUCH_QUESTION,
    PredictionFile,
    Predictions,
    match_predictions,
)
from assay.questions.predictions.prediction import Reading
from assay.questions.sources import open_source
from assay.solvers.settings import REQUIRED, read_settings, setting


@dataclass(frozen=True)
class PredictionsSettings:
    """Which file, and how it is read."""

    file: str = setting(REQUIRED, "the predictions file")
    format: str | None = setting(None, "its format; recognised from its content by default")
    allow_missing: bool = setting(False, "a question without a prediction is unanswered instead of a fault")
    allow_extra: bool = setting(False, "predictions for other questions are left out instead of a fault")
    letters_for_digits: bool = setting(False, "on a question labelled 1, 2, 3, ... read A as 1, B as 2, ...")
    length_normalised: bool = setting(False, "divide a harness log's log-likelihoods by the choice's length")
    log_filter: str | None = setting(None, "which filter's answers of a harness log")
    epoch: int | None = setting(None, "which epoch of an Inspect log")


class StoredPredictions:
    """Answers from a file, read once; whatever is wrong in it is said before the first answer."""

    declared = PredictionsSettings

    def __init__(self, name: str, settings: PredictionsSettings) -> None:
        """Reads the file. Raises AssayError, every fault listed."""
        self.name = name
        self._given = settings
        reading = Reading(
            settings.letters_for_digits, settings.length_normalised, settings.log_filter, settings.epoch
        )
        self._file = PredictionFile(settings.file, settings.format, reading)
        if self._file.faults:
            raise FaultyInput(self._file.faults, hint=self._file.hint)
        digest = hashlib.sha256()
        with open_source(settings.file) as source:
            stream = source.open()
            while block := stream.read(1 << 20):
                digest.update(block)
        self._sha256 = digest.hexdigest()

    @classmethod
    def build(
        cls, name: str, settings: Mapping[str, Any], corpora: Mapping[str, Corpus]
    ) -> StoredPredictions:
        """Raises AssayError for wrong settings, or a file with faults."""
        return cls(name, read_settings(cls.declared, settings, f"solver {name!r}"))

    @property
    def settings(self) -> Mapping[str, Any]:
        """How the file is read, and the fingerprint of its content in place of its path."""
        given = asdict(self._given)
        del given["file"]
        return {"solver": "predictions", "sha256": self._sha256, **given}

    def check(self, known: QuestionSet, asked: Sequence[Question] | None = None) -> tuple[str, ...]:
        """Notes on how the file meets the questions it will be asked (all that are `known`, unless named).

        Raises FaultyInput with every fault, predictions for questions that aren't known included; `answer`
        can't tell these, since it may be asked a part of the set.
        """
        asked = known if asked is None else asked
        faults: list[Fault] = []
        hint: str | None = None
        if not (self._given.allow_extra or self._file.is_log):
            extra = self._file.unused(set(), {question.id for question in known})
            faults += [Fault(NO_SUCH_QUESTION, self._file.path, p.line, p.question_id) for p in extra]
            hint = "allow_extra = true leaves predictions for other questions out" if extra else None
        notes: tuple[str, ...] = ()
        try:
            notes = self._match(asked).notes
        except FaultyInput as error:
            faults += error.faults
            hint = hint or error.hint
        if faults:
            raise FaultyInput(sorted(faults, key=_by_line), hint=hint)
        return notes

    def answer(self, questions: Iterable[Question]) -> Iterator[Answer]:
        """One answer a question, in order. Raises FaultyInput, every fault of the questions asked listed."""
        yield from self._match(list(questions)).answers

    def _match(self, asked: Sequence[Question]) -> Predictions:
        return match_predictions(self._file, asked, allow_missing=self._given.allow_missing, allow_extra=True)


def _by_line(fault: Fault) -> float:
    return math.inf if fault.line is None else fault.line

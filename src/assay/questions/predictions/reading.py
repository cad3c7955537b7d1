"""A predictions file of any known format to one answer a question, in order, with every fault listed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from pathlib import Path

from assay.errors import Fault, FaultyInput
from assay.questions.model import STATUSES, Answer, Question, QuestionSet
from assay.questions.predictions.prediction import Found, NotJoined, Prediction, Reading
from assay.questions.predictions.recognise import format_named, recognise
from assay.questions.sources import open_source

NO_PREDICTION = "no prediction"
NO_SUCH_QUESTION = "no such question"
SHOWN_IDS = 10


@dataclass(frozen=True, slots=True)
class Predictions:
    """Answers in the order of the questions, one each.

    `counts`: questions by status, "mapped" letters, "left_out" predictions. `notes`: what one should know.
    """

    answers: tuple[Answer, ...]
    format: str
    counts: Mapping[str, int]
    notes: tuple[str, ...]


class PredictionFile:
    """A file read but not yet matched with questions: look-up by id, or by stem in a log."""

    def __init__(self, path: str | Path, format: str | None = None, reading: Reading | None = None) -> None:
        """Reads the file. Its faults are kept in `faults`; AssayError when it can't be read at all."""
        self.path = str(path)
        self.reading = reading or Reading()
        found = Found(self.path, self.reading)
        with open_source(path) as source:
            known, first = recognise(source)
            if format is not None:
                known = format_named(format)
            known.read(source, found, first)
        self.format, self.is_log = known.name, known.log
        self.faults, self.notes, self.hint = tuple(found.faults), tuple(found.notes), found.hint
        self.predictions: Sequence[Prediction] = found.predictions
        self._named = found.lines
        self._by_id = {p.question_id: p for p in found.predictions if p.question_id is not None}
        self._by_stem: dict[str, list[Prediction]] = {}
        for prediction in found.predictions:
            if prediction.stem is not None:
                self._by_stem.setdefault(_spaced(prediction.stem), []).append(prediction)

    def names(self, question_id: str) -> bool:
        """Whether the file speaks of that id, faultily or not."""
        return question_id in self._named

    def unused(self, used: Set[int], ids: Set[str]) -> list[Prediction]:
        """Predictions that are neither among `used` (by identity) nor for one of the ids."""
        return [p for p in self.predictions if id(p) not in used and p.question_id not in ids]

    def answer(self, question: Question, tally: Counter[str]) -> tuple[Prediction, Answer] | None:
        """The prediction for the question, and its answer; None where there is none.

        Raises FaultyInput, with file and line; NotJoined where a log's item of that id is another question.
        """
        own = self._by_id.get(question.id)
        candidates = [own] if own is not None else self._by_stem.get(_spaced(question.stem), [])
        for prediction in candidates:
            try:
                return prediction, prediction.answer(question, self.reading, tally)
            except NotJoined:
                if own is not None:
                    raise
            except FaultyInput as error:
                faults = [
                    Fault(fault.what, self.path, prediction.line, question.id) for fault in error.faults
                ]
                raise FaultyInput(faults, hint=error.hint) from None
        return None


def read_predictions(
    path: str | Path,
    questions: QuestionSet,
    *,
    format: str | None = None,
    allow_missing: bool = False,
    allow_extra: bool = False,
    letters_for_digits: bool = False,
    length_normalised: bool = False,
    log_filter: str | None = None,
    epoch: int | None = None,
) -> Predictions:
    """Read predictions for a question set.

    `format`: a name of `recognise.FORMATS`; recognised from the content by default.
    `allow_missing`: a question without a prediction is unanswered instead of a fault.
    `allow_extra`: predictions for other questions are left out and counted (always so for a harness's log).
    The others: see `Reading`.
    Raises FaultyInput with every fault, by line, then AssayError for a file that can't be read.
    """
    file = PredictionFile(path, format, Reading(letters_for_digits, length_normalised, log_filter, epoch))
    return match_predictions(file, questions, allow_missing=allow_missing, allow_extra=allow_extra)


def match_predictions(
    file: PredictionFile, questions: Sequence[Question], *, allow_missing: bool, allow_extra: bool
) -> Predictions:
    """What a file that was read says to these questions. Raises FaultyInput as `read_predictions`."""
    faults, tally, hints = list(file.faults), Counter[str](), [file.hint]
    answers: list[Answer] = []
    used: set[int] = set()
    missing: list[str] = []
    unjoined: list[str] = []
    for question in questions:
        try:
            found = file.answer(question, tally)
        except FaultyInput as error:
            faults += error.faults
            hints.append(error.hint)
            continue
        except NotJoined as error:
            unjoined.append(f"{question.id}: {error}")
            found = None
        else:
            if found is None and file.names(question.id):
                continue
        if found is None:
            missing.append(question.id)
            answers.append(Answer(question.id, "unanswered"))
        else:
            used.add(id(found[0]))
            answers.append(found[1])
    extra = file.unused(used, {question.id for question in questions})
    if not (allow_extra or file.is_log):
        faults += [Fault(NO_SUCH_QUESTION, file.path, p.line, p.question_id) for p in extra]
    faults.sort(key=lambda fault: fault.line or 0)
    # Rows too broken to have an id are the likelier reason.
    explained = not file.predictions or len(missing) <= sum(f.question_id is None for f in file.faults)
    if not allow_missing and not (file.faults and explained):
        faults += [Fault(NO_PREDICTION, file.path, None, question_id) for question_id in missing]
    if faults:
        raise FaultyInput(faults, hint=next(filter(None, hints), _hint(faults)))
    notes = [*file.notes, *_notes(tally, missing, extra, unjoined)]
    counts: dict[str, int] = {status: sum(a.status == status for a in answers) for status in STATUSES}
    counts |= {"mapped": tally["mapped"], "left_out": len(extra)}
    return Predictions(tuple(answers), file.format, counts, tuple(notes))


def _spaced(text: str) -> str:
    return " ".join(text.split())


def _notes(
    tally: Counter[str], missing: Sequence[str], extra: Sequence[Prediction], unjoined: Sequence[str]
) -> list[str]:
    notes = []
    if count := tally["mapped"]:
        notes.append(f"{_many(count, 'letter')} read as the digit of that place")
    if count := tally["strangers"]:
        notes.append(
            f"{_many(count, 'reply', 'replies')} with a label that the question doesn't have: unparsed"
        )
    if count := tally["restated"]:
        notes.append(f"{_many(count, 'stated answer')} other than the highest scores say: the stated counts")
    if missing:
        notes.append(f"{_many(len(missing), 'question')} without a prediction: unanswered ({_some(missing)})")
    if extra:
        names = [prediction.question_id or f"line {prediction.line}" for prediction in extra]
        notes.append(f"{_many(len(extra), 'prediction')} for other questions left out ({_some(names)})")
    if unjoined:
        notes.append(
            f"{_many(len(unjoined), 'item')} didn't join by the texts of the choices ({unjoined[0]})"
        )
    return notes


def _many(count: int, one: str, several: str | None = None) -> str:
    return f"{count:,} {one if count == 1 else several or one + 's'}"


def _some(names: Sequence[str]) -> str:
    more = len(names) - SHOWN_IDS
    return ", ".join(names[:SHOWN_IDS]) + (f" and {more:,} more" if more > 0 else "")


def _hint(faults: Sequence[Fault]) -> str | None:
    if faults[0].what == NO_SUCH_QUESTION and faults[0].line == 1:
        return "if line 1 is a heading: the columns of a table are called id and answer"
    if all(fault.what == "empty label" for fault in faults):
        return "leave out the rows of questions without an answer, and count these with --allow-missing"
    if any(fault.what == NO_PREDICTION for fault in faults):
        return "--allow-missing counts questions without a prediction as unanswered"
    if any(fault.what == NO_SUCH_QUESTION for fault in faults):
        return "--allow-extra leaves predictions for other questions out"
    return None

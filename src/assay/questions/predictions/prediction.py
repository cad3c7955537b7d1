"""What a predictions file says to one question, before it is matched with the question itself."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from assay.errors import Fault, FaultyInput
from assay.questions.answers import answer_from_record, label_faults
from assay.questions.model import Answer, Question, ReplyEvidence
from assay.questions.predictions.replies import letters_by_place, read_reply


@dataclass(frozen=True, slots=True)
class Reading:
    """How predictions are read.

    `letters_for_digits`: on a question labelled 1, 2, 3, ... a letter stands for the digit of its place.
    `length_normalised`: a harness log's log-likelihoods are divided by the length of the choice (acc_norm).
    `log_filter`, `epoch`: which of several answers a log holds to each question.
    """

    letters_for_digits: bool = False
    length_normalised: bool = False
    log_filter: str | None = None
    epoch: int | None = None


LETTERS_HINT = "letters for digits: --letters-for-digits reads A as 1, B as 2, and so on, and counts them"


class NotJoined(Exception):
    """A log's item isn't the question it seemed to be; the message says why."""


class Prediction(Protocol):
    """`line` counts from 1; `stem` stands in for the id in logs that may know the question by another one."""

    @property
    def question_id(self) -> str | None:
        """As the file gives it, or None."""
        ...

    @property
    def line(self) -> int | None:
        """Where it stands in the file."""
        ...

    @property
    def stem(self) -> str | None:
        """The question's text, where the file has it and may be joined by it."""
        ...

    def answer(self, question: Question, reading: Reading, tally: Counter[str]) -> Answer:
        """The answer to that question; `tally` counts what the reader of the file should hear of.

        Raises FaultyInput when it can't be one, NotJoined when it isn't the question's.
        """
        ...


@dataclass(frozen=True, slots=True)
class Labels:
    """Labels by name; several share the point."""

    question_id: str
    line: int | None
    labels: tuple[str, ...]
    stem: None = None

    def answer(self, question: Question, reading: Reading, tally: Counter[str]) -> Answer:
        """Faults: no labels, an empty one, a repeated one, one that isn't the question's."""
        own = question.labels
        if len(self.labels) == 1 and self.labels[0] in own:
            return Answer(question.id, "answered", self.labels)
        labels = [label if label in own else label.strip() for label in self.labels]
        letters = letters_by_place(question)
        if reading.letters_for_digits:
            mapped = [label if label in own else letters.get(label, label) for label in labels]
            tally["mapped"] += sum(before != after for before, after in zip(labels, mapped, strict=True))
            labels = mapped
        faults = label_faults(question, labels) if labels else ["no labels"]
        if faults:
            meant = any(label in letters and label not in own for label in labels)
            hint = LETTERS_HINT if meant and not reading.letters_for_digits else None
            raise FaultyInput([Fault(what, question_id=question.id) for what in faults], hint=hint)
        return Answer(question.id, "answered", tuple(label for label in own if label in labels))


@dataclass(frozen=True, slots=True)
class WrittenReply:
    """What a model wrote, from which the label is read."""

    question_id: str
    line: int | None
    text: str
    stem: None = None

    def answer(self, question: Question, reading: Reading, tally: Counter[str]) -> Answer:
        """Never a fault: what can't be read is empty, refused or unparsed. The text is kept as evidence."""
        reply = read_reply(question, self.text, letters_for_digits=reading.letters_for_digits)
        if reply.stranger is not None:
            tally["strangers"] += 1
        kept = (ReplyEvidence(self.text),) if self.text else ()
        evidence = tuple(
            kept if not reply.chosen or label in reply.chosen else () for label in question.labels
        )
        return Answer(question.id, reply.status, reply.chosen, evidence=evidence if kept else None)


@dataclass(frozen=True, slots=True)
class OwnRecord:
    """A record of our own answers file."""

    question_id: str
    line: int | None
    record: Mapping[str, Any]
    stem: None = None

    def answer(self, question: Question, reading: Reading, tally: Counter[str]) -> Answer:
        """Faults as `answer_from_record` finds them."""
        return answer_from_record(question, self.record)


@dataclass(slots=True)
class Found:
    """Takes what a format's reader finds in one file; `hint` says what to do about its faults."""

    file: str
    reading: Reading
    predictions: list[Prediction] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    lines: dict[str, int | None] = field(default_factory=dict)
    hint: str | None = None

    def add(self, prediction: Prediction) -> None:
        """Take a prediction, or report its id as repeated."""
        name = prediction.question_id
        if name is None or self.named(name, prediction.line):
            self.predictions.append(prediction)

    def named(self, question_id: str, line: int | None) -> bool:
        """Note that the file speaks of the id; False, and a fault, if it did before."""
        if question_id in self.lines:
            first = self.lines[question_id]
            at = "" if first is None else f" (first on line {first})"
            self.fault(f"second prediction{at}", line, question_id)
            return False
        self.lines[question_id] = line
        return True

    def fault(self, what: str, line: int | None = None, question_id: str | None = None) -> None:
        """Report a fault of the file; an id in it counts as spoken of."""
        self.faults.append(Fault(what, self.file, line, question_id))
        if question_id is not None:
            self.lines.setdefault(question_id, line)

    def report(self, fault: Fault) -> None:
        """Take a fault that a reader of records made."""
        self.faults.append(fault)


def split_labels(text: str) -> tuple[str, ...]:
    """The labels of one cell, joined by ";"."""
    return tuple(text.split(";"))


def labels_of(value: Any) -> tuple[str, ...] | None:
    """Labels given as text ("A;B") or as a list of texts; None for anything else."""
    if isinstance(value, str):
        return split_labels(value)
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        return tuple(value)
    return None


def order_by_text(question: Question, texts: Sequence[str]) -> list[int]:
    """For each choice of the question, the place of its text in `texts`; white space counts as one space.

    Raises NotJoined when the texts aren't the same, however ordered.
    """
    places: dict[str, list[int]] = {}
    for place, text in enumerate(texts):
        places.setdefault(" ".join(text.split()), []).append(place)
    order = []
    for choice in question.choices:
        left = places.get(" ".join(choice.text.split()))
        if not left:
            raise NotJoined(f"choice {choice.label} ({choice.text[:40]!r}) isn't among the log's")
        order.append(left.pop(0))
    if len(order) != len(texts):
        raise NotJoined(f"{len(texts)} choices in the log, {len(order)} in the question")
    return order

"""ARC-Solvers output: the question again, with a score and the supporting sentence at each choice."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
from typing import Any

from assay.errors import Fault, FaultyInput
from assay.questions.answers import label_faults, number_in
from assay.questions.model import Answer, Question, SentenceEvidence
from assay.questions.predictions.objects import Record, id_of, objects
from assay.questions.predictions.prediction import Found, Reading
from assay.questions.sources import Source
from assay.questions.ties import choose


@dataclass(frozen=True, slots=True)
class SupportedChoices:
    """Scores and sentences by choice; `selected` is the stated answer, labels joined by ","."""

    question_id: str
    line: int
    choices: list[Any]
    selected: str | None
    stem: None = None

    def answer(self, question: Question, reading: Reading, tally: Counter[str]) -> Answer:
        """The stated answer, else the choices with the highest score.

        Faults: choices that aren't the question's, scores that are no numbers, an answer that is no label.
        """
        faults: list[str] = []
        by_label: dict[str, Record] = {}
        for choice in self.choices:
            label = choice.get("label") if isinstance(choice, dict) else None
            if not isinstance(label, str) or label not in question.labels or label in by_label:
                faults.append(f"choice label {label!r} is not one of {', '.join(question.labels)}, each once")
            else:
                by_label[label] = choice
        given = [by_label.get(label, {}) for label in question.labels]
        for own, other in zip(question.choices, given, strict=True):
            if other.get("text", own.text) != own.text:
                faults.append(
                    f"choice {own.label} is {str(other['text'])[:40]!r} here, {own.text[:40]!r} there"
                )
        scores = self._scores(question, given, faults)
        chosen: tuple[str, ...] = ()
        if self.selected is not None:
            labels = [label.strip() for label in self.selected.split(",")]
            faults += label_faults(question, labels)
            chosen = tuple(label for label in question.labels if label in labels)
        elif scores is not None and not faults:
            chosen = choose(question, scores)
        elif not faults:
            faults.append("neither selected_answers nor a score at each choice")
        if faults:
            raise FaultyInput([Fault(what, question_id=question.id) for what in faults])
        if scores is not None and chosen != choose(question, scores):
            tally["restated"] += 1
        evidence = tuple(_sentences(other.get("support")) for other in given)
        return Answer(question.id, "answered", chosen, scores, evidence if any(evidence) else None)

    def _scores(self, question: Question, given: list[Record], faults: list[str]) -> tuple[float, ...] | None:
        if not any("score" in choice for choice in given):
            return None
        scores = [number_in(choice.get("score")) for choice in given]
        for label, score in zip(question.labels, scores, strict=True):
            if score is None or math.isnan(score):
                faults.append(f"the score of choice {label} is not a number")
        return tuple(score for score in scores if score is not None)


def _sentences(support: Any) -> tuple[SentenceEvidence, ...]:
    found = []
    for piece in support if isinstance(support, list) else [support]:
        text = piece.get("text") if isinstance(piece, dict) else piece
        score = number_in(piece.get("ir_score")) if isinstance(piece, dict) else None
        if isinstance(text, str) and text:
            found.append(SentenceEvidence(text, score if score is not None else 0.0, role="premise"))
    return tuple(found)


def read_arc_solvers(source: Source, found: Found, first: str) -> None:
    """Records with id, question.choices and selected_answers."""
    for line, record in objects(source, found, first):
        name = id_of(record, line, found)
        if name is None:
            continue
        question, selected = record.get("question"), record.get("selected_answers")
        choices = question.get("choices") if isinstance(question, dict) else None
        if not isinstance(choices, list):
            found.fault("no question.choices", line, name)
        elif selected is not None and not isinstance(selected, str):
            found.fault("'selected_answers' must be labels joined by ','", line, name)
        else:
            found.add(SupportedChoices(name, line, choices, selected))

"""Assay's own answers file: one JSON object a line, scores and evidence by label."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from typing import Any

from assay.errors import AssayError, Fault, FaultyInput
from assay.questions.graphs import graph_from_record, graph_to_record
from assay.questions.model import (
    STATUSES,
    Answer,
    Evidence,
    GraphEvidence,
    PairEvidence,
    Question,
    ReplyEvidence,
    SentenceEvidence,
    Status,
)
from assay.questions.ties import choose
from assay.storage import to_json

INFINITIES = {"Infinity": math.inf, "-Infinity": -math.inf}
"""How an infinite score stands in the file, since JSON has no such number."""


def answer_to_json(question: Question, answer: Answer) -> str:
    """`answer_to_record` as one line without its line feed."""
    return to_json(answer_to_record(question, answer))


def answer_to_record(question: Question, answer: Answer) -> dict[str, Any]:
    """The answer as a JSON value: {"id", "status", "chosen", "scores", "probabilities", "evidence"}.

    "scores", "probabilities" and "evidence" map labels, in the question's order, and are left out where there
    are none. Numbers are written so that they read back to the same bits.
    Raises AssayError when a score is not a number or something isn't aligned with the question's choices.
    """
    record: dict[str, Any] = {
        "id": answer.question_id,
        "status": answer.status,
        "chosen": list(answer.chosen),
    }
    labels = question.labels
    for name in ("scores", "probabilities", "evidence"):
        values: Sequence[Any] | None = getattr(answer, name)
        if values is None:
            continue
        if len(values) != len(labels):
            raise AssayError(f"{len(values)} {name} for {len(labels)} choices", question_id=question.id)
        written = _evidence_out if name == "evidence" else _number_out
        try:
            record[name] = {label: written(value) for label, value in zip(labels, values, strict=True)}
        except ValueError:
            raise AssayError(f"{name} hold what is not a number", question_id=question.id) from None
    return record


def answer_from_json(question: Question, line: str) -> Answer:
    """The answer that `answer_to_json` wrote. Raises FaultyInput, every fault listed."""
    try:
        record = json.loads(line)
    except ValueError as error:
        raise AssayError(f"not JSON: {error}", question_id=question.id) from None
    if not isinstance(record, dict):
        raise AssayError("not a JSON object", question_id=question.id)
    if record.get("id") != question.id:
        raise AssayError(f"the answer is to {record.get('id')!r}", question_id=question.id)
    return answer_from_record(question, record)


def answer_from_record(question: Question, record: Mapping[str, Any]) -> Answer:
    """The answer in one parsed record; its "id" is the caller's to check.

    "scores", "probabilities" and "evidence" may also be lists, aligned with the choices.

    "status" may be left out where "chosen" or "scores" say it, and "chosen" where "scores" do (the tie rule
    then decides). Raises FaultyInput, every fault listed.
    """
    faults: list[str] = []
    scores = _numbers(question, record, "scores", faults)
    probabilities = _numbers(question, record, "probabilities", faults)
    if probabilities is not None and not all(0.0 <= number <= 1.0 for number in probabilities):
        faults.append("a probability lies outside 0 to 1")
    evidence = _evidence_in(question, record, faults)
    chosen = _chosen(question, record, scores, faults)
    status = _status(record, chosen, faults)
    if faults:
        raise FaultyInput([Fault(what, question_id=question.id) for what in faults])
    return Answer(question.id, status, chosen, scores, evidence, probabilities)


def label_faults(question: Question, labels: Sequence[str]) -> list[str]:
    """What is wrong with labels as a prediction for the question: empty, repeated, or not its own."""
    faults = []
    if any(not label.strip() for label in labels):
        faults.append("empty label")
    faults += [
        f"label {label} stands twice" for label in dict.fromkeys(labels) if label and labels.count(label) > 1
    ]
    faults += [
        f"{label} is not one of {', '.join(question.labels)}"
        for label in dict.fromkeys(labels)
        if label.strip() and label not in question.labels
    ]
    return faults


def _chosen(
    question: Question, record: Mapping[str, Any], scores: tuple[float, ...] | None, faults: list[str]
) -> tuple[str, ...]:
    value = record.get("chosen")
    if value is None:
        if record.get("status") in (None, "answered") and scores is not None:
            return choose(question, scores)
        return ()
    if not isinstance(value, list) or not all(isinstance(label, str) for label in value):
        faults.append("'chosen' must be a list of labels")
        return ()
    wrong = label_faults(question, value)
    faults += wrong
    return () if wrong else tuple(label for label in question.labels if label in value)


def _status(record: Mapping[str, Any], chosen: tuple[str, ...], faults: list[str]) -> Status:
    value = record.get("status")
    value = "answered" if value is None else value
    for status in STATUSES:
        if value == status:
            if status == "answered" and not chosen and not faults:
                faults.append("answered, but nothing is chosen")
            if status != "answered" and chosen:
                faults.append(f"{status}, but {';'.join(chosen)} is chosen")
            return status
    faults.append(f"'status' must be one of {', '.join(STATUSES)}, got {_short(value)}")
    return "answered"


def _by_label(
    question: Question, record: Mapping[str, Any], name: str, faults: list[str]
) -> list[Any] | None:
    value = record.get(name)
    if value is None:
        return None
    if isinstance(value, list) and len(value) == len(question.labels):
        return value
    if not isinstance(value, dict):
        faults.append(f"'{name}' must map each label, got {_short(value)}")
        return None
    missing = [label for label in question.labels if label not in value]
    unknown = [label for label in value if label not in question.labels]
    faults += [f"'{name}' lacks choice {label}" for label in missing]
    faults += [f"'{name}' names {label}, not one of {', '.join(question.labels)}" for label in unknown]
    return None if missing or unknown else [value[label] for label in question.labels]


def _numbers(
    question: Question, record: Mapping[str, Any], name: str, faults: list[str]
) -> tuple[float, ...] | None:
    values = _by_label(question, record, name, faults)
    if values is None:
        return None
    numbers: list[float] = []
    for label, value in zip(question.labels, values, strict=True):
        number = number_in(value)
        if number is None or math.isnan(number):
            faults.append(f"{name}: the one of choice {label} is not a number")
        else:
            numbers.append(number)
    return tuple(numbers) if len(numbers) == len(values) else None


def number_in(value: Any) -> float | None:
    """A JSON number, or one of INFINITIES by name, as a float; None where it is neither."""
    if isinstance(value, str):
        return INFINITIES.get(value)
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    try:
        return float(value)
    except OverflowError:
        return math.inf if value > 0 else -math.inf


def _number_out(value: float) -> float | str:
    if math.isnan(value):
        raise ValueError
    if math.isinf(value):
        return "Infinity" if value > 0 else "-Infinity"
    return float(value)


def _evidence_out(pieces: Sequence[Evidence]) -> list[dict[str, Any]]:
    return [_piece_out(piece) for piece in pieces]


def _piece_out(piece: Evidence) -> dict[str, Any]:
    match piece:
        case SentenceEvidence():
            record: dict[str, Any] = {"sentence": piece.text, "score": _number_out(piece.score)}
            if piece.sentence_id is not None:
                record["sentence_id"] = int(piece.sentence_id)
            if piece.source is not None:
                record["source"] = piece.source
            record["role"] = piece.role
            return record if piece.partner is None else {**record, "partner": int(piece.partner)}
        case PairEvidence():
            return {"x": piece.x, "y": piece.y, "pmi": _number_out(piece.pmi), "count": int(piece.count)}
        case ReplyEvidence():
            return {"reply": piece.text}
        case GraphEvidence():
            return {"graph": graph_to_record(piece), "score": _number_out(piece.score)}


def _evidence_in(
    question: Question, record: Mapping[str, Any], faults: list[str]
) -> tuple[tuple[Evidence, ...], ...] | None:
    values = _by_label(question, record, "evidence", faults)
    if values is None:
        return None
    read: list[tuple[Evidence, ...]] = []
    for label, pieces in zip(question.labels, values, strict=True):
        known = [_piece_in(piece) for piece in pieces] if isinstance(pieces, list) else [None]
        if None in known:
            faults.append(f"the evidence of choice {label} can't be read")
        read.append(tuple(piece for piece in known if piece is not None))
    return tuple(read)


def _piece_in(piece: Any) -> Evidence | None:
    match piece:
        case {"sentence": str(text), "score": score}:
            number, sentence_id = number_in(score), piece.get("sentence_id")
            source, role, partner = piece.get("source"), piece.get("role", "best"), piece.get("partner")
            known_id = _is_id(sentence_id) and _is_id(partner)
            known_source = source is None or isinstance(source, str)
            if (
                number is None
                or math.isnan(number)
                or not known_id
                or not known_source
                or not isinstance(role, str)
            ):
                return None
            return SentenceEvidence(text, number, sentence_id, source, role, partner)
        case {"x": str(x), "y": str(y), "pmi": pmi, "count": int(count)}:
            number = number_in(pmi)
            return None if number is None or math.isnan(number) else PairEvidence(x, y, number, count)
        case {"reply": str(text)}:
            return ReplyEvidence(text)
        case {"graph": graph, "score": score}:
            number = number_in(score)
            return None if number is None or math.isnan(number) else graph_from_record(graph, number)
    return None


def _is_id(value: Any) -> bool:
    return value is None or (isinstance(value, int) and not isinstance(value, bool))


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."

"""The rules and exit codes of the AI2 leaderboard's evaluator, with errors that say where and what."""

from __future__ import annotations

import csv
import json
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from assay.errors import AssayError, Fault, FaultyInput
from assay.text_files import read_text

KEY_FILE = (
    "answers are {'id', 'answerKey'} a line, or ARC or QASC questions: assay convert FILE --to arc-jsonl"
)
ANSWERS_MALFORMED, PREDICTIONS_MALFORMED, PREDICTIONS_EXTRA, PREDICTIONS_MISSING = 1, 2, 3, 4


class LeaderboardError(FaultyInput):
    """A submission or key file that can't be scored; `exit_status` is the evaluator's."""

    def __init__(self, faults: Sequence[Fault], exit_status: int, *, hint: str | None = None) -> None:
        super().__init__(faults, hint=hint)
        self.exit_status = exit_status


@dataclass(frozen=True, slots=True)
class Key:
    """An answer key and, where the file gives them, the labels that may be chosen."""

    answer: str
    labels: tuple[str, ...] | None


def _lines(path: str | Path, exit_status: int) -> list[str]:
    try:
        lines = read_text(path).split("\n")
    except AssayError as error:
        raise LeaderboardError(error.faults, exit_status) from None
    return lines[:-1] if lines[-1] == "" else lines


def read_keys(path: str | Path) -> dict[str, Key]:
    """Keys by id from a JSON-lines file: {"id", "answerKey"} a line, or whole ARC or QASC questions.

    Raises LeaderboardError (1), every fault listed.
    """
    keys: dict[str, Key] = {}
    faults = []
    for number, line in enumerate(_lines(path, ANSWERS_MALFORMED), 1):
        try:
            question_id, key = _key(json.loads(line))
        except (ValueError, RecursionError) as error:
            faults.append(Fault(_reason(error), str(path), number))
            continue
        if question_id in keys:
            faults.append(Fault("id appears a second time", str(path), number, question_id))
        keys[question_id] = key
    if not keys and not faults:
        faults.append(Fault("no answers", str(path)))
    if faults:
        raise LeaderboardError(faults, ANSWERS_MALFORMED, hint=KEY_FILE)
    return keys


def _reason(error: Exception) -> str:
    return "not JSON" if isinstance(error, (json.JSONDecodeError, RecursionError)) else str(error)


def _key(record: Any) -> tuple[str, Key]:
    if not isinstance(record, dict):
        raise ValueError("not a JSON object")
    for field in ("id", "answerKey"):
        if not isinstance(record.get(field), str) or not record[field]:
            raise ValueError(f'no "{field}"')
    try:
        labels = tuple(str(choice["label"]) for choice in record["question"]["choices"])
    except (KeyError, TypeError):
        return record["id"], Key(record["answerKey"], None)
    if record["answerKey"] not in labels:
        raise ValueError(f"answer key {record['answerKey']} is not one of {', '.join(labels)}")
    return record["id"], Key(record["answerKey"], labels)


def read_submission(path: str | Path, keys: dict[str, Key]) -> dict[str, tuple[str, ...]]:
    """Chosen labels by id from `id,A;B` rows without a heading; one row a line.

    Raises LeaderboardError (2), every fault listed: no two columns, an id or label that is empty, an id or a
    label in one answer twice, and, where the key file has the choices, a label that is none of them.
    """
    chosen: dict[str, tuple[str, ...]] = {}
    first: dict[str, int] = {}
    faults = []
    for number, line in enumerate(_lines(path, PREDICTIONS_MALFORMED), 1):
        try:
            cells = next(csv.reader([line.removesuffix("\r")], strict=True), [])
        except csv.Error as error:
            faults.append(Fault(f"no CSV row: {error}", str(path), number))
            continue
        if len(cells) != 2:
            faults.append(Fault(f"{len(cells)} columns where id and labels are due", str(path), number))
            continue
        question_id, labels = cells[0], tuple(cells[1].split(";"))
        what = "no id" if not question_id else _label_fault(labels, keys.get(question_id))
        if question_id in first:
            what = f"second prediction (first on line {first[question_id]})"
        if what:
            faults.append(Fault(what, str(path), number, question_id or None))
        first.setdefault(question_id, number)
        chosen[question_id] = labels
    if faults:
        raise LeaderboardError(faults, PREDICTIONS_MALFORMED)
    return chosen


def _label_fault(labels: tuple[str, ...], key: Key | None) -> str | None:
    if not all(labels):
        return "empty label"
    for label in labels:
        if labels.count(label) > 1:
            return f"label {label} stands twice"
        if key is not None and key.labels is not None and label not in key.labels:
            return f"{label} is not one of {', '.join(key.labels)}"
    return None


def leaderboard_accuracy(answers: str | Path, predictions: str | Path) -> float:
    """Accuracy in [0, 1] of a submission: 1/k for k labels that include the key.

    Raises LeaderboardError with the evaluator's exit status: 1 answers malformed, 2 predictions malformed,
    4 predictions missing, 3 predictions for no question (looked for in this order).
    """
    keys = read_keys(answers)
    chosen = read_submission(predictions, keys)
    where = str(predictions)
    missing = [Fault("no prediction", where, None, name) for name in keys if name not in chosen]
    if missing:
        hint = f"expected {len(keys):,} predictions, got {len(keys) - len(missing):,}"
        raise LeaderboardError(missing, PREDICTIONS_MISSING, hint=hint)
    extra = [Fault("no such question", where, None, name) for name in chosen if name not in keys]
    if extra:
        raise LeaderboardError(extra, PREDICTIONS_EXTRA)
    right = [chosen[name] for name, key in keys.items() if key.answer in chosen[name]]
    total = sum((Fraction(1, len(labels)) for labels in right), Fraction(0))
    return float(total / len(keys))

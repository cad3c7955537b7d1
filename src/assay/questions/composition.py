"""How a question composes its two facts (Khot et al. 2020, section 4): labels by people, read and kept."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from assay.errors import AssayError, Fault, FaultyInput
from assay.questions.model import Question, QuestionSet
from assay.questions.tags import table_rows

RELATIONS = ("rQ", "rS", "rL")
BRIDGE, NAMES_BOTH = "bridge", "names_both"
COLUMNS = (*RELATIONS, BRIDGE, NAMES_BOTH)
"""The question's relation, the seed fact's, the other fact's; the concept between; whether the question names
both of the facts' relations."""
_TRUTH = {"yes": True, "true": True, "1": True, "no": False, "false": False, "0": False}


@dataclass(frozen=True, slots=True)
class Composition:
    """One question's labels, None where one isn't given: rS and rL compose to rQ over the bridge."""

    rQ: str | None = None
    rS: str | None = None
    rL: str | None = None
    bridge: str | None = None
    names_both: bool | None = None

    @property
    def rule(self) -> str | None:
        """ "located + causes => causes", or None where a relation is missing."""
        if self.rQ is None or self.rS is None or self.rL is None:
            return None
        return f"{self.rS} + {self.rL} => {self.rQ}"


def composition(question: Question) -> Composition | None:
    """The labels in a question's tags or metadata, under the names of COLUMNS; None: there are none.

    Raises FaultyInput for several labels of one kind, or a names_both that is neither yes nor no.
    """
    given: dict[str, Any] = {}
    for column in COLUMNS:
        value: Any = question.tags.get(column) or question.metadata.get(column)
        if isinstance(value, (list, tuple)):
            if len(value) > 1:
                raise FaultyInput([question.fault(f"{len(value)} labels of {column}: one is due")])
            value = value[0] if value else None
        text = "" if value is None else str(value).strip()
        if text:
            given[column] = text
    if not given:
        return None
    if NAMES_BOTH in given:
        said = given[NAMES_BOTH].lower()
        if said not in _TRUTH:
            raise FaultyInput([question.fault(f"{NAMES_BOTH} must be yes or no. Got {said!r}")])
        given[NAMES_BOTH] = _TRUTH[said]
    return Composition(**given)


@dataclass(frozen=True, slots=True)
class LabelFile:
    """Labels by question id: what the file says of each, by column; empty cells are left out."""

    file: str
    columns: tuple[str, ...]
    by_id: Mapping[str, Mapping[str, str | bool]]


def read_labels(path: str | Path) -> LabelFile:
    """Read a tab-separated table: the question's id, then any of the columns rQ, rS, rL, bridge, names_both.

    Raises FaultyInput naming file and line for an unknown column, a names_both that is neither yes nor no, or
    a row out of shape; AssayError for a file that can't be read.
    """
    heading, rows = table_rows(path)
    columns, file = tuple(heading[1:]), str(path)
    unknown = [name for name in columns if name not in COLUMNS]
    if unknown:
        faults = [Fault(f"no label is called {name}", file, 1) for name in unknown]
        raise FaultyInput(faults, hint="the columns after the id: " + ", ".join(COLUMNS))
    by_id: dict[str, dict[str, str | bool]] = {}
    faults = []
    for line, cells in rows:
        labels: dict[str, str | bool] = {}
        for name, cell in zip(columns, (cell.strip() for cell in cells[1:]), strict=True):
            if name == NAMES_BOTH and cell and cell.lower() not in _TRUTH:
                faults.append(Fault(f"{NAMES_BOTH} must be yes or no. Got {cell!r}", file, line, cells[0]))
            elif cell:
                labels[name] = _TRUTH[cell.lower()] if name == NAMES_BOTH else cell
        by_id[cells[0]] = labels
    if faults:
        raise FaultyInput(faults)
    return LabelFile(file, columns, by_id)


def with_labels(questions: Iterable[Question], labels: LabelFile) -> tuple[QuestionSet, tuple[str, ...]]:
    """The questions with a file's labels in their metadata (over labels they had), and what didn't meet.

    Raises AssayError when no row is about any of the questions.
    """
    labelled, met = [], 0
    for question in questions:
        found = labels.by_id.get(question.id)
        if found:
            met += 1
            tags = {kind: of for kind, of in question.tags.items() if kind not in found}
            question = replace(question, metadata={**question.metadata, **found}, tags=tags)
        labelled.append(question)
    if labelled and not met:
        raise AssayError("no row is about any of these questions", file=labels.file)
    notes = [f"{labels.file}: labels of {met:,} of {len(labelled):,} questions"]
    if len(labels.by_id) > met:
        notes.append(f"{labels.file}: {len(labels.by_id) - met:,} rows are about other questions, or empty")
    return QuestionSet(labelled), tuple(notes)

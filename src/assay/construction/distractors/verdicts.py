"""The human-check list: how it is written, and how it comes back with verdicts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from assay.construction.distractors.also_right import Suspicion
from assay.construction.distractors.sameness import plain
from assay.construction.distractors.similarity import key_text, source_facts
from assay.errors import AssayError, Fault, FaultyInput
from assay.questions.formats.containers import read_head, records_of
from assay.questions.formats.format import Log
from assay.questions.sources import open_source
from assay.scoring.export import Cell, csv_table, safe_text

VERDICTS = ("", "wrong", "right", "unclear", "drop")
"""Nobody looked; a distractor as it should be; right as well; can't be told; the question is no good."""
COLUMNS = (
    *("id", "text", "verdict", "stem", "key", "label", "source", "reasons", "difference", "preferred_by"),
    *("in_facts", "near_key", "facts", "sentence"),
)


@dataclass(frozen=True, slots=True)
class Verdicts:
    """What people said: by question and plain text the verdict, and questions to be left out."""

    said: Mapping[tuple[str, str], str]
    dropped: frozenset[str]

    @property
    def rejected(self) -> dict[str, set[str]]:
        """Question id to the plain texts that can't be its distractors: right as well, or unclear."""
        found: dict[str, set[str]] = {}
        for (question_id, text), verdict in self.said.items():
            if verdict in ("right", "unclear"):
                found.setdefault(question_id, set()).add(text)
        return found


NO_VERDICTS = Verdicts({}, frozenset())


def list_records(suspicions: Iterable[Suspicion], verdicts: Verdicts) -> list[dict[str, Any]]:
    """The list's records, those that nobody has looked at first; keys as COLUMNS."""
    records = [_record(one, verdicts) for one in suspicions]
    return sorted(records, key=lambda record: record["verdict"] != "")


def _record(one: Suspicion, verdicts: Verdicts) -> dict[str, Any]:
    judged, candidate = one.placed.judged, one.placed.candidate
    return {
        "id": one.question.id,
        "text": one.placed.choice.text,
        "verdict": verdicts.said.get((one.question.id, plain(one.placed.choice.text)), ""),
        "stem": one.question.stem,
        "key": key_text(one.question),
        "label": one.placed.choice.label,
        "source": None if candidate is None else candidate.source,
        "reasons": list(one.reasons),
        "difference": round(judged.difference, 4),
        "preferred_by": list(judged.preferred_by),
        "in_facts": None if one.in_facts is None else round(one.in_facts, 4),
        "near_key": one.near_key,
        "facts": list(source_facts(one.question)),
        "sentence": one.sentence,
    }


def table(records: Iterable[Mapping[str, Any]]) -> str:
    """The list as CSV, lists joined by "; ", and no cell that a spreadsheet would run as a formula."""

    def cell(value: Any) -> Cell:
        return "; ".join(value) if isinstance(value, list) else value

    return csv_table(COLUMNS, ([cell(record[name]) for name in COLUMNS] for record in records))


def read_verdicts(paths: Sequence[str | Path], known: Iterable[str]) -> Verdicts:
    """The verdicts of lists that came back (csv, tsv, JSON lines), by the columns id, text and verdict.

    A later file's verdict replaces an earlier one's; an empty one says nothing. `known`: the questions' ids.
    Raises FaultyInput, every fault listed: an unknown verdict or id, two verdicts on one choice in a file.
    """
    said: dict[tuple[str, str], str] = {}
    dropped: set[str] = set()
    ids = frozenset(known)
    for path in paths:
        own: dict[tuple[str, str], str] = {}
        with open_source(path) as source:
            log = Log(source.name)
            kind = read_head(source).kind
            for line, record in records_of(source, kind, log)():
                if kind in ("csv", "tsv"):
                    record = {name: _unguarded(value) for name, value in record.items()}
                _take(record, line, ids, own, log)
            if log.faults:
                raise FaultyInput(log.faults, hint=f"verdicts are {', '.join(VERDICTS[1:])}, or empty")
        said.update(own)
    dropped.update(question_id for (question_id, _), verdict in said.items() if verdict == "drop")
    return Verdicts(said, frozenset(dropped))


def _unguarded(value: Any) -> Any:
    """A cell without the apostrophe that `table` led it by."""
    if isinstance(value, str) and value.startswith("'") and safe_text(value[1:]) == value:
        return value[1:]
    return value


def _take(
    record: Mapping[str, Any],
    line: int,
    ids: frozenset[str],
    own: dict[tuple[str, str], str],
    log: Log,
) -> None:
    lacking = [name for name in ("id", "text", "verdict") if not isinstance(record.get(name), str)]
    if lacking:
        log.report(Fault(f"no {' and no '.join(lacking)}: this is no human-check list", log.file, line))
        return
    question_id, verdict = record["id"], record["verdict"].strip().casefold()
    if not verdict:
        return
    place = question_id, plain(record["text"])
    if verdict not in VERDICTS:
        log.fault(f"no verdict is called {record['verdict']!r}", line, question_id)
    elif question_id not in ids:
        log.fault("no such question", line, question_id)
    elif own.get(place, verdict) != verdict:
        log.fault(f"two verdicts on one choice: {own[place]} and {verdict}", line, question_id)
    else:
        own[place] = verdict


def check_any(verdicts: Verdicts, paths: Sequence[str | Path]) -> None:
    """Raises AssayError when lists were given and nobody wrote a verdict into them."""
    if paths and not verdicts.said:
        raise AssayError("holds no verdict", file=paths[0], hint=f"fill in: {', '.join(VERDICTS[1:])}")

"""Which format a predictions file has, from its first line."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from assay.compression import DamagedStream
from assay.errors import AssayError
from assay.questions.predictions.arc_solvers import read_arc_solvers
from assay.questions.predictions.inspect_log import read_inspect
from assay.questions.predictions.json_map import read_json_map
from assay.questions.predictions.jsonl import FIELDS, OWN_FIELDS, read_answers, read_jsonl
from assay.questions.predictions.lm_eval import read_lm_eval
from assay.questions.predictions.prediction import Found
from assay.questions.predictions.tables import delimiter_of, is_header, read_leaderboard, read_table
from assay.questions.sources import Source

_HEAD_BYTES = 1 << 20
_RESULTS = re.compile(r'\A\s*\{\s*"results"\s*:\s*\{')
_INSPECT = re.compile(
    r'\A\s*\{\s*"(?:version|status|eval)"\s*:.*"(?:eval|plan|results|samples)"\s*:', re.DOTALL
)


@dataclass(frozen=True, slots=True)
class PredictionFormat:
    """A format's name, what it is, and its reader (source, where to put what is found, first line).

    `log`: a harness's own record of a run, whose items may be other questions than those asked about.
    """

    name: str
    about: str
    read: Callable[[Source, Found, str], None]
    log: bool = False


FORMATS = (
    PredictionFormat("leaderboard", "rows id,A;B without a header", read_leaderboard),
    PredictionFormat(
        "table", "CSV or TSV with the columns id and answer (or pred, label, output)", read_table
    ),
    PredictionFormat("json", "one JSON object {id: label}", read_json_map),
    PredictionFormat("jsonl", "JSON lines with id and pred, answer or output", read_jsonl),
    PredictionFormat("answers", "Assay's own answers file", read_answers),
    PredictionFormat("arc-solvers", "ARC-Solvers: a score and support at each choice", read_arc_solvers),
    PredictionFormat("lm-eval", "a sample log of lm-evaluation-harness", read_lm_eval, log=True),
    PredictionFormat("inspect", "an Inspect log as .json", read_inspect, log=True),
)


def format_named(name: str) -> PredictionFormat:
    """Raises AssayError for an unknown name."""
    for known in FORMATS:
        if known.name == name:
            return known
    names = ", ".join(known.name for known in FORMATS)
    raise AssayError(f"no predictions format {name!r}", hint=f"one of {names}")


def recognise(source: Source) -> tuple[PredictionFormat, str]:
    """The format and the first line that isn't blank. Raises AssayError for an empty or a binary file."""
    try:
        start = source.open().read(_HEAD_BYTES)
    except DamagedStream as error:
        raise AssayError(str(error), file=source.name) from None
    head = start.removeprefix(b"\xef\xbb\xbf").decode("utf-8", errors="replace")
    if head.startswith("PK\x03\x04"):
        hint = "an Inspect .eval log? inspect log convert --to json makes it readable"
        raise AssayError("a zip archive, not predictions", file=source.name, hint=hint)
    if _RESULTS.match(head):
        hint = "predictions are in the samples_*.jsonl beside it (--log_samples)"
        raise AssayError("scores of lm-evaluation-harness, not predictions", file=source.name, hint=hint)
    filled = [line for line in head.split("\n") if line.strip()]
    if not filled:
        raise AssayError("no predictions: the file is empty", file=source.name)
    return format_named(_named(head, filled)), filled[0]


def _named(head: str, filled: list[str]) -> str:
    first = filled[0].strip()
    if first.startswith("["):
        after = head.lstrip().removeprefix("[").lstrip()
        return _of_record(_value(after)) or "jsonl"
    if not first.startswith("{"):
        cells = [cell.strip().strip('"') for cell in first.split(delimiter_of(first))]
        return "table" if is_header(cells) else "leaderboard"
    if _INSPECT.match(head):
        return "inspect"
    record = _value(first)
    known = _of_record(record)
    if known is not None:
        return known
    # Not a whole object on its line, or one of several.
    several = len(filled) > 1 and filled[1].lstrip().startswith("{")
    return "jsonl" if several or re.match(r'\{\s*"id"\s*:', first) else "json"


def _value(text: str) -> Any:
    """The JSON value that a text begins with, or None."""
    try:
        value, _ = json.JSONDecoder().raw_decode(text)
    except (ValueError, RecursionError):
        return None
    return value


def _of_record(record: Any) -> str | None:
    """The format of one record, where its fields tell."""
    if not isinstance(record, dict):
        return None
    if isinstance(record.get("doc"), dict) or "filtered_resps" in record:
        return "lm-eval"
    named = "id" in record or "question_id" in record
    if named and any(field in record for field in OWN_FIELDS):
        return "answers"
    if named and isinstance(record.get("question"), dict):
        return "arc-solvers"
    return "jsonl" if named and any(field in record for field in FIELDS) else None

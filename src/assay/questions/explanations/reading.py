"""Reading files of explanations; which format it is, their content tells."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from assay.compression import DamagedStream
from assay.errors import AssayError, Fault, FaultyInput
from assay.questions.explanations.entailment_bank import START, entailment_bank
from assay.questions.explanations.explanation import Explanations
from assay.questions.explanations.worldtree import is_worldtree, sentence_texts, worldtree
from assay.questions.records import BadJson, lines, parse_json
from assay.questions.sources import Source, open_source

KNOWN = (
    "WorldTree's JSON object of questions by id, or EntailmentBank's lines; the facts that questions carry "
    "themselves need no file"
)


def read_explanations(path: str | Path, sentences: str | Path | None = None) -> Explanations:
    """The explanations of a WorldTree or EntailmentBank file, plain or compressed.

    `sentences`: for WorldTree, a file that is one JSON object of texts by sentence id. Raises FaultyInput
    with every fault and its line (or question id), AssayError when a file can't be read, is of another kind,
    or holds no explanation.
    """
    with open_source(path) as source:
        head = _head(source)
        if head.startswith(START):
            found = entailment_bank(_lines(source), source.name)
        elif head.startswith("{"):
            record = _json(source)
            if not is_worldtree(record):
                raise AssayError("no file of explanations", file=source.name, hint=KNOWN)
            texts = None if sentences is None else _texts(sentences)
            found = worldtree(record, source.name, texts, None if sentences is None else str(sentences))
        else:
            raise AssayError("no file of explanations", file=source.name, hint=KNOWN)
    if not found.explanations:
        # Its notes begin with the file, as an error does.
        said = [note.removeprefix(f"{source.name}: ") for note in found.notes]
        raise AssayError("; ".join(said) or "holds no explanation", file=source.name)
    return found


def _head(source: Source) -> str:
    try:
        return source.open().read(4096).decode("utf-8-sig", errors="replace").lstrip()
    except DamagedStream as error:
        raise AssayError(str(error), file=source.name) from None


def _lines(source: Source) -> list[tuple[int, str]]:
    """All lines. Raises FaultyInput for what isn't UTF-8, or is cut off."""
    faults: list[Fault] = []
    found = list(lines(source, faults.append))
    if faults:
        raise FaultyInput(faults)
    return found


def _json(source: Source) -> Any:
    text = "\n".join(line for _, line in _lines(source))
    try:
        return parse_json(text)
    except BadJson as error:
        raise AssayError(str(error), file=source.name, hint=KNOWN) from None


def _texts(path: str | Path) -> dict[str, str]:
    with open_source(path) as source:
        try:
            return sentence_texts(_json(source), source.name)
        except AssayError as error:
            raise AssayError(error.faults[0].what, file=source.name,
                             hint="one JSON object of texts by sentence id") from None  # fmt: skip

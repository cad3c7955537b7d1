"""From a block of an input to records: text, source, document and line of each, and what is faulty."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import compress, repeat
from typing import Any

from assay.corpus.inputs import (
    DOCUMENT_FIELDS,
    SOURCE_FIELDS,
    TEXT_FIELDS,
    Block,
    Columns,
    Reading,
)
from assay.corpus.rules import Cleaning
from assay.errors import Fault
from assay.text.sentences import paragraphs, sentences

MAX_FAULTS = 20
"""So many faults are listed; a corpus in the wrong encoding has one on every line."""
SURROGATES = dict.fromkeys(range(0xD800, 0xE000), "\ufffd")


@dataclass
class Records:
    """Aligned columns of what a block holds; `counts` and `faults` are those of the reading rules."""

    texts: list[str]
    sources: list[str]
    documents: list[str]
    lines: list[int]
    counts: Counter[str] = field(default_factory=Counter)
    faults: list[Fault] = field(default_factory=list)

    def select(self, kept: Sequence[bool]) -> None:
        """Keep only the records marked true."""
        self.texts = list(compress(self.texts, kept))
        self.narrow(kept)

    def narrow(self, kept: Sequence[bool]) -> None:
        """The same for every column but the texts."""
        self.sources = list(compress(self.sources, kept))
        self.documents = list(compress(self.documents, kept))
        self.lines = list(compress(self.lines, kept))


class _Faulty(Exception):
    """A record that can't be read, and why."""


def read_block(block: Block, reading: Reading, cleaning: Cleaning, language: str) -> Records:
    """The records of `block`; faulty ones are listed, or dropped and counted under "drop-faulty"."""
    records = Records([], [], [], [])
    if block.rows is not None:
        _read_rows(block, block.rows, records, cleaning)
    else:
        text = _decode(block, records, cleaning)
        if block.columns is not None:
            _read_tsv(block, text, records, block.columns, cleaning)
        elif block.input.format == "jsonl":
            _read_json(block, text, records, reading, cleaning)
        else:
            _read_text(block, text, records, reading)
    if reading.split != "none":
        _split(block, records, reading, language)
    return records


def _lines(text: str) -> list[str]:
    found = text.split("\n")
    if found[-1] == "":
        found.pop()
    return found


def _decode(block: Block, records: Records, cleaning: Cleaning) -> str:
    data = block.data.replace(b"\r\n", b"\n") if b"\r\n" in block.data else block.data
    if data.endswith(b"\r"):
        data = data[:-1]
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        pass
    if "replace-invalid" in cleaning:
        lines = data.split(b"\n")
        texts = [line.decode("utf-8", errors="replace") for line in lines]
        records.counts["replace-invalid"] += sum(
            text.encode("utf-8") != line for text, line in zip(texts, lines, strict=True)
        )
        return "\n".join(texts)
    for number, line in enumerate(data.split(b"\n"), block.line):
        try:
            line.decode("utf-8")
        except UnicodeDecodeError as error:
            what = f"not UTF-8: byte 0x{line[error.start]:02x} at place {error.start + 1} of the line"
            records.faults.append(Fault(what, block.input.name, number))
            if len(records.faults) >= MAX_FAULTS:
                break
    return ""


def _read_text(block: Block, text: str, records: Records, reading: Reading) -> None:
    if reading.split == "paragraphs":
        for line, part in paragraphs(text):
            records.texts.append(part)
            records.lines.append(block.line + line)
    else:
        records.texts = _lines(text)
        records.lines = list(range(block.line, block.line + len(records.texts)))
    records.sources = [block.input.source] * len(records.texts)
    records.documents = ["" if reading.split == "none" else block.input.name] * len(records.texts)


def _read_tsv(block: Block, text: str, records: Records, columns: Columns, cleaning: Cleaning) -> None:
    rows = _lines(text)
    records.lines = list(range(block.line, block.line + len(rows)))
    widths = [tabs + 1 for tabs in map(str.count, rows, repeat("\t"))]
    if widths.count(columns.width) != len(rows):
        for number, width in zip(records.lines, widths, strict=True):
            if width != columns.width:
                _say(
                    block,
                    number,
                    f"{width} columns where the first line has {columns.width}",
                    records,
                    cleaning,
                )
        whole = [width == columns.width for width in widths]
        rows, records.lines = list(compress(rows, whole)), list(compress(records.lines, whole))
    # One flat list of cells instead of a list a row: every width-th is of the same column.
    cells = "\t".join(rows).split("\t") if rows else []
    records.texts = cells[columns.text :: columns.width]
    if columns.source is None:
        records.sources = [block.input.source] * len(rows)
    else:
        records.sources = [source or block.input.source for source in cells[columns.source :: columns.width]]
    if columns.document is None:
        records.documents = [""] * len(rows)
    else:
        records.documents = cells[columns.document :: columns.width]


def _read_json(block: Block, text: str, records: Records, reading: Reading, cleaning: Cleaning) -> None:
    parse = _json_parser(reading)
    by_default = block.input.source
    for number, line in enumerate(_lines(text), block.line):
        try:
            sentence, source, document = parse(line)
        except _Faulty as fault:
            _say(block, number, str(fault), records, cleaning)
            continue
        records.texts.append(_encodable(sentence, block, number, records, cleaning))
        records.sources.append(source or by_default)
        records.documents.append(document)
        records.lines.append(number)


def _read_rows(
    block: Block, rows: tuple[list[Any], list[Any], list[Any]], records: Records, cleaning: Cleaning
) -> None:
    texts, sources, documents = rows
    for at, text in enumerate(texts):
        try:
            if not isinstance(text, str):
                raise _Faulty(
                    "the text is null" if text is None else f"the text is no string but {text!r:.40}"
                )
            source = _name(sources[at], "source") if sources else None
            document = (_name(documents[at], "document") if documents else None) or ""
        except _Faulty as fault:
            _say(block, block.line + at, str(fault), records, cleaning)
            continue
        records.texts.append(text)
        records.sources.append(source or block.input.source)
        records.documents.append(document)
        records.lines.append(block.line + at)


def _say(block: Block, line: int, what: str, records: Records, cleaning: Cleaning) -> None:
    if "drop-faulty" in cleaning:
        records.counts["drop-faulty"] += 1
    elif len(records.faults) < MAX_FAULTS:
        records.faults.append(Fault(what, block.input.name, line))


def _encodable(text: str, block: Block, line: int, records: Records, cleaning: Cleaning) -> str:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        pass
    else:
        return text
    if "replace-invalid" in cleaning:
        records.counts["replace-invalid"] += 1
    else:
        records.faults.append(Fault("the text holds a lone surrogate", block.input.name, line))
    return text.translate(SURROGATES)


def _json_parser(reading: Reading) -> Callable[[str], tuple[str, str | None, str]]:
    text_fields = TEXT_FIELDS if reading.text is None else (reading.text,)
    source_fields = SOURCE_FIELDS if reading.source is None else (reading.source,)
    document_fields = DOCUMENT_FIELDS if reading.document is None else (reading.document,)

    def parse(line: str) -> tuple[str, str | None, str]:
        try:
            record = json.loads(line, object_pairs_hook=_no_repeats)
        except (ValueError, RecursionError) as error:
            raise _Faulty(f"no JSON: {error}") from None
        if not isinstance(record, dict):
            raise _Faulty("no JSON object")
        text = _first(record, text_fields)
        if not isinstance(text, str):
            names = " or ".join(text_fields)
            raise _Faulty(f"no field {names}" if text is None else f"field {names} is no string")
        source = _name(_first(record, source_fields), "source")
        return text, source, _name(_first(record, document_fields), "document") or ""

    return parse


def _no_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    record = dict(pairs)
    if len(record) != len(pairs):
        repeated = next(key for key, count in Counter(key for key, _ in pairs).items() if count > 1)
        raise ValueError(f"the key {repeated!r} stands twice")
    return record


def _first(record: dict[str, Any], names: Sequence[str]) -> Any:
    return next((record[name] for name in names if record.get(name) is not None), None)


def _name(value: Any, what: str) -> str | None:
    if value is None:
        return None
    if isinstance(value, str):
        return value.translate(SURROGATES) if not value.isascii() else value
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    raise _Faulty(f"field {what} is no string but {value!r:.40}")


def _split(block: Block, records: Records, reading: Reading, language: str) -> None:
    whole = Records([], [], [], [])
    for text, source, document, line in zip(
        records.texts, records.sources, records.documents, records.lines, strict=True
    ):
        parts = paragraphs(text) if reading.split == "paragraphs" else enumerate(text.split("\n"))
        for _, part in parts:
            found = sentences(part, language)
            whole.texts += found
            whole.sources += [source] * len(found)
            whole.documents += [document] * len(found)
            whole.lines += [line] * len(found)
    records.texts, records.sources = whole.texts, whole.sources
    records.documents, records.lines = whole.documents, whole.lines

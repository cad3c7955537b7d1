"""What questions come in: JSON lines, a JSON list, cells, Parquet. All come out as records."""

from __future__ import annotations

import math
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from itertools import islice
from typing import IO, Any

from assay.compression import DamagedStream
from assay.errors import Fault, FaultyInput, first_line
from assay.questions.formats.format import Head, Kind, Log, Record, Rows
from assay.questions.records import BadJson, csv_rows, json_lines, json_list, lines, parse_json
from assay.questions.sources import Source

HEAD_LINES = 50
PARQUET = b"PAR1"
BATCH_ROWS = 1024
CARRIAGE_RETURNS = "carriage returns alone as line ends: save it with line feeds"


def read_head(source: Source) -> Head:
    """The first records of a source and the container they lie in, from the content alone.

    Raises FaultyInput when there is nothing in it, or it can't be read as far as that.
    """
    if _is_parquet(source):
        log = Log(source.name)
        records = tuple(record for _, record in islice(_parquet_rows(source, log), HEAD_LINES))
        if log.faults and not records:
            raise FaultyInput(log.faults)
        return Head("parquet", tuple(dict.fromkeys(key for record in records for key in record)), records)
    faults: list[Fault] = []
    opening = list(islice(lines(source, faults.append), HEAD_LINES))
    first = next((text for _, text in opening if text and not text.isspace()), None)
    if first is None:
        raise FaultyInput(faults or [Fault("is empty", source.name)])
    mark = first.lstrip()[0]
    if mark in "[{":
        kind: Kind = "json" if mark == "[" else "jsonl"
        values = json_list(source, faults.append) if mark == "[" else _values(opening, source, faults)
        records = tuple(value for _, value in islice(values, HEAD_LINES) if isinstance(value, Mapping))
        columns = dict.fromkeys(str(key) for record in records for key in record)
        return Head(kind, tuple(columns), records, tuple(faults))
    kind = "tsv" if "\t" in first else "csv"
    faults = []
    header = next((cells for _, cells in csv_rows(source, faults.append, _DELIMITERS[kind])), None)
    if header is None:
        raise FaultyInput(faults)
    log = Log(source.name)
    records = tuple(record for _, record in islice(_table_rows(source, kind, log), HEAD_LINES))
    return Head(kind, tuple(header), records, tuple(faults))


def records_of(source: Source, kind: Kind, log: Log) -> Rows:
    """Passes over the records of a source that is a container of `kind`; what is no record is reported."""
    if kind == "parquet":
        return lambda: _parquet_rows(source, log)
    if kind in _DELIMITERS:
        return lambda: _table_rows(source, kind, log)
    return lambda: _json_rows(source, kind, log)


_DELIMITERS: Mapping[Kind, str] = {"csv": ",", "tsv": "\t"}


def _values(opening: list[tuple[int, str]], source: Source, faults: list[Fault]) -> Iterator[tuple[int, Any]]:
    for number, text in opening:
        try:
            if text and not text.isspace():
                yield number, parse_json(text)
        except BadJson as error:
            what = CARRIAGE_RETURNS if "\r" in text.strip() else str(error)
            faults.append(Fault(what, source.name, number))


def _json_rows(source: Source, kind: Kind, log: Log) -> Iterator[tuple[int, Record]]:
    values = json_list(source, log.report) if kind == "json" else json_lines(source, log.report)
    for line, value in values:
        if isinstance(value, Mapping):
            yield line, value
        else:
            log.fault("not a JSON object", line)


def _table_rows(source: Source, kind: Kind, log: Log) -> Iterator[tuple[int, Record]]:
    rows = csv_rows(source, log.report, _DELIMITERS[kind])
    line, header = next(rows, (1, []))
    twice = next((name for name in header if header.count(name) > 1), None)
    if any("\r" in name for name in header):
        log.fault(CARRIAGE_RETURNS, line)
        return
    if twice is not None:
        log.fault(f"column {twice!r} stands twice in the header", line)
        return
    for line, cells in rows:
        if len(cells) != len(header):
            log.fault(f"{len(cells)} cells, but the header has {len(header)}", line)
        else:
            yield line, dict(zip(header, cells, strict=True))


def _is_parquet(source: Source) -> bool:
    try:
        return source.open().read(4) == PARQUET
    except DamagedStream:
        return False


def _parquet_rows(source: Source, log: Log) -> Iterator[tuple[int, Record]]:
    """Row by row, a few held at a time; a null field is an absent one. The line is the row's number."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    row = 0
    try:
        with _seekable(source) as file:
            parquet = pq.ParquetFile(file)
            names = parquet.schema_arrow.names
            if len(set(names)) < len(names):
                log.fault(f"a column name stands twice: {', '.join(names[:50])}", None)
                return
            for batch in parquet.iter_batches(BATCH_ROWS):
                for record in batch.to_pylist():
                    row += 1
                    yield row, plain_record(record)
    except DamagedStream as error:
        log.fault(str(error), None)
    except (pa.ArrowException, OSError, ValueError, TypeError, KeyError, OverflowError, MemoryError) as error:
        log.fault(f"not a sound Parquet file (after row {row}): {first_line(error)}", None)


@contextmanager
def _seekable(source: Source) -> Iterator[IO[bytes]]:
    """A whole, decompressed copy where the source is compressed; else the source's own bytes."""
    if source.plain.read(len(PARQUET)) == PARQUET:
        yield source.plain
        return
    with tempfile.TemporaryFile() as copy:
        shutil.copyfileobj(source.open(), copy, 1 << 20)
        copy.seek(0)
        yield copy


def plain_record(record: Mapping[str, Any]) -> dict[str, Any]:
    """A record of plain JSON values, without the fields that are null."""
    plain = {str(key): plain_value(value) for key, value in record.items()}
    return {key: value for key, value in plain.items() if value is not None}


def plain_value(value: Any) -> Any:
    """A value as JSON has it: sequences and arrays of any library become lists, not-a-number null."""
    if value is None or isinstance(value, str | bool | int):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {str(key): plain_value(inner) for key, inner in value.items()}
    # numpy's scalars and arrays, pyarrow's scalars and columns
    for convert in ("tolist", "as_py"):
        if hasattr(value, convert):
            return plain_value(getattr(value, convert)())
    if hasattr(value, "__iter__") and not isinstance(value, bytes | bytearray | memoryview):
        return [plain_value(inner) for inner in value]
    return str(value)

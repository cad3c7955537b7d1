"""A folder of tables: every .tsv and .csv file in it, all faults listed, what is left out counted.

Two ways of marking columns are known. WorldTree v1 (Jansen et al. 2018): headers that begin with [FILL] hold
connecting words, those with [SKIP] no part of the sentence; a note under "[SKIP] DEP" marks a row that its
authors withdrew. TableILP's samples (Khashabi et al. 2016): a column without a header holds connecting
words; several names of a column stand between semicolons, its description in brackets.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from assay.errors import AssayError, Fault, FaultyInput
from assay.tables.model import Column, Row, Table, Tables
from assay.text_files import read_text

ENDINGS = {".tsv": "\t", ".csv": ","}
MARK = re.compile(r"\[\s*(FILL|SKIP)\s*\]\s*", re.IGNORECASE)
DEPRECATED = re.compile(r"\[\s*SKIP\s*\]\s*DEP", re.IGNORECASE)


def read_tables(folder: str | Path, *, deprecated: bool = False) -> Tables:
    """The folder's tables, by name; folders in it are not looked into.

    `deprecated`: keep rows that carry a deprecation note. Raises AssayError when there is no table or the
    folder can't be read, and FaultyInput with every fault of every file.
    """
    tables, left = [], _Left()
    faults: list[Fault] = []
    for path in _paths(Path(folder), left):
        try:
            tables.append(_table(path, left, deprecated=deprecated))
        except FaultyInput as error:
            faults += error.faults
        except AssayError as error:
            faults += error.faults
    if faults:
        raise FaultyInput(faults, hint="a table has a header row, and as many cells in each row")
    if not tables:
        raise AssayError("holds no table", file=folder, hint="files that end in .tsv or .csv are due")
    return Tables(tuple(tables), left.notes(tables))


class _Left:
    """What was left out, counted."""

    def __init__(self) -> None:
        self.files: list[str] = []
        self.deprecated = self.blank = 0

    def notes(self, tables: Sequence[Table]) -> tuple[str, ...]:
        rows = sum(len(table.rows) for table in tables)
        empty = [table.name for table in tables if not table.rows]
        found = [f"{len(tables):,} tables, {rows:,} rows"]
        if self.deprecated:
            found.append(f"{self.deprecated:,} rows left out: they carry a deprecation note")
        if self.blank:
            found.append(f"{self.blank:,} rows left out: none of their cells holds knowledge")
        if empty:
            found.append(f"tables without a row: {', '.join(empty)}")
        if self.files:
            found.append(f"files that are no table by their ending: {', '.join(self.files)}")
        return tuple(found)


def _paths(folder: Path, left: _Left) -> list[Path]:
    try:
        found = sorted((path for path in folder.iterdir() if path.is_file()), key=lambda path: path.name)
    except OSError as error:
        raise AssayError(f"can't be read: {error.strerror or error}", file=folder) from None
    except ValueError:
        raise AssayError("can't be read: the name holds a zero byte", file=folder) from None
    left.files = [path.name for path in found if path.suffix.lower() not in ENDINGS]
    return [path for path in found if path.suffix.lower() in ENDINGS]


def _table(path: Path, left: _Left, *, deprecated: bool) -> Table:
    records = _records(path)
    line, header = next(records, (1, []))
    if not any(cell.strip() for cell in header):
        raise AssayError("no header row", file=path, line=line)
    columns = tuple(map(_column, header))
    if all(column.holds != "knowledge" for column in columns):
        raise AssayError("no column holds knowledge: every header is empty or marked", file=path, line=line)
    noted = [place for place, cell in enumerate(header) if DEPRECATED.match(cell.strip())]
    knowledge = [place for place, column in enumerate(columns) if column.holds == "knowledge"]
    rows, faults = [], []
    for line, cells in records:
        if len(cells) != len(header):
            what = f"{len(cells)} cells under {len(header)} headers"
            faults.append(Fault(what, str(path), line))
            continue
        row = Row(tuple(" ".join(cell.split()) for cell in cells), line)
        if not any(row.cells[place] for place in knowledge):
            left.blank += 1
        elif not deprecated and any(row.cells[place] for place in noted):
            left.deprecated += 1
        else:
            rows.append(row)
    if faults:
        raise FaultyInput(faults)
    return Table(path.name, columns, tuple(rows))


def _records(path: Path) -> Iterator[tuple[int, list[str]]]:
    """Each record with the line on which it begins; blank lines have no cells and are passed over."""
    text = read_text(path)
    if "\0" in text:
        line = text[: text.index("\0")].count("\n") + 1
        raise AssayError("no text file: it holds a zero byte", file=path, line=line)
    separator = ENDINGS[path.suffix.lower()]
    if separator == "\t":
        # Tables kept as tab-separated text quote nothing: a quotation mark is part of its cell.
        for line, one in enumerate(text.split("\n"), 1):
            if one.strip("\r"):
                yield line, one.rstrip("\r").split("\t")
        return
    begins, reader = 1, csv.reader(io.StringIO(text, newline=""), strict=True)
    try:
        for cells in reader:
            if cells:
                yield begins, cells
            begins = reader.line_num + 1
    except csv.Error as error:
        what = str(error)
        if "unexpected end" in what or "field larger" in what:
            what = "a quotation mark is opened and never closed"
        raise AssayError(f"can't be split into cells: {what}", file=path, line=begins) from None


def _column(header: str) -> Column:
    header = " ".join(header.split())
    mark = MARK.match(header)
    if mark is None:
        return Column(header, "knowledge" if header else "filler")
    rest = header[mark.end() :]
    return Column(rest, "filler" if mark[1].upper() == "FILL" else "nothing")

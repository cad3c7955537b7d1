"""Which columns of which tables may be tied to each other: TableILP's file of allowed column alignments."""

from __future__ import annotations

from pathlib import Path

from assay.errors import AssayError, Fault, FaultyInput
from assay.tables.model import Table, Tables
from assay.text_files import read_text


def with_alignments(tables: Tables, path: str | Path) -> Tables:
    """The tables, tied across no other columns than the file allows.

    A line reads `table,column,table,column`, then perhaps `// a comment`; a table is named by its file,
    columns are counted from 0 among those that hold knowledge, as the originals count them. Lines about
    tables that aren't in the folder are left out and counted in the notes.
    Raises FaultyInput with every line that can't be read, or names a column that its table lacks.
    """
    by_name = {table.name: table for table in tables.tables}
    allowed: set[tuple[tuple[str, int], tuple[str, int]]] = set()
    faults, absent = [], 0
    for line, text in enumerate(read_text(path).splitlines(), 1):
        said = text.partition("//")[0].strip()
        if not said:
            continue
        fields = [field.strip() for field in said.split(",")]
        if len(fields) != 4 or not (fields[1].isdecimal() and fields[3].isdecimal()):
            faults.append(Fault("not table,column,table,column", str(path), line))
        elif fields[0] in by_name and fields[2] in by_name:
            try:
                one = fields[0], _place(by_name[fields[0]], int(fields[1]))
                other = fields[2], _place(by_name[fields[2]], int(fields[3]))
            except AssayError as error:
                faults.append(Fault(error.faults[0].what, str(path), line))
            else:
                allowed |= {(one, other), (other, one)}
        else:
            absent += 1
    if faults:
        raise FaultyInput(faults)
    said = f"columns that may be tied: {len(allowed) // 2:,} pairs"
    if absent:
        said += f"; {absent:,} lines left out: they name tables that aren't in the folder"
    return Tables(tables.tables, (*tables.notes, said), frozenset(allowed))


def _place(table: Table, number: int) -> int:
    if number >= len(table.knowledge):
        raise AssayError(f"{table.name} has {len(table.knowledge)} columns of knowledge, so none {number}")
    return table.knowledge[number]

"""The file of allowed column alignments."""

from pathlib import Path

import pytest

from assay.errors import AssayError
from assay.tables.alignments import with_alignments
from assay.tables.model import Column, Row, Table, Tables

COLUMNS = (Column("a", "filler"), Column("THING"), Column("is", "filler"), Column("COLOUR"))
TABLES = Tables(
    (
        Table("one.csv", COLUMNS, (Row(("a", "cork", "is", "brown"), 2),)),
        Table("two.csv", COLUMNS[1:], (Row(("coin", "is", "red"), 2),)),
    )
)


def test_columns_of_knowledge_are_counted(tmp_path: Path) -> None:
    path = tmp_path / "allowed.csv"
    path.write_text("// colours\n\none.csv,1,two.csv,1   // colour\n01.csv,0,one.csv,9\n")
    read = with_alignments(TABLES, path)
    assert read.alignments == {(("one.csv", 3), ("two.csv", 2)), (("two.csv", 2), ("one.csv", 3))}
    assert read.notes[-1] == (
        "columns that may be tied: 1 pairs; 1 lines left out: they name tables that aren't in the folder"
    )
    assert read.fingerprint != TABLES.fingerprint


@pytest.mark.parametrize("line", ["one.csv,1,two.csv", "one.csv,x,two.csv,1", "one.csv,2,two.csv,1", "a b c"])
def test_a_line_that_says_something_else_is_a_fault(tmp_path: Path, line: str) -> None:
    path = tmp_path / "allowed.csv"
    path.write_text(f"// colours\n{line}\n")
    with pytest.raises(AssayError) as raised:
        with_alignments(TABLES, path)
    assert raised.value.faults[0].line == 2


@pytest.mark.real_data
def test_the_originals_file(shared_data: Path) -> None:
    read = with_alignments(TABLES, shared_data / "tables/tableilp/allowedColumnAlignments.csv")
    assert read.alignments == frozenset()
    assert "lines left out" in read.notes[-1]

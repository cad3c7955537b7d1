"""Reading folders of tables: what is kept, what is left out and counted, what is a fault and where."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.errors import AssayError
from assay.tables.model import Table
from assay.tables.reading import read_tables

FLOATS = "[FILL] a\tTHING\t[FILL ] that\tACTION\tWHERE\t[SKIP] COMMENTS\t[SKIP] DEP\t[SKIP] UID\n"


def folder(path: Path, **files: str | bytes) -> Path:
    for name, text in files.items():
        content = text if isinstance(text, bytes) else text.encode("utf-8")
        (path / name.replace("_", ".")).write_bytes(content)
    return path


def only(path: Path) -> Table:
    (table,) = read_tables(path).tables
    return table


def test_columns_by_their_marks_and_rows_as_sentences(tmp_path: Path) -> None:
    table = only(folder(tmp_path, floats_tsv=FLOATS + "a\tcork\tthat\tfloats\ton  water \tseen\t\tu1\n"))
    assert [column.holds for column in table.columns] == [
        "filler", "knowledge", "filler", "knowledge", "knowledge", "nothing", "nothing", "nothing",
    ]  # fmt: skip
    assert table.columns[2].header == "that"
    assert table.knowledge == (1, 3, 4)
    assert table.rows[0].line == 2
    assert table.sentence(table.rows[0]) == "a cork that floats on water"


def test_what_is_left_out_is_counted(tmp_path: Path) -> None:
    rows = "a\tcork\t\tfloats\t\t\t\tu1\na\tlead\t\tfloats\t\t\twrong\tu2\na\t\t\t\t\t\t\tu3\n\n"
    folder(tmp_path, floats_tsv=FLOATS + rows, none_tsv="THING\tCOLOUR\n", read_txt="hello")
    (tmp_path / "more").mkdir()
    read = read_tables(tmp_path)
    assert [table.name for table in read.tables] == ["floats.tsv", "none.tsv"]
    assert [row.cells[1] for row in read.tables[0].rows] == ["cork"]
    assert read.notes == (
        "2 tables, 1 rows",
        "1 rows left out: they carry a deprecation note",
        "1 rows left out: none of their cells holds knowledge",
        "tables without a row: none.tsv",
        "files that are no table by their ending: read.txt",
    )
    kept = read_tables(tmp_path, deprecated=True)
    assert [row.cells[1] for row in kept.tables[0].rows] == ["cork", "lead"]
    assert kept.fingerprint != read.fingerprint


def test_a_column_without_a_header_connects(tmp_path: Path) -> None:
    text = (
        ',KEY [thing]; object,,"[COLOUR, as seen]"\r\nA,"cork, dry",is,brown\r\nA,"""new"" coin",is,red\r\n'
    )
    table = only(folder(tmp_path, colours_csv=text))
    assert [column.holds for column in table.columns] == ["filler", "knowledge", "filler", "knowledge"]
    assert [row.cells[1] for row in table.rows] == ["cork, dry", '"new" coin']


def test_headers_may_repeat_and_quotes_in_tsv_are_text(tmp_path: Path) -> None:
    table = only(folder(tmp_path, a_tsv='SCOPE\tSCOPE\r\n"warm\tinch"\r\n'))
    assert table.rows[0].cells == ('"warm', 'inch"')


def test_a_byte_order_mark_is_no_part_of_the_header(tmp_path: Path) -> None:
    table = only(folder(tmp_path, a_tsv="\ufeff[FILL] a\tTHING\na\tcork\n"))
    assert table.knowledge == (1,)


@pytest.mark.parametrize(
    ("file", "said"),
    [
        ({"a_tsv": "A\tB\n1\t2\n\n1\n1\t2\t3\n"}, ["a.tsv:4: 1 cells under 2 headers", "a.tsv:5: 3 cells"]),
        ({"a_csv": 'A,B\n"one\nline",2\n1,2,3\n'}, ["a.csv:4: 3 cells under 2 headers"]),
        ({"a_csv": 'A,B\n1,2\n1,"open\n2,3\n'}, ["a.csv:3: can't be split into cells: a quotation mark"]),
        ({"a_csv": 'A,B\n1,"x"y\n'}, ["a.csv:2: can't be split into cells"]),
        ({"a_tsv": ""}, ["a.tsv:1: no header row"]),
        ({"a_tsv": "\t\n1\t2\n"}, ["a.tsv:1: no header row"]),
        ({"a_tsv": "[FILL] a\t[SKIP] UID\n1\t2\n"}, ["a.tsv:1: no column holds knowledge"]),
        ({"a_tsv": b"A\tB\n\x00\x01\t2\n"}, ["a.tsv:2: no text file: it holds a zero byte"]),
        ({"a_tsv": b"A\tB\ncaf\xe9\t2\n"}, ["a.tsv:2: not UTF-8"]),
        ({"a_tsv": "A\tB\n1\n", "b_csv": "A,B\n1\n"}, ["a.tsv:2: 1 cells", "b.csv:2: 1 cells"]),
    ],
)
def test_every_fault_with_file_and_line(tmp_path: Path, file: dict, said: list[str]) -> None:
    with pytest.raises(AssayError) as raised:
        read_tables(folder(tmp_path, **file))
    found = [str(fault).removeprefix(f"{tmp_path}/") for fault in raised.value.faults]
    assert len(found) == len(said)
    for fault, start in zip(found, said, strict=True):
        assert fault.startswith(start)


def test_no_table_no_folder(tmp_path: Path) -> None:
    with pytest.raises(AssayError, match="holds no table"):
        read_tables(tmp_path)
    with pytest.raises(AssayError, match="can't be read: No such file"):
        read_tables(tmp_path / "absent")
    with pytest.raises(AssayError, match="can't be read: Not a directory"):
        read_tables(folder(tmp_path, a_tsv="A\n1\n") / "a.tsv")


CELLS = st.text(st.characters(exclude_characters="\t\r\n\0", exclude_categories=["Cs"]), max_size=6)


@given(rows=st.lists(st.tuples(CELLS, CELLS), max_size=5))
def test_cells_come_back(tmp_path_factory: pytest.TempPathFactory, rows: list[tuple[str, str]]) -> None:
    path = tmp_path_factory.mktemp("tables")
    lines = ["\t".join(("key", *cells)) for cells in rows]
    table = only(folder(path, a_tsv="\n".join(["K\tA\tB", *lines]) + "\n"))
    assert [row.cells[1:] for row in table.rows] == [
        tuple(" ".join(cell.split()) for cell in cells) for cells in rows
    ]


@pytest.mark.real_data
def test_worldtree(shared_data: Path) -> None:
    read = read_tables(shared_data / "tables/worldtree-v1")
    assert len(read.tables) == 63
    assert read.notes[1].startswith("206 rows left out: they carry a deprecation note")
    whole = read_tables(shared_data / "tables/worldtree-v1", deprecated=True)
    assert sum(len(table.rows) for table in whole.tables) == 4950 - whole_blank(whole.notes)
    headers = [[column.header for column in table.columns if column.header] for table in whole.tables]
    assert sum(len(set(names)) < len(names) for names in headers) == 16
    assert sum(not table.rows for table in whole.tables) == 1


def whole_blank(notes: tuple[str, ...]) -> int:
    return sum(int(note.split()[0].replace(",", "")) for note in notes if "knowledge" in note)

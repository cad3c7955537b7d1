"""Records and their lines: what a reader is given, and what is reported instead."""

import json
from io import BytesIO

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.questions import records
from assay.questions.records import (
    BadJson,
    csv_rows,
    json_lines,
    json_list,
    lines,
    lone_surrogate,
    parse_json,
)
from assay.questions.sources import Source


def read(reader, content, *args):
    faults = []
    source = Source("f", BytesIO(content.encode("utf-8") if isinstance(content, str) else content))
    return list(reader(source, faults.append, *args)), [(fault.line, fault.what) for fault in faults]


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text() | st.floats(allow_nan=False, allow_infinity=False),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


@given(st.lists(values, max_size=5), st.sampled_from([None, 1, 4]))
@settings(max_examples=150, deadline=None)
def test_a_json_list_is_cut_as_the_whole_would_be_read(items, indent):
    text = json.dumps(items, indent=indent, ensure_ascii=False).encode("utf-8", "surrogatepass")
    found, faults = read(json_list, text.decode("utf-8", "replace"))
    assert [value for _, value in found] == json.loads(text.decode("utf-8", "replace"))
    assert not faults


def test_elements_of_a_list_know_their_lines():
    found, faults = read(json_list, '[\n{"a":\n1},\n\n {"a": "x,]}\\"\\\\"}, 7\n,\n[1,\n2]]\n')
    assert found == [(2, {"a": 1}), (5, {"a": 'x,]}"\\'}), (5, 7), (7, [1, 2])]
    assert not faults


@pytest.mark.parametrize(
    ("text", "line", "what"),
    [
        ("[1,\n2", 2, "isn't closed"),
        ("[1,\n", 1, "isn't closed"),
        ("[1]\nx", 2, "text after the end"),
        ("[1] x", 1, "text after the end"),
        ("[1,]", 1, "a comma without a value"),
        ("[,\n1]", 1, "a comma without a value"),
        ('[1,\n"a]', 2, "isn't closed"),
        ("[1,\n{a}]", 2, "not JSON"),
        ("[1,\n2 3]", 2, "a second value begins at column 3"),
        ("[{]", 1, "isn't closed"),
    ],
)
def test_faulty_lists(text, line, what):
    _, faults = read(json_list, text)
    assert [place for place, _ in faults] == [line]
    assert what in faults[0][1]


def test_empty_lists_are_sound():
    assert read(json_list, "[]") == ([], [])
    assert read(json_list, " [\n \n] \n\n") == ([], [])


@given(values)
@settings(max_examples=100, deadline=None)
def test_strict_json_reads_what_json_reads(value):
    text = json.dumps(value)
    assert parse_json(text) == json.loads(text)


def test_column_of_a_second_value():
    # Field report U07.
    with pytest.raises(BadJson, match="column 23"):
        parse_json('{"id":"k1","pred":"A"}{"id":"k2","pred":"B"}')


def test_json_lines_number_by_line_feeds_alone():
    found, faults = read(json_lines, '"a\u2028b"\r\n\r\n"c\u0085d"\n\x0b\n?\n')
    assert found == [(1, "a\u2028b"), (3, "c\u0085d")]
    assert faults == [(5, "not JSON: Expecting value at column 1")]


# A zero byte among the first four is taken for UTF-16 or UTF-32, and refused (test_reading).
cells = st.text(st.characters(exclude_categories=("Cs",), exclude_characters="\r\0"), max_size=8)
tables = st.lists(st.lists(cells, min_size=2, max_size=4), min_size=1, max_size=5)


@given(tables, st.booleans())
@settings(max_examples=200, deadline=None)
def test_rows_come_back_as_the_csv_module_wrote_them(rows, quote_all):
    import csv
    import io

    text = io.StringIO(newline="")
    quoting = csv.QUOTE_ALL if quote_all else csv.QUOTE_MINIMAL
    csv.writer(text, lineterminator="\r\n", quoting=quoting).writerows(rows)
    found, faults = read(csv_rows, text.getvalue().removeprefix("\ufeff"))
    rows[0][0] = rows[0][0] if quote_all or '"' in rows[0][0] else rows[0][0].removeprefix("\ufeff")
    assert [row for _, row in found] == rows
    assert not faults


def test_line_numbers_after_quoted_line_feeds():
    found, faults = read(csv_rows, 'a,b\n"x\ny\nz",1\n\nc,"d"\n')
    assert found == [(1, ["a", "b"]), (2, ["x\ny\nz", "1"]), (6, ["c", "d"])]
    assert not faults


def test_quotes_that_do_not_close():
    found, faults = read(csv_rows, 'a,b\nc,"d\ne,f\ng,h\n')
    assert found == [(1, ["a", "b"])]
    assert faults == [(2, "a quote is opened here and never closed")]


def test_text_after_a_closing_quote():
    found, faults = read(csv_rows, '"a"b,c\nd,"e" \nf,g')
    assert found == [(3, ["f", "g"])]
    assert [line for line, _ in faults] == [1, 2]


def test_quotes_are_text_where_they_do_not_quote():
    # Field report D07: in a tab-separated table always.
    assert read(csv_rows, 'k1\tA\nk2\t"B\nk3\tC\nk4\tD"\n', "\t")[0] == [
        *((1, ["k1", "A"]), (2, ["k2", '"B']), (3, ["k3", "C"]), (4, ["k4", 'D"']))
    ]
    assert read(csv_rows, '5" pipe,a""b\r\n')[0] == [(1, ['5" pipe', 'a""b'])]


def test_a_quote_that_swallows_too_much_is_given_up(monkeypatch):
    monkeypatch.setattr(records, "FIELD_CHARACTERS", 100)
    found, faults = read(csv_rows, 'a,"' + "x\n" * 200 + "b,c\n")
    assert faults[0] == (1, "a quote is opened here and never closed")
    assert found[-1] == (201, ["b", "c"])


def test_a_line_that_is_too_long_is_refused(monkeypatch):
    monkeypatch.setattr(records, "LINE_BYTES", 64)
    found, faults = read(lines, "short\n" + "x" * 100)
    assert found == [(1, "short")]
    assert faults[0][0] == 2


@given(st.text())
@settings(max_examples=100, deadline=None)
def test_lone_surrogates(text):
    whole = "".join(character for character in text if not "\ud800" <= character <= "\udfff")
    assert lone_surrogate(whole) is None
    assert lone_surrogate(whole + "\udc00") == "\\udc00"

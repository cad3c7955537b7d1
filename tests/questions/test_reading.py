"""Reading question files: every fault with its place, in every shape that turns up."""

import gzip
import json
import os
import subprocess
import sys

import pytest

import assay.questions.formats.format as format_
from assay.errors import AssayError, FaultyInput
from assay.questions import QuestionFile, QuestionStream, questions_from_rows, read_questions
from tests.questions.question_cases import line


def put(folder, content, name="q.jsonl"):
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode("utf-8"))
    return path


def faults_of(path, **settings):
    with pytest.raises(FaultyInput) as caught:
        read_questions(path, **settings)
    return [(fault.line, fault.question_id, fault.what) for fault in caught.value.faults]


def warnings_of(path):
    return [(fault.line, fault.question_id, fault.what) for fault in read_questions(path).warnings]


def test_reads_a_file(tmp_path):
    reading = read_questions(put(tmp_path, line("q1") + "\n" + line("q2", "B", stem="Which sinks?")))
    assert [question.answer for question in reading.questions] == ["A", "B"]
    assert reading.questions[1].origin.line == 2
    assert reading.format == "arc-jsonl"
    assert not reading.warnings
    assert not reading.notes


@pytest.mark.real_data
def test_shared_cases(shared_cases, tmp_path):
    cases = json.loads((shared_cases / "inputs.json").read_text(encoding="utf-8"))["cases"]
    for case in (case for case in cases if case["kind"] == "questions"):
        path = put(tmp_path, case["text"])
        try:
            found = read_questions(path).warnings
        except FaultyInput as error:
            found = error.faults
        assert len(found) == len(case["faults"]), case["name"]
        for fault, wanted in zip(found, case["faults"], strict=True):
            assert fault.line == wanted["line"], case["name"]
            assert fault.question_id == wanted.get("id"), case["name"]
            assert wanted["what"] in fault.what, case["name"]
            assert fault.severity == wanted.get("severity", "error"), case["name"]


def test_every_fault_of_every_kind_is_listed_in_order(tmp_path):
    path = put(
        tmp_path,
        "\n".join(
            [
                line("q1"),
                line("q1", "B"),
                line("", "A"),
                "{not json",
                line("q2", "C"),
                line("q3", choices=("a", " ")),
                line("q4", stem=" "),
                line("q5", choices=("a",)),
                line("q6", key=None),
                '{"id":"q7","question":{"stem":"s","choices":[{"label":"A","text":"a"},{"label":"A","text":"b"},'
                '{"text":"c"}]},"answerKey":"A"}',
                '{"id":"q8","question":"s","answerKey":"A"}',
                "[1]",
            ]
        ),
    )
    assert faults_of(path) == [
        (2, "q1", "id appears a second time (first on line 1)"),
        (3, None, "no id"),
        (4, None, "not JSON: Expecting property name enclosed in double quotes at column 2"),
        (5, "q2", "answer key C is not one of A, B"),
        (6, "q3", "choice B is empty"),
        (7, "q4", "no stem"),
        (8, "q5", "fewer than two choices"),
        (9, "q6", "no answer key, though other questions of the file have one"),
        (10, "q7", "label A stands twice"),
        (10, "q7", "choice 3 has no label"),
        (11, "q8", "no question object with stem and choices"),
        (12, None, "not a JSON object"),
    ]


def test_repeats_on_one_line_and_in_a_file_given_twice_are_found(tmp_path):
    path = put(tmp_path, f"[{line('q1')}, {line('q1')}]")
    assert faults_of(path) == [(1, "q1", "id appears a second time (first on line 1)")]
    path = put(tmp_path, line("q1"))
    assert faults_of([path, path]) == [(1, "q1", "id appears a second time (first on line 1)")]
    path = put(tmp_path, f"[{line('q1')}, {line('q2')}]")
    assert warnings_of(path) == [(1, "q2", f"the stem is that of q1 ({path}:1)")]


def test_faults_without_end_are_counted(tmp_path, monkeypatch):
    monkeypatch.setattr(format_, "LISTED_FAULTS", 3)
    found = faults_of(put(tmp_path, line("q1") + "\n{" * 10))
    assert [place for place, _, _ in found] == [2, 3, 4, None]
    assert found[-1][2] == "7 more faults are not listed"


def test_no_file_at_all():
    with pytest.raises(AssayError, match="no question file"):
        read_questions([])


def test_faults_of_several_files_together(tmp_path):
    one, two = put(tmp_path, line("q1"), "one"), put(tmp_path, line("q2", "X") + "\n" + line("q1"), "two")
    assert faults_of([one, two]) == [
        (1, "q2", "answer key X is not one of A, B"),
        (2, "q1", f"id appears a second time (first in {one}:1)"),
    ]


@pytest.mark.parametrize(
    ("record", "what"),
    [
        ('{"id":"k1","a":1}{"id":"k2"}', "a second value begins at column 18"),
        ('{"id":"k1","id":"k2"}', 'duplicate key "id" in one object'),
        ('{"id":NaN}', "NaN is no JSON number"),
        ('{"id":-Infinity}', "-Infinity is no JSON number"),
        ('{"id":1e999}', "the number 1e999 is too large"),
        ('{"id":' + "9" * 5000 + "}", "an integer has too many digits"),
        ('{"a":' * 100_000, "nested deeper than 100 levels"),
        ('{"a":' + "[" * 200 + "]" * 200 + "}", "nested deeper than 100 levels"),
        ('{"id":1.5,"question":{"stem":"s"}}', "id is not text: 1.5"),
        ('{"id":"x","question":{"stem":5,"choices":[]}}', "stem is not text: 5"),
        ('{"id":"x","question":{"stem":"s","choices":"ab"}}', "choices are not a list: 'ab'"),
        ('{"id":"x","question":{"stem":"s","choices":[{"label":"A","text":true}]}}', "choice A is not text"),
        (
            '{"id":"x","question":{"stem":"s","choices":[{"label":{},"text":"a"}]}}',
            "label of a choice is not",
        ),
        (
            '{"id":"x","answerKey":["A"],"question":{"stem":"s","choices":[]}}',
            "answer key is not text: ['A']",
        ),
        (
            '{"id":"x","question":{"stem":"Which \\udc00 gas?","choices":[]}}',
            "lone surrogate \\udc00 in the stem",
        ),
        (
            '{"id":"x","note":{"a":["\\ud800"]},"question":{"stem":"s","choices":[]}}',
            "lone surrogate \\ud800 in",
        ),
    ],
)
def test_faulty_records(record, what, tmp_path):
    found = faults_of(put(tmp_path, line("k0") + "\n" + record + "\n" + line("k9", stem="Other?")))
    assert {fault[0] for fault in found} == {2}
    assert any(what in fault[2] for fault in found), found


def test_null_fields_are_absent_ones(tmp_path):
    text = '{"id":null,"question":{"stem":null,"choices":[{"label":"A","text":null},null]},"answerKey":null}'
    found = faults_of(put(tmp_path, text))
    assert [what for _, _, what in found] == [*("no id", "no stem", "choice A is empty", "choice B is empty")]


def test_integers_are_taken_as_their_digits_and_said(tmp_path):
    choices = '[{"label":1,"text":"a"},{"label":2,"text":"b"}]'
    text = f'{{"id":7,"question":{{"stem":"s","choices":{choices}}},"answerKey":2}}'
    reading = read_questions(put(tmp_path, text))
    assert reading.questions[0].id == "7"
    assert reading.questions[0].labels == ("1", "2")
    assert reading.questions[0].answer == "2"
    assert any("integer" in note for note in reading.notes)


def test_byte_order_mark_changes_nothing(tmp_path):
    # Field report D01.
    text = (
        '{"id":"k1","question":{"stem":"Which melts first?","choices":[{"label":"A","text":"wax"},'
        '{"label":"B","text":"slate"}]},"answerKey":"A"}\n'
        '{"id":"k2","question":{"stem":"Which floats?","choices":[{"label":"A","text":"cork","note":"x"},'
        '{"label":"B","text":"lead"}]},"answerKey":"A"}'
    )
    path = put(tmp_path, text)
    plain = read_questions(path)
    put(tmp_path, b"\xef\xbb\xbf" + text.encode())
    marked = read_questions(path)
    assert list(marked.questions) == list(plain.questions)
    assert marked.questions[0].metadata == {}
    assert any("field 'note' of a choice" in note for note in marked.notes)


def test_only_line_feeds_end_lines(tmp_path):
    # Field report D03.
    odd = line("q1", stem="x").replace('"x"', '"one\u2028two\u0085three\\u000bfour"')
    path = put(tmp_path, odd + "\r\n" + line("q2", "X"))
    assert faults_of(path) == [(2, "q2", "answer key X is not one of A, B")]
    put(tmp_path, odd)
    assert read_questions(path).questions[0].stem == "one\u2028two\u0085three\x0bfour"


def test_lone_surrogate_names_the_question(tmp_path):
    # Field report D05.
    found = faults_of(put(tmp_path, line("k1", stem="x").replace('"x"', '"Which \\udc00 gas?"')))
    assert found == [(1, "k1", "lone surrogate \\udc00 in the stem")]


def test_a_file_without_keys_is_hidden(tmp_path):
    # Field report D21.
    reading = read_questions(put(tmp_path, line("q1", key=None) + "\n" + line("q2", key="", stem="Other?")))
    assert reading.questions.hidden
    assert reading.files[0].keyed == 0


@pytest.mark.parametrize(
    ("content", "what"),
    [
        (b"", "is empty"),
        (b"\xef\xbb\xbf", "is empty"),
        (b" \n\r\n\t\n", "is empty"),
        (b"\xff\xfe{\x00", "UTF-16"),
        (b"[]", "in no known question format"),
        (b"[1, 2]", "in no known question format"),
        (b"{", "not JSON"),
        (b'{\n "id": "q1"\n}\n', "not JSON"),
        (b"{}\n{}", "in no known question format: objects without fields"),
        (b'{"id": "a", "id": "b"}', 'duplicate key "id"'),
        (b'{"id": 1e999}\n\n{"id": NaN}', "the number 1e999 is too large"),
        (b'{"a":' * 500 + b"1" + b"}" * 500, "nested deeper"),
        (b'{"id": "a"}\r{"id": "b"}\r', "carriage returns alone"),
        ('{"id": "a"}'.encode("utf-16-le"), "UTF-16"),
        ('{"id": "a"}'.encode("utf-16-be"), "UTF-16"),
        (b"hello world", "in no known question format: columns hello world"),
        (b"\x89PNG\r\n\x1a\n\x00\x00", "not UTF-8: byte 0x89 at byte 1 of the line"),
        (b"PAR1 and no more", "not a sound Parquet file"),
        (gzip.compress(b"x" * 100, mtime=0)[:15], "cut off or damaged"),
        (b"\x28\xb5\x2f\xfd\x00", "cut off"),
        (b"\xfd7zXZ\x00\x00", "cut off or damaged"),
    ],
)
def test_files_that_hold_no_questions(content, what, tmp_path):
    found = faults_of(put(tmp_path, content))
    assert what in found[0][2]


def test_parquet_of_no_use(tmp_path):
    import pyarrow as pa
    import pyarrow.parquet as pq

    pq.write_table(pa.Table.from_arrays([pa.array(["a"]), pa.array(["b"])], ["id", "id"]), tmp_path / "two")
    assert faults_of(tmp_path / "two")[0][2] == "a column name stands twice: id, id"
    pq.write_table(pa.table({"id": pa.array([], pa.string())}), tmp_path / "none")
    assert "no record at its beginning" in faults_of(tmp_path / "none")[0][2]
    (tmp_path / "cut").write_bytes((tmp_path / "none").read_bytes()[:-20])
    assert "not a sound Parquet file" in faults_of(tmp_path / "cut")[0][2]


def test_truncated_compression_is_a_fault_after_what_was_there(tmp_path):
    whole = gzip.compress("\n".join(line(f"q{n}", stem=f"Which {n * n}?") for n in range(2000)).encode())
    found = faults_of(put(tmp_path, whole[: len(whole) // 2]))
    assert len(found) == 1
    assert "cut off" in found[0][2]
    assert found[0][0] > 100


def test_not_utf8_names_the_byte(tmp_path):
    path = put(
        tmp_path, line("q1").encode() + b"\n" + line("q2", stem="caf~").encode().replace(b"~", b"\xe9")
    )
    assert faults_of(path) == [(2, None, "not UTF-8: byte 0xe9 at byte 39 of the line")]


def test_files_that_cannot_be_opened(tmp_path):
    for path, what in [
        (tmp_path / "none", "no such file"),
        (tmp_path, "is a directory"),
        ("a\0b", "zero byte"),
    ]:
        with pytest.raises(AssayError, match=what) as caught:
            read_questions(path)
        assert not isinstance(caught.value, FaultyInput)


def test_unknown_format_is_refused_with_the_list(tmp_path):
    with pytest.raises(AssayError, match=r"arc-jsonl \(ARC, JSON lines\)"):
        read_questions(put(tmp_path, line()), format="arc")


def test_a_field_of_ones_own_keeps_our_format(tmp_path):
    choices = '[{"label":"A","text":"a"},{"label":"B","text":"b"}]'
    text = f'{{"id":"q","stem":"s","choices":{choices},"tags":{{"topic":["x"]}},"grade":5}}'
    reading = read_questions(put(tmp_path, text))
    assert reading.format == "assay"
    assert reading.questions[0].tags == {"topic": ("x",)}
    assert reading.questions[0].metadata == {"grade": 5}
    assert any("field 'grade' taken as metadata" in note for note in reading.notes)


def test_a_forced_format_is_used(tmp_path):
    found = faults_of(put(tmp_path, line()), format="sciq")
    assert "question is not text" in found[0][2]


def test_keys_alone_are_no_questions(tmp_path):
    found = faults_of(put(tmp_path, '{"id":"q1","answerKey":"A"}\n{"id":"q2","answerKey":"B"}\n'))
    assert "answer keys, not questions" in found[0][2]


def test_warnings(tmp_path):
    path = put(
        tmp_path,
        "\n".join(
            [
                line("q1", stem="Which floats?", choices=("leaf", "leaf", "Leaf")),
                line("q2", stem="Which floats?"),
                line("q3", stem="which  FLOATS"),
                line("q4", stem="A\x02b"),
                line("q5", stem="cafÃ© \u200b x\ufffd"),
                line(" q6", stem="Which is last?"),
            ]
        ),
    )
    assert warnings_of(path) == [
        (1, "q1", "choices A and B have the same text"),
        (2, "q2", f"the stem is that of q1 ({path}:1)"),
        (3, "q3", f"the stem is that of q1 ({path}:1) but for case, spaces or signs"),
        (4, "q4", "control character U+0002 in the stem"),
        (5, "q5", "replacement character U+FFFD (text was lost in a conversion) in the stem"),
        (5, "q5", "invisible character U+200B in the stem"),
        (5, "q5", "odd encoding 'Ã©' (UTF-8 once read as something else) in the stem"),
        (6, " q6", "white space around the id"),
    ]


def test_ordinary_accents_are_no_oddity(tmp_path):
    stem = "Â la carte, São Paulo, À côté, Ångström, “quotes” — … € ½ Ωmega 水 Ãã"
    assert warnings_of(put(tmp_path, line(stem=stem))) == []


def test_mixed_metadata_is_a_warning_of_the_file(tmp_path):
    path = put(
        tmp_path, "\n".join([line("q1", grade=5), line("q2", stem="b", grade="5"), line("q3", stem="c")])
    )
    assert warnings_of(path) == [
        (None, None, "metadata grade: missing in 1 of 3 questions"),
        (None, None, "metadata grade: a number in 1, text in 1 questions"),
    ]


def test_published_names_give_set_and_split(tmp_path):
    path = put(tmp_path, gzip.compress(line().encode()), "ARC-Easy-Dev.jsonl.gz")
    reading = read_questions(QuestionFile(path, metadata={"split": "mine"}))
    assert reading.questions[0].metadata == {"set": "Easy", "split": "mine"}
    assert "set Easy and split Dev taken from the published file name" in reading.notes[0]
    put(tmp_path, line(), "my-ARC-Easy-Dev.jsonl")
    assert not read_questions(tmp_path / "my-ARC-Easy-Dev.jsonl").questions[0].metadata


def test_metadata_can_be_given_for_all_files_and_for_one(tmp_path):
    one, two = put(tmp_path, line("q1"), "one"), put(tmp_path, line("q2", stem="b"), "two")
    reading = read_questions([QuestionFile(one, metadata={"exam": "X"}), two], metadata={"exam": "Y", "n": 1})
    assert [q.metadata for q in reading.questions] == [{"exam": "X", "n": 1}, {"exam": "Y", "n": 1}]


def test_a_stream_keeps_no_questions_and_raises_at_the_end(tmp_path):
    path = put(tmp_path, "\n".join([line("q1"), line("q2", "X"), line("q3", "B")]))
    seen = []
    with pytest.raises(FaultyInput):
        seen.extend(question.id for question in QuestionStream(path))
    assert seen == ["q1", "q3"]
    lenient = QuestionStream(path, lenient=True)
    assert [question.id for question in lenient] == ["q1", "q3"]
    assert [fault.question_id for fault in lenient.faults] == ["q2"]


def test_standard_input(tmp_path):
    code = (
        "from assay.questions import read_questions as r; print(r('-').questions[0].origin.file, r.__name__)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        input=gzip.compress(line().encode()),
        capture_output=True,
        check=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    assert done.stdout.decode().split() == ["-", "read_questions"]


def test_shuffle_false_true_and_zero(tmp_path):
    # Field report X11: False is not seed 0.
    path = put(tmp_path, "\n".join(line(f"q{n}", stem=f"{n}?", choices=tuple("abcde")) for n in range(30)))

    def order(**settings):
        return [q.id for q in read_questions(path, **settings).questions]

    def texts(**settings):
        return [[c.text for c in q.choices] for q in read_questions(path, **settings).questions]

    for setting, view in (("shuffle", order), ("shuffle_choices", texts)):
        assert view(**{setting: False}) == view()
        assert view(**{setting: True}, seed=7) == view(**{setting: 7}) != view()
        assert view(**{setting: 0}) == view(**{setting: True}, seed=0) != view()
        assert view(**{setting: 0}) != view(**{setting: 7})


def test_shuffled_choices_keep_labels_in_place_and_the_key_on_its_text(tmp_path):
    path = put(
        tmp_path, "\n".join(line(f"q{n}", "B", stem=f"{n}?", choices=tuple("abcd")) for n in range(40))
    )
    places = set()
    for question in read_questions(path, shuffle_choices=3).questions:
        assert question.labels == ("A", "B", "C", "D")
        assert next(c.text for c in question.choices if c.label == question.answer) == "b"
        places.add(question.answer)
    assert places == {"A", "B", "C", "D"}


class Column:
    """A lazy column as `datasets` 4 hands out: a sequence that is no list, with a telling repr."""

    def __init__(self, values):
        self._values = values

    def __iter__(self):
        return iter(self._values)

    def __len__(self):
        return len(self._values)

    def __getitem__(self, place):
        return self._values[place]

    def __repr__(self):
        return f"Column({self._values})"


def test_column_objects_count_as_lists():
    # Field report X07.
    rows = [
        {
            "id": "k1",
            "question": "s1",
            "choices": {"text": ["a", "b"], "label": ["A", "B"]},
            "answerKey": "B",
        },
        {
            "id": "k2",
            "question": "s2",
            "choices": {"text": ["c", "d"], "label": ["A", "B"]},
            "answerKey": "A",
        },
    ]
    plain = questions_from_rows(rows)
    columns = {name: Column([row[name] for row in rows]) for name in rows[0]}
    nested = [{**row, "choices": {k: Column(v) for k, v in row["choices"].items()}} for row in rows]
    assert plain.format == "hf-jsonl"
    assert list(questions_from_rows(columns).questions) == list(plain.questions)
    assert list(questions_from_rows(nested).questions) == list(plain.questions)
    assert not any("Column" in q.stem for q in questions_from_rows(columns).questions)


def test_rows_from_python_take_arrays_and_not_a_number():
    import numpy as np

    rows = [{"question": "s", "choices": np.array(["x", "y"]), "answer": np.int64(1), "grade": float("nan")}]
    question = questions_from_rows(rows, answers="0-based").questions[0]
    assert question.answer == "B"
    assert [choice.text for choice in question.choices] == ["x", "y"]
    assert question.metadata == {}


def test_columns_of_different_lengths_are_refused():
    with pytest.raises(AssayError, match="id 2, question 1"):
        questions_from_rows({"id": ["a", "b"], "question": ["s"]})


def test_rows_must_be_mappings():
    with pytest.raises(AssayError, match="row 1 is no mapping of columns to values but a str"):
        questions_from_rows(["id", "question"])


def test_faults_in_rows_name_the_row():
    rows = [{"question": "s", "choices": ["a", "b"], "answer": "Z"}]
    with pytest.raises(FaultyInput) as caught:
        questions_from_rows(rows, answers="label")
    assert str(caught.value.faults[0]) == "line 1: question question-1: answer key Z is not one of A, B"


@pytest.mark.parametrize(
    "keys",
    ['{"id":"q1","answerKey":"B"}\n{"id":"q2","answerKey":"A"}', "q1,B\nq2,A\n", "id\tanswer\nq1\tB\nq2\tA"],
)
def test_keys_are_added_to_a_hidden_set(keys, tmp_path):
    hidden = put(tmp_path, line("q1", key=None) + "\n" + line("q2", key=None, stem="Other?"))
    reading = read_questions(hidden, keys=put(tmp_path, keys, "keys"))
    assert [question.answer for question in reading.questions] == ["B", "A"]


def test_faults_of_keys(tmp_path):
    hidden = put(tmp_path, "\n".join([line("q1", "A"), line("q2", "B", stem="b"), line("q3", stem="c")]))
    keys = put(tmp_path, "q1,B\nq2,X\nq9,A\n", "keys")
    assert faults_of(hidden, keys=keys) == [
        (3, "q9", "no such question"),
        (1, "q1", "answer key B contradicts the question's own, A"),
        (2, "q2", "answer key X is not one of A, B"),
        (None, "q3", "no answer key for this question"),
    ]
    put(tmp_path, "q1,B\nq1,A\nq2\n,A\nq3,\nq2,A,B\n", "keys")
    assert faults_of(hidden, keys=keys) == [
        (3, None, "1 cells, not an id and a label"),
        (6, None, "3 cells, not an id and a label"),
        (2, "q1", "id appears a second time (first on line 1)"),
        (4, None, "no id"),
        (5, "q3", "no answer key"),
    ]

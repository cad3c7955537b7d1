"""Every predictions format, right and wrong, each fault with its file, line and id."""

import gzip
import json
from pathlib import Path

import pytest

from assay.errors import AssayError, Fault, FaultyInput
from assay.questions.answers import answer_to_json
from assay.questions.model import Answer, QuestionSet, SentenceEvidence
from assay.questions.predictions import read_predictions
from assay.questions.predictions.recognise import FORMATS, recognise
from assay.questions.sources import open_source
from tests.questions.predictions.prediction_samples import GOOD, SET, question


def read(folder: Path, content: str | bytes, questions: QuestionSet = SET, name: str = "p.txt", **options):
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode("utf-8", "surrogatepass"))
    return read_predictions(path, questions, **options)


def chosen(predictions) -> list[str]:
    return [";".join(answer.chosen) or answer.status for answer in predictions.answers]


def faults(folder: Path, content: str | bytes, questions: QuestionSet = SET, **options) -> list[tuple]:
    with pytest.raises(FaultyInput) as caught:
        read(folder, content, questions, **options)
    assert all(fault.file == str(folder / options.get("name", "p.txt")) for fault in caught.value.faults)
    return [(fault.line, fault.question_id, fault.what) for fault in caught.value.faults]


@pytest.mark.parametrize("name", GOOD)
def test_a_format_is_recognised_and_read(tmp_path, name) -> None:
    predictions = read(tmp_path, GOOD[name])
    assert predictions.format == name
    assert chosen(predictions) == ["A;B", "1", "C"]
    assert predictions.counts["answered"] == 3
    assert chosen(read(tmp_path, GOOD[name], format=name)) == ["A;B", "1", "C"]


@pytest.mark.parametrize("name", GOOD)
def test_a_byte_order_mark_and_windows_line_ends_change_nothing(tmp_path, name) -> None:
    windows = b"\xef\xbb\xbf" + GOOD[name].replace("\n", "\r\n").encode()
    assert read(tmp_path, windows) == read(tmp_path, GOOD[name])


@pytest.mark.parametrize("name", ["jsonl", "answers", "arc-solvers"])
def test_records_may_stand_in_one_list(tmp_path, name) -> None:
    listed = "[\n" + ",\n".join(GOOD[name].splitlines()) + "\n]\n"
    predictions = read(tmp_path, listed)
    assert (predictions.format, chosen(predictions)) == (name, ["A;B", "1", "C"])


def test_every_format_has_a_test_and_a_name(tmp_path) -> None:
    assert {known.name for known in FORMATS} == {*GOOD, "lm-eval", "inspect"}
    with pytest.raises(AssayError, match=r"no predictions format 'csv' \(one of leaderboard, table"):
        read(tmp_path, GOOD["leaderboard"], format="csv")


def test_our_own_answers_come_back_whole(tmp_path) -> None:
    evidence = ((SentenceEvidence("Wax melts.", 3.5, 7),), (), (), ())
    stored = [
        Answer("k1", "answered", ("A",), (1.5, 0.25, 0.0, -1.0), evidence, (0.7, 0.1, 0.1, 0.1)),
        Answer("k2", "refused"),
        Answer("k3", "unanswered"),
    ]
    text = "".join(answer_to_json(q, a) + "\n" for q, a in zip(SET, stored, strict=True))
    assert list(read(tmp_path, text).answers) == stored


def test_evidence_and_scores_of_arc_solvers_are_kept(tmp_path) -> None:
    first = read(tmp_path, GOOD["arc-solvers"]).answers[0]
    assert first.scores == (0.5, 0.5, 0.1, 0.0)
    assert first.evidence is not None
    assert first.evidence[0] == (SentenceEvidence("so", 2.0, role="premise"),)


ROWS = [
    ("k1,A\nk1,B\nk2,1\nk3,A\n", [(2, "k1", "second prediction (first on line 1)")]),
    ("k1,A\nk2,1\nk3,A\nk4,A\n", [(4, "k4", "no such question")]),
    ("k1,A\nk2,1\n", [(None, "k3", "no prediction")]),
    ("k1\nk2,1\nk3,A\n", [(1, "k1", "no labels")]),
    ("k1,A;\nk2,1\nk3,A\n", [(1, "k1", "empty label")]),
    ("k1,\nk2,1\nk3,A\n", [(1, "k1", "empty label")]),
    ("k1,A;A\nk2,1\nk3,A\n", [(1, "k1", "label A stands twice")]),
    ("k1,A\nk2,A\nk3,A\n", [(2, "k2", "A is not one of 1, 2, 3, 4")]),
    ("k1,a\nk2,1\nk3,A\n", [(1, "k1", "a is not one of A, B, C, D")]),
    (",A\nk1,A\nk2,1\nk3,A\n", [(1, None, "empty id")]),
    ("k1,A,B\nk2,1\nk3,A\n", [(1, "k1", "3 cells: a row is an id and its labels, joined by ';'")]),
    (
        "k1,A;A;X;\nk2,2;5\nk9,B\n",
        [
            (1, "k1", "empty label"),
            (1, "k1", "label A stands twice"),
            (1, "k1", "X is not one of A, B, C, D"),
            (2, "k2", "5 is not one of 1, 2, 3, 4"),
            (3, "k9", "no such question"),
            (None, "k3", "no prediction"),
        ],
    ),
    ('k1,"A\nk2,1\nk3,A\n', [(1, None, "a quote is opened here and never closed")]),
    ("id,pick\nk1,A\n", [(1, None, "no column 'answer' (columns: id, pick)")]),
    ("question,answer,note\nk1,A,x\n", [(1, None, "no column 'id' (columns: question, answer, note)")]),
    ("id,answer,id\nk1,A,k1\n", [(1, None, "a column name stands twice (columns: id, answer, id)")]),
    ("id,answer\nk1\nk2,1,1\nk3,A\n", [(2, "k1", "no labels"), (3, "k2", "3 cells where the header has 2")]),
]


@pytest.mark.parametrize(("text", "expected"), ROWS)
def test_faults_of_rows(tmp_path, text, expected) -> None:
    assert faults(tmp_path, text) == expected
    if text.startswith("k1,A") and '"' not in text:
        assert faults(tmp_path, text.replace(",", "\t")) == expected


OBJECTS = [
    ('{"k1":"A","k2":"1","k1":"C","k3":"A"}', [(1, "k1", 'duplicate key "k1"')]),
    ('{"k1":"A",\n"k2":2,"k3":"A"}', [(2, "k2", "must be a label or a list of labels. Got 2.")]),
    ('{"k1":"A",\n"k2":"1",\n"k3":"A"', [(3, None, "not JSON: ',' or '}' expected")]),
    ('{"k1":"A","k2":"1","k3":"A",}', [(1, None, "not JSON: a quoted id expected")]),
    ('{"k1":"A","k2":"1","k3":"A"}\nk4', [(2, None, "not JSON: the end of the file expected")]),
    ('{"k1":"A","":"B","k2":"1","k3":"A"}', [(1, None, "empty id")]),
    ('{"k1":"A","k2":"1","k3":[]}', [(1, "k3", "no labels")]),
    (
        '{"id":"k1","pred":"A"}{"id":"k2","pred":"1"}\n{"id":"k3","pred":"A"}\n',
        [
            (1, None, "a second value begins at column 23: one JSON value a line"),
            (None, "k1", "no prediction"),
            (None, "k2", "no prediction"),
        ],
    ),
    (
        '{"id":"k1","pred":"A"}\n{"id":"k2","pred":"1"}\n{"id":"k3","pr',
        [(3, None, "not JSON: Unterminated string starting at at column 12")],
    ),
    (
        '{"id":"k1","id":"k1","pred":"A"}\n{"id":"k2","pred":"1"}\n{"id":"k3","pred":"A"}\n',
        [(1, None, 'duplicate key "id" in one object')],
    ),
    (
        '{"id":"k1","pred":"A"}\n{"pred":"1"}\n{"id":"","pred":"A"}\n[1]\n',
        [(2, None, "no id"), (3, None, "empty id"), (4, None, "must be a JSON object. Got [1].")],
    ),
    (
        '{"id":"k1","pred":1}\n{"id":"k2","pred":null}\n{"id":"k3","output":3}\n',
        [
            (1, "k1", "'pred' must be a label or a list of labels. Got 1."),
            (2, "k2", "'pred' must be a label or a list of labels. Got null."),
            (3, "k3", "'output' must be text. Got 3."),
        ],
    ),
    (
        '{"id":"k1","pred":"A"}\n{"id":"k2","guess":"1"}\n{"id":["k3"],"pred":"A"}\n',
        [
            (2, "k2", "no pred, answer or output (its fields: id, guess)"),
            (3, None, "'id' must be text. Got [\"k3\"]."),
        ],
    ),
    (
        '{"id":"k1","scores":{"A":NaN,"B":-2,"C":-1,"D":-3}}\n{"id":"k2","chosen":["1"]}\n{"id":"k3","chosen":["A"]}\n',
        [(1, "k1", "scores: the one of choice A is not a number")],
    ),
    (
        GOOD["arc-solvers"].replace('"score": 0.9', '"score": NaN'),
        [(2, "k2", "the score of choice 1 is not a number")],
    ),
    (
        GOOD["arc-solvers"].replace('"A,B"', '"A,E"').replace('"newt"', '"toad"'),
        [
            (1, "k1", "E is not one of A, B, C, D"),
            (3, "k3", "choice B is 'toad' here, 'newt' there"),
        ],
    ),
]


@pytest.mark.parametrize(("text", "expected"), OBJECTS)
def test_faults_of_objects(tmp_path, text, expected) -> None:
    assert faults(tmp_path, text) == expected


def test_quotes_are_text_in_a_tab_separated_file(tmp_path) -> None:
    five = QuestionSet([question(f"k{n}", "a", "b", "c", "d") for n in range(1, 6)])
    assert faults(tmp_path, 'k1\tA\nk2\t"B\nk3\tC\nk4\tD"\nk5\tA\n', five) == [
        (2, "k2", '"B is not one of A, B, C, D'),
        (4, "k4", 'D" is not one of A, B, C, D'),
    ]


def test_a_quoted_cell_over_two_rows_is_no_label(tmp_path) -> None:
    three = QuestionSet([question(f"k{n}", "a", "b", "c", "d") for n in range(1, 4)])
    assert faults(tmp_path, 'id,answer\nk1,"A\nk2,B"\nk3,C\n', three)[0] == (
        2,
        "k1",
        "A\nk2,B is not one of A, B, C, D",
    )


def test_ids_are_text(tmp_path) -> None:
    ids = QuestionSet([question(name, "a", "b", "c", "d") for name in ("007", "7", "1e3")])
    assert chosen(read(tmp_path, "id,answer\n007,A\n7,B\n1e3,C\n", ids)) == ["A", "B", "C"]
    assert chosen(
        read(tmp_path, '{"id":"007","pred":"A"}\n{"id":7,"pred":"B"}\n{"id":"1e3","pred":"C"}\n', ids)
    )[1] == ("B")


def test_odd_line_separators_are_no_line_ends(tmp_path) -> None:
    two = QuestionSet([question("k1", "a", "b"), question("k2", "a", "b")])
    text = '{"id":"k1","output":"first\u2028then B"}\n{"id":"k2","output":"x\u0085y\\u000bz"}\n'
    text += '{"id":"k3","pred":"A"}\n'
    assert faults(tmp_path, text, two) == [(3, "k3", "no such question")]
    answers = read(tmp_path, text, two, allow_extra=True).answers
    assert [answer.evidence[0][0].text for answer in answers] == ["first\u2028then B", "x\u0085y\x0bz"]


def test_replies_without_an_answer_are_told_apart(tmp_path) -> None:
    outputs = ["", "Hard to say.", "ANSWER: C", "I cannot help with that", None]
    many = QuestionSet([question(f"k{n}", "a", "b", "c", "d") for n in range(5)])
    text = "".join(json.dumps({"id": f"k{n}", "output": output}) + "\n" for n, output in enumerate(outputs))
    predictions = read(tmp_path, text, many)
    assert chosen(predictions) == ["empty", "unparsed", "C", "refused", "empty"]
    assert {name: predictions.counts[name] for name in ("empty", "unparsed", "answered", "refused")} == {
        "empty": 2,
        "unparsed": 1,
        "answered": 1,
        "refused": 1,
    }


def test_letters_for_digits_are_mapped_and_counted(tmp_path) -> None:
    text = "k1,A\nk2,A;C\nk3,B\n"
    with pytest.raises(FaultyInput, match="letters-for-digits"):
        read(tmp_path, text)
    predictions = read(tmp_path, text, letters_for_digits=True)
    assert chosen(predictions) == ["A", "1;3", "B"]
    assert predictions.counts["mapped"] == 2
    assert "2 letters read as the digit of that place" in predictions.notes
    assert faults(tmp_path, "k1,A\nk2,E\nk3,B\n", letters_for_digits=True) == [
        (2, "k2", "E is not one of 1, 2, 3, 4")
    ]
    assert faults(tmp_path, "k1,A\nk2,A;1\nk3,B\n", letters_for_digits=True) == [
        (2, "k2", "label 1 stands twice")
    ]


def test_a_reply_that_names_no_label_of_the_question_is_counted(tmp_path) -> None:
    text = '{"id":"k1","output":"A"}\n{"id":"k2","output":"Answer: A"}\n{"id":"k3","output":"eel"}\n'
    predictions = read(tmp_path, text)
    assert chosen(predictions) == ["A", "unparsed", "C"]
    assert "1 reply with a label that the question doesn't have: unparsed" in predictions.notes
    assert chosen(read(tmp_path, text, letters_for_digits=True)) == ["A", "1", "C"]


def test_missing_and_extra_predictions_only_when_asked_for(tmp_path) -> None:
    predictions = read(tmp_path, "k1,A\nk9,A\nk8,B\n", allow_missing=True, allow_extra=True)
    assert chosen(predictions) == ["A", "unanswered", "unanswered"]
    assert predictions.counts["left_out"] == 2
    assert predictions.notes == (
        "2 questions without a prediction: unanswered (k2, k3)",
        "2 predictions for other questions left out (k9, k8)",
    )


def test_an_output_is_read_before_an_answer_that_may_be_the_key(tmp_path) -> None:
    text = '{"id":"k1","answer":"A","output":"B"}\n{"id":"k2","pred":"1","output":"2"}\n'
    text += '{"id":"k3","answer":"A"}\n'
    predictions = read(tmp_path, text)
    assert chosen(predictions) == ["B", "1", "A"]
    assert predictions.notes == ("2 records hold more than one of pred, output, answer: the first was read",)


@pytest.mark.parametrize("content", ["", "\n\n", "\ufeff", b"PK\x03\x04zip"])
def test_files_without_predictions(tmp_path, content) -> None:
    with pytest.raises(AssayError):
        read(tmp_path, content)


def test_what_is_not_utf8_is_said(tmp_path) -> None:
    assert faults(tmp_path, b"k1,A\nk\xff,B\nk3,A\n")[0][0] == 2
    assert faults(tmp_path, "k1,A\n".encode("utf-16"))[0][0] == 1


def test_no_file(tmp_path) -> None:
    with pytest.raises(AssayError, match="no such file"):
        read_predictions(tmp_path / "none.csv", SET)


def test_a_first_line_decides(tmp_path) -> None:
    for text, name in [
        ('{"id":"k1","pred":"A"}', "jsonl"),
        ('{"k1":"A"}', "json"),
        ('{\n"k1":"A"}', "json"),
        ("id\tanswer\nk1\tA\n", "table"),
        ("k1\tA\n", "leaderboard"),
        ('"k1","A;B"\n', "leaderboard"),
        ('"id","answer"\n', "table"),
        ('{"version":2,"status":"success","eval":{}}', "inspect"),
        ('{"doc_id":0,"doc":{},"resps":[]}', "lm-eval"),
    ]:
        (tmp_path / "f").write_text(text)
        with open_source(tmp_path / "f") as source:
            assert recognise(source)[0].name == name, text


def test_faults_print_with_file_line_and_id(tmp_path) -> None:
    with pytest.raises(FaultyInput) as caught:
        read(tmp_path, "k1,A\nk2,A\nk3,A\n")
    assert str(caught.value.faults[0]) == f"{tmp_path}/p.txt:2: question k2: A is not one of 1, 2, 3, 4"
    assert isinstance(caught.value.faults[0], Fault)


def test_compressed_files_are_read_and_torn_ones_refused(tmp_path) -> None:
    whole = gzip.compress(GOOD["leaderboard"].encode())
    assert chosen(read(tmp_path, whole, name="p.csv.gz")) == ["A;B", "1", "C"]
    with pytest.raises(AssayError, match="cut off or damaged"):
        read(tmp_path, whole[:-10], name="p.csv.gz")

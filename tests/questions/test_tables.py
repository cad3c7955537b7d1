"""Tables: columns told from the header or mapped, answers read one way or refused."""

import json

import pytest

from assay.errors import AssayError, FaultyInput
from assay.questions import QuestionStream, read_questions


def put(folder, text, name="table.csv"):
    path = folder / name
    path.write_text(text, encoding="utf-8", newline="")
    return path


def faults_of(path, **settings):
    with pytest.raises(FaultyInput) as caught:
        read_questions(path, **settings)
    return [(fault.line, fault.question_id, fault.what) for fault in caught.value.faults]


def only(path, **settings):
    return read_questions(path, **settings).questions[0]


@pytest.mark.parametrize(
    "header",
    [
        "question,A,B,C,D,answer",
        "question,option#1,option#2,option#3,option#4,answer",
        "Question,Option 1,Option 2,Option 3,Option 4,Correct Answer",
        "stem,choice_1,choice_2,choice_3,choice_4,key",
        "question_stem,choice_a,choice_b,choice_c,choice_d,gold",
        "prompt,opt-a,opt-b,opt-c,opt-d,answerKey",
        "question,option0,option1,option2,option3,label",
        "question,answer_a,answer_b,answer_c,answer_d,target",
        "question,a,b,c,d,answer",
    ],
)
def test_headers(header, tmp_path):
    # Field report X09, and its like.
    question = only(put(tmp_path, f"{header}\nWhich?,salt,sand,wax,ice,C\n"))
    assert question.labels == ("A", "B", "C", "D")
    assert [choice.text for choice in question.choices] == ["salt", "sand", "wax", "ice"]
    assert question.answer == "C"
    assert question.id == "table-1"


def test_choices_follow_their_numbers_not_the_order_of_columns(tmp_path):
    assert [c.text for c in only(put(tmp_path, "question,B,A\nq,b,a\n")).choices] == ["a", "b"]


def test_columns_headed_by_numbers_alone_are_labels(tmp_path):
    question = only(put(tmp_path, "question,1,2,3\nq,a,b,c\n"))
    assert question.labels == ("1", "2", "3")
    keyed = only(put(tmp_path, "question,1,2,3,answer\nq,a,b,c,2\n"))
    assert keyed.answer == "2"


@pytest.mark.parametrize("header", ["frage,w,x,y,z", "question,A,answer", "question;A;B;answer", "id,answer"])
def test_an_unknown_header_lists_the_columns_found(header, tmp_path):
    ((line, _, what),) = faults_of(put(tmp_path, f"{header}\n{header}\n"))
    assert line == 1
    assert all(name in what for name in header.split(","))


def test_a_map_names_the_columns(tmp_path):
    path = put(tmp_path, "nr,frage,w,x,y,loesung,klasse,notiz\n007,Was?,a,b,c,x,5,-\n")
    columns = {
        "id": "nr",
        "stem": "frage",
        "choices": ["w", "x", "y"],
        "answer": "loesung",
        "metadata": "klasse",
    }
    with pytest.raises(FaultyInput):
        read_questions(path)
    assert faults_of(path, columns=columns)[0][1] == "007"
    put(tmp_path, "nr,frage,w,x,y,loesung,klasse,notiz\n007,Was?,a,b,c,b,5,-\n")
    reading = read_questions(path, columns=columns)
    question = reading.questions[0]
    assert (question.id, question.stem, question.answer) == ("007", "Was?", "B")
    assert question.metadata == {"klasse": "5"}
    assert any("column notiz is left out" in note for note in reading.notes)


def test_faults_of_a_map(tmp_path):
    path = put(tmp_path, "question,A,B\nq,a,b\n")
    with pytest.raises(AssayError, match=r"no column 'frage'.*question, A, B"):
        read_questions(path, columns={"stem": "frage"})
    with pytest.raises(AssayError, match="has no 'stems'"):
        read_questions(path, columns={"stems": "question"})
    with pytest.raises(AssayError, match="2 columns for stem"):
        read_questions(path, columns={"stem": "A,B"})


def test_rows_that_are_not_as_wide_as_the_header(tmp_path):
    path = put(tmp_path, "id,question,A,B,answer\nq1,s,a,b,A\nq2,s,a,b\nq3,s,a,b,A,extra\n")
    assert faults_of(path) == [
        (3, None, "4 cells, but the header has 5"),
        (4, None, "6 cells, but the header has 5"),
    ]


def test_a_column_that_stands_twice(tmp_path):
    assert faults_of(put(tmp_path, "question,A,B,A\ns,a,b,c\n")) == [
        (1, None, "column 'A' stands twice in the header")
    ]


def test_carriage_returns_alone(tmp_path):
    found = faults_of(put(tmp_path, "question,A,B,answer\rs,a,b,A\r"))
    assert "carriage returns alone" in found[0][2]


@pytest.mark.parametrize("blank", ["", " ", "nan", "NaN"])
def test_blank_options_are_faults_never_choices(blank, tmp_path):
    # Field report D23.
    path = put(tmp_path, f"id,question,A,B,C,answer\nq1,Which?,salt,{blank},{blank},A\n")
    assert faults_of(path) == [(2, "q1", "choice B is empty"), (2, "q1", "choice C is empty")]
    assert faults_of(path, drop_empty=True) == [(2, "q1", "fewer than two choices")]


def test_blank_options_can_be_left_out(tmp_path):
    path = put(tmp_path, "id,question,A,B,C,D,answer\nq1,Which?,salt,sand,,,A\nq2,What?,a,b,c,d,D\n")
    reading = read_questions(path, drop_empty=True)
    assert [question.labels for question in reading.questions] == [("A", "B"), ("A", "B", "C", "D")]
    assert any("blank choice cell left out (2 times)" in note for note in reading.notes)


def test_a_blank_in_the_middle_leaves_the_other_labels_alone(tmp_path):
    path = put(tmp_path, "id,question,A,B,C,answer\nq1,Which?,salt,,sand,C\n")
    assert only(path, drop_empty=True).labels == ("A", "C")


def table(answers, choices=("salt", "sand", "wax", "ice")):
    rows = [f"q{n},Which {n}?,{','.join(choices)},{answer}" for n, answer in enumerate(answers)]
    return "\n".join(["id,question,A,B,C,D,answer", *rows])


@pytest.mark.parametrize(
    ("answers", "reading", "keys", "note"),
    [
        ("ABCD", "label", "ABCD", "read as labels"),
        ("abcd", "letter", "ABCD", "read as letters"),
        ("1234", "1-based", "ABCD", "base 1 inferred"),
        ("0123", "0-based", "ABCD", "base 0 inferred"),
        (["ice", "salt"], "text", "DA", "read as texts"),
        (["ice\u00a0", " salt "], "text", "DA", "read as texts"),
    ],
)
def test_answers_are_inferred_and_said(answers, reading, keys, note, tmp_path):
    # Field reports D19 and D25, and their like.
    path = put(tmp_path, table(answers))
    inferred = read_questions(path)
    assert "".join(question.answer for question in inferred.questions) == keys
    assert any(note in said for said in inferred.notes)
    declared = read_questions(path, answers=reading)
    assert list(declared.questions) == list(inferred.questions)
    assert not declared.notes


def test_integers_in_json_too(tmp_path):
    rows = [{"question": f"{n}?", "choices": [f"{n}{c}" for c in "abcd"], "answer": n} for n in (1, 2, 3, 4)]
    path = put(tmp_path, "\n".join(map(json.dumps, rows)), "q.jsonl")
    reading = read_questions(path)
    assert reading.format == "flat-jsonl"
    assert "".join(question.answer for question in reading.questions) == "ABCD"
    assert any("base 1 inferred" in note for note in reading.notes)


@pytest.mark.parametrize("answers", ["123", "1", "2211"])
def test_answers_that_fit_two_readings_are_refused(answers, tmp_path):
    path = put(tmp_path, table(answers))
    ((_, _, what),) = faults_of(path)
    assert "indexes from 0 or indexes from 1" in what
    assert read_questions(path, answers="0-based").questions[0].answer != (
        read_questions(path, answers="1-based").questions[0].answer
    )


def test_answers_that_fit_text_and_index_are_refused(tmp_path):
    path = put(tmp_path, table(["2", "4"], choices=("4", "3", "2", "1")))
    ((_, _, what),) = faults_of(path)
    assert "texts of choices" in what
    assert "indexes from 1" in what


def test_rows_that_do_not_fit_are_named(tmp_path):
    assert faults_of(put(tmp_path, table(["A", "B", "E", "C"]))) == [
        (4, "q2", "answer key E is not one of A, B, C, D")
    ]
    assert faults_of(put(tmp_path, table(["1", "2", "5", "4"]))) == [
        (4, "q2", "answer key 5 is not one of the indexes from 1 of 4 choices")
    ]
    assert faults_of(put(tmp_path, table(["x"])), answers="text") == [
        (2, "q0", "answer key x is not one of the texts of choices of 4 choices")
    ]


def test_a_misread_answer_is_never_replaced_by_another(tmp_path):
    path = put(tmp_path, table(["1", "2", "5", "4"]))
    assert [q.id for q in QuestionStream(path, lenient=True)] == ["q0", "q1", "q3"]


def test_a_text_that_two_choices_share_is_no_answer(tmp_path):
    path = put(tmp_path, table(["ice", "salt"], choices=("ice", "ice", "salt", "x")))
    assert [fault[1] for fault in faults_of(path, answers="text")] == ["q0"]


def test_texts_keep_their_case(tmp_path):
    path = put(tmp_path, table(["rr"], choices=("RR", "Rr", "rR", "rr")))
    assert only(path).answer == "D"


def test_missing_answers(tmp_path):
    assert faults_of(put(tmp_path, table(["A", "", "B"]))) == [
        (3, "q1", "no answer key, though other questions of the file have one")
    ]
    hidden = read_questions(put(tmp_path, table(["", ""])))
    assert hidden.questions.hidden


def test_ids_are_opaque(tmp_path):
    # Field report D15.
    path = put(tmp_path, "id,question,A,B,answer\n007,x,a,b,A\n7,y,a,b,B\n1e3,z,a,b,A\n")
    assert [question.id for question in read_questions(path).questions] == ["007", "7", "1e3"]


def test_a_quote_that_swallows_rows_is_never_silent(tmp_path):
    # Field report D09.
    path = put(tmp_path, 'id,question,A,B,answer\nk1,s,a,b,"A\nk2,s,a,b,B"\nk3,s,a,b,A\n')
    found = faults_of(path)
    assert found[0][:2] == (2, "k1")
    assert "is not one of A, B" in found[0][2]


def test_quotes_in_a_tab_separated_table_are_text(tmp_path):
    path = put(tmp_path, 'id\tquestion\tA\tB\tanswer\nk1\t"s\ta\tb\tA\nk2\ts"\ta\tb\tB\n', "t.tsv")
    reading = read_questions(path)
    assert reading.format == "tsv"
    assert [question.stem for question in reading.questions] == ['"s', 's"']


def test_choices_in_one_column(tmp_path):
    rows = [
        {"id": "a", "question": "s", "options": {"A": "x", "B": "y"}, "answer": "B", "grade": 5},
        {"id": "b", "question": "t", "options": {"A": "z", "B": "w"}, "answer": "A", "extra": [1]},
    ]
    path = put(tmp_path, "\n".join(map(json.dumps, rows)), "q.jsonl")
    questions = read_questions(path).questions
    assert questions[0].labels == ("A", "B")
    assert questions[0].metadata == {"grade": 5}
    assert questions[1].metadata == {"extra": [1]}
    cells = put(tmp_path, 'question,choices,answer\ns,"[""x"", ""y""]",B\nt,"[x",A\n')
    assert faults_of(cells)[0][2].startswith("choices in one cell must be a JSON list")


@pytest.mark.real_data
def test_a_published_table_that_lost_the_choices_of_digit_labels(shared_data):
    """The 22 Challenge questions labelled 1-4 have blank choices there; nothing else is wrong with it."""
    path = shared_data / "predictions/arc-challenge-test/dgem-default.csv"
    found = faults_of(path, drop_empty=True)
    assert len(found) == 22
    assert {what for _, _, what in found} == {"fewer than two choices"}

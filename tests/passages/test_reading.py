"""Passage questions from files: every format, every fault with where it is, what is left out counted."""

import json
from pathlib import Path

import pytest

from assay.errors import AssayError, FaultyInput
from assay.passages.passage import Span, fingerprint
from assay.passages.reading import read_passages
from assay.passages.rows import own_record
from assay.passages.squad import squad_document
from tests.passages.made import PASSAGE, about, asked, squad, written

WHOLE = squad(
    ("Tower", [(PASSAGE, [asked("a", (26, "Lowmere"), (26, "Lowmere"), (23, "in Lowmere")), asked("b")])]),
    ("Sea", [("Blå 🦁 hav", [asked("c", (4, "🦁"), (6, "hav"))])]),
)


def faults(path: str) -> list[str]:
    with pytest.raises(FaultyInput) as caught:
        read_passages([path])
    return [str(fault).replace(path, "F") for fault in caught.value.faults]


@pytest.mark.parametrize("indent", [None, 1, 4])
def test_squad(tmp_path: Path, indent: int | None) -> None:
    path = tmp_path / "s.json"
    path.write_text("\n " + json.dumps(WHOLE, indent=indent, ensure_ascii=False), encoding="utf-8-sig")
    reading = read_passages([path])
    first, hidden, third = reading.questions
    assert first.answers == (Span(26, "Lowmere"), Span(26, "Lowmere"), Span(23, "in Lowmere"))
    assert first.key == (Span(23, "in Lowmere"), Span(26, "Lowmere"))
    assert (first.group, third.group) == ("Tower", "Sea")
    assert hidden.key is None
    assert reading.hidden == 1
    assert third.references == ("🦁", "hav")
    assert reading.notes == ("1 questions have no reference answers",)
    assert squad_document(iter(reading.questions)) == WHOLE


def test_what_has_no_answer_by_design_is_left_out_and_counted(tmp_path: Path) -> None:
    qas = [asked("a", (4, "Amber")), asked("b", is_impossible=True), asked("c", is_impossible=True)]
    reading = read_passages([written(tmp_path / "v2.json", squad(("T", [(PASSAGE, qas)])))])
    assert [one.id for one in reading.questions] == ["a"]
    assert reading.notes == ("2 questions without an answer (is_impossible) are left out",)


def test_our_own_lines_and_squads_rows_say_the_same(tmp_path: Path) -> None:
    whole = read_passages([written(tmp_path / "s.json", WHOLE)]).questions
    own = written(tmp_path / "own.jsonl", [own_record(one) for one in whole])
    flat = [
        {
            "id": one.id,
            "title": one.group,
            "context": one.passage,
            "question": one.question,
            "answers": {"text": list(one.references), "answer_start": [span.start for span in one.answers]},
        }
        for one in whole
    ]
    rows = written(tmp_path / "rows.jsonl", flat)
    assert read_passages([own]).questions == read_passages([rows]).questions == whole
    assert fingerprint(read_passages([own]).questions) == fingerprint(whole)
    assert read_passages([written(tmp_path / "list.json", flat)]).questions == whole


def test_sciq(tmp_path: Path) -> None:
    records = [
        {"question": "What rusts?", "correct_answer": "iron", "support": "Iron rusts. Irons do, and iron."},
        {"question": "What rusts?", "correct_answer": "tin", "support": "Iron rusts."},
        {"question": "What rusts?", "correct_answer": "tin", "support": " "},
        {"question": "What?", "correct_answer": "oxygen", "support": "It is dioxygen."},
    ]
    path = written(tmp_path / "valid.json", [one | {"distractor1": "x"} for one in records])
    reading = read_passages([path])
    assert [one.id for one in reading.questions] == ["valid-1", "valid-4"]
    assert reading.questions[0].answers == (Span(0, "Iron"), Span(26, "iron"))
    # Within a word, as nowhere else.
    assert reading.questions[1].answers == (Span(8, "oxygen"),)
    assert reading.left_out == {"without a support": 1, "whose answer doesn't stand in the support": 1}


@pytest.mark.parametrize(
    ("context", "qas", "said"),
    [
        (
            PASSAGE,
            asked("a", (25, "Lowmere")),
            "F: question a: article 1, paragraph 1: the answer 'Lowmere' doesn't stand at character 25 of "
            "its passage, where ' Lowmer' stands; it stands at 26",
        ),
        (PASSAGE, asked("a", (500, "Lowmere")), "character 500 of its passage of 79; it stands at 26"),
        (PASSAGE, asked("a", (-7, "owmere.")), "doesn't stand at character -7"),
        (PASSAGE, asked("a", (0, "lowmere")), "it stands nowhere in it"),
        # Counted in UTF-16 or in bytes, the lion is more than one.
        ("🦁 hav", asked("a", (3, "hav")), "it stands at 2"),
        (PASSAGE, asked("a", (0, "")), "an answer's text is empty"),
        (PASSAGE, asked("a", (True, "h")), "start must be a whole number. Got True"),
        (PASSAGE, asked("a", (1.0, "h")), "start must be a whole number. Got 1.0"),
        (" ", asked("a", (0, "x")), "article 1, paragraph 1: the context is empty"),
        (None, asked("a"), "the context must be a text. Got None"),
        (PASSAGE, asked("a", question=" "), "question a: article 1, paragraph 1: the question is empty"),
        (PASSAGE, asked(7), "id must be a text. Got 7"),
        (PASSAGE, "a", "a question must be an object. Got 'a'"),
        (PASSAGE, {"id": "a", "question": "Q?", "answers": ["x"]}, "an answer must be an object"),
        (PASSAGE, {"id": "a", "question": "Q?", "answers": "x"}, "has no list 'answers'"),
        ("a\ud83e", asked("a"), r"the context holds half a character (\ud83e)"),
    ],
)
def test_faults_say_where(tmp_path: Path, context: object, qas: object, said: str) -> None:
    found = faults(written(tmp_path / "f.json", squad(("T", [(context, [qas])]))))
    assert len(found) == 1
    assert said in found[0]


def test_all_faults_of_all_files_are_listed(tmp_path: Path) -> None:
    one = written(
        tmp_path / "1.json", squad(("T", [(PASSAGE, [asked("a", (0, "x")), asked("b", (1, "x"))])]))
    )
    other = written(tmp_path / "2.jsonl", [{"id": "a", "passage": "p", "question": "q"}] * 2)
    with pytest.raises(FaultyInput) as caught:
        read_passages([one, other])
    said = [str(fault) for fault in caught.value.faults]
    assert len(said) == 4
    assert said[2] == f"{other}: question a: id appears a second time (the first is in {one})"


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("f.json", "", "is empty"),
        ("f.json", "hello", "no known format"),
        ("f.json", '{"version": "1.1", "data": []}', "holds no question"),
        ("f.json", '{"version": "1.1", "data": [{"title": "T"}]}', "article 1 has no list 'paragraphs'"),
        ("f.json", '{"version": "1.1", "data": [{"paragraphs": [{"conte', "cut off"),
        ("f.json", '{\n"data": [7]\n}', "article 1 must be an object"),
        ("f.json", '[{"id": "a"', "the list isn't closed"),
        ("f.jsonl", '{"id":"a","passage":"p","question":"q"}\n{"id":', "F:2: not JSON"),
        ("f.jsonl", '{"id":"a","passage":"p","question":"q","answers":7}', "F:1: answers must be a list"),
        (
            "f.jsonl",
            '{"id":"a","passage":"p","question":"q","group":7}',
            "F:1: question a: the group must be",
        ),
        (
            "f.jsonl",
            '{"id":"a","context":"p","question":"q","answers":{"text":["p"]}}',
            "two lists of one length",
        ),
        ("f.jsonl", '{"id":"a","passage":"","question":"q"}', "F:1: question a: the passage is empty"),
        ("f.jsonl", "[7]", "F:1: a record must be an object. Got 7"),
    ],
)
def test_files_that_are_none(tmp_path: Path, name: str, text: str, said: str) -> None:
    path = tmp_path / name
    path.write_text(text)
    assert said in " ".join(faults(str(path)))


def test_no_such_format_and_no_such_file(tmp_path: Path) -> None:
    with pytest.raises(AssayError, match="it has 'id', 'stem'") as caught:
        read_passages([written(tmp_path / "f.jsonl", [{"id": "a", "stem": "q"}])])
    assert caught.value.faults[0].line == 1
    with pytest.raises(AssayError, match="no such file"):
        read_passages([tmp_path / "nowhere"])


def test_a_message_stays_short_whatever_the_fields(tmp_path: Path) -> None:
    fields = {f"{number} {'x' * 5_000}": 1 for number in range(50)}
    with pytest.raises(AssayError, match="a record of no known format") as caught:
        read_passages([written(tmp_path / "f.jsonl", [fields])])
    assert len(str(caught.value)) < 1500


def test_bytes_that_are_no_text(tmp_path: Path) -> None:
    path = tmp_path / "f.json"
    path.write_bytes(json.dumps(WHOLE).encode() + b"\xff")
    assert "not UTF-8: byte 0xff" in faults(str(path))[0]


def test_the_key_is_every_distinct_reference() -> None:
    one = about(PASSAGE, "Lowmere", "Amber Tower", "Lowmere")
    assert one.key == (Span(4, "Amber Tower"), Span(26, "Lowmere"))
    assert one.answers[1].end == 15


@pytest.mark.real_data
def test_the_published_files(shared_data: Path) -> None:
    dev = read_passages([shared_data / "squad/dev-v1.1.json"]).questions
    other = read_passages([shared_data / "squad/xquad.en.json"]).questions
    assert (len(dev), len({one.group for one in dev}), len(other)) == (10_570, 48, 1_190)
    assert {one.id for one in other} <= {one.id for one in dev}
    science = read_passages([shared_data / "sciq/valid.json"])
    assert len(science.questions) + sum(science.left_out.values()) == 1_000
    assert science.left_out["without a support"] == 113

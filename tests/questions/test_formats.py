"""One contract for every format: what it carries comes back the same; bytes depend on the questions alone."""

import gzip
import io
import lzma
from dataclasses import replace

import pytest
import zstandard

from assay.errors import AssayError
from assay.questions import read_questions, write_questions
from assay.questions.formats.registry import FORMATS
from tests.questions.question_cases import FACTS, question, variety

NAMES = [known.name for known in FORMATS]
TEXT = [name for name in NAMES if name != "hf-parquet"]


def plain(questions):
    return [(q.id, q.stem, q.choices, q.answer) for q in questions]


def without_labels(questions):
    """What SciQ carries: the texts as a set, and the key's."""
    return [
        (q.stem, sorted(c.text for c in q.choices), [c.text for c in q.choices if c.label == q.answer])
        for q in questions
    ]


def alike(name):
    """OpenBookQA without facts is ARC's shape and nothing more."""
    return {name, "arc-jsonl"} if name == "openbookqa" else {name}


def same(name, left, right):
    compare = without_labels if name == "sciq" else plain
    return compare(left) == compare(right)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("k", [2, 3, 4, 5, 8, 12])
@pytest.mark.parametrize("digits", [False, True])
def test_round_trip(name, k, digits, tmp_path):
    questions = variety(k, digits=digits)
    written = write_questions(questions, tmp_path / "file", name)
    reading = read_questions(tmp_path / "file")
    assert reading.format in alike(name)
    assert written.questions == 3
    assert same(name, questions, reading.questions)


@pytest.mark.parametrize("name", NAMES)
def test_mixed_numbers_of_choices_and_kinds_of_labels(name, tmp_path):
    questions = [
        replace(q, id=f"{q.id}{n}") for n, k in enumerate((2, 5, 3)) for q in variety(k, digits=n == 1)
    ]
    write_questions(questions, tmp_path / "file", name)
    assert same(name, questions, read_questions(tmp_path / "file").questions)


@pytest.mark.parametrize("name", [name for name in NAMES if name != "sciq"])
def test_hidden_keys_stay_hidden(name, tmp_path):
    questions = variety(keyed=False)
    write_questions(questions, tmp_path / "file", name)
    reading = read_questions(tmp_path / "file")
    assert plain(reading.questions) == plain(questions)
    assert reading.questions.hidden


def test_sciq_refuses_a_hidden_question(tmp_path):
    with pytest.raises(AssayError, match=r"q1.*without a key"):
        write_questions([question(key=None)], tmp_path / "file", "sciq")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("name", TEXT)
@pytest.mark.parametrize("shape", ["bom", "crlf", "gz", "xz", "zst", "no last line feed"])
def test_shapes_of_files(name, shape, tmp_path):
    write_questions(variety(), tmp_path / "plain", name)
    data = (tmp_path / "plain").read_bytes()
    shaped = {
        "bom": lambda: b"\xef\xbb\xbf" + data,
        "crlf": lambda: data.replace(b"\n", b"\r\n"),
        "gz": lambda: gzip.compress(data),
        "xz": lambda: lzma.compress(data),
        "zst": lambda: zstandard.compress(data),
        "no last line feed": lambda: data.rstrip(b"\n"),
    }
    (tmp_path / "shaped").write_bytes(shaped[shape]())
    plainly, shapely = read_questions(tmp_path / "plain"), read_questions(tmp_path / "shaped")
    assert same(name, variety(), shapely.questions)
    assert shapely.format == plainly.format
    assert shapely.format in alike(name)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("suffix", [".gz", ".xz", ".zst"])
def test_written_compressed(name, suffix, tmp_path):
    for copy in ("one", "two"):
        write_questions(variety(), tmp_path / f"{copy}{suffix}", name)
    assert (tmp_path / f"one{suffix}").read_bytes() == (tmp_path / f"two{suffix}").read_bytes()
    assert same(name, variety(), read_questions(tmp_path / f"one{suffix}").questions)


@pytest.mark.parametrize("name", NAMES)
def test_what_is_lost_is_said(name, tmp_path):
    full = question(facts=FACTS, tags={"reasoning": ("multihop",)}, metadata={"grade": 5, "odd": "x"})
    lost = write_questions([full], tmp_path / "file", name).lost
    back = read_questions(tmp_path / "file").questions[0]
    assert (back.facts == FACTS) == (not any("fact" in field for field in lost))
    assert (back.tags == full.tags) == ("tags" not in lost)
    for column, value in full.metadata.items():
        kept = column in back.metadata and back.metadata[column] == value
        assert kept == (not any(field.startswith(f"metadata {column}") for field in lost))


def test_own_format_carries_every_field_exactly(tmp_path):
    questions = [
        question(
            "a",
            facts=FACTS,
            tags={"reasoning": ("multihop", "analogy"), "topic": ()},
            metadata={
                "grade": 5,
                "year": "?",
                "deep": {"list": [1, 2.5, None, True, "\u2028\u0085"]},
                "none": None,
            },
        ),
        question("b", "a\u2028b\u0085c\nd", facts=replace(FACTS, second=None)),
    ]
    write_questions(questions, tmp_path / "one", "assay")
    back = read_questions(tmp_path / "one").questions
    assert [replace(q, origin=None) for q in back] == questions
    write_questions(back, tmp_path / "two", "assay")
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()
    assert len((tmp_path / "one").read_text(encoding="utf-8").splitlines()) == 2


def test_line_ends_inside_texts(tmp_path):
    odd = [question("a", "one\ntwo\r\nthree", ["x\ny", 'a "quoted"\nline'])]
    for name in set(NAMES) - {"tsv", "sciq"}:
        write_questions([*odd, question("b")], tmp_path / "file", name)
        assert plain(read_questions(tmp_path / "file").questions)[0] == plain(odd)[0], name
    with pytest.raises(AssayError, match=r"question a: .*tab or a line end"):
        write_questions(odd, tmp_path / "tsv", "tsv")


@pytest.mark.parametrize(
    ("stem", "texts"),
    [("Which?", ["see (B) below", "b", "c"]), ("Which?", ["x", "(C) only", "y"])],
)
def test_arc_csv_refuses_what_it_could_not_read_back(stem, texts, tmp_path):
    with pytest.raises(AssayError, match="question q1: choices can't be told"):
        write_questions([question("q1", stem, texts)], tmp_path / "file", "arc-csv")


def test_arc_csv_takes_the_last_run_of_labels(tmp_path):
    labelled = question("q1", "Is figure (A) or (B) larger?", ["(A) is", "both", "neither"])
    with pytest.raises(AssayError):
        write_questions([labelled], tmp_path / "file", "arc-csv")
    sound = [question("q1", "Is figure (A) or (B) larger?", ["it is", "both", "neither"])]
    write_questions(sound, tmp_path / "file", "arc-csv")
    assert plain(read_questions(tmp_path / "file").questions) == plain(sound)


def test_a_choice_called_nan_survives_a_table(tmp_path):
    questions = [question("q1", "What is 0/0 in floating point?", ["0", "1", "NaN"], key=2)]
    write_questions(questions, tmp_path / "file", "csv")
    assert plain(read_questions(tmp_path / "file").questions) == plain(questions)


def test_sciq_places_the_key_the_same_way_each_time():
    from assay.questions.formats.sciq import key_place

    places = [key_place(f"stem {number}", "key", 4) for number in range(400)]
    assert places == [key_place(f"stem {number}", "key", 4) for number in range(400)]
    assert all(60 < places.count(place) < 140 for place in range(4))


def test_hugging_face_parquet_has_the_published_columns(tmp_path):
    import pyarrow.parquet as pq

    write_questions(variety(), tmp_path / "arc", "hf-parquet")
    schema = pq.read_schema(tmp_path / "arc")
    assert schema.names == ["id", "question", "choices", "answerKey"]
    assert str(schema.field("choices").type) == (
        "struct<text: list<element: string>, label: list<element: string>>"
    )
    write_questions([question(facts=FACTS)], tmp_path / "qasc", "hf-parquet")
    assert pq.read_schema(tmp_path / "qasc").names[4:] == [
        *("fact1", "fact2", "combinedfact", "formatted_question")
    ]


def test_writers_do_not_close_what_they_are_given():
    for known in FORMATS:
        file = io.BytesIO()
        known.write(variety(), file)
        assert not file.closed
        assert file.getvalue()

"""Taxonomies, tags brought under them, and sheets that people fill in."""

from __future__ import annotations

from pathlib import Path

import pytest

from assay.errors import AssayError, FaultyInput
from assay.questions.model import Choice, Origin, Question, QuestionSet
from assay.questions.tags import read_tags, with_tags
from assay.questions.types.sheet import in_a_line, sheet
from assay.questions.types.tagging import named, tag
from assay.questions.types.taxonomy import BUILT_IN, OUTSIDE, Taxonomy, Type, read_taxonomy, with_labels

TWO = (Choice("A", "cork"), Choice("B", "lead"))


def question(name: str, *choices: Choice, key: str | None = "A", **tags: tuple[str, ...]) -> Question:
    return Question(
        name, f"What floats, {name}?", choices or TWO, key, tags=tags, origin=Origin("q.jsonl", 7)
    )


THREE = QuestionSet([question("q1"), question("q2"), question("q3")])


def test_the_built_in_taxonomies_are_whole() -> None:
    sizes = {name: len(read_taxonomy(name).types) for name in BUILT_IN}
    assert sizes == {"arc-knowledge": 8, "arc-reasoning": 9, "arc-topics": 9}
    for name in BUILT_IN:
        for one in read_taxonomy(name).types:
            assert one.definition.endswith(".")
            assert "\n" not in one.definition


@pytest.mark.parametrize(
    ("label", "name"),
    [
        ("Causal / Explanation", "explanation and meta-reasoning"),
        ("Physical Model", "spatial and kinematic"),
        ("Hypothetical", "hypothetical and counterfactual"),
        ("  MULTIHOP ", "multihop"),
        ("Question  Logic", "question logic"),
        ("guessing", None),
    ],
)
def test_labels_of_the_published_file_stand_for_types(label: str, name: str | None) -> None:
    assert read_taxonomy("arc-reasoning").type_of(label) == name


def test_the_longest_beginning_wins_and_whole_labels_before_it() -> None:
    own = Taxonomy("own", (Type("a", "", ("x*",)), Type("b", "", ("xy*",)), Type("c", "", ("xyz",))))
    assert [own.type_of(label) for label in ("x", "xa", "xyq", "xyz", "y")] == ["a", "a", "b", "c", None]


def test_a_star_alone_is_for_any_other_label() -> None:
    own = Taxonomy("own", (Type("a", "", ("x*",)), Type("other", "", ("*",))))
    assert [own.type_of(label) for label in ("xy", "A", "anything")] == ["a", "a", "other"]


def test_taxonomies_of_a_table_and_of_toml_say_the_same(tmp_path: Path) -> None:
    table = tmp_path / "own.tsv"
    table.write_bytes(
        b"\xef\xbb\xbfName\tDefinition\tLabels\r\nheat\tWarm or cold.\tHEAT*; hot\r\n\r\nlight\t\t\r\n"
    )
    toml = tmp_path / "own.toml"
    toml.write_text(
        '[[types]]\nname = "heat"\ndefinition = "Warm or cold."\nlabels = ["HEAT*", "hot"]\n'
        '[[types]]\nname = "light"\n'
    )
    assert read_taxonomy(table) == read_taxonomy(toml)
    assert read_taxonomy(table).names == ("heat", "light")


@pytest.mark.parametrize(
    ("name", "text", "wrong"),
    [
        ("t.tsv", "name\tdefinition\nheat\t\nHeat\t\n", r"t\.tsv:3: type Heat stands twice"),
        ("t.tsv", "name\tdefinition\nheat\n", r"t\.tsv:2: 1 cells for 2 columns"),
        ("t.tsv", "name\tdefinition\n\twarm\n", r"t\.tsv:2: no name"),
        ("t.tsv", "type\twhat\nheat\twarm\n", r"t\.tsv:1: no taxonomy: its heading is type, what"),
        ("t.tsv", "", "its heading is missing"),
        ("t.tsv", "name\tdefinition\n", "holds no type"),
        ("t.tsv", "name\tdefinition\tlabels\na\t\tx\nb\t\tX\n", r"t\.tsv:3: label X stands for b and for a"),
        ("t.tsv", "name\tdefinition\tlabels\na\t\tb\nb\t\t\n", r"t\.tsv:2: label b stands for a and for b"),
        ("t.toml", '[[types]]\nname = "a"\n[[types]]\nname = "A"\n', "type A stands twice"),
        ("t.toml", "[[types]]\ndefinition = 'x'\n", "type 1: no name"),
        ("t.toml", "[[types]]\nname = 'x'\ncolour = 'red'\n", "unknown key colour"),
        ("t.toml", "[[types]]\nname = 'x'\nlabels = 'y'\n", "labels must be a list"),
        ("t.toml", '[[types]]\nname = "x"\ndefinition = "y\\nz"\n', "must be one line"),
        ("t.toml", "types = [3]\n", "must be a table"),
        ("t.toml", "types = 3\n", "types a list of tables"),
        ("t.toml", "kinds = []\n", "unknown key kinds"),
        ("t.toml", "[[types]\n", "isn't TOML"),
    ],
)
def test_faulty_taxonomies(tmp_path: Path, name: str, text: str, wrong: str) -> None:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    with pytest.raises(AssayError, match=wrong):
        read_taxonomy(path)
    with pytest.raises(AssayError, match="arc-reasoning"):
        read_taxonomy(tmp_path / "none")


def write(path: Path, text: str) -> str:
    path.write_text(text, encoding="utf-8")
    return str(path)


def test_an_unknown_label_is_refused_with_its_place(tmp_path: Path) -> None:
    flags = write(tmp_path / "flags.tsv", "id\tMultihop\tGuessing\nq1\t1\t0\n")
    with pytest.raises(FaultyInput, match=r"flags\.tsv:1: label 'Guessing' is no type of ARC") as caught:
        tag(THREE, [(None, flags)], [(None, "arc-reasoning")])
    assert "question logic, linguistic matching" in str(caught.value.hint)
    lists = write(tmp_path / "lists.tsv", "id\treasoning\nq1\tMultihop\nq2\tAnalogy;Luck\nq3\tLuck\n")
    with pytest.raises(FaultyInput, match=r"lists\.tsv:3: question q2: label 'Luck'") as caught:
        tag(THREE, [(None, lists)], [(None, "arc-reasoning")])
    assert len(caught.value.faults) == 1
    own = QuestionSet([question("q1", reasoning=("Luck",))])
    with pytest.raises(FaultyInput, match=r"q\.jsonl:7: question q1: label 'Luck'"):
        tag(own, [], [(None, "arc-reasoning")])


def test_a_file_of_labels_maps_and_puts_outside(tmp_path: Path) -> None:
    tags = write(tmp_path / "tags.tsv", "id\treasoning\nq1\tMultihop; unsure\nq2\tunsure\nq3\tLuck\n")
    labels = write(tmp_path / "labels.tsv", "# ours\r\nLuck\tQuestion logic\r\nunsure\t-\r\n")
    tagged = tag(THREE, [(None, tags)], [(None, "arc-reasoning")], [labels])
    assert [one.tags["reasoning"] for one in tagged.questions] == [
        ("multihop", OUTSIDE),
        (OUTSIDE,),
        ("question logic",),
    ]
    assert any("Luck: counted as question logic" in note for note in tagged.notes)
    assert tagged.levels["reasoning"] == read_taxonomy("arc-reasoning").names


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("Luck\n", r"labels\.tsv:1: must be a label, a tab"),
        ("Luck\tchance\n", r"labels\.tsv:1: 'Luck' stands for 'chance', which is no type: question logic"),
        ("Luck\tanalogy\nluck\tmultihop\n", r"labels\.tsv:2: the label 'luck' stands twice"),
        ("Analogy\tmultihop\n", r"labels\.tsv:1: 'Analogy' is itself a type"),
    ],
)
def test_faulty_files_of_labels(tmp_path: Path, text: str, wrong: str) -> None:
    labels = write(tmp_path / "labels.tsv", text)
    with pytest.raises(FaultyInput, match=wrong):
        with_labels({"type": read_taxonomy("arc-reasoning")}, [labels])


def test_a_moved_label_leaves_its_old_type(tmp_path: Path) -> None:
    labels = write(tmp_path / "labels.tsv", "physical model\tanalogy\n")
    moved = with_labels({"type": read_taxonomy("arc-reasoning")}, [labels])["type"]
    assert moved.type_of("Physical Model") == "analogy"


def test_a_taxonomy_finds_its_kind(tmp_path: Path) -> None:
    both = write(tmp_path / "both.tsv", "id\tsplit\ttopics\tway\nq1\ttest\tLIFE_FOOD\tMultihop\n")
    found = tag(THREE, [(None, both)], [(None, "arc-topics"), (None, "arc-reasoning")])
    assert list(found.taxonomies) == ["topics", "way"]
    assert found.questions[0].tags == {"split": ("test",), "topics": ("life",), "way": ("multihop",)}
    unclear = write(tmp_path / "unclear.tsv", "id\tone\ttwo\nq1\tLIFE\tLIFE\n")
    with pytest.raises(AssayError, match="several kinds of tags: one, two") as caught:
        tag(THREE, [(None, unclear)], [(None, "arc-topics")])
    assert caught.value.hint == "name the kind: one=arc-topics"
    with pytest.raises(AssayError, match="two taxonomies for tags of kind one"):
        tag(THREE, [(None, unclear)], [("one", "arc-topics"), ("one", "arc-topics")])
    with pytest.raises(AssayError, match="no tags of kind three"):
        tag(THREE, [(None, unclear)], [("three", "arc-topics")])


def test_a_taxonomy_without_any_tags_is_of_the_kind_type() -> None:
    assert list(tag(THREE, [], [(None, "arc-knowledge")]).taxonomies) == ["type"]


def test_a_sheet_may_be_of_a_kind_that_nobody_has_given_yet() -> None:
    topical = QuestionSet([question("q1", topics=("LIFE",))])
    with pytest.raises(AssayError, match="no tags of kind knowledge"):
        tag(topical, [], [("knowledge", "arc-knowledge")])
    found = tag(topical, [], [("knowledge", "arc-knowledge")], new_kinds=True)
    assert list(found.taxonomies) == ["knowledge"]


def test_names_with_a_kind_before_them(tmp_path: Path) -> None:
    assert named("topics=t.tsv") == ("topics", "t.tsv")
    assert named("t.tsv") == (None, "t.tsv")
    odd = write(tmp_path / "a=b.tsv", "")
    assert named(odd) == (None, odd)


def test_one_column_of_several_can_be_named(tmp_path: Path) -> None:
    path = write(tmp_path / "t.tsv", "id\tfold\ttopics\nq1\tEasy\tHEAT\n")
    (tags,) = read_tags(path, "topics")
    assert tags.by_id == {"q1": {"topics": ("HEAT",)}}
    assert "left out: fold" in tags.notes[1]


def test_empty_cells_are_zero_and_empty_rows_not_yet_tagged(tmp_path: Path) -> None:
    path = write(tmp_path / "t.tsv", "id\ta\tb\tc\nq1\t1\t\t\nq2\t\t\t\nq3\t0\t1\t\n")
    (tags,) = read_tags(path)
    assert tags.by_id == {"q1": {"type": ("a",)}, "q3": {"type": ("b",)}}
    assert tags.lines == {"q1": 2, "q3": 4}
    assert any("1 rows are empty" in note for note in tags.notes)
    assert any("1 empty cells" in note for note in tags.notes)
    assert any("left out: c" in note for note in tags.notes)


def test_a_tag_holds_that_half_of_those_gave_it_who_know_it(tmp_path: Path) -> None:
    rows = "id\tannotator\theat\tlight\nq1\tann\t1\t0\nq1\tben\t0\t0\nq1\tcat\t0\t1\nq2\tann\t1\t1\n"
    (ann, ben, cat) = read_tags(write(tmp_path / "three.tsv", rows))
    assert (ann.annotator, ben.annotator, cat.source) == ("ann", "ben", "cat")
    tagged, notes = with_tags(THREE, ann, ben, cat)
    assert [one.tags.get("type") for one in tagged] == [(), ("heat", "light"), None]
    assert any("1 questions were tagged by several" in note for note in notes)
    assert with_tags(THREE, ann, ben)[0][0].tags["type"] == ("heat",)
    # Another file's columns are no vote against these.
    (sound,) = read_tags(write(tmp_path / "sound.tsv", "id\tsound\nq1\t1\nq2\t0\n"))
    (taste,) = read_tags(write(tmp_path / "taste.tsv", "id\ttaste\nq1\t1\nq2\t0\n"))
    assert with_tags(THREE, ann, sound, taste)[0][0].tags["type"] == ("heat", "sound", "taste")


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("id\tannotator\ta\nq1\tann\t1\nq1\tann\t1\n", r":3: question q1: id appears a second time by ann"),
        ("id\tannotator\ta\nq1\t\t1\n", r":2: question q1: no annotator"),
    ],
)
def test_faulty_files_of_several_people(tmp_path: Path, text: str, wrong: str) -> None:
    with pytest.raises(FaultyInput, match=wrong):
        read_tags(write(tmp_path / "tags.tsv", text))


ODD = QuestionSet(
    [
        Question("=1+1", "-3 is\twhat?\nSay.", (Choice("1", "cold"), Choice("2", "hot")), "2"),
        Question("'=x", "@home", (Choice("A", "1"),), None, tags={"type": ("b",)}),
        Question("plain", '"Quoted" <b>', TWO, "A", tags={"type": ()}),
    ]
)
OWN = Taxonomy("own", (Type("a"), Type("b"), Type("+c")))


def test_a_sheet_reads_back_as_it_was_filled_in(tmp_path: Path) -> None:
    path = tmp_path / "sheet.tsv"
    path.write_text(sheet(ODD, "type", OWN), encoding="utf-8", newline="")
    lines = path.read_text().splitlines()
    assert lines[0] == "id\tquestion\ta\tb\t'+c"
    assert lines[1] == "'=1+1\t'-3 is what? Say. (1) cold *(2) hot\t\t\t"
    (read,) = read_tags(path)
    assert read.by_id == {"'=x": {"type": ("b",)}, "plain": {"type": ()}}
    assert not [note for note in read.notes if "left out: question" in note]
    path.write_bytes(path.read_bytes().replace(b"hot\t\t\t", b"hot\t1\t0\t1").replace(b"\n", b"\r\n"))
    tagged = tag(QuestionSet(Question(q.id, q.stem, q.choices) for q in ODD), [(None, str(path))])
    assert [one.tags["type"] for one in tagged.questions] == [("a", "+c"), ("b",), ()]


def test_an_untouched_sheet_tags_nothing(tmp_path: Path) -> None:
    path = tmp_path / "sheet.tsv"
    path.write_text(sheet(THREE, "type", OWN), encoding="utf-8")
    with pytest.raises(AssayError, match="nobody has filled it in"):
        read_tags(path)


def test_what_can_stand_in_no_sheet() -> None:
    with pytest.raises(FaultyInput, match="tab or line end"):
        sheet([question("a\tb")], "type", OWN)
    with pytest.raises(AssayError, match="can't be called Question"):
        sheet(THREE, "type", Taxonomy("own", (Type("Question"),)))


def test_a_question_in_a_line_marks_its_key() -> None:
    assert in_a_line(question("q1", Choice("1", "x"), key="1")) == "What floats, q1? *(1) x"
    assert in_a_line(question("q1", key=None)) == "What floats, q1? (A) cork (B) lead"


KINDS_FILE = "name\tdefinition\nfish\tSwims.\nbird\tFlies.\n"


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        (
            "id\tfish\tbird\nq1\tx\t0\nq2\tx\t1\n",
            r"tags\.tsv:2: question q1: 'x' in column fish isn't 0 or 1",
        ),
        ("id\tfish\tbird\nq1\t\t0\nq2\tyes\t1\n", r"tags\.tsv:3: question q2: 'yes' in column fish"),
        ("id\tfish\tbird\nq1\tTRUE\tFALSE\n", "column fish is a type of kinds, and nowhere holds 0 or 1"),
        ("id\tfish\tbird\nq1\t\t\n", "column fish is a type of kinds, and nowhere holds 0 or 1"),
        ('"id"\t"fish"\t"bird"\n"q1"\t"1"\t"0"\n', r"tags\.tsv:1: .* stands in quotation marks"),
        ("annotator\tid\tfish\tbird\nann\tq1\t1\t0\n", r"tags\.tsv:1: the first column is annotator"),
        ("q1\tfish; bird\nq2\tbird\n", r"tags\.tsv:1: no heading: the first line is about a question"),
        ("q1\tfish; bird\n", r"tags\.tsv: a heading and no row"),
        ("id\tfish\tbird\n", r"tags\.tsv: a heading and no row"),
        (
            'id\tquestion\tfish\tbird\nq1\tWhat?\t"1"\t"0"\n',
            r"tags\.tsv:2: question q1: '\"1\"' in column fish",
        ),
    ],
)
def test_a_filled_in_table_loses_no_type_unsaid(tmp_path: Path, text: str, wrong: str) -> None:
    kinds = write(tmp_path / "kinds.tsv", KINDS_FILE)
    with pytest.raises(AssayError, match=wrong):
        tag(THREE, [(None, write(tmp_path / "tags.tsv", text))], [(None, kinds)])


def test_a_type_that_nobody_was_given_counts_as_looked_at(tmp_path: Path) -> None:
    kinds = write(tmp_path / "kinds.tsv", KINDS_FILE)
    none = "id\tfish\tbird\nq1\t\t1\nq2\t\t0\nq3\t\t0\n"
    files = [("type", write(tmp_path / name, none)) for name in ("ann.tsv", "ben.tsv")]
    files.append(("type", write(tmp_path / "eve.tsv", "id\tfish\tbird\nq1\t1\t1\nq2\t0\t0\nq3\t0\t1\n")))
    tagged = tag(THREE, files, [(None, kinds)])
    assert [one.tags["type"] for one in tagged.questions] == [("bird",), (), ()]
    assert [set(one.columns["type"]) for one in tagged.files] == [{"fish", "bird"}] * 3


def test_a_column_of_remarks_is_left_out_still(tmp_path: Path) -> None:
    kinds = write(tmp_path / "kinds.tsv", KINDS_FILE)
    table = write(tmp_path / "tags.tsv", "id\tfish\tremarks\nq1\t1\tsure?\n")
    tagged = tag(THREE, [(None, table)], [(None, kinds)])
    assert tagged.questions[0].tags == {"type": ("fish",)}
    assert any("left out: remarks" in note for note in tagged.notes)


def test_a_file_given_twice_is_not_two_people(tmp_path: Path) -> None:
    table = write(tmp_path / "tags.tsv", "id\tfish\tbird\nq1\t1\t0\n")
    with pytest.raises(AssayError, match="given twice"):
        tag(THREE, [(None, table), (None, table)])

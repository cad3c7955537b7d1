import json
from pathlib import Path

import pytest

from assay.errors import AssayError, FaultyInput
from assay.questions import read_questions
from assay.questions.diagrams import needs_diagram
from assay.questions.merge_file import read_merge_file
from assay.questions.merging import PER_QUESTION, MergeRules, MergeSource, merge, provenance
from assay.questions.model import Choice, Question


def write(folder: Path, name: str, *questions: tuple) -> Path:
    path = folder / f"{name}.jsonl"
    lines = []
    for id_, stem, texts, key, *more in questions:
        choices = [{"label": label, "text": text} for label, text in zip("ABCD", texts, strict=False)]
        record = {"id": id_, "stem": stem, "choices": choices, "answer": key}
        lines.append(json.dumps({**record, "metadata": more[0]} if more else record))
    path.write_text("".join(line + "\n" for line in lines))
    return path


def source(folder: Path, name: str, *questions: tuple, **settings) -> MergeSource:
    rights = {"licence": "CC BY 4.0", "permission": "public"}
    return MergeSource(name, (write(folder, name, *questions),), **{**rights, **settings})


FLOATS = ("q1", "Which floats?", ("cork", "lead"), "A")
MELTS = ("q2", "Which melts in the Sun?", ("wax", "sand"), "A")


def test_rights_and_places_go_with_every_question(tmp_path) -> None:
    one = source(tmp_path, "one", FLOATS, metadata={"exam": "State", "grade": 5})
    two = source(
        tmp_path, "two", (*MELTS, {"grade": "7", "year": "2014"}), licence="own", permission="letter 12"
    )
    merged = merge([one, two])
    first, second = merged.questions
    assert first.metadata == {
        "exam": "State",
        "grade": 5,
        "licence": "CC BY 4.0",
        "permission": "public",
        "source": "one",
        "source_id": "q1",
    }
    assert (second.metadata["licence"], second.metadata["permission"]) == ("own", "letter 12")
    assert second.metadata["grade"] == "7"
    assert merged.notes[-2:] == ("1 of 2 questions say no exam", "1 of 2 questions say no year")


@pytest.mark.parametrize("missing", ["licence", "permission"])
def test_licence_and_permission_are_required(tmp_path, missing) -> None:
    with pytest.raises(AssayError, match=f"source 'one' names no {missing}"):
        merge([source(tmp_path, "one", FLOATS, **{missing: " "})])


def test_ids_that_clash_are_refused_or_prefixed(tmp_path) -> None:
    one = source(tmp_path, "one", FLOATS, MELTS)
    two = source(
        tmp_path, "two", ("q2", "Which sinks?", ("ore", "ice"), "A"), ("q1", "Why?", ("so", "no"), "B")
    )
    with pytest.raises(FaultyInput, match="--prefix") as caught:
        merge([one, two])
    found = [(fault.file, fault.line, fault.question_id, fault.what) for fault in caught.value.faults]
    file = str(two.files[0])
    assert found == [
        (file, 1, "q2", f"id is also in source 'one' ({one.files[0]}:2)"),
        (file, 2, "q1", f"id is also in source 'one' ({one.files[0]}:1)"),
    ]
    merged = merge([one, two], MergeRules(prefix=True))
    assert [question.id for question in merged.questions] == ["one:q1", "one:q2", "two:q2", "two:q1"]
    assert merged.questions[2].metadata["source_id"] == "q2"


def test_duplicates_are_listed_and_dropped_only_when_asked(tmp_path) -> None:
    one = source(tmp_path, "one", FLOATS, MELTS)
    two = source(
        tmp_path,
        "two",
        ("a", "Which floats?", ("cork", "lead"), "B"),
        ("b", "which  MELTS in the sun?", ("Sand", "wax"), "B"),
        ("c", "Which floats?", ("oil", "iron"), "A"),
    )
    merged = merge([one, two])
    assert len(merged.questions) == 5
    groups = [(g.kind, [m.id for m in g.members], g.keys_agree, g.across) for g in merged.duplicates]
    assert groups == [
        ("exact", ["q1", "a"], False, True),
        ("normalised", ["q2", "b"], True, True),
        ("same stem", ["q1", "a", "c"], False, True),
    ]
    dropped = merge([one, two], MergeRules(duplicates="drop"))
    assert [question.id for question in dropped.questions] == ["q1", "q2", "c"]
    assert [entry.why for entry in dropped.left_out] == [
        "exact duplicate of q1 from one, with another key",
        "normalised duplicate of q2 from one",
    ]


def test_questions_that_need_a_picture_are_flagged_or_dropped_and_counted(tmp_path) -> None:
    one = source(
        tmp_path,
        "one",
        FLOATS,
        ("d1", "What does the diagram below show?", ("cells", "ants"), "A"),
        ("d2", "Which is it?", ("this", "that"), "A", {"diagram": True}),
    )
    merged = merge([one])
    assert [question.metadata.get("needs_diagram") for question in merged.questions] == [None, True, True]
    dropped = merge([one], MergeRules(diagrams="drop"))
    assert [question.id for question in dropped.questions] == ["q1"]
    record = provenance(dropped)
    assert [entry["why"] for entry in record["left_out"]] == [
        "it says 'diagram below'",
        "its source says that it has a diagram",
    ]
    assert record["sources"][0] | {"files": []} == {
        "name": "one",
        "files": [],
        "licence": "CC BY 4.0",
        "permission": "public",
        "read": 3,
        "need_diagram": 2,
        "left_out": 2,
        "kept": 1,
    }


@pytest.mark.parametrize(
    ("stem", "needs"),
    [
        ("Look at the graph below.", True),
        ("The picture shown has two cells.", True),
        ("Use the diagram to answer.", True),
        ("Which figure of these is a circle?", False),
        ("A plant cell is pictured below. What is it?", True),
        ("What is the plant shown below called?", True),
        ("Stages are shown below. birth -> growth -> death Which is first?", False),
        ("According to this chart, which is heaviest?", True),
        ("The table below gives masses.", True),
        ("She sat below the table.", False),
        ("A graph is a kind of diagram.", False),
        ("Both use the same chart.", False),
        ("Which of these best describes the map at the right?", True),
    ],
)
def test_wording_that_points_at_a_picture(stem, needs) -> None:
    question = Question("q", stem, (Choice("A", "x"), Choice("B", "y")))
    assert bool(needs_diagram(question)) == needs


def test_rights_of_single_questions_are_never_overwritten(tmp_path) -> None:
    own = (*FLOATS, {"licence": "ODC-By", "permission": "mail"})
    with pytest.raises(FaultyInput) as caught:
        merge([source(tmp_path, "one", own)])
    assert [fault.what.split(" (")[0] for fault in caught.value.faults] == [
        "its own licence is 'ODC-By', its source's 'CC BY 4.0'",
        "its own permission is 'mail', its source's 'public'",
    ]
    kept = merge([source(tmp_path, "two", own, licence=PER_QUESTION, permission=PER_QUESTION)])
    assert kept.questions[0].metadata["licence"] == "ODC-By"
    with pytest.raises(FaultyInput, match="has no licence of its own"):
        merge([source(tmp_path, "three", FLOATS, licence=PER_QUESTION)])


def test_faults_of_all_sources_are_listed_together(tmp_path) -> None:
    bad = ("x", "Which?", ("a", "b"), "Z")
    with pytest.raises(FaultyInput) as caught:
        merge([source(tmp_path, "one", bad), source(tmp_path, "two", bad)])
    assert len(caught.value.faults) == 2


def test_sources_must_have_names_of_their_own(tmp_path) -> None:
    with pytest.raises(AssayError, match="two sources are called 'one'"):
        merge([source(tmp_path, "one", FLOATS)] * 2)
    with pytest.raises(AssayError, match="without ':'"):
        merge([MergeSource("a:b", (tmp_path,), "x", "y")])
    with pytest.raises(AssayError, match="no sources"):
        merge([])


def test_a_merged_set_can_be_merged_again(tmp_path) -> None:
    first = merge([source(tmp_path, "one", FLOATS)]).questions[0]
    again = (*FLOATS, dict(first.metadata))
    merged = merge([source(tmp_path, "all", again, licence=PER_QUESTION, permission=PER_QUESTION)])
    metadata = merged.questions[0].metadata
    assert (metadata["source"], metadata["original_source"]) == ("all", "one")


TOML = """
[[sources]]
name = "state"
files = ["one.jsonl"]
licence = "CC BY 4.0"
permission = "public"
exam = "State"
grade = 5

[[sources]]
name = "ours"
files = "two.csv"
licence = "own"
permission = "written by us"
columns = { id = "no", stem = "text", choices = ["a", "b"], answer = "key" }
answers = "1-based"
"""


def test_a_merge_file_says_it_all(tmp_path) -> None:
    write(tmp_path, "one", FLOATS)
    (tmp_path / "two.csv").write_text("no,text,a,b,key\nm1,Which sinks?,ice,ore,2\n")
    (tmp_path / "merge.toml").write_text(TOML)
    sources = read_merge_file(tmp_path / "merge.toml")
    merged = merge(sources)
    assert [(q.id, q.answer, q.metadata["source"]) for q in merged.questions] == [
        ("q1", "A", "state"),
        ("m1", merged.questions[1].labels[1], "ours"),
    ]
    assert merged.questions[0].metadata["exam"] == "State"


@pytest.mark.parametrize(
    ("change", "what"),
    [
        (('licence = "own"', ""), "source 'ours': needs 'licence', a text"),
        (('permission = "public"', "permission = 3"), "source 'state': needs 'permission', a text"),
        (("exam =", "exams ="), "source 'state': unknown setting 'exams' (known: name"),
        (('"1-based"', '"2-based"'), "'answers' must be one of"),
        (('files = ["one.jsonl"]', "files = []"), "needs 'files'"),
        (("grade = 5", "grade = [5]"), "'grade' must be text or a number"),
        (("[[sources]]", "[sources]"), "isn't TOML|no \\[\\[sources\\]\\]"),
        (("[[sources]]", "[[source]]"), "unknown: source"),
    ],
)
def test_faults_of_a_merge_file(tmp_path, change, what) -> None:
    path = tmp_path / "merge.toml"
    path.write_text(TOML.replace(*change))
    with pytest.raises(AssayError) as caught:
        read_merge_file(path)
    assert any(part.replace("\\", "") in str(caught.value) for part in what.split("|"))
    assert str(path) in str(caught.value)


@pytest.mark.real_data
def test_arc_files_merge_whole_and_their_duplicates_are_listed(shared_data: Path, shared_cases: Path) -> None:
    sources = [
        MergeSource(
            name,
            tuple(
                shared_data / f"arc/ARC-{name}/ARC-{name}-{split}.csv" for split in ("Train", "Dev", "Test")
            ),
            "CC BY-SA 4.0",
            "public",
        )
        for name in ("Challenge", "Easy")
    ]
    merged = merge(sources)
    known = json.loads((shared_cases / "figures.json").read_text())["arc_duplicates"]
    assert len(merged.questions) == 7787
    assert merged.diagrams == ()
    kinds = [group.kind for group in merged.duplicates]
    assert kinds.count("exact") == known["stem_and_choices_exact"]["groups"]
    normalised = known["stem_and_choice_multiset_casefold"]["groups"]
    assert kinds.count("exact") + kinds.count("normalised") == normalised
    across = [group for group in merged.duplicates if group.across]
    assert len(across) == known["stem_casefold_ws"]["groups_spanning_easy_challenge"]
    assert read_questions(sources[0].files).questions[0].stem == merged.questions[0].stem

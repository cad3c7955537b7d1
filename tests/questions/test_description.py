import json
from pathlib import Path

import pytest

from assay.errors import AssayError, FaultyInput
from assay.questions import read_questions
from assay.questions.description import NONE, Spread, describe, read_aliases, to_record
from assay.questions.model import Choice, Question, QuestionSet


def question(name: str, stem: str, *texts: str, key: str | None = "A", **metadata: object) -> Question:
    choices = tuple(Choice(label, text) for label, text in zip("ABCDE", texts, strict=False))
    return Question(name, stem, choices, key, metadata=metadata)


SMALL = QuestionSet(
    [
        question(
            "1", "Which floats? Think.", "cork", "a lead ball", set="Easy", split="Test", grade=10, exam="X"
        ),
        question(
            "2",
            "Which  sank",
            "cork",
            "tin",
            "ore",
            key="B",
            set="Easy",
            split="Train",
            grade="9",
            exam="X-1",
        ),
        question("3", "Sinks!\nWhy?", "it is heavy", "so", key=None, set="Hard", grade="", exam="Y"),
    ]
)


def test_counts_by_set_and_split() -> None:
    splits = describe(SMALL).splits
    assert splits.groups == ("Easy", "Hard")
    assert splits.totals == (2, 1)
    assert list(splits.rows.items()) == [("Train", (1, 0)), ("Test", (1, 0)), (NONE, (0, 1))]


def test_columns_are_ordered_by_number_and_blanks_come_last() -> None:
    columns = describe(SMALL, columns=("grade", "year")).columns
    assert list(columns) == ["grade"]
    assert list(columns["grade"].rows.items()) == [("9", (1, 0)), ("10", (1, 0)), (NONE, (0, 1))]


def test_aliases_join_spellings_of_an_exam() -> None:
    assert list(describe(SMALL, aliases={"X-1": "X"}).columns["exam"].rows) == ["X", "Y"]
    assert list(describe(SMALL).columns["exam"].rows) == ["X", "X-1", "Y"]


def test_lengths_are_counted_as_the_paper_does() -> None:
    lengths = describe(SMALL).lengths
    assert list(lengths) == ["Easy", "Hard", "all"]
    assert lengths["Easy"].question_words == Spread(2, 2.5, 2, 3)
    assert lengths["all"].sentences == Spread(3, 5 / 3, 1, 2)
    assert lengths["Easy"].choice_words == Spread(5, 7 / 5, 1, 3)
    assert lengths["all"].choice_counts == {"2": 2, "3": 1}
    assert lengths["all"].word_histogram == (3,)


def test_stems_are_distinct_over_stems_and_choices() -> None:
    one = QuestionSet([question("1", "Floats floating 22 H2O", "float", "Corks")])
    # float, h, o, cork
    assert describe(one).stems == {"all": 4}


def test_keys_by_place_beside_even_chance() -> None:
    keys = describe(SMALL).keys
    assert keys.by_place == {"1": 1, "2": 1, "3": 0}
    assert keys.by_label == {"A": 1, "B": 1}
    assert keys.expected_by_place == pytest.approx({"1": 5 / 6, "2": 5 / 6, "3": 1 / 3})
    assert keys.hidden == 1


def test_tags_count_in_each_of_their_rows() -> None:
    tagged = QuestionSet(
        [
            Question("1", "a", (Choice("A", "x"), Choice("B", "y")), tags={"topic": ("heat", "light")}),
            Question("2", "a", (Choice("A", "x"), Choice("B", "y")), tags={"topic": ("heat",)}),
            Question("3", "a", (Choice("A", "x"), Choice("B", "y"))),
        ]
    )
    table = describe(tagged).tags["topic"]
    assert (table.rows, table.totals, table.several) == (
        {"heat": (2,), "light": (1,), NONE: (1,)},
        (3,),
        True,
    )


def test_an_empty_set_has_no_means_and_stays_json() -> None:
    record = to_record(describe(QuestionSet([])))
    assert record["lengths"]["all"]["question_words"] == {"n": 0, "mean": None, "min": None, "max": None}
    json.dumps(record, allow_nan=False)


def test_alias_files_and_their_faults(tmp_path: Path) -> None:
    path = tmp_path / "aliases.txt"
    path.write_text("# mine\nX-1\tX\r\n\nX-2\tX\n")
    assert read_aliases(path) == {"X-1": "X", "X-2": "X"}
    path.write_text("X-1\nX-2\tX\nX-2\tY\n")
    with pytest.raises(FaultyInput) as caught:
        read_aliases(path)
    assert [fault.line for fault in caught.value.faults] == [1, 3]
    with pytest.raises(AssayError, match="no such file"):
        read_aliases(tmp_path / "none")


@pytest.fixture(scope="module")
def arc(shared_data: Path) -> QuestionSet:
    files = [
        shared_data / f"arc/ARC-{name}/ARC-{name}-{split}.jsonl"
        for name in ("Challenge", "Easy")
        for split in ("Train", "Dev", "Test")
    ]
    return read_questions(files).questions


@pytest.mark.real_data
def test_arc_comes_out_as_published(arc: QuestionSet, shared_cases: Path) -> None:
    described = describe(arc)
    assert described.splits.groups == ("Challenge", "Easy")
    assert described.splits.totals == (2590, 5197)
    assert described.splits.rows == {"Train": (1119, 2251), "Dev": (299, 570), "Test": (1172, 2376)}
    assert described.stems["all"] == 6419
    known = json.loads((shared_cases / "figures.json").read_text())["arc_table3"]
    for name, right in known.items():
        lengths = to_record(described)["lengths"][name]
        for field, case in (
            ("question_words", "question_words_whitespace"),
            ("choice_words", "choice_words_whitespace_over_choices"),
            ("choices", "choices"),
            ("sentences", "sentences_split_after_terminator"),
        ):
            assert lengths[field] == pytest.approx(right[case], abs=5e-5), (name, field)
        assert lengths["choice_counts"] == right["choices_distribution"]


@pytest.mark.real_data
def test_arc_exams_and_grades_come_out_as_published(shared_data: Path, shared_cases: Path) -> None:
    files = sorted((shared_data / "arc").glob("ARC-*/*.csv"))
    questions = read_questions(files).questions
    assert len(questions) == 7787
    assert len(describe(questions).columns["exam"].rows) == 25
    columns = describe(questions, aliases=read_aliases("arc")).columns
    known = json.loads((shared_cases / "figures.json").read_text())["arc_exams_grouped"]
    counted = {
        exam: dict(zip(("Challenge", "Easy"), counts, strict=True))
        for exam, counts in columns["exam"].rows.items()
    }
    assert counted == known
    assert list(columns["grade"].rows) == ["3", "4", "5", "6", "7", "8", "9"]
    # Clark et al. 2018, table 2: grade 8 holds 41.4% of Challenge and 41.2% of Easy.
    challenge, easy = columns["grade"].rows["8"]
    assert (round(100 * challenge / 2590, 1), round(100 * easy / 5197, 1)) == (41.4, 41.2)

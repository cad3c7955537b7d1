"""Explanations read, joined to their questions, kept apart from what is held out; and every fault said."""

import gzip
import json
from pathlib import Path

import pytest

from assay.errors import AssayError, FaultyInput
from assay.questions.explanations import (
    Explanation,
    Fact,
    Step,
    join,
    of_own_facts,
    read_explanations,
    without_twins,
)
from assay.questions.model import Choice, Facts, Question, QuestionSet

TEXTS = {"a-1": "a magnet attracts iron", "a-2": "a nail is made of iron", "b-1": "frost is ice"}
LINE = (
    "$proof$ ; $question$ = What does a magnet attract? ; $answer$ = a nail ; $hypothesis$ = a magnet "
    "attracts a nail ; $context$ = sent1: a nail is made of iron; mostly sent2: frost is ice sent3: a magnet "
    "attracts iron sent4: nails have a head\t$proof$ = sent1 & sent4 -> int1: a nail with a head; all "
    "of it is iron; int1 & sent3 -> hypothesis; "
)


def question(
    name: str, stem: str, *choices: str, key: str | None = "A", facts: Facts | None = None
) -> Question:
    return Question(name, stem, tuple(Choice("ABCD"[n], text) for n, text in enumerate(choices)), key, facts)


MAGNET = question("m1", "What does a magnet attract?", "A nail.", "glass")
FROST = question("f1", "What is frost?", "ice", "salt")


def tree(**entries: object) -> dict[str, object]:
    return {
        "m1": {"id": "m1", "question": "What does a magnet attract", "answer": "nail (E)",
               "explanation": {"a-2": "GROUNDING", "a-1": "CENTRAL"}, "choices": {"A": "?"}},
        "t9": {"id": "t9", "question": "Without?", "answer": "x"},
        **entries,
    }  # fmt: skip


def write(path: Path, value: object) -> Path:
    path.write_text(value if isinstance(value, str) else json.dumps(value), encoding="utf-8")
    return path


def both(folder: Path, record: object, texts: object = TEXTS) -> tuple[Path, Path]:
    return write(folder / "tree.json", record), write(folder / "texts.json", texts)


def test_worldtree(tmp_path: Path) -> None:
    found = read_explanations(*both(tmp_path, tree()))
    facts = (
        Fact("a nail is made of iron", "GROUNDING", "a-2"),
        Fact("a magnet attracts iron", "CENTRAL", "a-1"),
    )
    file = str(tmp_path / "tree.json")
    assert found.explanations == (
        Explanation("m1", "What does a magnet attract", "nail (E)", facts, file=file),
    )
    assert found.notes == (f"{file}: 1 of 2 questions have no explanation",)


def test_a_sentence_without_text_is_left_out_and_said(tmp_path: Path) -> None:
    found = read_explanations(*both(tmp_path, tree(), {"a-1": "a magnet attracts iron"}))
    assert [fact.text for fact in found.explanations[0].facts] == ["a magnet attracts iron"]
    assert "1 facts left out, whose sentence ids have no text in" in found.notes[1]


def test_entailment_bank(tmp_path: Path) -> None:
    path = write(tmp_path / "bank.tsv", f"{LINE}\n\n")
    (made,) = read_explanations(path).explanations
    assert (made.question_id, made.answer, made.hypothesis) == (None, "a nail", "a magnet attracts a nail")
    texts = ["a nail is made of iron; mostly", "a magnet attracts iron", "nails have a head"]
    assert [fact.text for fact in made.facts] == texts
    assert [fact.text for fact in made.near] == ["frost is ice"]
    middle = "a nail with a head; all of it is iron"
    assert made.steps == (
        Step(("a nail is made of iron; mostly", "nails have a head"), middle),
        Step((middle, "a magnet attracts iron"), "a magnet attracts a nail"),
    )
    assert made.line == 1
    packed = tmp_path / "bank.tsv.gz"
    packed.write_bytes(gzip.compress(path.read_bytes()))
    assert read_explanations(packed).explanations[0].facts == made.facts


def test_joining_by_id_and_by_text(tmp_path: Path) -> None:
    questions = QuestionSet(
        [FROST, MAGNET, question("m2", "what does a magnet attract", "glass", "a nail", key="B")]
    )
    joined = join(questions, read_explanations(write(tmp_path / "bank.tsv", LINE)).explanations * 2)
    assert list(joined.by_id) == ["m1", "m2"]
    assert (joined.without, joined.repeated) == (("f1",), ("m1", "m2"))
    assert len(joined.facts("m1")) == 3
    assert joined.facts("f1") == ()
    joined = join(
        questions,
        read_explanations(
            *both(tmp_path, tree(x={"question": "?", "explanation": {"b-1": "R"}}))
        ).explanations,
    )
    assert list(joined.by_id) == ["m1"]
    assert [one.question_id for one in joined.unused] == ["x"]


def test_another_answer_or_a_hidden_one(tmp_path: Path) -> None:
    found = read_explanations(write(tmp_path / "bank.tsv", LINE)).explanations
    hidden = question("h", MAGNET.stem, "a nail", "glass", key=None)
    assert list(join(QuestionSet([hidden]), found).by_id) == ["h"]
    other = question("o", MAGNET.stem, "glass", "a nail")
    with pytest.raises(AssayError, match="none of the 1 explanations is of one of the 1 questions"):
        join(QuestionSet([other]), found)


def test_facts_of_the_questions_themselves() -> None:
    given = question("q", "Why?", "x", "y", facts=Facts("Iron rusts", " ", "ignored"))
    joined = of_own_facts(QuestionSet([given, FROST]))
    assert joined.facts("q") == (Fact("Iron rusts", "fact1"),)
    assert joined.without == ("f1",)
    with pytest.raises(AssayError, match="none of the 1 questions carries a fact"):
        of_own_facts(QuestionSet([FROST]))


def test_the_same_id_with_another_stem(tmp_path: Path) -> None:
    found = read_explanations(*both(tmp_path, tree())).explanations
    with pytest.raises(FaultyInput) as raised:
        join(QuestionSet([question("m1", "Something else?", "a", "b")]), found)
    assert str(raised.value.faults[0]).endswith(
        "question m1: explained is a question with another stem, 'What does a magnet attract'"
    )


def test_twins_are_kept_out(tmp_path: Path) -> None:
    one = read_explanations(write(tmp_path / "bank.tsv", LINE)).explanations[0]
    other = Explanation("f1", "What is frost?", "ice", (Fact("frost is ice"),))
    twin = question("test-7", "WHAT does a magnet attract", "steel", "glass")
    assert without_twins([one, other], [twin]) == ([other], [one])
    assert without_twins([one, other], [question("f1", "An edited stem?", "a", "b")]) == ([one], [other])


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("id\tfact\nq\tIron rusts\n", "no file of explanations"),
        ("", "no file of explanations"),
        ('{"id": "q", "fact1": "x"}', "no file of explanations"),
        ('{"id": "q"}\n{"id": "r"}', "a second value begins"),
        ("{", "not JSON"),
        ('{"m1": {"question": "a"}, "m1": {"question": "b"}}', 'duplicate key "m1"'),
        ('{"m1": {"question": "a"}, "m2": 3}', "question m2: not an object with a question"),
        ('{"m1": {"question": "a", "id": "m3"}}', "question m1: its record has another id, 'm3'"),
        ('{"m1": {"question": "a"}, "m2": {"id": "m2"}}', "question m2: no question"),
        ('{"m1": {"question": "a", "explanation": ["a-1"]}}', "m1: its explanation is no object of roles"),
        ('{"m1": {"question": "a"}}', "1 of 1 questions have no explanation"),
        (f"{LINE}\n$proof$ ; q\n", ":2: not of the form $proof$ ; $question$"),
        (LINE.split("\t")[0], ":1: no proof: '$proof$ =' is due after a tab"),
        (LINE.replace("sent2:", "sent5:"), ":1: its context isn't sent1: ... sent2: ..., numbered from 1"),
        (LINE.replace("& sent4", "& sent9"), ":1: its proof uses sent9, which isn't there"),
        (LINE.replace("= sent1 & sent4", "= the lot"), ":1: not a step of a proof: 'the lot -> int1"),
        (LINE.split("$proof$ = sent1")[0] + "$proof$ = ", ":1: its proof names no sentence"),
    ],
)  # fmt: skip
def test_bad_files(tmp_path: Path, text: str, what: str) -> None:
    with pytest.raises(AssayError) as raised:
        read_explanations(*both(tmp_path, text))
    assert what in str(raised.value)
    assert str(tmp_path / "tree.json") in str(raised.value)


@pytest.mark.parametrize(
    ("texts", "what"),
    [
        ([1], "not one JSON object of texts by sentence id"),
        ({"a-1": 3}, "sentence 'a-1' has no text"),
        ({"c-1": "ore"}, "has none of the sentences that the explanations cite"),
        ("{", "not JSON"),
    ],
)
def test_bad_sentences(tmp_path: Path, texts: object, what: str) -> None:
    with pytest.raises(AssayError) as raised:
        read_explanations(*both(tmp_path, tree(), texts))
    assert what in str(raised.value)
    assert "texts.json" in str(raised.value)


def test_what_is_missing(tmp_path: Path) -> None:
    with pytest.raises(AssayError, match="their texts are in a file of their own"):
        read_explanations(both(tmp_path, tree())[0])
    with pytest.raises(AssayError, match="no such file"):
        read_explanations(tmp_path / "nowhere.json")
    torn = tmp_path / "bank.tsv.gz"
    torn.write_bytes(gzip.compress(LINE.encode() * 1000)[:-9])
    with pytest.raises(AssayError, match=r"cut off|damaged"):
        read_explanations(torn)

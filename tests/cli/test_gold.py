"""`assay gold`: gold facts as evidence of every choice, joined or not, and what is said of bad input."""

import json
from pathlib import Path

import pytest

from assay.questions import read_questions
from assay.questions.model import SentenceEvidence
from assay.solvers.evidence_file import EvidenceFile
from tests.cli.conftest import Assay

TEXTS = {"a-1": "a magnet attracts iron", "a-2": "a nail is made of iron", "b-1": "frost is ice."}
TREE = {
    "m1": {"question": "What does a magnet attract?", "explanation": {"a-2": "LEXGLUE", "a-1": "CENTRAL"},
           "choices": {"A": "damaged"}, "answerKey": "D"},
    "x1": {"question": "Elsewhere?", "explanation": {"b-1": "CENTRAL"}},
}  # fmt: skip
ASKED = ("gold", "q.jsonl", "--facts", "tree.json", "--sentences", "texts.json", "-o", "g.jsonl")


def record(name: str, stem: str, **more: str) -> dict[str, object]:
    choices = [{"label": str(n + 1), "text": text} for n, text in enumerate(["glass", "a nail", "salt"])]
    return {"id": name, "question": {"stem": stem, "choices": choices}, "answerKey": "2", **more}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    write("tree.json", TREE)
    write("texts.json", TEXTS)
    write("q.jsonl", record("m1", "What does a magnet attract?"), record("f1", "What is frost?"))
    return tmp_path


def write(name: str, *values: object) -> None:
    Path(name).write_text("".join(json.dumps(value) + "\n" for value in values), encoding="utf-8")


def evidence() -> dict[str, dict[str, list[dict[str, object]]]]:
    lines = Path("g.jsonl").read_text(encoding="utf-8").splitlines()
    return {one["id"]: one["evidence"] for one in map(json.loads, lines)}


def test_every_choice_has_the_same_facts(folder: Path, assay: Assay) -> None:
    status, out, err = assay(*ASKED, "--to-questions", "kept.jsonl")
    assert status == 0
    assert "2 gold facts of 1 questions in g.jsonl; 1 questions have none and are left out" in out
    assert "1 explanations are of other questions" in err
    found = evidence()
    assert list(found) == ["m1"]
    assert list(found["m1"]) == ["1", "2", "3"]
    assert found["m1"]["1"] == found["m1"]["3"]
    told = [(piece["sentence"], piece["source"], piece["role"], piece["score"]) for piece in found["m1"]["1"]]
    assert told == [
        ("a magnet attracts iron", "CENTRAL", "gold", 1.0),
        ("a nail is made of iron", "LEXGLUE", "gold", 1.0),
    ]
    # The choices are those of the questions, not the damaged ones of the file.
    (kept,) = read_questions(["kept.jsonl"]).questions
    assert [choice.text for choice in kept.choices] == ["glass", "a nail", "salt"]
    assert kept.answer == "2"
    answer = EvidenceFile("g.jsonl")[kept]
    assert answer.evidence is not None
    assert all(isinstance(piece, SentenceEvidence) for pieces in answer.evidence for piece in pieces)


def test_joined_some_roles_and_questions_without(folder: Path, assay: Assay) -> None:
    assay(*ASKED, "--joined")
    assert [piece["sentence"] for piece in evidence()["m1"]["2"]] == [
        "a magnet attracts iron. a nail is made of iron."
    ]
    assay(*ASKED, "--roles", "LEXGLUE", "--keep-without")
    found = evidence()
    assert [piece["sentence"] for piece in found["m1"]["2"]] == ["a nail is made of iron"]
    assert found["f1"] == {"1": [], "2": [], "3": []}
    told = json.loads(assay(*ASKED, "--keep-without", "--json")[1])
    assert (told["questions"], told["with_facts"], told["facts"], told["without_facts"]) == (2, 1, 2, 1)
    assert (told["without_kept"], told["explanations_of_others"]) == (True, 1)


def test_facts_that_questions_carry(folder: Path, assay: Assay) -> None:
    write("q.jsonl", record("m1", "Why?", fact1="Iron rusts"), record("f1", "How?"))
    assert assay("gold", "q.jsonl", "-o", "g.jsonl")[0] == 0
    assert [piece["sentence"] for piece in evidence()["m1"]["2"]] == ["Iron rusts"]
    write("q.jsonl", record("m1", "Why?"))
    status, _, err = assay("gold", "q.jsonl", "-o", "g.jsonl")
    assert (status, "none of the 1 questions carries a fact" in err) == (2, True)


@pytest.mark.parametrize(
    ("options", "what"),
    [
        (("--facts", "nowhere.json"), "nowhere.json: no such file"),
        (("--facts", "q.jsonl"), "q.jsonl: a second value begins"),
        (("--sentences", "tree.json"), "tree.json: sentence 'm1' has no text"),
        (("--roles", "MAIN"), "no fact has the role 'MAIN' (there are: CENTRAL, LEXGLUE)"),
        (("-o", "texts.json"), "texts.json: is one of the inputs"),
        (("--to-questions", "g.jsonl"), "--output and --to-questions name one file"),
    ],
)
def test_bad_options(folder: Path, assay: Assay, options: tuple[str, ...], what: str) -> None:
    status, _, err = assay(*ASKED, *options)
    assert status == 2
    assert what.split(" (")[0] in err
    assert what.rpartition(" (")[2].rstrip(")") in err
    assert not (folder / "g.jsonl").exists()


def test_ids_of_other_questions(folder: Path, assay: Assay) -> None:
    write("q.jsonl", record("m1", "What is frost?"))
    status, _, err = assay(*ASKED)
    assert status == 2
    assert "tree.json: question m1: explained is a question with another stem, 'What does a magnet" in err
    write("q.jsonl", record("other", "What is frost?"))
    assert "none of the 2 explanations is of one of the 1 questions" in assay(*ASKED)[2]
    write("q.jsonl", record("m1", "Why?"), record("m1", "Why?"))
    assert "id appears a second time" in assay(*ASKED)[2]


@pytest.mark.real_data
def test_gold_facts_of_arc_dev(shared_data: Path, tmp_path: Path, assay: Assay) -> None:
    arc = [str(shared_data / f"arc/ARC-{name}/ARC-{name}-Dev.jsonl") for name in ("Easy", "Challenge")]
    texts = str(shared_data / "entailment_bank/worldtree_corpus_sentences_extended.json")
    tree = ["--facts", str(shared_data / "worldtree/dev.json"), "--sentences", texts]
    bank = ["--facts", str(shared_data / "entailment_bank/task_2/test.tsv")]
    for given, questions, facts in ((tree, 496, 2800), (bank, 339, 1519)):
        told = json.loads(assay("gold", *arc, *given, "-o", str(tmp_path / "g.jsonl"), "--json")[1])
        assert (told["questions"], told["facts"], told["without_facts"]) == (
            questions,
            facts,
            869 - questions,
        )
    for name, count in (("openbookqa/test.jsonl", 500), ("qasc/dev.jsonl", 926)):
        told = json.loads(
            assay("gold", str(shared_data / name), "-o", str(tmp_path / "g.jsonl"), "--json")[1]
        )
        assert told["with_facts"] == count

"""`assay retrieve`: evidence written once, recall shown, and what is said of bad input."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from assay.cli.main import app
from assay.corpus import import_corpus
from assay.errors import AssayError

SENTENCES = [
    "Climate is described in terms of temperature and moisture",
    "Fire behavior is driven by local weather such as winds and moisture",
    "Sand is dry (mostly)",
    "climate - a measure of wetness",
    "Moisture makes mold grow",
]


def record(name: str, key: str | None = "B", fact2: str | None = SENTENCES[1]) -> dict:
    choices = [{"text": "sand", "label": "A"}, {"text": "local weather", "label": "B"}]
    made = {"id": name, "question": {"stem": "Climate is described in terms of what?", "choices": choices}}
    made |= {} if key is None else {"answerKey": key}
    return made | ({} if fact2 is None else {"fact1": SENTENCES[0] + ".", "fact2": fact2})


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "s.txt").write_text("\n".join(SENTENCES), encoding="utf-8")
    import_corpus(["s.txt"], tmp_path / "c")
    write(tmp_path, record("one"), record("two", fact2="Nobody wrote this"), record("three", fact2=None))
    return tmp_path


def write(folder: Path, *records: dict) -> None:
    (folder / "q.jsonl").write_text("".join(json.dumps(one) + "\n" for one in records), encoding="utf-8")


def retrieve(*options: str):
    return CliRunner().invoke(app, ["retrieve", "q.jsonl", "--corpus", "c", "-o", "e.jsonl", *options])


def test_evidence_is_an_answers_file(folder: Path) -> None:
    done = retrieve("-k", "2")
    assert done.exit_code == 0, done.output
    lines = [json.loads(line) for line in (folder / "e.jsonl").read_text(encoding="utf-8").splitlines()]
    assert [line["id"] for line in lines] == ["one", "two", "three"]
    assert lines[0]["status"] == "unanswered"
    assert {(piece["sentence_id"], piece["role"]) for piece in lines[0]["evidence"]["B"]} in (
        {(0, "first"), (1, "second")},
        {(1, "first"), (0, "second")},
    )
    assert "3 questions" in done.output
    assert "2\t50.00\t" in done.output
    assert "\t100.00\t" in done.output
    assert "2 questions in 1 clusters; left out: 1 without two facts, 0 without a key" in done.output
    assert "Of 3 gold facts 1 are missing" in done.output
    assert "both can be found for 1 of 2 questions" in done.output


def test_it_is_said_why_no_recall_is_shown(folder: Path) -> None:
    write(folder, record("one", fact2=None), record("two", fact2=None))
    assert "no recall: no question has a key and two gold facts" in retrieve().stderr


def test_json_says_every_constant(folder: Path) -> None:
    done = retrieve("--json", "--set", "facts=7", "--preset", "lineage", "--set", "negation=true")
    found = json.loads(done.stdout)
    settings = found["settings"]
    assert (settings["facts"], settings["negation"], settings["walk"]) == (7, True, 2)
    assert settings["choice_term_second"] is False
    assert settings["engine"]["k1"] == 1.2
    assert [row["k"] for row in found["recall"]] == [1, 2, 5, 10, 20]
    assert found["gold"] == {"facts": 3, "missing": 1, "dropped": 0, "questions": 2, "questions_with_both": 1}
    assert found["dropped"]["unclean"] > 0


def test_goes_on_where_it_was_cut_off(folder: Path) -> None:
    assert retrieve().exit_code == 0
    whole = (folder / "e.jsonl").read_bytes()
    (folder / "e.jsonl").write_bytes(whole[: len(whole) // 2])
    key = folder / "e.key"
    # As a kill leaves it: only finished evidence has its digest there.
    key.write_text(key.read_text().split("\n")[0] + "\n")
    found = json.loads(retrieve("--json").stdout)
    assert (folder / "e.jsonl").read_bytes() == whole
    assert found["reused"] == 1
    assert json.loads(retrieve("--json").stdout)["reused"] == 3
    assert json.loads(retrieve("--json", "--set", "partners=3").stdout)["reused"] == 0


def test_gold_facts_are_listed(folder: Path) -> None:
    write(folder, record("one", fact2=SENTENCES[3]), record("two", fact2="Nobody wrote this"))
    assert retrieve("--gold", "gold.csv", "--method", "single").exit_code == 0
    rows = (folder / "gold.csv").read_text(encoding="utf-8").splitlines()
    assert rows[0] == "question,fact,sentence,state,text"
    assert rows[1] == f"one,fact1,0,in the corpus,{SENTENCES[0]}."
    assert rows[2] == f"one,fact2,3,dropped: a hyphen between spaces,{SENTENCES[3]}"
    assert rows[4] == "two,fact2,,missing,Nobody wrote this"


def test_questions_without_facts_need_none(folder: Path) -> None:
    write(folder, record("one", fact2=None), record("two", fact2=None))
    done = retrieve("--method", "single")
    assert done.exit_code == 0
    assert "Recall" not in done.output
    assert json.loads(retrieve("--json").stdout)["recall"] is None


@pytest.mark.parametrize(
    ("options", "what"),
    [
        (["--method", "guess"], "no retrieval method 'guess'"),
        (["--method", "dense"], "the corpus has no vectors"),
        (["--preset", "mine"], "no preset 'mine'"),
        (["--set", "kk=3"], "no setting 'kk'"),
        (["--set", "facts=0"], "'facts' must be a whole number >= 1. Got 0"),
        (["--set", "facts"], "not of the form NAME=VALUE"),
        (["-k", "3", "--set", "k=4"], "given twice"),
        (["--recall-at", "5,11"], "from 1 to 10"),
        (["--recall-at", "5,x"], "from 1 to 10"),
        (["--cluster", "grade"], "grade"),
        (["--corpus", "nowhere"], "nowhere"),
    ],
)
def test_bad_options(folder: Path, options: list[str], what: str) -> None:
    done = retrieve(*options)
    assert isinstance(done.exception, AssayError)
    assert what in str(done.exception)


@pytest.mark.parametrize("options", [["--recall-at", "5"], ["--gold", "gold.csv"]])
def test_a_recall_without_facts_is_refused(folder: Path, options: list[str]) -> None:
    write(folder, record("one", fact2=None), record("two", fact2=None))
    done = retrieve(*options)
    assert isinstance(done.exception, AssayError)
    assert "none of the 2 questions has a key and two gold facts" in str(done.exception)
    assert not (folder / "e.jsonl").exists()
    assert not (folder / "gold.csv").exists()

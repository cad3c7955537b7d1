"""`assay passages` and `assay spans`: files checked and split, spans scored beside baselines."""

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Assay
from tests.passages.made import PASSAGE, asked, squad, written

ARTICLES = [
    (f"T{n}", [(f"{n}. {PASSAGE}", [asked(f"{n}-a", (29, "Lowmere")), asked(f"{n}-b", (7, "Amber Tower"))])])
    for n in range(6)
]


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    return written(tmp_path / "dev.json", squad(*ARTICLES))


def test_what_a_file_holds(assay: Assay, file: str) -> None:
    status, out, _ = assay("passages", file)
    assert status == 0
    assert out.splitlines()[2] == "all\t12\t6\t6\t6\t0"
    _, out, _ = assay("passages", file, "--json")
    assert json.loads(out)["parts"]["all"]["articles"] == 6


def test_parts_by_article(assay: Assay, file: str, tmp_path: Path) -> None:
    given = ("passages", file, "--to", "parts", "--parts", "train=50,dev=17,test=33", "--seed", "4")
    assert assay(*given)[0] == 0
    first = {path.name: path.read_bytes() for path in (tmp_path / "parts").glob("*.json*")}
    assert set(first) == {"train.jsonl", "dev.jsonl", "test.jsonl", "parts.json"}
    sides = {
        name: {json.loads(line)["group"] for line in text.splitlines()}
        for name, text in first.items()
        if name != "parts.json"
    }
    assert [len(sides[f"{name}.jsonl"]) for name in ("train", "dev", "test")] == [3, 1, 2]
    assert len(set.union(*sides.values())) == 6
    assert assay(*given)[0] == 0
    assert first == {path.name: path.read_bytes() for path in (tmp_path / "parts").glob("*.json*")}
    _, out, _ = assay("passages", "parts/train.jsonl", "parts/dev.jsonl", "parts/test.jsonl", "--json")
    assert json.loads(out)["parts"]["all"]["questions"] == 12


def test_folders_that_are_not_written_to(assay: Assay, file: str, tmp_path: Path) -> None:
    status, _, err = assay("passages", file, "--to", str(tmp_path))
    assert (status, "holds an input" in err) == (2, True)
    (tmp_path / "other").mkdir()
    (tmp_path / "other/note.txt").write_text("mine")
    status, _, err = assay("passages", file, "--to", "other")
    assert (status, "holds files that no split made" in err) == (2, True)
    assert assay("passages", file, "--to", file)[0] == 2


def test_a_file_beside_an_earlier_split_is_not_lost(assay: Assay, file: str, tmp_path: Path) -> None:
    assert assay("passages", file, "--to", "parts")[0] == 0
    assert assay("passages", file, "--to", "parts", "--seed", "1")[0] == 0
    (tmp_path / "parts/notes.txt").write_text("mine")
    status, _, err = assay("passages", file, "--to", "parts")
    assert (status, "holds files that no split made (notes.txt)" in err) == (2, True)
    assert (tmp_path / "parts/notes.txt").read_text() == "mine"


def test_faults_are_listed_and_leave_status_2(assay: Assay, tmp_path: Path) -> None:
    bad = written(
        tmp_path / "bad.json", squad(("T", [(PASSAGE, [asked("a", (0, "x")), asked("a", (1, "x"))])]))
    )
    status, _, err = assay("passages", bad)
    assert status == 2
    assert err.count("assay: error:") == 3


def test_stored_predictions_beside_baselines(assay: Assay, file: str, tmp_path: Path) -> None:
    found = {f"{n}-a": "Lowmere" if n else "the mere" for n in range(6)}
    stored = written(tmp_path / "mine.json", found)
    other = written(tmp_path / "all.json", {**found, **{f"{n}-b": "the Amber Tower" for n in range(6)}})
    status, out, _ = assay("spans", stored, file, "--beside", other, "--json", "-o", "out.json")
    assert status == 0
    record = json.loads(out)
    systems = {one["name"]: (one["em"]["mean"], one["unanswered"]) for one in record["systems"]}
    assert systems["mine.json"] == (pytest.approx(5 / 12), 6)
    assert systems["all.json"] == (pytest.approx(11 / 12), 0)
    assert list(systems) == ["mine.json", "all.json", "first-sentence", "overlap"]
    assert record["clusters"] == 6
    assert json.loads((tmp_path / "out.json").read_text()) == found
    status, out, _ = assay("spans", stored, file)
    assert status == 0
    assert "12 questions in 6 clusters" in out
    assert any(line.startswith("mine.json\t41.67\t") for line in out.splitlines())


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[]", "must be one JSON object"),
        ('{"0-a": 7}', "question 0-a: the prediction must be a text"),
        ('{"9-a": "x"}', "question 9-a: none of the questions has this id"),
        ('{"0-a": "x", "0-a": "y"}', "duplicate key"),
        ("{", "no JSON object of predictions"),
    ],
)
def test_faulty_predictions(assay: Assay, file: str, tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "p.json").write_text(text)
    status, _, err = assay("spans", "p.json", file)
    assert status == 2
    assert said in err


def test_what_can_not_be_asked(assay: Assay, file: str, tmp_path: Path) -> None:
    stored = written(tmp_path / "p.json", {})
    assert "two systems are called p.json" in assay("spans", stored, file, "--beside", stored)[2]
    assert "written over" in assay("spans", stored, file, "-o", stored)[2]
    assert "no such file" in assay("spans", "nowhere.json", file)[2]
    pytest.importorskip("torch", reason="the neural extra isn't installed")
    assert "no model folder" in assay("spans", str(tmp_path), file)[2]


def choices(name: str, *texts: str) -> dict[str, object]:
    listed = [{"label": label, "text": text} for label, text in zip("ABCD", texts, strict=False)]
    return {"id": name, "question": {"stem": f"What, {name}?", "choices": listed}, "answerKey": "A"}


def test_made_of_questions_and_their_evidence(
    assay: Assay, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    asked = [
        choices("1", "iron", "wool"),
        choices("2", "zinc", "wool"),
        choices("3", "iron", "wool"),
    ]
    held = {"1": ["Iron rusts", "irons too"], "2": ["Iron rusts"], "3": []}
    lines = [
        {
            "id": name,
            "status": "unanswered",
            "chosen": [],
            "evidence": {"A": [], "B": [{"sentence": s, "score": 1.0, "role": "premise"} for s in sentences]},
        }
        for name, sentences in held.items()
    ]
    questions, evidence = written(tmp_path / "q.jsonl", asked), written(tmp_path / "e.jsonl", lines)
    status, out, err = assay("passages", questions, "--evidence", evidence, "-o", "p.jsonl", "--json")
    assert status == 0, err
    assert sorted(json.loads(out)["left_out"].values()) == [1, 1]
    (made,) = map(json.loads, (tmp_path / "p.jsonl").read_text().splitlines())
    assert made == {
        "id": "1",
        "question": "What, 1?",
        "passage": "Iron rusts. irons too.",
        "answers": [{"start": 0, "text": "Iron"}],
    }
    assert "go together" in assay("passages", questions, "--evidence", evidence)[2]
    assert "written over" in assay("passages", questions, "--evidence", evidence, "-o", evidence)[2]
    written(tmp_path / "e.jsonl", lines[1:])
    assert (
        "no evidence for this question" in assay("passages", questions, "--evidence", evidence, "-o", "x")[2]
    )


def test_trained_and_scored(assay: Assay, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("torch", reason="the neural extra isn't installed")
    from assay.passages.rows import own_record
    from tests.solvers.neural.toy_passages import save_toy_vectors, toy_passages

    monkeypatch.chdir(tmp_path)
    vectors = save_toy_vectors(tmp_path)
    train = written(tmp_path / "train.jsonl", [own_record(one) for one in toy_passages(40, 1)])
    dev = written(tmp_path / "dev.jsonl", [own_record(one) for one in toy_passages(12, 2)])
    given = [
        *("train", "bidaf", "--train", train, "--dev", dev, "--to", "model", "--max-steps", "4", "--json"),
        *("--set", f'vectors="{vectors}"', "--set", "hidden=8", "--set", "tokens=9", "--training", "batch=8"),
    ]
    status, out, err = assay(*given)
    assert status == 0, err
    card = json.loads(out)
    assert card["reads"] == "passages"
    assert "questions whose answers lie beyond are left out" in err
    train_part, dev_part = card["training"]["data"]
    assert train_part["out_of_reach"] == 40 - train_part["examples"] > 0
    assert dev_part["examples"] == 12
    assert "9 tokens" in err
    page = (tmp_path / "model/README.md").read_text()
    assert f"- train: train.jsonl; {train_part['examples']} passages read" in page
    status, out, _ = assay("spans", "model", dev, "--json", "-o", "spans.json")
    assert status == 0
    assert json.loads(out)["systems"][0]["f1"]["mean"] == pytest.approx(card["training"]["best"]["accuracy"])
    status, out, _ = assay(*given[:2], "--train", train, "--no-dev", "--from", "model", "--to", "again",
                           "--max-steps", "1", "--json")  # fmt: skip
    assert (status, json.loads(out)["settings"]["hidden"]) == (0, 8)
    assert "passages have no evidence" in assay(*given, "--train-evidence", dev)[2]
    hidden = written(tmp_path / "hidden.jsonl", [{"id": "a", "passage": "p " * 10, "question": "q"}])
    status, out, err = assay("spans", "model", hidden, "-o", "hidden-spans.json")
    assert (status, out) == (0, "")
    assert "1 passages are longer than what it reads" in err
    assert "nothing is scored" in err
    assert set(json.loads((tmp_path / "hidden-spans.json").read_text())) == {"a"}
    assert "none of the 1 questions has reference answers" in assay("spans", "model", hidden)[2]
    assert (
        "has reference answers in reach" in assay(*given[:2], "--train", hidden, "--no-dev", "--to", "x")[2]
    )

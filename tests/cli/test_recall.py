"""`assay recall`: one table for several evidence files, tests, a plot, and which questions are won."""

import csv
import json
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from typer.testing import CliRunner

from assay.cli.main import app
from assay.errors import AssayError

TEXTS = ["iron rusts", "rust is red", "bats fly", "flying is fast", "mud", "sand"]
FACTS = {"1": (0, 1), "2": (0, 1), "3": (2, 3), "4": (2, 3)}
GOOD = {"1": [0, 1, 4], "2": [0, 4, 1], "3": [4, 2, 3], "4": [4, 5, 0]}
POOR = {"1": [4, 0, 1], "2": [4, 5, 4], "3": [4, 2, 5], "4": [3, 2, 4]}


def question(name: str) -> dict:
    choices = [{"text": "sand", "label": "A"}, {"text": "=rust", "label": "B"}]
    made = {"id": name, "question": {"stem": f"What, {name}?", "choices": choices}, "answerKey": "B"}
    first, second = FACTS[name]
    return made | {"fact1": TEXTS[first], "fact2": TEXTS[second]}


def evidence(ranks: dict[str, list[int]], length: int = 3) -> str:
    lines = []
    for name, found in ranks.items():
        pieces = [
            {"sentence": TEXTS[n], "score": 1.0, "sentence_id": n, "role": "single"} for n in found[:length]
        ]
        made = {"id": name, "status": "unanswered", "chosen": [], "evidence": {"A": [], "B": pieces}}
        lines.append(json.dumps(made) + "\n")
    return "".join(lines)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "q.jsonl").write_text("".join(json.dumps(question(name)) + "\n" for name in FACTS))
    (tmp_path / "good.jsonl").write_text(evidence(GOOD))
    (tmp_path / "poor.jsonl").write_text(evidence(POOR))
    return tmp_path


def recall(*options: str):
    return CliRunner().invoke(app, ["recall", "q.jsonl", *options])


def test_counted_by_hand(folder: Path) -> None:
    done = recall("good.jsonl", "bad=poor.jsonl", "--json", "--at", "1,2,3,9")
    assert done.exit_code == 0, done.output
    found = json.loads(done.stdout)
    shares = {
        name: [(row["k"], row["both"]["mean"], row["either"]["mean"]) for row in rows]
        for name, rows in found["recall"].items()
    }
    assert shares == {
        "good": [(1, 0, 0.5), (2, 0.25, 0.75), (3, 0.75, 0.75)],
        "bad": [(1, 0, 0.25), (2, 0.25, 0.75), (3, 0.5, 0.75)],
    }
    both, either = (found["comparisons"][facts][0] for facts in ("both", "either"))
    assert (both["first"], both["second"]) == ("good", "bad")
    assert both["difference"]["mean"] == 0.25
    assert (both["mcnemar"]["only_first"], both["mcnemar"]["only_second"]) == (2, 1)
    assert (either["mcnemar"]["only_first"], either["mcnemar"]["only_second"]) == (1, 1)
    assert both["difference"]["clusters"] == 2
    assert found["settings"] == {"cluster": "fact1", "seed": 0, "test_at": 3}


def test_the_table_says_what_was_left_out(folder: Path) -> None:
    left = question("1") | {"id": "5"}
    del left["fact2"]
    with (folder / "q.jsonl").open("a") as file:
        file.write(json.dumps(left) + "\n")
    for name, ranks in (("good", GOOD), ("poor", POOR)):
        (folder / f"{name}.jsonl").write_text(evidence(ranks | {"5": [0]}))
    done = recall("good.jsonl", "poor.jsonl", "--test-at", "2")
    assert "4 questions in 2 clusters; left out: 1 without two facts, 0 without a key" in done.output
    assert "recall of both at 2" in done.output
    alone = recall("good.jsonl")
    assert alone.exit_code == 0
    assert "Paired" not in alone.output


def test_questions_won_and_lost(folder: Path) -> None:
    assert recall("good.jsonl", "poor.jsonl", "--won", "won.csv", "--csv", "t.csv").exit_code == 0
    with (folder / "won.csv").open(newline="", encoding="utf-8") as file:
        rows = {row["question"]: row for row in csv.DictReader(file)}
    assert {name: (row["both"], row["either"]) for name, row in rows.items()} == {
        "2": ("won", "won"),
        "3": ("won", ""),
        "4": ("lost", "lost"),
    }
    row = rows["3"]
    assert [row[f"{who}_{fact}"] for who in ("first", "second") for fact in ("fact1", "fact2")] == [
        "2",
        "3",
        "2",
        "",
    ]
    assert row["stem"] == "What, 3?"
    # A cell that a spreadsheet might run is led by an apostrophe.
    assert row["key"] == "'=rust"
    table = (folder / "t.csv").read_text(encoding="utf-8").splitlines()
    assert table[0] == "method,k,n,both,both_low,both_high,either,either_low,either_high"
    assert table[1].startswith("good,1,4,0.0,")


def test_the_plot_is_svg_that_stands_alone(folder: Path) -> None:
    assert recall("a<b>=good.jsonl", "poor.jsonl", "--plot", "p.svg").exit_code == 0
    root = ET.parse(folder / "p.svg").getroot()
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    lines = [one for one in root.iter() if one.tag.endswith("polyline")]
    # Two panels of two methods.
    assert len(lines) == 4
    heights = [float(point.split(",")[1]) for point in lines[0].attrib["points"].split()]
    assert heights == sorted(heights, reverse=True)
    said = [one.text for one in root.iter() if one.tag.endswith("text")]
    assert "a<b>" in said
    assert "a<b>: 0.0 at 1, 25.0 at 2" in root.attrib["aria-label"]
    first = (folder / "p.svg").read_bytes()
    recall("a<b>=good.jsonl", "poor.jsonl", "--plot", "p.svg")
    assert (folder / "p.svg").read_bytes() == first


@pytest.mark.parametrize(
    ("options", "what"),
    [
        (["good.jsonl", "--at", "1,x"], "--at takes whole numbers from 1. Got '1,x'"),
        (["good.jsonl", "--at", "0"], "from 1"),
        (["good.jsonl", "poor.jsonl", "--test-at", "4"], "good has 3 sentences"),
        (["good.jsonl", "--plot", "p.png"], "ends in .svg"),
        (["a=good.jsonl", "a=good.jsonl"], "named twice"),
        (["good.jsonl", "--cluster", "grade"], "grade"),
        (["none.jsonl"], "holds no evidence"),
        (["nowhere.jsonl"], "nowhere.jsonl"),
    ],
)
def test_bad_input(folder: Path, options: list[str], what: str) -> None:
    none = "".join(json.dumps({"id": name, "chosen": ["A"]}) + "\n" for name in FACTS)
    (folder / "none.jsonl").write_text(none)
    done = recall(*options)
    assert isinstance(done.exception, AssayError)
    assert what in str(done.exception)


def test_questions_without_facts_are_refused(folder: Path) -> None:
    bare = [{key: value for key, value in question(name).items() if "fact" not in key} for name in FACTS]
    (folder / "q.jsonl").write_text("".join(json.dumps(one) + "\n" for one in bare))
    done = recall("good.jsonl")
    assert isinstance(done.exception, AssayError)
    assert "none of the 4 has them" in str(done.exception)

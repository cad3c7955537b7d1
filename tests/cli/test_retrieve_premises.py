"""`assay retrieve --method premises`: evidence and reasons written, the same after a kill, and bad input."""

import csv
import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest

from assay.corpus import import_corpus
from tests.cli.conftest import Assay

ROOT = Path(__file__).parent.parent.parent
SENTENCES = [
    "Iron ore is smelted into iron",
    "Iron ore is not smelted into gold",
    "Iron, ore is smelted into iron.",
    "Gold (a metal) is smelted!",
    "Iron ore is mined in pits",
    "Smelted gold shines",
]
ASKED = ("retrieve", "q.jsonl", "--corpus", "c", "--method", "premises", "-o", "e.jsonl")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "s.txt").write_text("\n".join(SENTENCES), encoding="utf-8")
    import_corpus(["s.txt"], tmp_path / "c")
    write("What is ore smelted into?", "Which bird flies?")
    return tmp_path


def write(*stems: str, choices: tuple[str, ...] = ("iron", "gold")) -> None:
    listed = [{"label": "AB"[n], "text": text} for n, text in enumerate(choices)]
    records = [
        {"id": f"q{n}", "question": {"stem": stem, "choices": listed}, "answerKey": "A"}
        for n, stem in enumerate(stems)
    ]
    Path("q.jsonl").write_text("".join(json.dumps(one) + "\n" for one in records), encoding="utf-8")


def rows() -> list[dict[str, str]]:
    with open("d.csv", encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_evidence_and_reasons(folder: Path, assay: Assay) -> None:
    status, out, err = assay(*ASKED, "--dropped", "d.csv")
    assert (status, "error" in err) == (0, False)
    first = json.loads((folder / "e.jsonl").read_text(encoding="utf-8").splitlines()[0])
    assert [piece["sentence_id"] for piece in first["evidence"]["A"]] == [0, 4]
    assert {piece["role"] for piece in first["evidence"]["A"]} == {"premise"}
    assert [piece["sentence_id"] for piece in first["evidence"]["B"]] == [5]
    told = {(row["question"], row["choice"], row["sentence_id"]): row["reason"] for row in rows()}
    assert told["q0", "A", "1"] == "negation: 'not'"
    assert told["q0", "A", "2"] == "copy of sentence 0"
    assert told["q0", "B", "3"] == "holds '!'"
    assert told["q0", "B", "0"] == "lacks the choice: no 'gold'"
    assert "2\t2\t100.0" in out
    counts = Counter(row["rule"] for row in rows())
    for rule in ("long", "negation", "duplicate", "unclean", "not among the best", "lacks the choice"):
        assert f"{rule}\t{counts[rule]}\n" in out


def test_reasons_as_json_lines(folder: Path, assay: Assay) -> None:
    assay(*ASKED, "--dropped", "d.jsonl", "--dropped-hits", "0", "--preset", "lineage")
    lines = [json.loads(line) for line in (folder / "d.jsonl").read_text(encoding="utf-8").splitlines()]
    assert lines[0].keys() == {"question", "choice", "sentence_id", "score", "rule", "reason", "text"}
    assert "lacks the choice" not in {line["rule"] for line in lines}
    assert "negation" not in {line["rule"] for line in lines}


def test_no_premise_at_all_is_said(folder: Path, assay: Assay) -> None:
    write("Which bird flies?", "Which fish swims?", choices=("finch", "trout"))
    status, out, err = assay(*ASKED)
    assert status == 0
    assert "2 questions have no premise for any choice: their evidence is empty" in err
    assert "0\t2\t100.0" in out
    assert json.loads((folder / "e.jsonl").read_text().splitlines()[1])["evidence"] == {"A": [], "B": []}


def test_what_fetched_caps_is_said(folder: Path, assay: Assay) -> None:
    _, _, err = assay(*ASKED, "--set", "fetched=1")
    assert "for 4 choices the filter left fewer than k, and `fetched` kept it from further hits" in err


@pytest.mark.parametrize("options", [(), ("--dropped", "d.csv")])
def test_counts_are_the_same_from_evidence_made_before(
    folder: Path, assay: Assay, options: tuple[str, ...]
) -> None:
    def record() -> dict[str, object]:
        found = json.loads(assay(*ASKED, *options, "--json")[1])
        return {name: found[name] for name in ("dropped", "premises")}

    once = record()
    assert once["dropped"]["negation"] == 4  # type: ignore[index]
    whole, key = (folder / "e.jsonl").read_bytes(), folder / "e.key"
    assert record() == once
    # As a kill leaves it: only finished evidence has its digest there.
    key.write_text(key.read_text().split("\n")[0] + "\n")
    (folder / "e.jsonl").write_bytes(whole[: whole.index(b"\n") + 20])
    assert record() == once
    assert (folder / "e.jsonl").read_bytes() == whole


KILLED = """
import sys, time
from assay.evidence.premises import Premises
plain = Premises._evidence
def slowly(self, hits):
    time.sleep(0.003)
    return plain(self, hits)
Premises._evidence = slowly
from assay.cli.main import main
sys.argv = ["assay", *sys.argv[1:]]
main()
"""


@pytest.mark.parametrize("delay", [0.0, 0.1])
def test_kill_minus_nine(folder: Path, assay: Assay, delay: float) -> None:
    write(*(f"What is ore number {n} smelted into?" for n in range(400)))
    asked = (*ASKED, "--dropped", "d.csv", "--json")
    once = json.loads(assay(*asked)[1])
    whole = [(folder / name).read_bytes() for name in ("e.jsonl", "e.key", "d.csv")]
    for name in ("e.jsonl", "e.key", "d.csv"):
        (folder / name).unlink()
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    process = subprocess.Popen([sys.executable, "-c", KILLED, *asked], env=environment)
    while process.poll() is None and not ((folder / "e.jsonl").exists() and (folder / "e.key").exists()):
        time.sleep(0.005)
    time.sleep(delay)
    process.send_signal(signal.SIGKILL)
    assert process.wait() == -signal.SIGKILL
    assert not (folder / "d.csv").exists()
    again = json.loads(assay(*asked)[1])
    assert [(folder / name).read_bytes() for name in ("e.jsonl", "e.key", "d.csv")] == whole
    assert {**again, "reused": 0, "queries": once["queries"]} == once


@pytest.mark.parametrize(
    ("options", "what"),
    [
        (("--preset", "best"), "no preset 'best'"),
        (("--rerank", "5"), "premises aren't judged by vectors"),
        (("--vectors", "v"), "method 'premises' looks at no vectors"),
        (("--set", "facts=3"), "retrieval of premises has no setting 'facts'"),
        (("--set", "contains=some"), "'contains' must be one of 'all', 'any'"),
        (("--method", "single", "--dropped", "d.csv"), "are for --method premises"),
        (("--dropped-hits", "3"), "--dropped-hits goes with --dropped"),
        (("--method", "premise"), "no retrieval method 'premise'"),
        (("--dropped", "c"), "is a folder, not a file to write"),
        (("--dropped", "./e.jsonl"), "--output and --dropped name one file"),
    ],
)
def test_bad_options(folder: Path, assay: Assay, options: tuple[str, ...], what: str) -> None:
    status, _, err = assay(*ASKED, *options)
    assert status == 2
    assert what in err


def test_an_empty_corpus(folder: Path, assay: Assay) -> None:
    (folder / "empty.txt").write_text("\n", encoding="utf-8")
    assay("corpus", "import", "empty.txt", "--to", "empty")
    status, out, err = assay(*ASKED, "--corpus", "empty")
    assert status == 0
    assert "2 questions have no premise for any choice" in err
    assert "0 premises; all choices have one for 0 questions, the key for 0 of 2" in out

"""`assay distractors`: the same bytes however it is run, whole or not there, clear words for bad input."""

from __future__ import annotations

import csv
import json
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner

from assay.cli.main import app
from assay.errors import AssayError
from assay.questions import read_questions
from tests.conftest import ROOT

WORDS = ("iron", "rust", "frog", "pond", "salt", "wind", "leaf", "root", "moon", "tide", "coal", "heat")
SOLVER = """
from assay.questions.model import Answer
from assay.questions.ties import choose


class {name}:
    name = "{name}"
    settings = {{"solver": "{name}"}}

    def answer(self, questions):
        import time
        for question in questions:
            time.sleep({pause})
            scores = tuple({score} for choice in question.choices)
            yield Answer(question.id, "answered", choose(question, scores), scores)
"""


def record(number: int, draw: random.Random, **more: object) -> dict:
    texts = [" ".join([f"{draw.choice(WORDS)}{number}", draw.choice(WORDS)]), f"bad{number} one", "worse two"]
    choices = [{"text": text, "label": label} for label, text in zip("ABC", texts, strict=True)]
    made = {
        "id": f"q{number}",
        "question": {"stem": f"What of number {number}?", "choices": choices},
        "fact1": f"{draw.choice(WORDS)} number {number} is {draw.choice(WORDS)}",
        "clarity": "1.00",
        "answerKey": "A",
    }
    return made | more


def write(path: Path, count: int, seed: int, first: int = 0, **more: object) -> None:
    draw = random.Random(seed)
    lines = [json.dumps(record(first + number, draw, **more)) + "\n" for number in range(count)]
    path.write_text("".join(lines), encoding="utf-8")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    write(tmp_path / "dev.jsonl", 40, 1)
    write(tmp_path / "test.jsonl", 40, 2, first=100)
    crc = "float(__import__('zlib').crc32((question.stem + choice.text).encode()) % 1000)"
    for name, score in (("Crc", crc), ("Longest", "float(len(choice.text))")):
        text = SOLVER.format(name=name, score=score, pause=0)
        (tmp_path / f"{name.lower()}.py").write_text(text, encoding="utf-8")
    return tmp_path


WHO = ("--adversary", "crc=crc.py:Crc", "--adversary", "long=longest.py:Longest", "--vectors", "none")


def assay(*given: str):
    return CliRunner().invoke(app, ["distractors", *given])


def error_of(*given: str) -> AssayError:
    done = assay(*given)
    assert isinstance(done.exception, AssayError), done.output
    return done.exception


def files_of(folder: Path) -> dict[str, bytes]:
    return {
        path.name: path.read_bytes() for path in sorted(folder.iterdir()) if path.suffix[:2] in (".j", ".c")
    }


def lines_of(path: Path) -> list[dict]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_scores_too_large_to_compare_are_refused_and_nothing_is_written(folder: Path) -> None:
    text = SOLVER.format(name="Huge", score="(-1) ** len(choice.text) * 1e308", pause=0)
    (folder / "huge.py").write_text(text, encoding="utf-8")
    found = error_of("dev.jsonl", "--adversary", "huge=huge.py:Huge", "--vectors", "none", "-o", "out")
    assert "too large" in str(found)
    assert not (folder / "out/dev.jsonl").exists()


@pytest.mark.parametrize("name", ["", "../../x", "a/b", "..", "x" * 300, "/x"])
def test_an_adversary_has_a_name_that_a_file_can_have(folder: Path, name: str) -> None:
    found = error_of("dev.jsonl", "--adversary", f"{name}=crc.py:Crc", "-o", "out")
    assert "can't be the name of an adversary" in str(found)
    assert not (folder / "out").exists()


def test_every_choice_says_where_it_comes_from(folder: Path) -> None:
    done = assay("dev.jsonl", "test.jsonl", *WHO, "-o", "out", "--json")
    assert done.exit_code == 0, done.output
    summary = json.loads(done.stdout)
    assert summary["questions"] == {"dev.jsonl": 40, "test.jsonl": 40}
    assert (summary["ways"], summary["added"], summary["short"]) == ({"8": 80}, 400, {})
    choices = lines_of(folder / "out/choices.jsonl")
    assert len(choices) == 640
    for name in ("dev", "test"):
        before = read_questions(f"{name}.jsonl")
        after = read_questions(f"out/{name}.jsonl")
        assert after.format == "openbookqa"
        keys = {one.id: one.choices[0].text for one in before.questions}
        for old, new in zip(before.questions, after.questions, strict=True):
            own = {one["label"]: one for one in choices if one["id"] == new.id}
            assert [own[label]["text"] for label in "ABCDEFGH"] == [choice.text for choice in new.choices]
            assert own[str(new.answer)]["from"] == "key"
            assert own[str(new.answer)]["text"] == keys[new.id]
            assert {one["author_label"] for one in own.values()} == {"A", "B", "C", None}
            for one in own.values():
                if one["from"] == "question":
                    assert keys[one["source"]] == one["text"]
                assert set(one["scores"]) == {"crc", "long"}
            assert (old.stem, old.facts, old.metadata) == (new.stem, new.facts, new.metadata)
    assert summary["files"].keys() == {
        "dev.jsonl",
        "test.jsonl",
        "choices.jsonl",
        "pools.jsonl",
        "check.jsonl",
        "check.csv",
    }


def test_adversaries_get_what_misleads_them_and_chance_doesnt(folder: Path) -> None:
    assert assay("dev.jsonl", *WHO[2:], "-o", "out").exit_code == 0
    assert assay("dev.jsonl", "--random", "pool", "--vectors", "none", "-o", "chance").exit_code == 0

    def mean(name: str) -> float:
        texts = [
            len(one["text"]) for one in lines_of(folder / name / "choices.jsonl") if one["from"] == "question"
        ]
        return sum(texts) / len(texts)

    assert mean("out") > mean("chance") + 0.2


def test_no_answer_is_added_more_often_than_allowed_while_others_are_left(folder: Path) -> None:
    def uses(*given: str) -> Counter[str]:
        assert assay("dev.jsonl", *WHO[2:], "-o", "out", "--ways", "5", *given).exit_code == 0
        added = [one for one in lines_of(folder / "out/choices.jsonl") if one["from"] == "question"]
        assert len(added) == 80
        return Counter(one["source"] for one in added)

    assert max(uses().values()) > 4
    assert max(uses("--set", "uses=4").values()) == 4
    assert len(uses("--set", "uses=1")) > 35


def test_the_same_bytes_again_and_other_bytes_by_another_seed(folder: Path) -> None:
    for name in ("one", "two"):
        assert assay("dev.jsonl", *WHO, "-o", name).exit_code == 0
    first = files_of(folder / "one")
    assert files_of(folder / "two") == first
    assert assay("dev.jsonl", *WHO, "-o", "one").exit_code == 0
    assert files_of(folder / "one") == first
    assert assay("dev.jsonl", *WHO, "-o", "one", "--seed", "3").exit_code == 0
    assert files_of(folder / "one") != first


def test_killed_anywhere_ends_with_the_same_bytes(folder: Path) -> None:
    slow = SOLVER.format(name="Slow", score="float(len(choice.text))", pause=0.02)
    (folder / "slow.py").write_text(slow, encoding="utf-8")
    given = ("dev.jsonl", "--adversary", "slow=slow.py:Slow", "--vectors", "none")
    assert assay(*given, "-o", "whole").exit_code == 0
    scores = folder / "cut/adversaries/scores/slow.jsonl"
    command = [sys.executable, "-m", "assay", "distractors", *given, "-o", "cut"]
    process = subprocess.Popen(
        command, env={"PYTHONPATH": f"{ROOT / 'src'}", "PATH": ""}, stderr=subprocess.DEVNULL
    )
    until = time.monotonic() + 60
    while not (scores.exists() and scores.stat().st_size) and time.monotonic() < until:
        time.sleep(0.01)
    process.send_signal(signal.SIGKILL)
    process.wait()
    assert not (folder / "cut/distractors.json").exists()
    with scores.open("ab") as file:
        file.write(b'{"id": "torn')
    assert assay(*given, "-o", "cut").exit_code == 0
    assert files_of(folder / "cut") == files_of(folder / "whole")


@pytest.mark.parametrize(
    "damage", [lambda b: b[: len(b) // 2], lambda b: b.replace(b"1", b"2"), lambda b: b"{}\n"]
)
def test_damaged_scores_are_never_taken_for_whole(folder: Path, damage: Callable[[bytes], bytes]) -> None:
    assert assay("dev.jsonl", *WHO, "-o", "out").exit_code == 0
    first = files_of(folder / "out")
    scores = folder / "out/adversaries/scores/crc.jsonl"
    scores.write_bytes(damage(scores.read_bytes()))
    done = assay("dev.jsonl", *WHO, "-o", "out")
    if done.exit_code:
        assert isinstance(done.exception, AssayError)
        assert "holds no answers" in str(done.exception)
    else:
        assert files_of(folder / "out") == first


def test_verdicts_come_back_and_the_next_best_fills_up(folder: Path) -> None:
    assert assay("dev.jsonl", *WHO, "-o", "out").exit_code == 0
    with (folder / "out/check.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 200
    by_id: dict[str, list[dict[str, str]]] = {}
    for row in rows:
        by_id.setdefault(row["id"], []).append(row)
    by_id["q0"][0]["verdict"] = " Right "
    by_id["q1"][0]["verdict"] = "unclear"
    by_id["q2"][0]["verdict"] = "wrong"
    by_id["q3"][0]["verdict"] = "drop"
    with (folder / "checked.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, fieldnames=list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    author = {"id": "q4", "text": " BAD4  one ", "verdict": "right"}
    (folder / "author.jsonl").write_text(json.dumps(author) + "\n", encoding="utf-8")
    before = {one.id: {c.text for c in one.choices} for one in read_questions("out/dev.jsonl").questions}
    done = assay(
        "dev.jsonl", *WHO, "-o", "out", "--validated", "checked.csv", "--validated", "author.jsonl", "--json"
    )
    assert done.exit_code == 0, done.output
    after = {one.id: {c.text for c in one.choices} for one in read_questions("out/dev.jsonl").questions}
    assert set(before) - set(after) == {"q3"}
    for name in after:
        assert len(after[name]) == 8
        gone = {"q0": {by_id["q0"][0]["text"]}, "q1": {by_id["q1"][0]["text"]}, "q4": {"bad4 one"}}.get(
            name, set()
        )
        assert before[name] - after[name] == gone
    listed = lines_of(folder / "out/check.jsonl")
    assert [one["verdict"] for one in listed if one["verdict"]] == ["wrong"]
    assert listed[-1]["verdict"] == "wrong"
    assert json.loads(done.stdout)["author_dropped"] == {"rejected": 1}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("id,text,verdict\nq0,x,maybe\n", "no verdict is called 'maybe'"),
        ("id,text,verdict\nq999,x,right\n", "no such question"),
        ("id,text,verdict\nq0,x,right\nq0,X,wrong\n", "two verdicts"),
        ("id,words,verdict\nq0,x,right\n", "no text"),
        ("id,text,verdict\nq0,x,\n", "holds no verdict"),
        ("", "is empty"),
    ],
)
def test_check_lists_that_are_none(folder: Path, text: str, said: str) -> None:
    (folder / "back.csv").write_text(text, encoding="utf-8")
    error = error_of(
        "dev.jsonl", "--random", "pool", "-o", "out", "--validated", "back.csv", "--vectors", "none"
    )
    assert said in str(error)
    assert "back.csv" in str(error)
    assert not (folder / "out").exists()


def test_bad_input_says_what_to_change(folder: Path) -> None:
    write(folder / "few.jsonl", 4, 3)
    error = error_of("few.jsonl", "--random", "pool", "-o", "out")
    assert [fault.question_id for fault in error.faults] == ["q0", "q1", "q2", "q3"]
    assert "2 of 8 choices missing" in error.faults[0].what
    assert "--allow-fewer" in str(error.hint)
    assert not (folder / "out/few.jsonl").exists()
    done = assay("few.jsonl", "--random", "pool", "-o", "out", "--allow-fewer", "--json", "--vectors", "none")
    assert json.loads(done.stdout)["short"] == {"q0": 2, "q1": 2, "q2": 2, "q3": 2}

    write(folder / "hidden.jsonl", 3, 3, answerKey=None)
    assert len(error_of("hidden.jsonl", "--random", "any", "-o", "out").faults) == 3
    write(folder / "plain.jsonl", 3, 3, fact1="")
    assert "no source fact" in str(error_of("plain.jsonl", "--random", "pool", "-o", "out"))
    same = {"stem": "What?", "choices": [{"text": t, "label": la} for t, la in (("ox", "A"), (" OX", "B"))]}
    write(folder / "same.jsonl", 2, 3, question=same)
    error = error_of("same.jsonl", "--random", "pool", "-o", "out")
    assert [fault.what for fault in error.faults] == ["every distractor equals the key"] * 2
    assert "has 3 choices already, 2 are wanted" in str(
        error_of("dev.jsonl", "--random", "pool", "--ways", "2", "-o", "out")
    )


def test_wrong_usage(folder: Path) -> None:
    (folder / "file").write_text("x")
    for given, said in (
        ((), "no adversary"),
        ((*WHO, "--random", "pool"), "--random stands alone"),
        ((*WHO[:2], *WHO[:2]), "two adversaries are called crc"),
        ((*WHO, "--set", "depth=3"), "no setting 'depth'"),
        ((*WHO, "--set", "ways=3"), "has an option of its own"),
        ((*WHO, "--set", "other.k=3"), "no adversary is called 'other'"),
        ((*WHO, "--training", "epochs=3"), "there is none"),
        ((*WHO, "--fold", "grade"), "no question has a column grade"),
        ((*WHO, "--to", "xml"), "no question format is called 'xml'"),
        (("--adversary", "guess-all", "--vectors", "none"), "gives no scores"),
        (("--adversary", "nobody"), "no solver 'nobody'"),
        ((*WHO, "-o", "file"), "a folder is due"),
        ((*WHO, "-o", "."), "is one of the inputs"),
    ):
        assert said in str(error_of("dev.jsonl", "-o", "out", *given)), said
    (folder / "sub").mkdir()
    write(folder / "sub/dev.jsonl", 3, 3, first=700)
    assert "written twice" in str(error_of("dev.jsonl", "sub/dev.jsonl", *WHO, "-o", "out"))


def test_folds_by_a_column_keep_to_themselves(folder: Path) -> None:
    lines = lines_of(folder / "dev.jsonl")
    for number, line in enumerate(lines):
        line["part"] = "odd" if number % 2 else "even"
    (folder / "all.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    assert assay("all.jsonl", *WHO, "--fold", "part", "-o", "out").exit_code == 0
    added = [one for one in lines_of(folder / "out/choices.jsonl") if one["from"] == "question"]
    assert {one["fold"] for one in added} == {"odd", "even"}
    assert all(int(one["id"][1:]) % 2 == int(one["source"][1:]) % 2 for one in added)


def test_from_scratch_from_a_plain_table(folder: Path) -> None:
    """Questions with nothing but their answer, of no science."""
    rows = ["stem,answer"] + [f"Who keeps room {n}?,keeper{n} of {WORDS[n % 12]}" for n in range(20)]
    (folder / "keys.csv").write_text("\n".join(rows) + "\n", encoding="utf-8")
    table = ("--map", "stem=stem", "--map", "choices=answer", "--map", "answer=answer", "--answers", "text")
    given = ("keys.csv", *table, "--author", "none", "--without-facts", "--ways", "4", *WHO)
    done = assay(*given, "-o", "out", "--to", "arc-jsonl")
    assert done.exit_code == 0, done.exception or done.output
    made = read_questions("out/keys.jsonl").questions
    assert {len(one.choices) for one in made} == {4}
    assert "must be a JSON list" in str(error_of(*given[:9], "--without-facts", *WHO, "-o", "other"))


def test_the_handbook_sample(folder: Path) -> None:
    sample = ROOT / "samples/handbook"
    assert (
        CliRunner()
        .invoke(app, ["corpus", "import", str(sample / "corpus.tsv"), "--to", "handbook"])
        .exit_code
        == 0
    )
    done = assay(
        *(str(sample / "questions.jsonl"), "--without-facts", "--ways", "6", "--adversary", "ir"),
        *(
            "--adversary",
            "pmi",
            "--corpus",
            "handbook",
            "--allow-fewer",
            "--vectors",
            "none",
            "-o",
            "out",
            "--json",
        ),
    )
    assert done.exit_code == 0, done.exception or done.output
    assert json.loads(done.stdout)["added"] > 50
    sentences = [one["sentence"] for one in lines_of(folder / "out/check.jsonl")]
    assert any(sentences)


def test_no_cell_of_the_list_runs_as_a_formula_and_its_text_comes_back(folder: Path) -> None:
    lines = lines_of(folder / "dev.jsonl")
    for line in lines:
        line["question"]["choices"][0]["text"] = f"=SUM({line['id']})"
    (folder / "dev.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    assert assay("dev.jsonl", *WHO, "-o", "out", "--ways", "4").exit_code == 0
    with (folder / "out/check.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file))
    assert all(
        not cell.startswith(("=", "+", "-", "@")) or cell[1:2].isdigit() for row in rows for cell in row
    )
    place = rows[0].index("verdict")
    first = rows[1]
    first[place] = "right"
    (folder / "back.csv").write_text(
        "\n".join(",".join(f'"{cell}"' for cell in row) for row in (rows[0], first))
    )
    before = (folder / "out/dev.jsonl").read_bytes()
    assert assay("dev.jsonl", *WHO, "-o", "out", "--ways", "4", "--validated", "back.csv").exit_code == 0
    assert (folder / "out/dev.jsonl").read_bytes() != before
    assert first[rows[0].index("text")].startswith("'=SUM(")

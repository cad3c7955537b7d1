"""The main job: a second run does only what changed, a killed one ends with the same bytes."""

from __future__ import annotations

import hashlib
import json
import os
import random
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT / "src"), "NO_COLOR": "1"}
WORDS = "heat metal water plant root leaf light sound stone wind rain soil seed bird fish".split()


def write_benchmark(folder: Path, questions: int = 60) -> Path:
    draw = random.Random(7)
    sentences = [f"notes\t{' '.join(draw.sample(WORDS, 6))} number {n}." for n in range(400)]
    (folder / "corpus.tsv").write_text("\n".join(sentences) + "\n", encoding="utf-8")
    records = []
    for number in range(questions):
        stem, *choices = draw.sample(WORDS, 5)
        labels = "1234" if number % 5 == 0 else "ABCD"
        records.append(
            {
                "id": f"q{number}",
                "question": {
                    "stem": f"What goes with {stem}, in case {number}?",
                    "choices": [
                        {"text": t, "label": label} for t, label in zip(choices, labels, strict=True)
                    ],
                },
                "answerKey": labels[number % 4],
                "grade": str(3 + number % 3),
            }
        )
    (folder / "questions.jsonl").write_text("".join(json.dumps(r) + "\n" for r in records), encoding="utf-8")
    (folder / "ours.csv").write_text(
        "".join(f"{r['id']},{r['question']['choices'][0]['label']}\n" for r in records[:30]), encoding="utf-8"
    )
    path = folder / "benchmark.toml"
    path.write_text(
        """
name = "Test"
seed = 1
[questions]
files = ["questions.jsonl"]
[corpora.notes]
files = ["corpus.tsv"]
[corpora.few]
files = ["corpus.tsv"]
contaminated = "made for these questions"
dedupe = "none"
[solvers.guess-all]
[solvers.random]
seed = 3
[solvers.ir]
corpus = "notes"
[solvers.pmi]
corpus = "notes"
[partition]
filters = ["ir", "pmi"]
corpora = ["notes", "few"]
without_answer_sentences = 0.5
[scores]
by = ["grade", "choices"]
draws = 200
""",
        encoding="utf-8",
    )
    return path


def assay(*arguments: str | Path, status: int = 0) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(
        [sys.executable, "-m", "assay", *map(str, arguments)], capture_output=True, text=True, env=ENVIRONMENT
    )
    assert done.returncode == status, done.stderr + done.stdout
    assert "Traceback" not in done.stderr
    return done


def contents(folder: Path) -> dict[str, str]:
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name not in ("log.jsonl", ".writer.lock")
    }


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A benchmark and its finished run folder."""
    folder = tmp_path_factory.mktemp("benchmark")
    benchmark = write_benchmark(folder)
    done = assay("run", benchmark)
    assert done.stdout.rstrip().endswith(str(folder / "run" / "report.html"))
    return benchmark, folder / "run"


def steps(folder: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in (folder / "log.jsonl").read_text(encoding="utf-8").splitlines()]


def test_the_folder_holds_what_the_house_says(made: tuple[Path, Path]) -> None:
    _, folder = made
    for name in ("configuration.json", "partition.jsonl", "scores.json", "report.json", "report.html"):
        assert (folder / name).stat().st_size > 0
    placements = [json.loads(line) for line in (folder / "partition.jsonl").read_text().splitlines()]
    assert len(placements) == 60
    for name in ("Easy", "Challenge"):
        placed = [json.loads(line) for line in (folder / f"sets/{name}.jsonl").read_text().splitlines()]
        assert {question["metadata"]["set"] for question in placed} == {name}
        assert [question["id"] for question in placed] == [p["id"] for p in placements if p["set"] == name]
    assert set(placements[0]["filters"]) == {"ir", "pmi"}
    assert placements[0]["filters"]["ir"]["scores"].keys() == {"1", "2", "3", "4"}
    scores = json.loads((folder / "scores.json").read_text())
    changes = [row["change"] for row in scores["partition"]["sensitivity"]]
    assert "without ir" in changes
    assert "over corpus few" in changes
    assert "sentences that state an answer removed" in changes
    guessing = next(s for s in scores["columns"][-1]["scores"]["systems"] if s["system"] == "guess-all")
    assert guessing["score"]["mean"] == pytest.approx(0.25)


def test_a_second_run_makes_nothing_again(made: tuple[Path, Path]) -> None:
    benchmark, folder = made
    before, logged = contents(folder), len(steps(folder))
    assert assay("run", benchmark).stdout.startswith("Nothing has changed since the last run")
    assert contents(folder) == before
    again = steps(folder)[logged:]
    assert {step["step"] for step in again} == {
        "questions", "corpora", "answers guess-all", "answers random", "answers ir", "answers pmi", "results",
    }  # fmt: skip
    assert all(step["reused"] in (60, True) for step in again if "reused" in step)


def test_elsewhere_the_same_bytes(made: tuple[Path, Path], tmp_path: Path) -> None:
    benchmark, folder = made
    assay("run", benchmark, "--to", tmp_path / "other", "--quiet")
    assert contents(tmp_path / "other") == contents(folder)


def test_only_what_changed_is_made_again(made: tuple[Path, Path], tmp_path: Path) -> None:
    benchmark = write_benchmark(tmp_path)
    assay("run", benchmark, "--quiet")
    benchmark.write_text(benchmark.read_text().replace("seed = 3", "seed = 4"))
    logged = len(steps(tmp_path / "run"))
    assay("run", benchmark, "--quiet")
    reused = {step["step"]: step.get("reused") for step in steps(tmp_path / "run")[logged:]}
    assert (reused["answers random"], reused["answers ir"], reused["results"]) == (0, 60, False)
    with (tmp_path / "corpus.tsv").open("a", encoding="utf-8") as file:
        file.write("notes\tmetal and water make rust.\n")
    logged = len(steps(tmp_path / "run"))
    assay("run", benchmark, "--quiet")
    reused = {step["step"]: step.get("reused") for step in steps(tmp_path / "run")[logged:]}
    assert (reused["answers random"], reused["answers ir"], reused["answers pmi"]) == (60, 0, 0)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_killed_anywhere_it_goes_on_to_the_same_bytes(
    made: tuple[Path, Path], tmp_path: Path, seed: int
) -> None:
    benchmark, folder = made
    draw = random.Random(seed)
    other = tmp_path / "run"
    for _ in range(2):
        process = subprocess.Popen(
            [sys.executable, "-m", "assay", "run", str(benchmark), "--to", str(other), "--quiet"],
            env=ENVIRONMENT, start_new_session=True,
        )  # fmt: skip
        time.sleep(draw.uniform(0.3, 4.0))
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    assay("run", benchmark, "--to", other, "--quiet")
    assert contents(other) == contents(folder)


def test_half_written_files_are_cleared_away(made: tuple[Path, Path]) -> None:
    benchmark, folder = made
    before = contents(folder)
    (folder / ".scores.json.abc.part").write_text("{")
    (folder / "answers" / ".ir.key.abc.part").write_text("")
    assay("run", benchmark, "--quiet")
    assert contents(folder) == before


def test_two_processes_in_one_folder(made: tuple[Path, Path]) -> None:
    from assay.storage import only_writer

    benchmark, folder = made
    with only_writer(folder):
        done = assay("run", benchmark, status=2)
    assert "another process is writing here" in done.stderr
    assert "assay: error: " in done.stderr


def test_suspect_keys_need_strong_systems_that_are_no_filters(tmp_path: Path) -> None:
    benchmark = write_benchmark(tmp_path)
    records = [json.loads(line) for line in (tmp_path / "questions.jsonl").read_text().splitlines()]
    for name in ("one", "two"):
        rows = []
        for number, record in enumerate(records):
            labels = [choice["label"] for choice in record["question"]["choices"]]
            wrong = labels[(labels.index(record["answerKey"]) + 1) % 4]
            rows.append(f"{record['id']},{wrong if number == 7 else record['answerKey']}\n")
        (tmp_path / f"{name}.csv").write_text("".join(rows), encoding="utf-8")
    assay("run", benchmark, "--quiet")
    report = json.loads((tmp_path / "run/report.json").read_text())
    assert not report.get("suspects")
    assert any(line.startswith("Suspect keys: ") for line in report["left_out"])
    stored = "".join(f'[solvers.{n}]\nkind = "predictions"\nfile = "{n}.csv"\n' for n in ("one", "two"))
    benchmark.write_text(benchmark.read_text() + stored)
    assay("run", benchmark, "--quiet")
    report = json.loads((tmp_path / "run/report.json").read_text())
    assert [suspect["question_id"] for suspect in report["suspects"]] == ["q7"]
    assert report["suspects"][0]["systems"] == ["one", "two"]


def test_part_of_the_questions(made: tuple[Path, Path], tmp_path: Path) -> None:
    benchmark = write_benchmark(tmp_path)
    records = [json.loads(line) for line in (tmp_path / "questions.jsonl").read_text().splitlines()]
    for number, record in enumerate(records):
        record["set"] = "Challenge" if number < 30 else "Easy"
    (tmp_path / "questions.jsonl").write_text("".join(json.dumps(r) + "\n" for r in records))
    benchmark.write_text(
        benchmark.read_text()
        + '[solvers.ours]\nkind = "predictions"\nfile = "ours.csv"\nonly = {set = "challenge"}\n'
    )
    done = json.loads(assay("run", benchmark, "--json").stdout)
    scored = {score["column"] for score in done["scores"] if score["system"] == "ours"}
    assert scored == {"Challenge"}
    overall = {score["system"]: score["score"] for score in done["scores"] if score["column"] == "All"}
    assert overall["guess-all"] == pytest.approx(0.25)
    report = json.loads((tmp_path / "run/report.json").read_text())
    assert any(line.startswith("ours isn't scored on Easy") for line in report["left_out"])
    assert report["partition"]["agreement"]["unpublished"] == 0


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (('corpus = "notes"\n[solvers.pmi]', 'corpus = "notes"\nk9 = 1\n[solvers.pmi]'), "k9"),
        (('files = ["questions.jsonl"]', 'files = ["none.jsonl"]'), "none.jsonl"),
        (('files = ["corpus.tsv"]\n[corpora.few]', 'files = ["none.tsv"]\n[corpora.few]'), "none.tsv"),
        (("[solvers.guess-all]", '[solvers.guess-all]\nkind = "oracle"'), "no solver 'oracle'"),
        (("seed = 3", 'only = {grade = "12"}'), "solvers.random.only: no question has grade = '12'"),
        (("[scores]", '[scores]\nonly = {grade = "12"}'), "no question is left to score"),
        (('by = ["grade", "choices"]', 'cluster = "exam"'), "scores.cluster: no question has a column exam"),
        (('by = ["grade", "choices"]', 'by = ["exam"]'), "scores.by: no question has a column exam"),
        (("[scores]", '[scores]\nonly = {exam = "a"}'), "scores.only: no question has a column exam"),
    ],
)
def test_mistakes_are_named(tmp_path: Path, change: tuple[str, str], said: str) -> None:
    benchmark = write_benchmark(tmp_path, questions=10)
    text = benchmark.read_text()
    assert change[0] in text
    benchmark.write_text(text.replace(*change, 1))
    done = assay("run", benchmark, status=2)
    assert said in done.stderr
    assert done.stderr.startswith("assay: error: ")
    if said.startswith(("scores.by", "scores.cluster", "scores.only:")):
        assert not (tmp_path / "run/answers").exists(), "found when all had answered"


def test_a_folder_that_cannot_be_written(tmp_path: Path) -> None:
    benchmark = write_benchmark(tmp_path, questions=5)
    (tmp_path / "file").write_text("")
    done = assay("run", benchmark, "--to", tmp_path / "file" / "run", status=2)
    assert "can't be written" in done.stderr


@pytest.mark.slow
@pytest.mark.parametrize("room", [20_000, 120_000])
def test_a_full_disk_loses_nothing(made: tuple[Path, Path], tmp_path: Path, room: int) -> None:
    """No file can grow past `room` bytes, as on a full disk; with room again, the run goes on."""
    benchmark, folder = made
    command = [sys.executable, "-m", "assay", "run", str(benchmark), "--to", str(tmp_path / "run"), "--quiet"]

    def limited() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (room, room))

    done = subprocess.run(command, capture_output=True, text=True, env=ENVIRONMENT, preexec_fn=limited)
    assert done.returncode == 2, done.stderr
    assert "Traceback" not in done.stderr
    assert done.stderr.startswith("assay: error: ")
    assay(*command[3:])
    assert contents(tmp_path / "run") == contents(folder)


@pytest.mark.parametrize("damage", ["gone", "cut", "garbage", "one bit"])
def test_damaged_files_are_made_again(made: tuple[Path, Path], damage: str) -> None:
    benchmark, run = made
    whole = contents(run)
    names = ["results.key", "configuration.json", "scores.json", "report.json", "report.html"]
    names += ["partition.jsonl", *(f"answers/{path.name}" for path in (run / "answers").iterdir())]
    for name in names:
        path = run / name
        data = path.read_bytes()
        if damage == "gone":
            path.unlink()
        elif damage == "cut":
            path.write_bytes(data[: len(data) // 2])
        elif damage == "garbage":
            path.write_bytes(b"\xff\x00{[")
        elif path.suffix != ".jsonl" or name == "partition.jsonl":
            path.write_bytes(data[:-3] + bytes([data[-3] ^ 1]) + data[-2:])
    assay("run", benchmark)
    assert contents(run) == whole


def test_evidence_is_retrieved_once_and_read_by_every_solver_that_names_it(tmp_path: Path) -> None:
    benchmark = write_benchmark(tmp_path, questions=12)
    (tmp_path / "mine.py").write_text(
        """
from assay import Answer
from assay.solvers.evidence_file import EvidenceFile


class Mine:
    name = "mine"

    def __init__(self, evidence):
        self._file = EvidenceFile(evidence)

    @property
    def settings(self):
        return {"evidence": self._file.sha256}

    def answer(self, questions):
        for question in questions:
            found = self._file[question].evidence
            most = max(range(len(found)), key=lambda n: len(found[n]))
            yield Answer(question.id, "answered", (question.labels[most],), evidence=found)
"""
    )
    text = benchmark.read_text()
    text = text.replace(
        "[solvers.guess-all]",
        '[evidence.near]\nmethod = "premises"\ncorpus = "notes"\ncontains = "any"\nk = 3\n'
        '[evidence.unread]\nmethod = "single"\ncorpus = "notes"\n[solvers.guess-all]',
    )
    text += '[solvers.one]\nkind = "mine.py:Mine"\nevidence = "near"\n'
    text += '[solvers.two]\nkind = "mine.py:Mine"\nevidence = "near"\n'
    benchmark.write_text(text)
    assay("run", benchmark)
    kept = sorted(path.name for path in (tmp_path / "run/evidence").iterdir())
    assert kept == ["near.jsonl", "near.key"]
    lines = (tmp_path / "run/evidence/near.jsonl").read_text().splitlines()
    assert len(lines) == 12
    # A sentence may speak for two choices.
    most = [
        len({piece["sentence_id"] for choice in json.loads(line)["evidence"].values() for piece in choice})
        for line in lines
    ]
    assert max(most) == 3
    answers = [json.loads(line) for line in (tmp_path / "run/answers/one.jsonl").read_text().splitlines()]
    assert answers[0]["evidence"] == json.loads(lines[0])["evidence"]
    report = json.loads((tmp_path / "run/report.json").read_text())
    assert {s["name"]: s.get("ran_on") for s in report["systems"]}["one"] == "near of corpus notes"
    again = contents(tmp_path / "run")
    # Cut off within the evidence, the run goes on to the same bytes; a changed constant makes it anew.
    (tmp_path / "run/evidence/near.jsonl").write_text("\n".join(lines[:5]) + "\n" + lines[5][:20])
    assay("run", benchmark)
    assert contents(tmp_path / "run") == again
    benchmark.write_text(text.replace("k = 3", "k = 2"))
    assay("run", benchmark)
    changed = contents(tmp_path / "run")
    assert changed["evidence/near.jsonl"] != again["evidence/near.jsonl"]
    assert changed["answers/ir.jsonl"] == again["answers/ir.jsonl"]


@pytest.mark.parametrize(
    ("evidence", "said"),
    [
        ('corpus = "none"', "evidence.near.corpus names 'none'"),
        ('method = "premises"', "evidence.near: corpus must name one of the corpora: notes, few"),
        ('corpus = "notes"\nmethod = "dense"', "looks at vectors"),
        ('corpus = "notes"\nmethod = "nearest"', "evidence.near: no retrieval method 'nearest'"),
        ('corpus = "notes"\npreset = "worst"', "evidence.near: no preset 'worst'"),
        ('corpus = "notes"\nk9 = 3', "k9"),
        ('corpus = "notes"\nk = 0', "'k' must be"),
    ],
)
def test_evidence_that_cannot_be_made(tmp_path: Path, evidence: str, said: str) -> None:
    benchmark = write_benchmark(tmp_path, questions=5)
    text = benchmark.read_text() + f"[evidence.near]\n{evidence}\n"
    benchmark.write_text(text + '[solvers.one]\nkind = "reader"\nevidence = "near"\n')
    done = assay("run", benchmark, status=2)
    assert said in done.stderr

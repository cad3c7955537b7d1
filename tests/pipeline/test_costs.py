"""What systems took, read from a log over several runs; a budget of minutes; scores reported elsewhere."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from assay.errors import AssayError
from assay.pipeline.configuration import configuration
from assay.pipeline.costs import Cost, read_costs
from assay.pipeline.run import run
from assay.pipeline.run_log import RunLog
from tests.pipeline.test_run import write_benchmark

SOLVER = """
import time
from assay import Answer


class Slow:
    name = "slow"
    settings = {"version": 1}

    def answer(self, questions):
        for question in questions:
            time.sleep(0.02)
            yield Answer(question.id, "answered", (question.labels[0],))
"""


def written(folder: Path, added: str) -> Path:
    path = write_benchmark(folder, questions=20)
    (folder / "slow.py").write_text(SOLVER)
    path.write_text(path.read_text() + added)
    return path


def made(path: Path, folder: Path) -> tuple[dict[str, object], str]:
    from assay.pipeline.configuration import read_configuration

    done = run(read_configuration(path), folder, command="assay run benchmark.toml")
    return json.loads((folder / "scores.json").read_text()), done.report.read_text()


def test_a_system_whose_minutes_are_up_is_left_out_and_said_and_goes_on(tmp_path: Path) -> None:
    path = written(tmp_path, '[solvers.slow]\nkind = "slow.py:Slow"\nminutes = 0.0025\n')
    scores, page = made(path, tmp_path / "run")
    systems = {one["system"] for column in scores["columns"] for one in column["scores"]["systems"]}
    assert "slow" not in systems
    assert "guess-all" in systems
    assert re.search(r"slow: \d+ of 20 questions answered when its 0.0025 minutes were up", page)
    for _ in range(10):
        scores, page = made(path, tmp_path / "run")
        systems = {one["system"] for column in scores["columns"] for one in column["scores"]["systems"]}
        if "slow" in systems:
            break
    assert "minutes were up" not in page
    (cost,) = [one for one in read_costs(tmp_path / "run") if one.system == "slow"]
    assert cost.questions == 20
    assert 0.4 <= cost.seconds < 30
    path.write_text(path.read_text().replace("minutes = 0.0025", ""))
    made(path, tmp_path / "at-once")
    # The minutes are no part of what is asked: the results are the same as without.
    assert (tmp_path / "at-once" / "scores.json").read_bytes() == (
        tmp_path / "run" / "scores.json"
    ).read_bytes()


def test_a_filter_whose_minutes_are_up_makes_no_partition(tmp_path: Path) -> None:
    path = written(tmp_path, '[solvers.slow]\nkind = "slow.py:Slow"\nminutes = 0.0025\n')
    path.write_text(path.read_text().replace('filters = ["ir", "pmi"]', 'filters = ["ir", "slow"]'))
    with pytest.raises(AssayError, match="no partition can be made without this filter") as caught:
        made(path, tmp_path / "run")
    assert "it goes on from there" in str(caught.value.hint)


def test_reported_scores_stand_beside_ours(tmp_path: Path) -> None:
    path = written(
        tmp_path, '[solvers.other]\nkind = "random"\nseed = 9\nreported = {Easy = 57.45, All = 31}\n'
    )
    path.write_text(path.read_text().replace("draws = 200", 'draws = 200\nreported_in = "a paper, table 6"'))
    scores, page = made(path, tmp_path / "run")
    assert scores["reported"] == {"other": {"Easy": 57.45, "All": 31.0}}
    report = json.loads((tmp_path / "run" / "report.json").read_text())
    shown = {(one["system"], one["column"]): one.get("reported") for one in report["scores"]}
    assert shown["other", "Easy"] == 57.45
    assert shown["other", "Challenge"] is None
    assert shown["random", "Easy"] is None
    assert "reported 57.5" in page
    assert "reported to have in a paper, table 6" in page
    changed = path.read_text().replace("Easy = 57.45", "Easy = 58.5, Hard = 3")
    path.write_text(changed)
    _, page = made(path, tmp_path / "run")
    assert "reported 58.5" in page
    assert "solvers.other.reported has a score on Hard: there is no such column" in page


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"reported": {"Easy": 101}}, "in percent"),
        ({"reported": {"Easy": -1}}, "0 or more"),
        ({"reported": {"Easy": "57"}}, "must be a number"),
        ({"reported": 57.4}, "must be a table"),
        ({"minutes": -1}, "0 or more"),
        ({"minutes": True}, "must be a number"),
        ({"minutes": float("nan")}, "a finite number"),
    ],
)
def test_what_is_no_score_or_no_time(settings: dict[str, object], said: str) -> None:
    with pytest.raises(AssayError, match=said):
        configuration({"questions": {"files": ["q"]}, "solvers": {"random": settings}}, Path())


def test_costs_of_runs_that_went_on_are_added_up(tmp_path: Path) -> None:
    def line(system: str, questions: int, reused: int, seconds: float, peak: int) -> str:
        record = {"step": f"answers {system}", "seconds": seconds, "questions": questions, "reused": reused}
        return json.dumps({**record, "peak_bytes": peak, "at": "2018-01-01T00:00:00+00:00"})

    lines = [
        json.dumps({"step": "questions", "seconds": 1.0, "questions": 9, "peak_bytes": 1}),
        line("ir", 5, 0, 2.0, 70),
        line("old", 4, 0, 8.0, 10),
        line("ir", 9, 5, 1.0, 90),
        line("ir", 9, 9, 0.1, 5),
        line("pmi", 9, 0, 3.0, 20),
        line("old", 6, 0, 2.0, 30),
    ]
    (tmp_path / "log.jsonl").write_text("".join(f"{one}\n" for one in lines))
    assert read_costs(tmp_path) == [Cost("ir", 9, 3.0, 90), Cost("pmi", 9, 3.0, 20), Cost("old", 6, 2.0, 30)]
    assert Cost("ir", 9, 3.0, 90).rate == 3.0


def test_a_step_shows_its_own_peak(tmp_path: Path) -> None:
    log = RunLog(tmp_path / "log.jsonl")
    with log.step("large"):
        held = bytearray(200_000_000)
        held[::4096] = b"x" * len(held[::4096])
        del held
    with log.step("small"):
        pass
    large, small = (int(str(step["peak_bytes"])) for step in log.steps)
    assert large > small + 100_000_000

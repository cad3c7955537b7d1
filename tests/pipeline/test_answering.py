"""Answers that survive a kill, and are made again only when something that decides them has changed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from assay.errors import AssayError
from assay.pipeline.answering import answer_all
from assay.questions.model import Answer, Choice, Question, QuestionSet
from assay.storage import only_appender

QUESTIONS = QuestionSet(
    Question(f"q{n}", f"Number {n}?", (Choice("A", "yes"), Choice("B", "no")), "A") for n in range(40)
)


class Counting:
    """Answers by the question's number, and counts how often it was asked."""

    name = "counting"

    def __init__(self, version: int = 1, stop_after: int | None = None) -> None:
        self.version, self.stop_after, self.asked = version, stop_after, 0

    @property
    def settings(self) -> Mapping[str, Any]:
        return {"version": self.version}

    def answer(self, questions: Iterable[Question]) -> Iterator[Answer]:
        for question in questions:
            if self.asked == self.stop_after:
                raise KeyboardInterrupt
            self.asked += 1
            yield Answer(
                question.id, "answered", ("A" if int(question.id[1:]) % 3 else "B",), scores=(0.1, 0.2)
            )


def test_a_second_run_asks_nothing(tmp_path: Path) -> None:
    path = tmp_path / "answers.jsonl"
    first = answer_all(Counting(), QUESTIONS, path)
    again = Counting()
    second = answer_all(again, QUESTIONS, path)
    assert (again.asked, second.reused, first.reused) == (0, 40, 0)
    assert second.answers == first.answers


def test_when_the_minutes_are_up_it_ends_and_goes_on_the_next_time(tmp_path: Path) -> None:
    path, whole = tmp_path / "answers.jsonl", tmp_path / "whole.jsonl"
    answer_all(Counting(), QUESTIONS, whole)
    for made in range(1, 40):
        done = answer_all(Counting(), QUESTIONS, path, minutes=0)
        assert (len(done.answers), done.reused, done.whole) == (made, made - 1, False)
    done = answer_all(Counting(), QUESTIONS, path, minutes=0)
    assert (len(done.answers), done.whole) == (40, True)
    assert answer_all(Counting(), QUESTIONS, path, minutes=0).reused == 40
    for suffix in (".jsonl", ".key"):
        assert path.with_suffix(suffix).read_bytes() == whole.with_suffix(suffix).read_bytes()


def test_other_settings_and_other_questions_are_answered_anew(tmp_path: Path) -> None:
    path = tmp_path / "answers.jsonl"
    answer_all(Counting(), QUESTIONS, path)
    changed = Counting(version=2)
    answer_all(changed, QUESTIONS, path)
    assert changed.asked == 40
    fewer = Counting(version=2)
    assert len(answer_all(fewer, QuestionSet(QUESTIONS[:10]), path).answers) == 10
    assert fewer.asked == 10


def test_an_interrupted_run_goes_on_to_the_same_bytes(tmp_path: Path) -> None:
    whole, broken = tmp_path / "whole.jsonl", tmp_path / "broken.jsonl"
    answer_all(Counting(), QUESTIONS, whole)
    with pytest.raises(KeyboardInterrupt):
        answer_all(Counting(stop_after=7), QUESTIONS, broken)
    rest = Counting()
    answer_all(rest, QUESTIONS, broken)
    assert rest.asked == 33
    assert broken.read_bytes() == whole.read_bytes()


@pytest.mark.parametrize("cut", [0, 1, 17, 100, 500, 1000])
def test_a_file_cut_at_any_byte_is_completed(tmp_path: Path, cut: int) -> None:
    path = tmp_path / "answers.jsonl"
    answer_all(Counting(), QUESTIONS, path)
    whole = path.read_bytes()
    path.write_bytes(whole[:cut])
    answer_all(Counting(), QUESTIONS, path)
    assert path.read_bytes() == whole


@pytest.mark.parametrize("damage", [b"\xff\xfe\n", b"{}\n", b'{"id":"q9"}\n', b"null\n"])
def test_a_damaged_line_of_an_unfinished_file_is_made_again(tmp_path: Path, damage: bytes) -> None:
    whole, path = tmp_path / "whole.jsonl", tmp_path / "answers.jsonl"
    answer_all(Counting(), QUESTIONS, whole)
    with pytest.raises(KeyboardInterrupt):
        answer_all(Counting(stop_after=20), QUESTIONS, path)
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join([*lines[:5], damage, *lines[6:]]))
    assert answer_all(Counting(), QUESTIONS, path).reused == 5
    assert path.read_bytes() == whole.read_bytes()
    assert path.with_suffix(".key").read_bytes() == whole.with_suffix(".key").read_bytes()


def test_finished_answers_that_were_altered_are_made_anew(tmp_path: Path) -> None:
    path = tmp_path / "answers.jsonl"
    answer_all(Counting(), QUESTIONS, path)
    whole, key = path.read_bytes(), path.with_suffix(".key").read_bytes()
    path.write_bytes(whole.replace(b'"chosen":["A"]', b'"chosen":["B"]', 1))
    assert answer_all(Counting(), QUESTIONS, path).reused == 0
    assert path.read_bytes() == whole
    # The same answers again are known to be finished, as they were.
    assert path.with_suffix(".key").read_bytes() == key


class Lazy(Counting):
    def answer(self, questions: Iterable[Question]) -> Iterator[Answer]:
        yield from super().answer(list(questions)[:-1])


class Swapping(Counting):
    def answer(self, questions: Iterable[Question]) -> Iterator[Answer]:
        yield from super().answer(list(questions)[::-1])


@pytest.mark.parametrize(("solver", "said"), [(Lazy(), "got nothing"), (Swapping(), "got 'q39'")])
def test_a_solver_that_breaks_its_contract_is_named(tmp_path: Path, solver: Counting, said: str) -> None:
    with pytest.raises(AssayError, match=f"counting breaks its contract.*{said}"):
        answer_all(solver, QUESTIONS, tmp_path / "answers.jsonl")


KILLED = """
import sys, time
sys.path.insert(0, sys.argv[2])
from tests.pipeline.test_answering import Counting, QUESTIONS
from assay.pipeline.answering import answer_all
from pathlib import Path
class Slow(Counting):
    def answer(self, questions):
        for answer in super().answer(questions):
            time.sleep(0.01)
            yield answer
answer_all(Slow(), QUESTIONS, Path(sys.argv[1]))
"""


@pytest.mark.parametrize("delay", [0.0, 0.05, 0.2])
def test_kill_minus_nine(tmp_path: Path, delay: float) -> None:
    path, root = tmp_path / "answers.jsonl", str(Path(__file__).parent.parent.parent)
    answer_all(Counting(), QUESTIONS, tmp_path / "whole.jsonl")
    environment = {**os.environ, "PYTHONPATH": os.path.join(root, "src")}
    process = subprocess.Popen([sys.executable, "-c", KILLED, str(path), root], env=environment)
    while not path.exists() and process.poll() is None:
        time.sleep(0.01)
    time.sleep(delay)
    process.send_signal(signal.SIGKILL)
    process.wait()
    answer_all(Counting(), QUESTIONS, path)
    assert path.read_bytes() == (tmp_path / "whole.jsonl").read_bytes()


@pytest.mark.parametrize(
    "content", ['{"id": "q", "question": {}, "answerKey": "A"}\n', "a,b\n1,2\n", "[" * 99999]
)
def test_a_file_that_holds_no_answers_is_left_as_it_is(tmp_path: Path, content: str) -> None:
    path = tmp_path / "questions.jsonl"
    path.write_text(content)
    with pytest.raises(AssayError, match="holds no answers"):
        answer_all(Counting(), QUESTIONS, path)
    assert path.read_text() == content
    assert [file.name for file in tmp_path.iterdir()] == ["questions.jsonl"]


def test_pipes_and_devices_and_key_files_are_no_places_for_answers(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(AssayError, match="holds no answers"):
        answer_all(Counting(), QUESTIONS, tmp_path / "pipe")
    assert (tmp_path / "pipe").is_fifo()
    with pytest.raises(AssayError, match=r"ends in \.key"):
        answer_all(Counting(), QUESTIONS, tmp_path / "answers.key")


def test_two_writers_at_once(tmp_path: Path) -> None:
    path = tmp_path / "answers.jsonl"
    with only_appender(path), pytest.raises(AssayError, match="another process is writing here"):
        answer_all(Counting(), QUESTIONS, path)
    answer_all(Counting(), QUESTIONS, path)
    assert len(path.read_bytes().splitlines()) == len(QUESTIONS)

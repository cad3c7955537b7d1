"""The answering step: a solver's answers in a file that a kill can't spoil and no second run makes again."""

from __future__ import annotations

import hashlib
import json
import os
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from assay import __version__
from assay.errors import AssayError
from assay.progress import SILENT, Progress
from assay.questions.answers import answer_from_json, answer_to_json
from assay.questions.model import Answer, Question, QuestionSet
from assay.solvers.solver import Solver
from assay.storage import append_lines, complete_lines, only_appender, sha256_of, write_text


@dataclass(frozen=True, slots=True)
class Answered:
    """A solver's answers in the questions' order, and how many of them were found made already.

    `whole` False: its time was up before the last question.
    """

    answers: tuple[Answer, ...]
    reused: int
    whole: bool = True


def answers_key(solver: Solver, questions: QuestionSet) -> str:
    """SHA-256 (hex) of everything that decides the answers: solver, settings, questions, version."""
    record = {
        "assay": __version__,
        "settings": dict(solver.settings),
        "questions": questions.fingerprint,
    }
    return hashlib.sha256(json.dumps(record, sort_keys=True).encode("ascii")).hexdigest()


def answer_all(
    solver: Solver,
    questions: QuestionSet,
    path: Path,
    *,
    progress: Progress = SILENT,
    what: str = "answers of",
    minutes: float | None = None,
) -> Answered:
    """Answer every question into `path` (jsonl), going on after the last complete line of an earlier run.

    `what` stands before the solver's name where progress is shown. After so many `minutes` it ends with the
    answer it is at (one more than there were, at least); the same call goes on from there.
    `path`'s key file (`.key`) holds the key they were made under and, once all are there, their SHA-256.
    Under another key, or when finished answers have been altered since, they are made anew.
    Raises AssayError when the solver breaks its contract (an answer too few, or to another question), another
    process writes there, or what stands at `path` is no file of answers: it is left as it is.
    """
    _check_replaceable(path)
    with only_appender(path):
        return _answer_all(solver, questions, path, progress, what, minutes)


def _check_replaceable(path: Path) -> None:
    """Raises AssayError where something else than answers would be overwritten."""
    if path.suffix == ".key":
        raise AssayError("ends in .key, as the file beside answers does", file=path, hint="name another")
    if path.exists() and not (path.is_file() and _is_answers(path)):
        raise AssayError("is there already, and holds no answers", file=path, hint="name another file")


def _is_answers(path: Path) -> bool:
    """Whether the file is empty, begins with an answer, or with what a kill left of the first."""
    with path.open("rb") as file:
        line = file.readline()
    if not line or (not line.endswith(b"\n") and path.with_suffix(".key").exists()):
        return True
    try:
        record = json.loads(line)
    except (ValueError, RecursionError):
        return False
    return isinstance(record, dict) and {"id", "status"} <= record.keys()


def _answer_all(
    solver: Solver,
    questions: QuestionSet,
    path: Path,
    progress: Progress,
    what: str,
    minutes: float | None,
) -> Answered:
    key_path = path.with_suffix(".key")
    key = answers_key(solver, questions)
    made: list[Answer] = []
    known = key_path.read_bytes() if key_path.exists() else b""
    if known == f"{key}\n".encode() or (path.exists() and known == _whole(key, path)):
        complete_lines(path)
        made = list(_earlier(path, questions))
    else:
        os.truncate(path, 0)
        write_text(key_path, key + "\n")
        known = b""
    reused = len(made)
    rest = questions[reused:]
    if rest:
        with progress.task(f"{what} {solver.name}", len(rest), "questions") as advance:
            made.extend(_append(solver, rest, path, advance, minutes))
    if len(made) < len(questions):
        return Answered(tuple(made), reused, whole=False)
    if path.exists() and (whole := _whole(key, path)) != known:
        write_text(key_path, whole.decode("ascii"))
    return Answered(tuple(made), reused)


def _whole(key: str, path: Path) -> bytes:
    """What the key file of finished answers holds."""
    return f"{key}\n{sha256_of(path)}\n".encode("ascii")


def _earlier(path: Path, questions: QuestionSet) -> Iterator[Answer]:
    """The answers of an earlier run; what follows a line that isn't one is cut off, to be made again."""
    if not path.exists():
        return
    good = 0
    with path.open("rb") as file:
        for line, question in zip(file, questions, strict=False):
            try:
                answer = answer_from_json(question, line.decode("utf-8"))
            except (UnicodeDecodeError, AssayError):
                break
            good += len(line)
            yield answer
    if good != path.stat().st_size:
        with path.open("r+b") as file:
            file.truncate(good)


def _append(
    solver: Solver,
    questions: Sequence[Question],
    path: Path,
    advance: Callable[[int], None],
    minutes: float | None,
) -> Iterator[Answer]:
    began = time.monotonic()
    with append_lines(path) as write:
        stream = solver.answer(questions)
        for question in questions:
            answer = next(stream, None)
            if answer is None or answer.question_id != question.id:
                said = "nothing" if answer is None else repr(answer.question_id)
                raise AssayError(
                    f"solver {solver.name} breaks its contract: answers must come in order, got {said}",
                    question_id=question.id,
                )
            write(answer_to_json(question, answer))
            advance(1)
            yield answer
            up = minutes is not None and time.monotonic() - began >= 60 * minutes
            if up and question is not questions[-1]:
                return
        if next(stream, None) is not None:
            raise AssayError(f"solver {solver.name} breaks its contract: more answers than questions")

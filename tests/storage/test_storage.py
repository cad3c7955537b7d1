"""Writing that survives a kill: atomic files, complete lines, one writer."""

from __future__ import annotations

import multiprocessing
import os
from pathlib import Path

import pytest

from assay.errors import AssayError
from assay.storage import (
    append_lines,
    atomic,
    complete_lines,
    only_writer,
    to_json,
    whole_folder,
    write_json,
    write_text,
)


def test_a_failed_write_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "file"
    write_text(path, "old")

    def fail() -> None:
        with atomic(path) as file:
            file.write(b"new")
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail()
    assert path.read_text() == "old"
    assert os.listdir(tmp_path) == ["file"]


def test_written_files_have_the_usual_mode(tmp_path: Path) -> None:
    write_text(tmp_path / "ours", "")
    (tmp_path / "usual").write_text("")
    assert (tmp_path / "ours").stat().st_mode == (tmp_path / "usual").stat().st_mode


def test_strict_json(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="Out of range float"):
        to_json({"mean": float("nan")})
    write_json(tmp_path / "x.json", {"ü": [1, 0.5, None]})
    assert (tmp_path / "x.json").read_text("utf-8") == '{\n  "ü": [\n    1,\n    0.5,\n    null\n  ]\n}\n'


def test_a_lone_surrogate_is_written_escaped(tmp_path: Path) -> None:
    write_text(tmp_path / "x", "a\udc00b")
    assert (tmp_path / "x").read_bytes() == b"a\\udc00b"


@pytest.mark.parametrize(
    ("before", "after"),
    [(b"", b""), (b"a\n", b"a\n"), (b"a\nb", b"a\n"), (b"b", b""), (b"a\n" + b"x" * 200_000, b"a\n")],
)
def test_a_torn_last_line_is_cut(tmp_path: Path, before: bytes, after: bytes) -> None:
    path = tmp_path / "log"
    path.write_bytes(before)
    assert complete_lines(path) == len(before) - len(after)
    with append_lines(path) as write:
        write("new")
    assert path.read_bytes() == after + b"new\n"


def test_nowhere_to_write(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for write in (lambda p: write_text(p, "x"), lambda p: append_lines(p).__enter__()):
        with pytest.raises(AssayError, match="can't be written"):
            write(tmp_path / "file" / "inside")
    with pytest.raises(AssayError, match="can't be written"), only_writer(tmp_path / "file"):
        pass


def _hold(folder: str, held: object, leave: object) -> None:
    with only_writer(folder):
        held.set()  # type: ignore[attr-defined]
        leave.wait(30)  # type: ignore[attr-defined]


def test_one_writer_a_folder(tmp_path: Path) -> None:
    (tmp_path / ".writer.lock").write_text("left by a kill")
    with only_writer(tmp_path):
        pass
    context = multiprocessing.get_context("spawn")
    held, leave = context.Event(), context.Event()
    other = context.Process(target=_hold, args=(str(tmp_path), held, leave))
    other.start()
    try:
        assert held.wait(30)
        (tmp_path / ".x.1.part").write_text("the other's")
        with pytest.raises(AssayError, match="another process is writing here"), only_writer(tmp_path):
            pass
        assert (tmp_path / ".x.1.part").exists()
    finally:
        leave.set()
        other.join()
    with only_writer(tmp_path):
        assert not (tmp_path / ".x.1.part").exists()


def test_a_device_is_written_into_never_replaced(tmp_path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        write_text(pipe, "whole\n")
        assert os.read(reader, 100) == b"whole\n"
    finally:
        os.close(reader)
    assert pipe.is_fifo()


def test_a_shared_folders_writer_leaves_what_others_are_writing(tmp_path: Path) -> None:
    with whole_folder(tmp_path / "theirs") as part:
        (part / "file").write_text("half")
        with only_writer(tmp_path, shared=True), whole_folder(tmp_path / "mine") as own:
            (own / "file").write_text("whole")
    assert {path.name for path in tmp_path.iterdir() if path.is_dir()} == {"mine", "theirs"}

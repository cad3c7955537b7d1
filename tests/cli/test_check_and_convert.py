"""`assay check` and `assay convert` as a person meets them."""

import gzip
import json
import os
import subprocess
import sys
import typing

import pytest

from assay.cli.main import app
from assay.questions.formats.registry import FORMATS
from tests.questions.question_cases import line


def assay(*arguments, stdin=b""):
    done = subprocess.run(
        [sys.executable, "-m", "assay", *map(str, arguments)],
        input=stdin,
        capture_output=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        timeout=120,
    )
    assert b"Traceback" not in done.stderr
    return done.returncode, done.stdout.decode(), done.stderr.decode()


@pytest.fixture
def sound(tmp_path):
    path = tmp_path / "sound.jsonl"
    path.write_text(line("q1", grade=5) + "\n" + line("q2", "B", stem="Which sinks?", grade=6))
    return path


@pytest.fixture
def faulty(tmp_path):
    path = tmp_path / "faulty.jsonl"
    path.write_text(line("q1", "X") + "\n" + line("q1", choices=("a", "a")) + "\n{")
    return path


def test_check_of_a_sound_file(sound):
    status, out, err = assay("check", sound)
    assert (status, err) == (0, "")
    assert out.splitlines()[-2:] == [f"{sound}\tarc-jsonl\t2\t2", "no faults, no warnings"]


def test_check_lists_all_faults(sound, faulty):
    status, out, _ = assay("check", sound, faulty)
    assert status == 1
    assert f"error: {faulty}:1: question q1: answer key X is not one of A, B\n" in out
    assert f"error: {faulty}:3: not JSON" in out
    assert f"warning: {faulty}:2: question q1: choices A and B have the same text\n" in out
    assert "id appears a second time (first in " in out


def test_check_in_json(faulty):
    status, out, _ = assay("check", faulty, "--json", "--duplicates")
    record = json.loads(out)
    assert status == 1
    assert record["faults"][0] == {
        "file": str(faulty),
        "line": 1,
        "id": "q1",
        "what": "answer key X is not one of A, B",
    }
    assert set(record["duplicates"]) == set(record["duplicate_groups"])


def test_a_lone_surrogate_and_a_narrow_terminal_are_shown_as_escapes(tmp_path, monkeypatch):
    path = tmp_path / "s.jsonl"
    path.write_text('{"id":"\\udc00é","question":{"stem":"s","choices":[]}}')
    for encoding in ("utf-8", "ascii"):
        monkeypatch.setenv("PYTHONIOENCODING", encoding)
        status, out, _ = assay("check", path, "--json")
        assert status == 1
        assert json.loads(out)["faults"][0]["id"] == "\udc00é"
        assert "\\udc00" in assay("check", path)[1]


def test_warnings_alone_are_fine(tmp_path):
    path = tmp_path / "w.jsonl"
    path.write_text(line(choices=("a", "a")))
    status, out, _ = assay("check", path)
    assert status == 0
    assert "no faults, 1 warning" in out


def test_what_cannot_be_opened_is_status_2(tmp_path, sound):
    for path in (tmp_path / "none", tmp_path):
        status, out, err = assay("check", sound, path)
        assert (status, out) == (2, "")
        assert err.startswith(f"assay: error: {path}: ")
    for arguments in (["--format", "x"], ["--answers", "x"], ["--map", "x"], ["--map", "x=y"], ["--nothing"]):
        assert assay("check", sound, *arguments)[0] == 2


def test_what_is_in_a_file_is_status_1(tmp_path):
    for number, content in enumerate([b"", b"\xff\xfe", gzip.compress(b"x" * 99)[:12], b"a,b\n1,2\n"]):
        path = tmp_path / f"f{number}"
        path.write_bytes(content)
        assert assay("check", path)[0] == 1


def test_duplicates_are_counted(tmp_path):
    train, test = tmp_path / "ARC-Easy-Train.jsonl", tmp_path / "ARC-Challenge-Test.jsonl"
    train.write_text(line("q1") + "\n" + line("q2", stem="Which sinks?"))
    test.write_text(line("q3", "B", stem="which  FLOATS?"))
    record = json.loads(assay("check", train, test, "--duplicates", "--json")[1])
    assert record["duplicates"]["stem_exact"]["groups"] == 0
    assert record["duplicates"]["stem_casefold_ws"] == {
        "groups": 1,
        "questions": 2,
        "surplus": 1,
        "groups_spanning_splits": 1,
        "groups_spanning_sets": 1,
        "groups_within_one_file": 0,
        "pairs": {"Challenge/Test ~ Easy/Train": 1},
        "test_questions_also_in_train_or_dev": {"Challenge": 1},
    }
    assert record["duplicate_groups"]["stem_alnum"] == [["q1", "q3"]]
    assert record["duplicates"]["stem_and_answer_casefold"]["groups"] == 0


def test_convert_says_what_is_lost(sound, tmp_path):
    status, out, err = assay("convert", sound, "--to", "hf-jsonl", "-o", tmp_path / "out.jsonl")
    assert (status, out) == (0, "")
    assert "not carried by hf-jsonl: metadata grade (2 questions)\n" in err
    assert err.endswith(f"wrote 2 questions to {tmp_path / 'out.jsonl'}\n")


def test_convert_in_json(sound, tmp_path):
    out = tmp_path / "out.jsonl"
    status, text, err = assay("convert", sound, "--to", "qasc", "-o", out, "--json")
    assert (status, err) == (0, "")
    assert json.loads(text) == {
        "questions": 2,
        "output": str(out),
        "format": "qasc",
        "not_carried": {"metadata grade": 2},
        "notes": [],
    }
    assert assay("convert", sound, "--json")[0] == 2


@pytest.mark.parametrize("verb", ["check", "convert"])
def test_help_names_every_format(verb):
    (command,) = (command for command in app.registered_commands if command.name == verb)
    options = typing.get_type_hints(command.callback, include_extras=True)
    for option in {"check": ["format"], "convert": ["format", "to"]}[verb]:
        text = typing.get_args(options[option])[1].help
        assert all(known.name in text for known in FORMATS)


def test_convert_from_standard_input_to_standard_output(sound):
    status, out, err = assay("convert", "-", "--to", "arc-jsonl", stdin=gzip.compress(sound.read_bytes()))
    assert status == 0
    assert [json.loads(text)["id"] for text in out.splitlines()] == ["q1", "q2"]
    assert "wrote 2 questions" in err


def test_convert_of_a_faulty_file_writes_nothing(faulty, tmp_path):
    out = tmp_path / "out.csv"
    out.write_text("as it was")
    status, _, err = assay("convert", faulty, "--to", "csv", "-o", out)
    assert status == 2
    assert err.count("assay: error: ") == 3
    assert out.read_text() == "as it was"
    assert assay("convert", faulty, "--to", "csv")[1] == ""


def test_convert_with_columns_answers_and_metadata(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("frage,w,x,loesung\nWas?,a,b,1\n")
    maps = ["--map", "stem=frage", "--map", "choices=w,x", "--map", "answer=loesung"]
    assert assay("convert", path, *maps)[0] == 2
    status, out, _ = assay("convert", path, *maps, "--answers", "1-based", "--metadata", "set=Mine")
    assert status == 0
    assert json.loads(out) == {
        "id": "t-1",
        "stem": "Was?",
        "choices": [{"label": "A", "text": "a"}, {"label": "B", "text": "b"}],
        "answer": "A",
        "metadata": {"set": "Mine"},
    }


def test_convert_with_keys_and_shuffles(tmp_path):
    hidden, keys = tmp_path / "h.jsonl", tmp_path / "k.csv"
    hidden.write_text("\n".join(line(f"q{n}", None, stem=f"{n}?") for n in range(20)))
    keys.write_text("\n".join(f"q{n},A" for n in range(20)))
    arguments = ("convert", hidden, "--keys", keys, "--shuffle", 0, "--shuffle-choices", 0)
    status, out, err = assay(*arguments)
    records = [json.loads(text) for text in out.splitlines()]
    assert status == 0
    assert [record["id"] for record in records] != [f"q{n}" for n in range(20)]
    assert {record["answer"] for record in records} == {"A", "B"}
    assert all(
        choice["text"] == "cork" for r in records for choice in r["choices"] if choice["label"] == r["answer"]
    )
    assert assay(*arguments)[1] == out
    assert "seed 0" in err


def test_a_full_disk_is_said(sound):
    if not os.path.exists("/dev/full"):
        pytest.skip("no /dev/full here")
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "assay", "convert", sound],
            stdout=full,
            stderr=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        )
    assert done.returncode == 2
    assert b"Traceback" not in done.stderr


def test_what_stands_in_an_id_neither_breaks_a_message_nor_speaks_to_the_terminal(tmp_path):
    path = tmp_path / "odd.jsonl"
    path.write_text(line("q\n1\x1b[31m\u202e", "X") + "\n")
    status, out, _ = assay("check", path)
    assert status == 1
    assert f"error: {path}:1: question q\\n1\\u001b[31m\\u202e: answer key X is not one of A, B\n" in out
    status, _, err = assay("convert", path, "--to", "csv")
    assert status == 2
    assert len(err.splitlines()) == 1
    assert "\x1b" not in err


def test_a_reader_that_left_and_a_closed_output_are_no_fault(sound):
    command = f"'{sys.executable}' -m assay check '{sound}'"
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    for shell in (f"{command} | true; exit ${{PIPESTATUS[0]}}", f"{command} >&-"):
        done = subprocess.run(["bash", "-c", shell], capture_output=True, env=environment, timeout=120)
        assert (done.returncode, done.stderr) == (0, b"")

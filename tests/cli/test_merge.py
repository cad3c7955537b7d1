import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from assay.cli.main import app
from assay.errors import AssayError
from assay.questions import read_questions


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    paths = []
    for name, stem in (("one", "Which floats?"), ("two", "Use the graph below: which floats?")):
        choices = [{"label": "A", "text": "cork"}, {"label": "B", "text": "lead"}]
        path = tmp_path / f"{name}.jsonl"
        path.write_text(json.dumps({"id": name, "stem": stem, "choices": choices, "answer": "A"}) + "\n")
        paths.append(str(path))
    return paths


def merge(*arguments: str):
    return CliRunner().invoke(app, ["merge", *arguments])


def test_files_are_sources_and_the_provenance_lies_beside(files, tmp_path) -> None:
    out = tmp_path / "all.jsonl"
    result = merge(
        *files, "--licence", "CC0", "--permission", "public", "--permission", "mail", "-o", str(out)
    )
    assert result.exit_code == 0, result.output
    assert "two\tCC0\tmail\t1\t1\t0\t1" in result.stdout
    questions = read_questions(out).questions
    assert [question.metadata["source"] for question in questions] == ["one", "two"]
    record = json.loads((tmp_path / "all.jsonl.provenance.json").read_text())
    assert record["questions"] == 2
    assert record["fingerprint"] == questions.fingerprint
    first = out.read_bytes()
    merge(*files, "--licence", "CC0", "--permission", "public", "--permission", "mail", "-o", str(out))
    assert out.read_bytes() == first


def test_what_is_left_out_is_said(files, tmp_path) -> None:
    out = str(tmp_path / "all.jsonl")
    result = merge(*files, "--licence", "CC0", "--permission", "public", "-o", out, "--diagrams", "drop")
    assert "left out: two (two): it says 'Use the graph'" in result.stdout
    same = merge(*files, "--licence", "CC0", "--permission", "p", "-o", out, "--diagrams", "drop", "--json")
    assert json.loads(same.stdout)["sources"][1]["left_out"] == 1


@pytest.mark.parametrize(
    ("more", "what"),
    [
        ([], "--licence must be given once for all, or once a file (2). Got 0."),
        (["--licence", "x"] * 3, "Got 3."),
    ],
)
def test_rights_are_required(files, tmp_path, more, what) -> None:
    result = merge(*files, *more, "-o", str(tmp_path / "all.jsonl"))
    assert isinstance(result.exception, AssayError)
    assert what in str(result.exception)


def test_a_source_is_never_overwritten(files) -> None:
    result = merge(*files, "--licence", "x", "--permission", "y", "-o", files[0])
    assert isinstance(result.exception, AssayError)
    assert "is one of the sources" in str(result.exception)


def test_files_of_one_name_are_sources_of_their_own(files, tmp_path) -> None:
    (tmp_path / "b").mkdir()
    twin = tmp_path / "b" / "one.jsonl"
    twin.write_text(Path(files[0]).read_text().replace('"id": "one"', '"id": "three"'))
    result = merge(
        files[0], str(twin), "--licence", "x", "--permission", "y", "-o", str(tmp_path / "all.jsonl")
    )
    assert result.exit_code == 0, result.output
    assert "groups of equal questions across sources: 1" in result.stdout

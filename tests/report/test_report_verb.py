"""The verb `assay report`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from assay.cli import main as command
from assay.report.data import write_report_data
from tests.report.made_up import made_up


def run(monkeypatch, capsys, *words: str) -> tuple[int, str, str]:
    monkeypatch.setattr("sys.argv", ["assay", "report", *words])
    with pytest.raises(SystemExit) as left:
        command.main()
    said = capsys.readouterr()
    return int(left.value.code or 0), said.out, said.err


def test_draws_from_a_folder_and_from_a_file(tmp_path: Path, monkeypatch, capsys) -> None:
    data = made_up(5)
    write_report_data(data, tmp_path / "run" / "report.json")
    status, out, _ = run(monkeypatch, capsys, str(tmp_path / "run"))
    assert status == 0
    assert data.sentence in out
    drawn = (tmp_path / "run" / "report.html").read_bytes()
    other = tmp_path / "elsewhere" / "page.html"
    status, out, _ = run(
        monkeypatch, capsys, str(tmp_path / "run" / "report.json"), "-o", str(other), "--json"
    )
    assert status == 0
    assert json.loads(out) == {"report": str(other), "questions": 5, "bytes": len(drawn)}
    assert other.read_bytes() == drawn


def test_says_what_is_wrong_without_a_traceback(tmp_path: Path, monkeypatch, capsys) -> None:
    (tmp_path / "report.json").write_text('{"title": 3}')
    for words, said in (
        ([str(tmp_path / "none")], "none: can't be read"),
        ([str(tmp_path)], "not a stored report"),
        ([str(tmp_path / "report.json"), "--nope"], "No such option"),
    ):
        status, out, error = run(monkeypatch, capsys, *words)
        assert (status, out) == (2, "")
        assert said in error
        assert "Traceback" not in error
    (tmp_path / "report.json").unlink()
    status, _, error = run(monkeypatch, capsys, str(tmp_path))
    assert status == 2
    assert "assay run benchmark.toml" in error

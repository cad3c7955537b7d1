import json
import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from assay.cli.main import app
from assay.errors import FaultyInput

LINES = [
    {
        "id": f"q{n}",
        "question": {
            "stem": f"Which <b>floats</b> & why, {n}?",
            "choices": [{"label": "A", "text": "cork"}, {"label": "B", "text": "a </script> ball"}],
        },
        "answerKey": "AB"[n % 2],
    }
    for n in range(4)
]


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    paths = []
    for name in ("ARC-Easy-Test.jsonl", "ARC-Challenge-Test.jsonl"):
        lines = [{**line, "id": name + line["id"]} for line in LINES]
        (tmp_path / name).write_text("".join(json.dumps(line) + "\n" for line in lines))
        paths.append(str(tmp_path / name))
    return paths


def test_tables_are_tab_separated_when_piped(files) -> None:
    out = CliRunner().invoke(app, ["describe", *files]).stdout
    assert "Questions by split and set\nsplit\tChallenge\tEasy\tall\nTest\t4 (100.0%)\t4 (100.0%)\t8\n" in out
    assert "question words\t5.0 [5-5]" in out
    assert "by label: A 4, B 4" in out


def test_a_column_asked_for_must_be_there(files) -> None:
    for option in ("--by", "--split-by", "--column"):
        assert CliRunner().invoke(app, ["describe", *files, option, "nope"]).exit_code
    assert CliRunner().invoke(app, ["describe", *files, "--by", "set"]).exit_code == 0


def test_json_is_strict(files) -> None:
    record = json.loads(CliRunner().invoke(app, ["describe", *files, "--json"]).stdout)
    assert record["questions"] == 8
    assert record["splits"] == {"Test": {"Challenge": 4, "Easy": 4}}


def test_the_page_is_whole_quiet_and_safe(files, tmp_path) -> None:
    page = tmp_path / "page.html"
    tags = tmp_path / "tags.tsv"
    tags.write_text("id\t<i>hot</i>\nARC-Easy-Test.jsonlq0\t1\nARC-Easy-Test.jsonlq1\t0\n")
    result = CliRunner().invoke(app, ["describe", *files, "--html", str(page), "--tags", str(tags)])
    assert result.exit_code == 0, result.output
    text = page.read_text()
    assert text.startswith("<!DOCTYPE html>")
    assert "<script" not in text
    assert "<i>hot" not in text
    assert "&lt;i&gt;hot" in text
    assert not re.search(r"(?:src|href)=|https?:", text)
    assert text.count("<svg") == text.count("</svg>") >= 4
    first = page.read_bytes()
    CliRunner().invoke(app, ["describe", *files, "--html", str(page), "--tags", str(tags)])
    assert page.read_bytes() == first


def test_faulty_questions_are_refused(tmp_path) -> None:
    path = tmp_path / "bad.jsonl"
    path.write_text(json.dumps({**LINES[0], "answerKey": "X"}) + "\n")
    result = CliRunner().invoke(app, ["describe", str(path)])
    assert isinstance(result.exception, FaultyInput)


def test_a_plain_table_is_described_by_its_column_map(tmp_path) -> None:
    path = tmp_path / "own.csv"
    path.write_text("no,text,first,second,key,level\n1,Floats?,cork,lead,1,5\n2,Sinks?,ice,ore,2,6\n")
    mapped = ["id=no", "stem=text", "choices=first,second", "answer=key", "metadata=level"]
    options = [part for each in mapped for part in ("--map", each)]
    command = ["describe", str(path), *options, "--answers", "1-based", "--column", "level", "--json"]
    result = CliRunner().invoke(app, command)
    assert result.exit_code == 0, result.output
    record = json.loads(result.stdout)
    assert record["columns"]["level"] == {"5": {"all": 1}, "6": {"all": 1}}
    assert record["keys"]["by_place"] == {"1": 1, "2": 1}

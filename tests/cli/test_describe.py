import json
import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from assay.cli.main import app
from assay.errors import AssayError, FaultyInput

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


TAGS = "id\tMultihop\tPhysical Model\nARC-Easy-Test.jsonlq0\t1\t1\nARC-Easy-Test.jsonlq1\t0\t0\n"


@pytest.fixture
def tags(tmp_path: Path) -> str:
    path = tmp_path / "tags.tsv"
    path.write_bytes(b"\xef\xbb\xbf" + TAGS.replace("\n", "\r\n").encode())
    return str(path)


def test_types_of_a_taxonomy(files, tags) -> None:
    asked = ["describe", *files, "--tags", tags, "--taxonomy", "arc-reasoning"]
    result = CliRunner().invoke(app, asked)
    assert result.exit_code == 0, result.output
    out = result.stdout
    assert "Types of ARC reasoning types: 2 of 8 questions labelled" in out
    assert "multihop\t1\t50.0%\t9.5 to 90.5\t0\t-\t50.0% [9.5 to 90.5]\tTwo or more facts" in out
    assert "analogy\t0\t0.0%\t0.0 to 65.8\t0\t" in out
    assert "questions by number of types: 0: 1, 2: 1" in out
    assert "*(A) cork (B) a </script> ball" in out
    assert "Tags of kind type" not in out
    assert "Physical Model: counted as spatial and kinematic" in result.stderr
    record = json.loads(CliRunner().invoke(app, [*asked, "--json"]).stdout)
    spatial = record["types"]["type"]["types"][7]
    assert (spatial["name"], spatial["shares"][0]["n"]) == ("spatial and kinematic", 1)
    assert spatial["example"] == "ARC-Easy-Test.jsonlq0"
    assert spatial["together"]["multihop"] == 1
    assert record["types"]["type"]["without"] == 1


def test_types_are_drawn(files, tags, tmp_path) -> None:
    page, plot = tmp_path / "page.html", tmp_path / "types.svg"
    asked = ["describe", *files, "--tags", tags, "--taxonomy", "arc-reasoning", "--html", str(page)]
    assert CliRunner().invoke(app, [*asked, "--plot", str(plot)]).exit_code == 0
    text = page.read_text()
    assert "Types: ARC reasoning types" in text
    assert text.count('class="whisker plain"') == 9
    assert "<script" not in text
    drawn = plot.read_text()
    assert drawn.startswith("<svg")
    assert "multihop 50.0%" in drawn
    assert CliRunner().invoke(app, [*asked, "--plot", str(tmp_path / "types.png")]).exit_code
    assert CliRunner().invoke(app, ["describe", *files, "--plot", str(plot)]).exit_code


def test_agreement_of_two_people(files, tags, tmp_path) -> None:
    other = tmp_path / "other.tsv"
    other.write_text(TAGS.replace("q1\t0\t0", "q1\t1\t0"))
    asked = ["describe", *files, "--tags", tags, "--tags", str(other)]
    out = CliRunner().invoke(app, asked).stdout
    assert "Agreement of 2 people on 2 questions" in out
    assert "Multihop\t2\t1\t2\t50.00\t0.00\t-\t0.00" in out
    record = json.loads(CliRunner().invoke(app, [*asked, "--taxonomy", "arc-reasoning", "--json"]).stdout)
    assert record["annotation"]["type"]["types"][2]["given"] == [1, 2]
    page = tmp_path / "page.html"
    assert CliRunner().invoke(app, [*asked, "--html", str(page)]).exit_code == 0
    assert "Agreement on type" in page.read_text()


def test_a_sheet_goes_out_and_comes_back(files, tmp_path) -> None:
    sheet = tmp_path / "sheet.tsv"
    asked = ["describe", *files, "--taxonomy", "arc-knowledge"]
    result = CliRunner().invoke(app, [*asked, "--sheet", str(sheet)])
    assert result.exit_code == 0, result.output
    assert "--tags type=" in result.stderr
    lines = sheet.read_text().split("\n")
    assert len(lines[0].split("\t")) == 10
    lines[1] = "\t".join([*lines[1].split("\t")[:2], *"01000000"])
    sheet.write_text("\n".join(lines))
    record = json.loads(CliRunner().invoke(app, [*asked, "--tags", f"type={sheet}", "--json"]).stdout)
    assert record["types"]["type"]["labelled"] == 1
    again = CliRunner().invoke(app, [*asked, "--sheet", str(sheet)])
    assert isinstance(again.exception, AssayError)
    assert "somebody filled in" in str(again.exception)
    nothing = CliRunner().invoke(app, ["describe", *files, "--sheet", str(tmp_path / "new.tsv")])
    assert isinstance(nothing.exception, AssayError)


def test_a_sheet_of_a_sample(files, tmp_path) -> None:
    def drawn(name: str, *more: str) -> list[str]:
        path = tmp_path / name
        asked = ["describe", *files, "--taxonomy", "arc-knowledge", "--sheet", str(path), "--sample", "3"]
        assert CliRunner().invoke(app, [*asked, *more]).exit_code == 0
        return [line.split("\t")[0] for line in path.read_text().splitlines()[1:]]

    first = drawn("one.tsv")
    assert len(set(first)) == 3
    assert drawn("two.tsv") == first
    assert any(drawn(f"{seed}.tsv", "--seed", str(seed)) != first for seed in range(1, 4))
    asked = ["describe", *files, "--taxonomy", "arc-knowledge", "--sample"]
    many = CliRunner().invoke(app, [*asked, "9", "--sheet", str(tmp_path / "many.tsv")])
    assert "9 questions can't be drawn from 8" in str(many.exception)
    assert "--sheet, which isn't given" in str(CliRunner().invoke(app, [*asked, "3"]).exception)

"""`assay statements`: its table, its file, its counts, and what it refuses."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from assay.cli.main import app
from assay.errors import AssayError


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    choices = [{"text": "iron", "label": "A"}, {"text": "DNA", "label": "B"}]
    stems = {"q1": "Ann drops a nail. What is a nail made of?", "q2": "Quid est?"}
    records = [{"id": name, "stem": stem, "choices": choices, "answer": "A"} for name, stem in stems.items()]
    Path("q.jsonl").write_text("".join(json.dumps(one) + "\n" for one in records))
    return tmp_path


def statements(*options: str) -> str:
    done = CliRunner().invoke(app, ["statements", "q.jsonl", *options])
    assert done.exit_code == 0, done.output
    return done.stdout


def test_the_table_shows_statement_and_rule() -> None:
    shown = statements().splitlines()
    assert "q1\tA\tA nail is made of iron.\tobject" in shown
    assert "q2\tB\tQuid est? DNA.\tside by side" in shown
    assert shown[-2:] == ["object\t2", "side by side\t2"]


def test_json_and_file_hold_the_same(folder: Path) -> None:
    whole = json.loads(statements("--json"))
    assert whole["rules"] == {"object": 2, "side by side": 2}
    assert whole["questions"] == 2
    assert "wrote 4 statements to s.jsonl" in statements("-o", "s.jsonl")
    lines = [json.loads(line) for line in (folder / "s.jsonl").read_text().splitlines()]
    assert lines == whole["statements"]
    assert lines[0] == {
        "id": "q1",
        "label": "A",
        "statement": "A nail is made of iron.",
        "right": True,
        "rule": "object",
        "method": "grammatical",
        "background": "Ann drops a nail.",
    }
    assert [line["right"] for line in lines] == [True, False, True, False]
    assert "statements" not in json.loads(statements("-o", "s.jsonl", "--json"))


def test_the_lineage_and_one_rule() -> None:
    shown = statements("--method", "lineage")
    assert "q1\tB\tAnn drops a nail. DNA is a nail made of.\tquestion word" in shown
    shown = statements("--rule", "side by side")
    assert "q2\tA" in shown
    assert "q1\tA" not in shown


@pytest.mark.parametrize(
    ("options", "said"), [(["--method", "magic"], "must be one of"), (["--rule", "none"], "no statement")]
)
def test_what_cant_be_meant(options: list[str], said: str) -> None:
    with pytest.raises(AssayError, match=said):
        app(["statements", "q.jsonl", *options], standalone_mode=False)

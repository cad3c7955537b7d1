"""The docs keep step: every command, option and setting is documented, and CI runs what the README says."""

from __future__ import annotations

import importlib.util
import os
import re
import shlex
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
import typer

from assay.cli.main import app, main
from assay.construction.distractors.settings import DistractorSettings
from assay.evidence.premises import PremiseSettings
from assay.evidence.retrieval import RetrievalSettings
from assay.pipeline.configuration import read_configuration
from assay.pipeline.run import run
from assay.settings import declared_settings

ROOT = Path(__file__).parent.parent


def leaves(command: Any, name: str) -> list[tuple[str, Any]]:
    commands = getattr(command, "commands", None)
    if commands:
        return [leaf for verb, sub in commands.items() for leaf in leaves(sub, f"{name} {verb}")]
    return [(name, command)]


SOURCE = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
COMMANDS = leaves(typer.main.get_command(app), "assay")


@pytest.mark.parametrize("maker", ["make_commands", "make_solvers"])
def test_references_are_up_to_date(maker: str) -> None:
    spec = importlib.util.spec_from_file_location(maker, ROOT / f"docs/{maker}.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert module.PAGE.read_text(encoding="utf-8") == module.page(), f"run: python docs/{maker}.py"


def test_the_python_page_runs(tmp_path: Path) -> None:
    blocks = re.findall(r"^```python\n(.*?)^```", (ROOT / "docs/python.md").read_text("utf-8"), re.M | re.S)
    assert len(blocks) == 5
    (tmp_path / "samples").symlink_to(ROOT / "samples")
    (tmp_path / "my_solver.py").write_text(blocks[3], encoding="utf-8")
    script = "\n".join(
        [*blocks[:3], "print(assay.build_solver('my_solver.py:Longest', 'mine', {}, {}).settings)"]
    )
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=tmp_path, capture_output=True, text=True, env=SOURCE
    )
    assert done.returncode == 0, done.stderr
    assert "'Challenge': " in done.stdout
    assert "report.html" in done.stdout


def test_the_reader_of_the_python_page_is_shown_gold_facts(tmp_path: Path) -> None:
    blocks = re.findall(r"^```python\n(.*?)^```", (ROOT / "docs/python.md").read_text("utf-8"), re.M | re.S)
    (tmp_path / "shared.py").write_text(blocks[4], encoding="utf-8")
    science = ROOT / "samples/science"
    text = f"""
        questions.files = ["{science}/two-facts.jsonl"]
        corpora.notes.files = ["{science}/corpus.tsv"]
        evidence.premises = {{ method = "premises", contains = "any" }}
        solvers.mine = {{ kind = "shared.py:Shared", evidence = "premises" }}
        experiments.oracle = {{}}
        scores.draws = 100
    """
    (tmp_path / "benchmark.toml").write_text(text, encoding="utf-8")
    done = run(read_configuration(tmp_path / "benchmark.toml"), tmp_path / "run", command="assay run")
    (oracle,) = done.data.experiments
    assert "mine scores 25.0 with no evidence" in oracle.says[1]
    assert "with gold facts joined" in oracle.says[1]


def test_the_page_on_your_own_benchmark_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    page = (ROOT / "docs/your-own.md").read_text(encoding="utf-8")
    files = re.findall(r"`([\w/.]+)`[^`\n]*:\n\n```\n(.*?)^```", page, re.M | re.S)
    files += re.findall(r"^`(benchmark.toml)`.*?\n\n```\n(.*?)^```", page, re.M | re.S)
    assert [name for name, _ in files] == ["kitchen.csv", "books/kitchen.txt", "ours.csv", "benchmark.toml"]
    for name, text in files:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    commands = re.findall(r"^    (assay (?:.*\\\n)*.*)$", page, re.M)
    assert len(commands) == 12
    for command in commands:
        monkeypatch.setattr(sys, "argv", shlex.split(command.replace("\\\n", " ")))
        with pytest.raises(SystemExit) as left:
            main()
        assert not left.value.code, f"{command}: {capsys.readouterr().err}"
    assert "What browns" not in (tmp_path / "run/sets/Challenge.jsonl").read_text(encoding="utf-8")


def test_every_setting_of_retrieval_is_documented() -> None:
    page = (ROOT / "docs/retrieval.md").read_text(encoding="utf-8")
    for one in declared_settings(RetrievalSettings):
        assert f"| `{one.name}` | {one.must_be} | {one.default} | {one.meaning} |\n" in page


def test_every_setting_of_premises_is_documented() -> None:
    page = (ROOT / "docs/premises.md").read_text(encoding="utf-8")
    for one in declared_settings(PremiseSettings):
        assert f"| `{one.name}` | {one.must_be} | {one.default} | {one.meaning} |\n" in page


def test_every_setting_of_distractors_is_documented() -> None:
    page = (ROOT / "docs/distractors.md").read_text(encoding="utf-8")
    for one in declared_settings(DistractorSettings):
        assert f"| `{one.name}` | {one.must_be} | {one.default} | {one.meaning} |\n" in page


@pytest.mark.parametrize(("name", "command"), COMMANDS, ids=[name for name, _ in COMMANDS])
def test_help_says_everything(name: str, command: Any) -> None:
    assert command.help, f"{name} has no help"
    assert command.epilog, f"{name} has no example in its help"
    assert f"Example: {name} " in command.epilog
    for parameter in command.params:
        assert getattr(parameter, "help", None), f"{name}: {parameter.name} has no help"


def test_help_is_quick() -> None:
    def once() -> float:
        started = time.perf_counter()
        subprocess.run([sys.executable, "-m", "assay", "--help"], check=True, capture_output=True, env=SOURCE)
        return time.perf_counter() - started

    heavy = subprocess.run(
        [sys.executable, "-c", "import assay.cli.main, sys; print(*sys.modules)"],
        check=True,
        capture_output=True,
        text=True,
        env=SOURCE,
    ).stdout.split()
    assert not set(heavy) & {"numpy", "pyarrow", "numba", "scipy", "tantivy", "rich", "Stemmer"}
    # The target is 0.3 s; a busy machine gets room, since the imports above are what decides it.
    assert min(once() for _ in range(3)) < 1.5


def test_ci_runs_the_command_that_the_readme_gives() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    commands = re.findall(r"^    (python3 -m venv .*)$", readme, flags=re.MULTILINE)
    assert len(commands) == 2
    assert commands[1] in (ROOT / ".ci/run").read_text(encoding="utf-8")


def test_links_between_the_docs_lead_somewhere() -> None:
    dead = []
    for page in [
        ROOT / "README.md",
        *sorted((ROOT / "docs").rglob("*.md")),
        *sorted((ROOT / "samples").rglob("*.md")),
        *sorted((ROOT / "reproduce").rglob("*.md")),
    ]:
        for target in re.findall(r"\]\((?!https?:|#|mailto:)([^)#\s]+)", page.read_text(encoding="utf-8")):
            if not (page.parent / target).exists():
                dead.append(f"{page.relative_to(ROOT)}: {target}")
    assert not dead, "\n".join(dead)

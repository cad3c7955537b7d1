"""`assay tuples` and `assay corpus tuples`, as a person runs them."""

import io
import json
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import Assay

pytest.importorskip("spacy", reason="needs the extra 'parse'")
SAMPLE = Path(__file__).parent.parent.parent / "samples/science"


def test_sentences_as_arguments(assay: Assay) -> None:
    status, out, _ = assay("tuples", "Minerals are identified by their luster.", "Hello", "")
    assert status == 0
    assert out.splitlines() == [
        "Minerals are identified by their luster.",
        "  (Minerals; are identified; by: their luster)",
        "Hello",
        "  no tuple",
        "",
        "  no tuple",
    ]


def test_files_and_standard_input(assay: Assay, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "s.txt").write_bytes("\ufeffThe sun rises.\r\n\r\nSpiders have no wings.\n".encode())
    right = ["The sun rises.", "  (The sun; rises)", "Spiders have no wings.", "  (Spiders; not have; wings)"]
    assert assay("tuples", "--file", str(tmp_path / "s.txt"))[1].splitlines() == right
    for words in ([], ["-"], ["--file", "-"], ["-", "--file", str(tmp_path / "none.txt")]):
        (tmp_path / "none.txt").touch()
        given = io.TextIOWrapper(io.BytesIO(b"The sun rises.\n"))
        monkeypatch.setattr(sys, "stdin", given)
        assert assay("tuples", *words)[1].splitlines() == right[:2]
    out = assay("tuples", "If it rains, plants do not need water from a can.", "--json")[1]
    assert json.loads(out) == [
        {
            "sentence": "If it rains, plants do not need water from a can.",
            "tuples": [
                {
                    "subject": "plants",
                    "relation": "do need",
                    "arguments": [
                        {"preposition": None, "text": "water"},
                        {"preposition": "from", "text": "a can"},
                    ],
                    "negated": True,
                    "condition": "If it rains",
                }
            ],
        }
    ]


def test_of_a_corpus(assay: Assay, tmp_path: Path) -> None:
    folder = str(tmp_path / "c")
    assert assay("corpus", "import", str(SAMPLE / "corpus.tsv"), "--to", folder, "--quiet")[0] == 0
    status, _, error = assay("tuples", "--corpus", folder, "3")
    assert status == 2
    assert "there are no tuples here" in error
    assert "assay corpus tuples makes them" in error
    status, out, _ = assay("corpus", "tuples", folder, "--workers", "1")
    assert status == 0
    assert "sentences without one" in out
    again = json.loads(assay("corpus", "tuples", folder, "--workers", "2", "--json")[1])
    assert again["reused"] == again["sentences"] > 100
    assert again["found"] > again["sentences"] - again["without"] > 0
    text = (SAMPLE / "corpus.tsv").read_text(encoding="utf-8").splitlines()[3].split("\t")[-1]
    shown = assay("tuples", "--corpus", folder, "3")[1]
    assert shown.splitlines()[0] in text
    assert shown == assay("tuples", shown.splitlines()[0])[1]


def test_bad_input(assay: Assay, tmp_path: Path) -> None:
    def said(*words: str) -> str:
        status, out, error = assay("tuples", *words)
        assert status == 2
        assert not out
        return error

    assert "no such file" in said("--file", str(tmp_path / "none"))
    (tmp_path / "latin.txt").write_bytes("The sun rises.\nEau gel\xe9e.\n".encode("latin-1"))
    assert "latin.txt:2: not UTF-8: byte 0xe9" in said("--file", str(tmp_path / "latin.txt"))
    assert "no parser 'nothing'" in said("The sun rises.", "--parser", "nothing")
    assert "can't be parsed as one sentence" in said("word " * 30_000)
    assert "name the corpus too" in said("--tuples", "t", "3")
    assert "give one of the two" in said("--corpus", "c", "--file", "f")
    folder = str(tmp_path / "c")
    assert assay("corpus", "import", str(SAMPLE / "corpus.tsv"), "--to", folder, "--quiet")[0] == 0
    assert assay("corpus", "tuples", folder, "--quiet", "--workers", "1")[0] == 0
    for wrong in ("word", "-1", "999999999"):
        assert f"no sentence '{wrong}' in corpus" in said("--corpus", folder, "--", wrong)


def test_without_the_parser(assay: Assay, monkeypatch: pytest.MonkeyPatch) -> None:
    import importlib.util

    find = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == "spacy" else find(name))
    status, _, error = assay("tuples", "The sun rises.")
    assert status == 2
    assert "parsing needs the extra 'parse'" in error
    assert "pip install 'assay[parse]'" in error

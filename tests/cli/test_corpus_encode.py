"""`assay corpus encode` and what retrieves with it, with a small encoder made here."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from assay import errors
from assay.cli.main import app
from assay.corpus import import_corpus
from assay.errors import AssayError

ROOT = Path(__file__).parent.parent.parent
SAMPLE = ROOT / "samples/science"


def assay(*words: str):
    return CliRunner().invoke(app, list(words))


def retrieve(*words: str):
    return assay("retrieve", str(SAMPLE / "questions.jsonl"), "--corpus", "c", "-o", "e.jsonl", *words)


@pytest.fixture(scope="module")
def encoder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A transformer of two small layers, its weights drawn."""
    torch = pytest.importorskip("torch", reason="needs PyTorch")
    transformers = pytest.importorskip("transformers", reason="needs transformers")
    folder = tmp_path_factory.mktemp("encoders") / "tiny"
    folder.mkdir()
    words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *"abcdefghijklmnopqrstuvwxyz0123456789"]
    words += [f"##{letter}" for letter in words[5:]]
    (folder / "vocab.txt").write_text("\n".join(words), encoding="utf-8")
    torch.manual_seed(0)
    config = transformers.BertConfig(
        vocab_size=len(words),
        hidden_size=16,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=32,
    )
    transformers.BertModel(config).save_pretrained(folder)
    transformers.BertTokenizerFast(vocab_file=str(folder / "vocab.txt")).save_pretrained(folder)
    return folder


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    import_corpus([str(SAMPLE / "corpus.tsv")], tmp_path / "c")
    return tmp_path


def test_encode_and_retrieve(folder: Path, encoder: Path) -> None:
    done = assay("corpus", "encode", "c", "--encoder", str(encoder))
    assert done.exit_code == 0, done.output
    assert "c/vectors/tiny" in done.output
    again = json.loads(assay("corpus", "encode", "c", "--encoder", str(encoder), "--json").stdout)
    assert again["reused"] == again["sentences"] > 100
    assert again["dimension"] == 16
    found = json.loads(retrieve("--method", "dense", "--json", "-k", "4").stdout)
    assert found["settings"]["dense"]["encoder"]["encoder"] == str(encoder)
    lines = [json.loads(line) for line in (folder / "e.jsonl").read_text(encoding="utf-8").splitlines()]
    pieces = [piece for line in lines for choice in line["evidence"].values() for piece in choice]
    assert {piece["role"] for piece in pieces} == {"dense"}
    assert all(abs(piece["score"]) <= 1.001 for piece in pieces)
    whole = (folder / "e.jsonl").read_bytes()
    (folder / "e.jsonl").write_bytes(whole[: len(whole) // 2])
    key = folder / "e.key"
    key.write_text(key.read_text().split("\n")[0] + "\n")
    assert json.loads(retrieve("--method", "dense", "--json", "-k", "4").stdout)["reused"] > 0
    assert (folder / "e.jsonl").read_bytes() == whole


def test_one_core_or_two(folder: Path, encoder: Path) -> None:
    import torch

    assert assay("corpus", "encode", "c", "--encoder", str(encoder)).exit_code == 0
    threads, found = torch.get_num_threads(), []
    try:
        for count in (1, 2):
            torch.set_num_threads(count)
            (folder / "e.jsonl").unlink(missing_ok=True)
            assert retrieve("--method", "dense").exit_code == 0
            found.append((folder / "e.jsonl").read_bytes())
    finally:
        torch.set_num_threads(threads)
    assert found[0] == found[1]


def test_vectors_are_named_where_there_are_several(folder: Path, encoder: Path) -> None:
    for where in ("c/vectors/one", "c/vectors/two"):
        assert assay("corpus", "encode", "c", "--encoder", str(encoder), "--to", where).exit_code == 0
    assert "2 kinds: one, two" in str(retrieve("--method", "dense").exception)
    assert retrieve("--method", "dense", "--vectors", "c/vectors/two").exit_code == 0


def test_bad_input(folder: Path, encoder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def said(*words: str) -> str:
        done = assay("corpus", "encode", "c", *words)
        assert isinstance(done.exception, AssayError)
        return str(done.exception)

    assert "no type of numbers 'int8'" in said("--encoder", str(encoder), "--numbers", "int8")
    assert "no encoder here" in said("--encoder", "./nowhere")
    assert "the corpus has no vectors" in str(retrieve("--method", "dense").exception)
    assert "there are no vectors here" in str(retrieve("--method", "dense", "--vectors", "v").exception)
    assert "looks at no vectors" in str(retrieve("--method", "single", "--vectors", "v").exception)


def test_without_pytorch(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(errors, "NEURAL", ("torch_of_nowhere",))
    done = assay("corpus", "encode", "c")
    assert isinstance(done.exception, AssayError)
    assert "an encoder of sentences needs the extra 'neural'" in str(done.exception)
    assert "pip install 'assay[neural]'" in str(done.exception.hint)

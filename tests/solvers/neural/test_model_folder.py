"""A model folder reads back to the same scores, and what is wrong with one is said."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest

pytest.importorskip("torch", reason="the extra 'neural' isn't installed")

import torch
from safetensors.torch import load_file, save_file

from assay.errors import AssayError
from assay.solvers.neural import readers
from assay.solvers.neural.model_folder import copy_model, load_reader, load_trainable, save_reader
from tests.solvers.neural.tiny import TinyReader, TinySettings
from tests.solvers.neural.toy import toy_examples


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setitem(readers.READERS, "tiny", "tests.solvers.neural.tiny:TinyReader")  # type: ignore[arg-type]
    path = tmp_path / "model"
    save_reader(TinyReader.new(TinySettings(), 1), path, {"note": "made by a test"})
    return path


def test_reads_back_to_the_same_scores(folder: Path) -> None:
    reader, card = load_reader(folder)
    made = TinyReader.new(TinySettings(), 1)
    made.network.eval()
    batch = [reader.prepare(shown) for shown in toy_examples(5, 1)]
    for one, other in zip(reader.scores(batch), made.scores(batch), strict=True):
        assert torch.equal(one, other)
    assert card["note"] == "made by a test"
    assert card["weights"] == hashlib.sha256((folder / "weights.safetensors").read_bytes()).hexdigest()
    assert "tiny" in (folder / "README.md").read_text(encoding="utf-8")


def test_the_same_reader_makes_the_same_bytes(folder: Path, tmp_path: Path) -> None:
    save_reader(load_reader(folder)[0], tmp_path / "again", {"note": "made by a test"})
    for name in ("weights.safetensors", "reader.json", "README.md", "reader/tiny.txt"):
        assert (tmp_path / "again" / name).read_bytes() == (folder / name).read_bytes()


def test_a_setting_can_be_read_otherwise(folder: Path) -> None:
    assert load_reader(folder, {"sentences": 0})[0].settings.sentences == 0
    with pytest.raises(AssayError, match="no setting 'lamps'"):
        load_reader(folder, {"lamps": 1})


def test_what_is_no_model_folder(folder: Path, tmp_path: Path) -> None:
    with pytest.raises(AssayError, match="no model folder"):
        load_reader(tmp_path / "nowhere")
    (folder / "reader.json").write_text("{}", encoding="utf-8")
    with pytest.raises(AssayError, match="no card of the format"):
        load_reader(folder)


def test_cut_off_and_altered_files(folder: Path) -> None:
    weights = folder / "weights.safetensors"
    whole = weights.read_bytes()
    weights.write_bytes(whole[:-5])
    with pytest.raises(AssayError, match="cut off or altered"):
        load_reader(folder)
    weights.write_bytes(whole[:-1] + bytes([whole[-1] ^ 1]))
    with pytest.raises(AssayError, match="cut off or altered"):
        load_reader(folder)
    weights.write_bytes(whole)
    (folder / "reader/tiny.txt").unlink()
    with pytest.raises(AssayError, match="missing"):
        load_reader(folder)


def rehash(folder: Path) -> None:
    """Let the card name the files as they are now."""
    card = json.loads((folder / "reader.json").read_bytes())
    for name in card["files"]:
        card["files"][name] = hashlib.sha256((folder / name).read_bytes()).hexdigest()
    (folder / "reader.json").write_text(json.dumps(card), encoding="utf-8")


def test_weights_that_dont_fit(folder: Path) -> None:
    with pytest.raises(AssayError, match=r"0\.weight is of shape \[64, 8\], not \[32, 8\]"):
        load_reader(folder, {"buckets": 32})
    weights = folder / "weights.safetensors"
    tensors = load_file(weights)
    tensors["extra"] = tensors.pop("3.bias")
    save_file(tensors, weights)
    rehash(folder)
    with pytest.raises(AssayError, match=r"3\.bias is missing, and 1 others"):
        load_reader(folder)
    weights.write_bytes(b"not tensors")
    rehash(folder)
    with pytest.raises(AssayError, match="no whole safetensors file"):
        load_reader(folder)


def test_an_unknown_kind(folder: Path) -> None:
    card = json.loads((folder / "reader.json").read_bytes())
    (folder / "reader.json").write_text(json.dumps({**card, "kind": "huge"}), encoding="utf-8")
    with pytest.raises(AssayError, match="no reader 'huge'"):
        load_reader(folder)


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"files": None}, "'files' is missing or no dict"),
        ({"files": {}}, r"doesn't name weights\.safetensors"),
        ({"files": {"weights.safetensors": 5}}, "is no file of its folder"),
        ({"settings": 5}, "'settings' is missing or no dict"),
        ({"kind": ["tiny"]}, "'kind' is missing or no str"),
        ({"sources": None}, "'sources' is missing or no dict"),
    ],
)
def test_damaged_cards(folder: Path, changed: dict[str, object], said: str) -> None:
    card = json.loads((folder / "reader.json").read_bytes())
    (folder / "reader.json").write_text(json.dumps({**card, **changed}), encoding="utf-8")
    with pytest.raises(AssayError, match=said):
        load_reader(folder)


@pytest.mark.parametrize("content", [b"", b"\xff", b"[" * 100_000])
def test_no_cards_at_all(folder: Path, content: bytes) -> None:
    (folder / "reader.json").write_bytes(content)
    with pytest.raises(AssayError, match="no card of the format"):
        load_reader(folder)


@pytest.mark.parametrize("name", ["../other.txt", "/other.txt", "reader/../../other.txt"])
def test_files_outside_the_folder_are_never_touched(folder: Path, tmp_path: Path, name: str) -> None:
    card = json.loads((folder / "reader.json").read_bytes())
    (tmp_path / "other.txt").write_text("not the model's", encoding="utf-8")
    card["files"][name] = hashlib.sha256(b"not the model's").hexdigest()
    (folder / "reader.json").write_text(json.dumps(card), encoding="utf-8")
    with pytest.raises(AssayError, match="is no file of its folder"):
        copy_model(folder, tmp_path / "copies/copy", {})
    assert not (tmp_path / "copies").exists()


def test_a_model_that_reads_something_else_is_refused(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(TinyReader, "reads", "pairs", raising=False)
    with pytest.raises(AssayError, match="reads pairs, and questions are to be read") as caught:
        load_reader(folder)
    assert "solver entailment" in str(caught.value.hint)
    assert load_reader(folder, reads="pairs")[0].kind == "tiny"
    assert load_trainable(folder)[0].kind == "tiny"

"""Exported readers score as the network they were made from."""

import importlib.util
import json
from pathlib import Path

import pytest

pytest.importorskip("torch", reason="the neural extra isn't installed")
pytest.importorskip("onnx", reason="the onnx extra isn't installed")
pytest.importorskip("onnxruntime", reason="the onnx extra isn't installed")

import torch

from assay.errors import AssayError
from assay.solvers.neural.mcq import MCQReader, MCQSettings
from assay.solvers.neural.model_folder import save_reader
from assay.solvers.neural.onnx_model import CARD, GRAPH, export, load_onnx
from assay.solvers.neural.reader import Reader
from assay.solvers.neural.similarity import SimilarityReader, SimilaritySettings
from assay.solvers.reader import ReaderSolver
from tests.solvers.neural.test_mcq import EXAMPLE, toy
from tests.solvers.neural.tiny_encoder import save_tiny_encoder
from tests.solvers.test_reader import QUESTIONS, evidence_for, write


@pytest.fixture(scope="module")
def encoder(tmp_path_factory: pytest.TempPathFactory) -> str:
    return str(save_tiny_encoder(tmp_path_factory.mktemp("tiny") / "encoder"))


def made(kind: str, encoder: str) -> Reader:
    if kind == "similarity":
        return SimilarityReader.new(SimilaritySettings(encoder=encoder, pieces=40), seed=1)
    reader = MCQReader.new(MCQSettings(encoder=encoder, pieces=40, pooling=kind), seed=1)
    reader.network.score.weight.data *= 50
    return reader


@pytest.mark.parametrize("kind", ["pooler", "cls", "mean", "similarity"])
@torch.inference_mode()
def test_an_exported_reader_scores_the_same(encoder: str, kind: str, tmp_path: Path) -> None:
    reader = made(kind, encoder)
    save_reader(reader, tmp_path / "model", {})
    card = export(tmp_path / "model", tmp_path / "onnx")
    assert card["export"]["farthest"] < 1e-3
    back, again = load_onnx(tmp_path / "onnx", {})
    assert again == card
    examples = [EXAMPLE, *toy()]
    own = reader.scores([reader.prepare(example) for example in examples])
    exported = back.scores([back.prepare(example) for example in examples])
    for one, other in zip(own, exported, strict=True):
        assert torch.allclose(one, other, atol=1e-4)
    assert torch.cat(own).std() > 0.1


def test_int8_is_smaller_and_near(encoder: str, tmp_path: Path) -> None:
    save_reader(made("pooler", encoder), tmp_path / "model", {})
    card = export(tmp_path / "model", tmp_path / "int8", int8=True)
    assert card["export"]["precision"] == "int8"
    assert 0 < card["export"]["farthest"] < 0.5
    export(tmp_path / "model", tmp_path / "fp32")
    types = {}
    for name in ("fp32", "int8"):
        import onnx

        graph = onnx.load(str(tmp_path / name / GRAPH)).graph
        types[name] = {node.op_type for node in graph.node}
    assert "MatMulInteger" in types["int8"] - types["fp32"]
    assert not list((tmp_path / "int8").glob("fp32*"))


def test_the_solver_takes_an_exported_model(encoder: str, tmp_path: Path) -> None:
    save_reader(made("pooler", encoder), tmp_path / "model", {})
    export(tmp_path / "model", tmp_path / "onnx")
    evidence = write(tmp_path / "evidence.jsonl", QUESTIONS)
    one, other = (
        ReaderSolver.build("mine", {"model": str(tmp_path / name), "evidence": evidence}, {})
        for name in ("model", "onnx")
    )
    assert one.settings["weights"] != other.settings["weights"]
    for question, first, second in zip(
        QUESTIONS, one.answer(QUESTIONS), other.answer(iter(QUESTIONS)), strict=True
    ):
        assert first.scores == pytest.approx(second.scores, abs=1e-4)
        assert second.evidence == evidence_for(question).evidence
    with pytest.raises(AssayError, match="has its own precision"):
        ReaderSolver.build("mine", {"model": str(tmp_path / "onnx"), "precision": "bf16", "sentences": 0}, {})


def test_nothing_half_written_is_taken_for_whole(encoder: str, tmp_path: Path) -> None:
    save_reader(made("pooler", encoder), tmp_path / "model", {})
    with pytest.raises(AssayError, match="no exported model"):
        export(tmp_path / "model", tmp_path / "model")
    export(tmp_path / "model", tmp_path / "onnx")
    graph = tmp_path / "onnx" / GRAPH
    whole = graph.read_bytes()
    graph.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(AssayError, match="cut off or altered"):
        load_onnx(tmp_path / "onnx", {})
    export(tmp_path / "model", tmp_path / "onnx")
    (tmp_path / "onnx" / CARD).write_text(json.dumps({"format": "another"}))
    with pytest.raises(AssayError, match="no card of the format"):
        load_onnx(tmp_path / "onnx", {})


def test_two_encoders_are_not_exported(encoder: str, tmp_path: Path) -> None:
    reader = SimilarityReader.new(
        SimilaritySettings(encoder=encoder, pieces=40, freeze_sentences=True), seed=1
    )
    save_reader(reader, tmp_path / "model", {})
    with pytest.raises(AssayError, match="two encoders"):
        export(tmp_path / "model", tmp_path / "onnx")
    assert not (tmp_path / "onnx").exists()


def test_exports_while_gradients_are_on(encoder: str, tmp_path: Path) -> None:
    save_reader(made("similarity", encoder), tmp_path / "model", {})
    assert export(tmp_path / "model", tmp_path / "onnx")["export"]["scale"] > 0


@pytest.mark.parametrize("record", [None, {}, {"scale": "a"}, {"scale": True}])
def test_a_card_without_its_export(encoder: str, tmp_path: Path, record: object) -> None:
    save_reader(made("cls", encoder), tmp_path / "model", {})
    card = dict(export(tmp_path / "model", tmp_path / "onnx"))
    (tmp_path / "onnx/reader.json").write_text(json.dumps({**card, "export": record}), encoding="utf-8")
    with pytest.raises(AssayError, match="how it was exported is missing"):
        load_onnx(tmp_path / "onnx", {})


def test_says_what_to_install(encoder: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    save_reader(made("cls", encoder), tmp_path / "model", {})
    found = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == "onnx" else found(name))
    with pytest.raises(AssayError, match="needs the extra 'onnx'"):
        export(tmp_path / "model", tmp_path / "onnx")
    assert not (tmp_path / "onnx").exists()

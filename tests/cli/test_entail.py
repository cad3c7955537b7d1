"""`assay entail`: a model and a file of pairs in, probabilities and accuracies out."""

import json
import random
from pathlib import Path

import pytest

pytest.importorskip("torch", reason="the neural extra isn't installed")

import torch

from assay.entailment.reading import read_pairs
from assay.entailment.writing import write_pairs
from assay.solvers.neural.decomposable_attention import DecomposableReader, DecomposableSettings
from assay.solvers.neural.model_folder import load_reader, save_reader
from tests.cli.conftest import Assay
from tests.solvers.neural.tiny_encoder import WORDS
from tests.solvers.neural.toy_pairs import toy_pairs


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("model")
    draw = random.Random(1)
    rows = [" ".join([word, *(f"{draw.gauss(0, 1):.3f}" for _ in range(10))]) for word in WORDS]
    (folder / "vectors.txt").write_text("\n".join(rows) + "\n")
    for seed in (2, 3):
        settings = DecomposableSettings(vectors=str(folder / "vectors.txt"), hidden=12, unknown=4)
        reader = DecomposableReader.new(settings, seed)
        with torch.no_grad():
            reader.network.score.weight.mul_(30)
        save_reader(reader, folder / f"model{seed}", {"reads": "pairs"})
    return str(folder / "model2")


@pytest.fixture
def files(tmp_path: Path) -> tuple[str, str]:
    for name, seed in (("test", 5), ("dev", 6)):
        write_pairs(tmp_path / f"{name}.jsonl", toy_pairs(40, seed))
    return str(tmp_path / "test.jsonl"), str(tmp_path / "dev.jsonl")


def test_what_it_says_is_what_the_network_says(
    assay: Assay, model: str, files: tuple[str, str], tmp_path: Path
) -> None:
    test, dev = files
    out = tmp_path / "said.jsonl"
    given = ("entail", model, test, "--threshold-from", dev, "-o", str(out))
    status, printed, _ = assay(*given, "--json")
    assert status == 0
    record = json.loads(printed)
    reader, _ = load_reader(model, reads="pairs")
    right = 0
    for pair, line in zip(read_pairs(test).pairs, out.read_text().splitlines(), strict=True):
        with torch.inference_mode():
            value = float(reader.scores([reader.prepare(pair)])[0].double().softmax(0)[1])
        said = json.loads(line)
        assert said["id"] == pair.id
        assert said["said"]["model2"]["entails"] == pytest.approx(value, abs=6e-5)
        right += (said["said"]["model2"]["label"] == said["label"]) and said["label"] == pair.label
    accuracy = record["judged"]["accuracy"]
    assert accuracy["model2"]["mean"] == right / 40
    assert accuracy["majority"]["mean"] == 0.5
    # The toy's hypotheses share their words with their premises but for the last, which decides.
    assert accuracy["overlap"]["mean"] == 1.0
    assert len(record["judged"]["comparisons"]) == 3
    _, shown, _ = assay(*given)
    assert "overlap: from a share of" in shown
    assert "model2 - majority" in shown


def test_two_models_are_compared(assay: Assay, model: str, files: tuple[str, str]) -> None:
    other = model.replace("model2", "model3")
    _, shown, _ = assay("entail", model, files[0], "--beside", f"other={other}", "--cluster", "none")
    assert "model2 - other" in shown
    assert "no overlap baseline" in shown


def test_hidden_labels_and_odd_ones(assay: Assay, model: str, tmp_path: Path) -> None:
    hidden = tmp_path / "hidden.tsv"
    hidden.write_text("premise\thypothesis\nthe root\ta root\n")
    status, shown, _ = assay("entail", model, str(hidden))
    assert (status, "labels are hidden" in shown) == (0, True)
    odd = tmp_path / "odd.tsv"
    odd.write_text("the root\ta root\tyes\nthe root\ta leaf\tno\n")
    assert assay("entail", model, str(odd))[0] == 2
    status, shown, _ = assay("entail", model, str(odd), "--label", "yes=entails", "--label", "no=neutral")
    assert (status, "majority: all neutral" in shown) == (0, True)


def test_what_is_refused(assay: Assay, model: str, files: tuple[str, str], tmp_path: Path) -> None:
    test, dev = files
    none, hidden = tmp_path / "no-gold.jsonl", tmp_path / "hidden.jsonl"
    none.write_text('{"premise": "the root", "hypothesis": "a root", "label": "-"}\n')
    hidden.write_text('{"premise": "the root", "hypothesis": "a root"}\n')
    for said, *given in (
        ("without a gold label are left out", model, str(none)),
        # Said before a model is read, which may take hours.
        ("no pair has a label to choose", str(tmp_path), test, "--threshold-from", str(hidden)),
        ("there is no pair to judge", str(tmp_path), str(none)),
        ("the pairs that are judged", model, test, "--threshold-from", test),
        ("would be written over", model, test, "-o", test),
        ("is named twice", model, test, "--beside", f"model2={model}"),
        ("--cluster must be one of", model, test, "--cluster", "id"),
        ("no model folder", str(tmp_path), test),
        ("no such file", model, str(tmp_path / "none.jsonl"), "--threshold-from", dev),
    ):
        status, _, error = assay("entail", *given)
        assert (status, said in error) == (2, True), error

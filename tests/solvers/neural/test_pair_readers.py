"""Networks over pairs: padding changes nothing, every weight learns, a toy set is learnt whole."""

import json
import random
from dataclasses import asdict
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("torch", reason="the neural extra isn't installed")

import numpy as np
import torch

from assay.entailment.pair import Pair
from assay.entailment.writing import write_pairs
from assay.errors import AssayError
from assay.pipeline.training import Data, Plan, train_model
from assay.settings import read_settings
from assay.solvers.neural.decomposable_attention import DecomposableReader, DecomposableSettings
from assay.solvers.neural.model_folder import load_reader, save_reader
from assay.solvers.neural.readers import reader_class
from assay.solvers.neural.trained_on import read_trained_on
from assay.solvers.neural.training import choice_loss
from assay.solvers.neural.vocabulary import Vocabulary
from assay.text.vectors import VectorSource
from tests.solvers.neural.tiny_encoder import WORDS, save_tiny_encoder
from tests.solvers.neural.toy_pairs import random_pair, toy_pairs

KINDS = (
    "decomposable-attention",
    "cross-entailment",
    *(
        pytest.param(
            kind,
            marks=pytest.mark.skipif(find_spec("spacy") is None, reason="the extra 'parse' isn't installed"),
        )
        for kind in ("dgem", "dgem, by words", "dgem, in context")
    ),
)


@pytest.fixture(scope="module")
def vectors(tmp_path_factory: pytest.TempPathFactory) -> str:
    draw = random.Random(3)
    path = tmp_path_factory.mktemp("static") / "vectors.txt"
    rows = [" ".join([word, *(f"{draw.gauss(0, 0.5):.3f}" for _ in range(12))]) for word in WORDS]
    path.write_text("\n".join(rows) + "\n")
    return str(path)


@pytest.fixture(scope="module")
def sources(vectors: str, tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, Any]]:
    """Small settings of each kind."""
    encoder = str(save_tiny_encoder(tmp_path_factory.mktemp("tiny") / "encoder"))
    dgem = {"vectors": vectors, "hidden": 16, "dropout": 0.0, "unknown": 4, "match": True}
    return {
        "decomposable-attention": {"vectors": vectors, "hidden": 16, "dropout": 0.0, "unknown": 4},
        "cross-entailment": {"encoder": encoder, "pieces": 64, "dropout": 0.0, "encoder_dropout": 0.0},
        "dgem": dgem,
        "dgem, in context": {**dgem, "contextual": encoder},
        "dgem, by words": {**dgem, "words": True, "align_stems": True},
    }


def reader(kind: str, sources: dict[str, dict[str, Any]], **settings: Any) -> Any:
    made = reader_class(kind.partition(",")[0])
    return made.new(read_settings(made.declared, {**sources[kind], **settings}, kind), 5)


@pytest.mark.parametrize("kind", KINDS)
@torch.inference_mode()
def test_padding_never_changes_a_score(kind: str, sources: dict[str, dict[str, Any]]) -> None:
    made = reader(kind, sources)
    draw = random.Random(2)
    prepared = [made.prepare(random_pair(draw, number)) for number in range(30)]
    alone = [made.scores([pair])[0] for pair in prepared]
    assert all(score.shape == (2,) and score.dtype == torch.float32 for score in alone)
    for size in (4, 30):
        for start in range(0, 30, size):
            together = made.scores(prepared[start : start + size])
            for one, other in zip(alone[start:], together, strict=False):
                torch.testing.assert_close(one, other, rtol=1e-4, atol=1e-5)
    assert np.std([float(score[1] - score[0]) for score in alone]) > 1e-4


@pytest.mark.parametrize("kind", KINDS)
def test_every_weight_has_a_gradient(kind: str, sources: dict[str, dict[str, Any]]) -> None:
    made = reader(kind, sources)
    # Enough unknown words that each of the vectors for these is met.
    unknown = [Pair(str(n), f"zy{n}x takes water", f"the qw{n}", None) for n in range(40)]
    scores = made.scores([made.prepare(pair) for pair in [*toy_pairs(16, 1), *unknown]])
    choice_loss(scores, [n % 2 for n in range(len(scores))]).backward()
    for name, weights in made.network.named_parameters():
        if "embeddings" in name:
            continue
        assert weights.grad is not None, name
        assert float(weights.grad.abs().sum()) > 0, name
        assert bool(weights.grad.isfinite().all()), name


@pytest.mark.parametrize("kind", KINDS)
def test_it_learns_a_toy_set_whole(kind: str, sources: dict[str, dict[str, Any]]) -> None:
    made = reader(kind, sources)
    pairs = toy_pairs(60, 4)
    prepared, keys = [made.prepare(pair) for pair in pairs], [int(pair.key or 0) for pair in pairs]
    adam = torch.optim.Adam(made.network.parameters(), lr=0.003)
    made.network.train()
    for _ in range(400):
        adam.zero_grad()
        loss = choice_loss(made.scores(prepared), keys) / len(keys)
        loss.backward()
        adam.step()
        if float(loss.detach()) < 0.01:
            break
    made.network.eval()
    with torch.inference_mode():
        assert torch.stack(made.scores(prepared)).argmax(1).tolist() == keys


@torch.inference_mode()
def test_decomposable_attention_against_the_papers_formulas(sources: dict[str, dict[str, Any]]) -> None:
    """One pair without any batch, written down as in Parikh et al. 2016, (1) to (5)."""
    made = reader("decomposable-attention", sources)
    net, pair = made.network, made.prepare(Pair("p", "the root takes in water", "a qqz root", None))
    made.scores([pair])

    def texts(ids: Any) -> torch.Tensor:
        table = torch.cat([net.inputs.fixed.float(), net.inputs.unknown])
        return net.project(torch.cat([net.inputs.null, table[ids.tolist()]]))

    a, b = texts(pair.premise), texts(pair.hypothesis)
    assert (len(a), len(b)) == (6, 4)
    alike = torch.stack([torch.stack([net.attend(x) @ net.attend(y) for y in b]) for x in a])
    v1 = sum(net.compare(torch.cat([x, ws.softmax(0) @ b])) for x, ws in zip(a, alike, strict=True))
    v2 = sum(net.compare(torch.cat([y, ws.softmax(0) @ a])) for y, ws in zip(b, alike.T, strict=True))
    expected = net.score(net.aggregate(torch.cat([v1, v2])))
    torch.testing.assert_close(made.scores([pair])[0], expected, rtol=1e-4, atol=1e-5)


@torch.inference_mode()
def test_matches_are_compared_beside_vectors(sources: dict[str, dict[str, Any]]) -> None:
    made = reader("decomposable-attention", sources, match=True)
    pair = made.prepare(Pair("p", "The roots take water", "a root zzq", None))
    assert pair.of_premise.tolist() == [0, 1, 0, 0]
    assert pair.of_hypothesis.tolist() == [0, 1, 0]
    other = pair._replace(of_premise=1 - pair.of_premise)
    assert not torch.allclose(made.scores([pair])[0], made.scores([other])[0])
    # Padded together, each text's matches stay with its own words.
    longer = made.prepare(Pair("l", "the leaf of a plant takes in water from the soil", "leaf", None))
    torch.testing.assert_close(made.scores([pair, longer])[0], made.scores([pair])[0])


@torch.inference_mode()
def test_the_side_matters_and_texts_are_cut(sources: dict[str, dict[str, Any]]) -> None:
    for kind, cut in (("decomposable-attention", {"tokens": 3}), ("cross-entailment", {"pieces": 9})):
        made = reader(kind, sources, **cut)
        short = made.prepare(Pair("a", "the root takes", "a root is", None))
        longer = made.prepare(Pair("b", "the root takes water in water", "a root is of the soil", None))
        torch.testing.assert_close(made.scores([short]), made.scores([longer]))
        turned = made.prepare(Pair("c", "a root is", "the root takes", None))
        assert not torch.allclose(made.scores([short])[0], made.scores([turned])[0])


@pytest.mark.parametrize("kind", KINDS)
def test_a_model_folder_needs_nothing_else(
    kind: str, sources: dict[str, dict[str, Any]], tmp_path: Path
) -> None:
    made = reader(kind, sources)
    card = save_reader(made, tmp_path / "model", {"reads": "pairs"})
    pair = Pair("p", "the root takes in water", "a qqz root", None)
    loaded, known = load_reader(tmp_path / "model", reads="pairs")
    assert known == card
    with torch.inference_mode():
        assert torch.equal(loaded.scores([loaded.prepare(pair)])[0], made.scores([made.prepare(pair)])[0])
    again = read_settings(type(made.settings), json.loads(json.dumps(asdict(made.settings))), "again")
    assert again == made.settings
    with pytest.raises(AssayError, match="solver entailment"):
        load_reader(tmp_path / "model")


def test_other_words_than_it_was_trained_with_are_refused(
    sources: dict[str, dict[str, Any]], tmp_path: Path
) -> None:
    folder = tmp_path / "model"
    save_reader(reader("decomposable-attention", sources), folder, {})
    words = folder / "reader" / "words.json"
    words.write_text(json.dumps(json.loads(words.read_text())[::-1]))
    with pytest.raises(AssayError, match=r"words\.json"):
        load_reader(folder, reads="pairs")
    whole = tmp_path / "whole"
    save_reader(reader("decomposable-attention", sources), whole, {})
    with pytest.raises(AssayError, match=r"unknown is of shape \[4, 12\], not \[5, 12\]"):
        load_reader(whole, {"unknown": 5}, reads="pairs")


def test_the_same_seed_gives_the_same_weights(sources: dict[str, dict[str, Any]]) -> None:
    settings = DecomposableSettings(**sources["decomposable-attention"])
    one, two, other = (DecomposableReader.new(settings, seed).network.state_dict() for seed in (1, 1, 2))
    assert all(torch.equal(one[name], two[name]) for name in one)
    assert any(not torch.equal(one[name], other[name]) for name in one)


def test_trained_by_the_command_from_files(sources: dict[str, dict[str, Any]], tmp_path: Path) -> None:
    train, dev = tmp_path / "train.jsonl", tmp_path / "dev.jsonl"
    digest = "0123456789abcdef" * 2
    made_of = Pair("q", "the root takes in water", "what takes water is the root", "entails", digest)
    hidden = Pair("h", "the bat flies", "a bat is", None)
    write_pairs(train, [*toy_pairs(64, 1), made_of])
    write_pairs(dev, toy_pairs(32, 2))
    given = {"training": {"epochs": 2}, "reader": sources[KINDS[0]]}
    plan = Plan(KINDS[0], (Data((str(train),)),), Data((str(dev),)), **given)
    done = train_model(plan, tmp_path / "model")
    assert [point["epochs"] for point in done.card["training"]["curve"]] == [1, 2]
    assert done.card["reads"] == "pairs"
    assert done.card["training"]["data"][0]["pairs"] == ["train.jsonl"]
    seen = read_trained_on(tmp_path / "model")
    assert seen is not None
    assert seen.train == {digest}
    assert "65 pairs read" in (tmp_path / "model" / "README.md").read_text()
    with pytest.raises(AssayError, match="have their premises"):
        train_model(Plan(KINDS[0], (Data((str(train),), dev),), None, **given), tmp_path / "other")
    write_pairs(train, [hidden])
    with pytest.raises(AssayError, match="none of the 1 pairs has a label"):
        train_model(Plan(KINDS[0], (Data((str(train),)),), None, **given), tmp_path / "other")


def test_a_word_that_a_file_has_in_other_cases_alone_has_the_vector_of_the_first(tmp_path) -> None:
    (tmp_path / "vectors.txt").write_text("Ore 1 2\nORE 3 4\nIron 5 6\niron 7 8\n")
    found = Vocabulary.read(VectorSource(str(tmp_path / "vectors.txt")), 4, 1)
    assert found.vectors[found.ids(["ore", "iron"])].tolist() == [[1, 2], [7, 8]]

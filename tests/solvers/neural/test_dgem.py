"""DGEM: its formulas, hypotheses without structure, and what its folder keeps."""

from __future__ import annotations

import json
import random
import shutil
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("torch", reason="the neural extra isn't installed")
pytest.importorskip("spacy", reason="the extra 'parse' isn't installed")

import numpy as np
import torch

from assay.entailment.pair import Pair
from assay.entailment.writing import write_pairs
from assay.errors import AssayError
from assay.pipeline.training import Plan, train_model
from assay.pipeline.training_data import Data
from assay.solvers.neural.dgem import NOTHING, DGEMReader, DGEMSettings
from assay.solvers.neural.model_folder import load_reader, save_reader
from assay.solvers.neural.pair_scorer import pair_scorer
from assay.text.graphs.labels import LABELS
from tests.solvers.neural.tiny_encoder import WORDS, save_tiny_encoder
from tests.solvers.neural.toy_pairs import toy_pairs

ROOTS = Pair("p", "the root takes in water", "A dark root takes water by day.", None)
STEMS = {2: (1,), 3: (2,), 4: (4,)}
"""Of its hypothesis's words that stand in the premise: where there."""


@pytest.fixture(scope="module")
def vectors(tmp_path_factory: pytest.TempPathFactory) -> str:
    draw = random.Random(3)
    path = tmp_path_factory.mktemp("static") / "vectors.txt"
    rows = [" ".join([word, *(f"{draw.gauss(0, 0.5):.3f}" for _ in range(12))]) for word in WORDS]
    path.write_text("\n".join(rows) + "\n")
    return str(path)


@pytest.fixture(scope="module")
def encoder(tmp_path_factory: pytest.TempPathFactory) -> str:
    return str(save_tiny_encoder(tmp_path_factory.mktemp("tiny") / "encoder"))


def reader(vectors: str, **settings: Any) -> DGEMReader:
    given = {"vectors": vectors, "hidden": 16, "dropout": 0.0, "unknown": 4, **settings}
    return DGEMReader.new(DGEMSettings(**given), 5)


@pytest.mark.parametrize("contextual", [False, True])
@pytest.mark.parametrize("words", [False, True])
@pytest.mark.parametrize("align_stems", [False, True])
@pytest.mark.parametrize("match", [False, True])
@pytest.mark.parametrize("structure", ["parse", "openie"])
@torch.inference_mode()
def test_against_its_formulas(
    vectors: str, encoder: str, structure: str, match: bool, align_stems: bool, words: bool, contextual: bool
) -> None:
    """One pair without any batch, word by word, node by node and edge by edge."""
    given = {"structure": structure, "match": match, "align_stems": align_stems, "words": words}
    made = reader(vectors, contextual=encoder if contextual else None, **given)
    net, graph = made.network, made.prepare(ROOTS)
    table = torch.cat([net.inputs.fixed.float(), net.inputs.unknown])
    theirs, own_words = table[graph.premise.tolist()], table[graph.hypothesis.tolist()]
    if contextual:
        assert graph.contexts is not None
        both = [torch.from_numpy(part).float() for part in graph.contexts]
        both = [part / part.norm(dim=1, keepdim=True) for part in both]
        theirs, own_words = torch.cat([theirs, both[0]], 1), torch.cat([own_words, both[1]], 1)
    premise, ours = net.project(torch.cat([net.inputs.null, theirs])), net.project(own_words)
    stems = STEMS if match or align_stems else {}
    aligned = []
    for place, word in enumerate(ours):
        alike = torch.stack([net.attend(word) @ net.attend(other) for other in premise])
        for other in stems.get(place, ()) if align_stems else ():
            alike[other + 1] += net.stem_weight[0]
        aligned.append(alike.softmax(0) @ premise)
    of = [[place for node, place in graph.members.T if node == number] for number in range(graph.nodes)]
    n = [torch.stack([ours[place] for place in own]).mean(0) for own in of]
    a = [torch.stack([aligned[place] for place in own]).mean(0) for own in of]
    no = torch.zeros(0)
    shares = [torch.tensor([share]) for share in graph.matches] if match else [no] * len(n)
    stands = [torch.tensor([float(place in stems)]) if match else no for place in range(len(ours))]
    c = [no] * len(n)
    if words:
        each = [
            net.compare(torch.cat([x, y, x - y, x * y, s]))
            for x, y, s in zip(aligned, ours, stands, strict=True)
        ]
        c = [torch.stack([each[place] for place in own]).mean(0) for own in of]
    nodes = [
        net.node(torch.cat([x, y, x - y, x * y, s, z])) for x, y, s, z in zip(a, n, shares, c, strict=True)
    ]
    edges = [
        net.edge(torch.cat([a[one], net.labels.weight[label], a[two], shares[one], shares[two]]))
        for one, label, two in graph.edges.T
    ]
    assert len(nodes) >= 4
    assert len(edges) >= 3
    expected = torch.stack(nodes).mean(0) + torch.stack(edges).mean(0)
    torch.testing.assert_close(made.scores([graph])[0], expected, rtol=1e-4, atol=1e-5)


def test_a_nodes_words_that_stand_in_the_premise_are_counted(vectors: str) -> None:
    made = reader(vectors, structure="openie", match=True)
    graph = made.prepare(Pair("p", "Roots drank water.", "The roots of a plant drink cold water.", None))
    shown = {
        tuple(graph.members[1][graph.members[0] == node].tolist()): float(graph.matches[node])
        for node in range(graph.nodes)
    }
    # "roots", "plant", "drink", "cold water": "drank" has another stem.
    assert shown == {(1,): 1, (4,): 0, (5,): 0, (6, 7): 0.5}
    assert made.network.match
    assert reader(vectors).prepare(ROOTS).matches.max() == 0


def test_words_of_one_stem_are_known_where_a_setting_asks(vectors: str) -> None:
    expected = np.zeros((7, 5), bool)
    for place, others in STEMS.items():
        expected[place, list(others)] = True
    for asked in ({"match": True}, {"align_stems": True}):
        assert np.array_equal(reader(vectors, **asked).prepare(ROOTS).same, expected)
    assert not reader(vectors, words=True).prepare(ROOTS).same.any()
    assert reader(vectors, match=True).prepare(Pair("e", "", "the root", None)).same.shape == (2, 0)


@torch.inference_mode()
def test_a_words_vector_is_of_its_text_and_the_folder_keeps_the_encoder(
    vectors: str, encoder: str, tmp_path: Path
) -> None:
    made = reader(vectors, contextual=encoder, tokens=4)
    one, other = (
        made.prepare(Pair("p", text, "the root takes in water", None)).contexts
        for text in ("the leaf takes in light", "the leaf is dark")
    )
    assert one is not None
    assert other is not None
    assert [part.shape for part in (*one, *other)] == [(4, made.network.inputs.dimension - 12)] * 4
    assert np.array_equal(one[1], other[1])
    assert not np.allclose(one[0][1], other[0][1])
    copied = tmp_path / "encoder"
    shutil.copytree(encoder, copied)
    save_reader(reader(vectors, contextual=str(copied)), tmp_path / "model", {})
    shutil.rmtree(copied)
    loaded, card = load_reader(tmp_path / "model", reads="pairs")
    assert "contextual" in card["sources"]
    assert loaded.scores([loaded.prepare(ROOTS)])[0].isfinite().all()


def test_settings_of_later_versions_leave_the_first_weights_as_they_were(
    vectors: str, tmp_path: Path
) -> None:
    """The same seed draws the same, and a folder without such settings is read as it was."""
    old = reader(vectors, match=True)
    new = dict(reader(vectors, match=True, words=True, align_stems=True).network.named_parameters())
    for name, weights in old.network.named_parameters():
        if name != "node.0.1.weight" and not name.startswith(("node.", "edge.")):
            assert torch.equal(weights, new[name]), name
    save_reader(old, tmp_path / "model", {})
    card = json.loads((tmp_path / "model" / "reader.json").read_text())
    assert card["settings"].pop("words") is card["settings"].pop("align_stems") is False
    (tmp_path / "model" / "reader.json").write_text(json.dumps(card))
    loaded, _ = load_reader(tmp_path / "model", reads="pairs")
    graph = old.prepare(ROOTS)
    assert torch.equal(loaded.scores([graph])[0], old.scores([graph])[0])


@torch.inference_mode()
def test_a_hypothesis_without_structure_is_not_entailed(vectors: str) -> None:
    made = reader(vectors, structure="openie")
    bare = made.prepare(Pair("b", "the root takes in water", "water", None))
    empty = made.prepare(Pair("e", "", "", None))
    whole = made.prepare(ROOTS)
    assert [made.ignored(graph) for graph in (bare, empty, whole)] == [True, True, False]
    scores = made.scores([bare, whole, empty])
    assert scores[0].tolist() == scores[2].tolist() == list(NOTHING)
    torch.testing.assert_close(scores[1], made.scores([whole])[0])
    # With the parse a single word is a node.
    assert not made.ignored(whole)
    assert not reader(vectors).ignored(reader(vectors).prepare(Pair("b", "", "water", None)))


@torch.inference_mode()
def test_the_rest_of_a_hypothesis_is_read_where_a_setting_asks(vectors: str) -> None:
    made = reader(vectors, structure="openie", rest=True, match=True, words=True)
    bare = made.prepare(Pair("b", "the root takes in water", "water", None))
    assert (bare.nodes, bare.edges.shape, bare.matches.tolist()) == (1, (3, 0), [1])
    assert not made.ignored(bare)
    assert made.scores([bare])[0].tolist() != list(NOTHING)
    assert made.ignored(made.prepare(Pair("e", "", "of the", None)))


def test_pairs_without_structure_are_left_out_of_a_training_and_counted(vectors: str, tmp_path: Path) -> None:
    train, dev = tmp_path / "train.jsonl", tmp_path / "dev.jsonl"
    bare = [Pair(f"b{n}", "the root takes in water", "water", "entails") for n in range(7)]
    write_pairs(train, [*toy_pairs(40, 1), *bare])
    write_pairs(dev, [*toy_pairs(20, 2), *bare])
    given = {"vectors": vectors, "hidden": 8, "structure": "openie"}
    plan = Plan("dgem", (Data((str(train),)),), Data((str(dev),)), given, {"epochs": 1, "batch": 10})
    told: list[str] = []
    done = train_model(plan, tmp_path / "model", tell=told.append)
    assert done.card["training"]["ignored"] == 7
    assert done.card["training"]["steps"] == 4
    assert "train: 7 of 47 pairs were left out: the reader can make nothing of them" in told
    assert "7 examples left out" in (tmp_path / "model" / "README.md").read_text()
    scores = list(pair_scorer(tmp_path / "model").probabilities([bare[:1], toy_pairs(2, 3)]))
    assert scores[0] == [pytest.approx(0, abs=1e-12)]
    write_pairs(train, bare)
    with pytest.raises(AssayError, match="can make nothing of any example"):
        train_model(plan, tmp_path / "other")


def test_graphs_of_another_parser_or_other_labels_are_refused(vectors: str, tmp_path: Path) -> None:
    folder = tmp_path / "model"
    for change, said in (
        (
            {"parser": {"name": "en_core_web_sm", "version": "1.0", "weights": "f00"}},
            "another parser: en_core_web_sm 1.0",
        ),
        ({"labels": list(LABELS)[:-1]}, f"another labels: {len(LABELS) - 1} labels"),
    ):
        save_reader(reader(vectors), folder, {})
        path = folder / "reader" / "structure.json"
        path.write_text(json.dumps({**json.loads(path.read_text()), **change}))
        card = json.loads((folder / "reader.json").read_text())
        # As if the folder were whole, made elsewhere.
        import hashlib

        card["files"]["reader/structure.json"] = hashlib.sha256(path.read_bytes()).hexdigest()
        (folder / "reader.json").write_text(json.dumps(card))
        with pytest.raises(AssayError, match=said) as caught:
            load_reader(folder, reads="pairs")
        assert "train it anew" in str(caught.value.hint)


def test_graphs_do_not_depend_on_what_was_read_before(vectors: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("assay.solvers.neural.dgem.REMEMBERED", 5)
    pairs = toy_pairs(40, 8)
    one, other = reader(vectors), reader(vectors)
    together = one.prepare_block(pairs)
    for graph, pair in zip(together, pairs, strict=True):
        alone = other.prepare(pair)
        assert all(np.array_equal(x, y) for x, y in zip(graph, alone, strict=True))


def test_long_texts_are_cut(vectors: str) -> None:
    made = reader(vectors, tokens=3)
    graph = made.prepare(
        Pair("p", "water " * 50, "the root takes in water and the leaf takes in light", None)
    )
    assert len(graph.premise) == 3
    assert len(graph.hypothesis) == 3
    assert graph.members[1].max() == 2
    assert graph.members[0].max() == graph.nodes - 1

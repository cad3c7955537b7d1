"""ESIM: what it reads, that padding changes nothing, and that it learns."""

import json
import random
from dataclasses import asdict, replace
from pathlib import Path

import pytest

pytest.importorskip("torch", reason="the neural extra isn't installed")

import numpy as np
import torch

from assay.errors import AssayError
from assay.settings import read_settings
from assay.solvers.neural.esim import ENCODER, ESIMReader, ESIMSettings
from assay.solvers.neural.esim_network import BiLSTM
from assay.solvers.neural.model_folder import load_reader, save_reader
from assay.solvers.neural.reader import Example
from assay.solvers.neural.training import choice_loss
from tests.solvers.neural.tiny_encoder import WORDS, save_tiny_encoder
from tests.solvers.neural.toy import BAD, GOOD, toy_examples

KNOWN = [*WORDS, *GOOD, *BAD[:5], "carries", "current", "best", "well"]


@pytest.fixture(scope="module")
def vectors(tmp_path_factory: pytest.TempPathFactory) -> str:
    draw = random.Random(3)
    path = tmp_path_factory.mktemp("static") / "vectors.txt"
    rows = [" ".join([word, *(f"{draw.gauss(0, 0.5):.3f}" for _ in range(12))]) for word in KNOWN]
    path.write_text("\n".join(rows) + "\n")
    return str(path)


@pytest.fixture(scope="module")
def encoder(tmp_path_factory: pytest.TempPathFactory) -> str:
    return str(save_tiny_encoder(tmp_path_factory.mktemp("tiny") / "encoder"))


@pytest.fixture(params=["static", "tuned", "both", "contextual"])
def given(request: pytest.FixtureRequest, vectors: str, encoder: str) -> dict[str, object]:
    """Settings of each kind of vectors."""
    static, contextual = {"vectors": vectors}, {"contextual": encoder}
    return {
        "static": static,
        "tuned": {**static, "tuned": True},
        "both": {**static, **contextual},
        "contextual": {"vectors": None, **contextual},
    }[request.param]


def reader(given: dict[str, object], **settings: object) -> ESIMReader:
    small = {"hidden": 16, "dropout": 0.0, "unknown": 4}
    return ESIMReader.new(ESIMSettings(**{**small, **given, **settings}), seed=5)


def random_example(draw: random.Random, number: int) -> Example:
    def text(most: int) -> str:
        return " ".join(draw.choices([*WORDS, "qqz", "zink's"], k=draw.randrange(most)))

    choices = tuple(text(8) for _ in range(draw.randrange(1, 6)))
    contexts = tuple(tuple(text(9) for _ in range(draw.randrange(4))) for _ in choices)
    return Example(f"q{number}", text(20), choices, contexts, None)


@pytest.mark.parametrize("sentences", [0, 2])
@torch.inference_mode()
def test_padding_never_changes_a_score(given: dict[str, object], sentences: int) -> None:
    made = reader(given, sentences=sentences)
    draw = random.Random(2)
    prepared = [made.prepare(random_example(draw, number)) for number in range(24)]
    alone = [made.scores([pairs])[0] for pairs in prepared]
    for size in (5, 24):
        for start in range(0, 24, size):
            together = made.scores(prepared[start : start + size])
            for one, other in zip(alone[start:], together, strict=False):
                assert one.dtype == torch.float32
                torch.testing.assert_close(one, other, rtol=1e-4, atol=1e-6)
    apart = [
        float(made.scores([pairs._replace(choices=(choice,), premise_of=(at,))])[0])
        for pairs in prepared
        for choice, at in zip(pairs.choices, pairs.premise_of, strict=True)
    ]
    np.testing.assert_allclose(apart, torch.cat(alone).numpy(), rtol=1e-4, atol=1e-6)
    assert np.std(apart) > 1e-4


def test_the_lstm_against_pytorchs_own_over_single_sequences() -> None:
    torch.manual_seed(1)
    mine, own = BiLSTM(5, 7), torch.nn.LSTM(5, 7, batch_first=True, bidirectional=True)
    for name, weights in own.named_parameters():
        half = mine.backwards if name.endswith("_reverse") else mine.forwards
        getattr(half, name.removesuffix("_reverse")).data.copy_(weights)
    lengths = torch.tensor([6, 1, 4])
    rows = torch.randn(3, 6, 5)
    found = mine(rows, lengths)
    for row, length, states in zip(rows, lengths.tolist(), found, strict=True):
        torch.testing.assert_close(states[:length], own(row[None, :length])[0][0])


@torch.inference_mode()
def test_scores_against_the_papers_formulas(vectors: str) -> None:
    """One pair without any batch, written down as in Chen et al. 2017, (1)-(2), (11)-(20)."""
    made = reader({"vectors": vectors})
    pairs = made.prepare(Example("q", "which part takes water", ("the root",), ((),), 0))
    esim = made.network.esim

    def lstm(module: BiLSTM, rows: torch.Tensor) -> torch.Tensor:
        back = module.backwards(rows.flip(0)[None])[0][0].flip(0)
        return torch.cat([module.forwards(rows[None])[0][0], back], -1)

    table = torch.cat([made._fixed.float(), made.network.unknown])
    a, b = (lstm(esim.encoding, table[text.ids.tolist()]) for text in (pairs.premises[0], pairs.choices[0]))
    alike = a @ b.T
    aligned_a = torch.stack([sum(w * row for w, row in zip(ws, b, strict=True)) for ws in alike.softmax(1)])
    aligned_b = torch.stack([sum(w * row for w, row in zip(ws, a, strict=True)) for ws in alike.T.softmax(1)])
    pooled = []
    for own, other in ((a, aligned_a), (b, aligned_b)):
        states = lstm(
            esim.composition,
            torch.relu(esim.projection(torch.cat([own, other, own - other, own * other], -1))),
        )
        pooled += [states.mean(0), states.max(0).values]
    expected = esim.score(torch.tanh(esim.inner(torch.cat(pooled))))
    torch.testing.assert_close(made.scores([pairs])[0], expected)


def test_every_weight_has_a_gradient(given: dict[str, object]) -> None:
    made = reader(given)
    example = Example("q", "which part takes qqz water", ("root", "", "the zink ore"), ((),) * 3, 0)
    choice_loss(made.scores([made.prepare(example)]), [0]).backward()
    without = {name for name, p in made.network.named_parameters() if p.grad is None or not p.grad.any()}
    # The softmax over choices takes the same from all scores; without static vectors no word is looked up.
    assert without - {"esim.score.bias"} == ({"unknown"} if given["vectors"] is None else set())


def test_it_learns_a_toy_set(given: dict[str, object]) -> None:
    made = reader(given)
    examples = toy_examples(20, 1)
    prepared = [made.prepare(example) for example in examples]
    keys = [example.key for example in examples]
    optimizer = torch.optim.Adam(made.network.parameters(), 0.02)
    made.network.train()
    for _ in range(25):
        optimizer.zero_grad()
        (choice_loss(made.scores(prepared), keys) / len(keys)).backward()
        optimizer.step()
    made.network.eval()
    assert [int(scores.argmax()) for scores in made.scores(prepared)] == keys


def test_what_is_read(vectors: str) -> None:
    made = reader({"vectors": vectors}, tokens=6, sentences=2)
    vocabulary = made._vocabulary

    def words(text) -> str:
        return " ".join(vocabulary.words[n] if n < len(vocabulary.words) else "?" for n in text.ids)

    context = ("water light", "sun")
    example = Example(
        "q", "Which bird's plant is qqz?", ("the iron ore in a deep stone", ""), (context, ()), 0
    )
    pairs = made.prepare(example)
    assert [words(text) for text in pairs.premises] == ["which bird ? plant is ?"] * 2
    assert [words(text) for text in pairs.choices] == ["the iron ore in a deep", ""]
    assert made.cost(pairs) == 12
    longer = reader({"vectors": vectors}, sentences=2)
    assert [words(text) for text in longer.prepare(example).premises] == [
        "sun water light which bird ? plant is ?",
        "which bird ? plant is ?",
    ]
    one = reader({"vectors": vectors}).prepare(example)
    assert len(one.premises) == 1
    assert one.premise_of == (0, 0)


@pytest.mark.parametrize("part", ["context", "stem", "choice"])
@torch.inference_mode()
def test_parts_that_are_not_named_are_not_read(vectors: str, part: str) -> None:
    example = Example("q", "which part takes water", ("root", "iron ore"), (("sun is heat",), ()), 0)
    others = {
        "context": replace(example, contexts=((), ())),
        "stem": replace(example, stem="bat"),
        "choice": replace(example, choices=("leaf", "bat flies")),
    }
    left = tuple(name for name in others if name != part)
    made = reader({"vectors": vectors}, sentences=1, parts=left)

    def scores(shown: Example) -> list[float]:
        return made.scores([made.prepare(shown)])[0].tolist()

    assert scores(example) == scores(others[part])
    assert all(scores(example) != scores(others[name]) for name in left)


def test_the_same_seed_gives_the_same_weights(vectors: str) -> None:
    state = torch.random.get_rng_state()
    first, same = (reader({"vectors": vectors}).network.state_dict() for _ in range(2))
    assert all(torch.equal(first[name], same[name]) for name in first)
    assert torch.equal(torch.random.get_rng_state(), state)
    other = ESIMReader.new(replace(reader({"vectors": vectors}).settings), seed=6).network.state_dict()
    assert not torch.equal(first["esim.score.weight"], other["esim.score.weight"])


@torch.inference_mode()
def test_a_model_folder_needs_nothing_else(given: dict[str, object], tmp_path: Path) -> None:
    made = reader(given)
    draw = random.Random(9)
    examples = [random_example(draw, number) for number in range(6)]
    expected = made.scores([made.prepare(example) for example in examples])
    save_reader(made, tmp_path / "model", {})
    card = json.loads((tmp_path / "model/reader.json").read_text())
    assert set(card["sources"]) == {name for name in ("vectors", "contextual") if given.get(name)}
    # What it was made from is gone: the card's settings still name it.
    card["settings"].update(dict.fromkeys(card["sources"], "/nowhere"))
    (tmp_path / "model/reader.json").write_text(json.dumps(card))
    loaded, _ = load_reader(tmp_path / "model")
    found = loaded.scores([loaded.prepare(example) for example in examples])
    assert all(torch.equal(one, other) for one, other in zip(expected, found, strict=True))
    assert (tmp_path / "model/reader" / ENCODER).is_dir() == ("contextual" in given)


def test_a_vocabulary_that_does_not_fit_is_refused(vectors: str, tmp_path: Path) -> None:
    made = reader({"vectors": vectors}, tuned=True)
    made.save(tmp_path)
    np.save(tmp_path / "vectors.npy", np.zeros((3, 12), np.float16))
    with pytest.raises(AssayError, match="but vectors of shape"):
        ESIMReader.load(made.settings, tmp_path)
    (tmp_path / "vectors.npy").write_bytes(b"\x93NUMPY")
    with pytest.raises(AssayError, match="vocabulary can't be read"):
        ESIMReader.load(made.settings, tmp_path)
    (tmp_path / "words.json").unlink()
    with pytest.raises(AssayError, match="vocabulary can't be read"):
        ESIMReader.load(made.settings, tmp_path)


def test_other_vectors_than_it_was_trained_with_are_refused(vectors: str, tmp_path: Path) -> None:
    save_reader(reader({"vectors": vectors}), tmp_path / "model", {})
    own = tmp_path / "model/reader"
    np.save(own / "vectors.npy", np.load(own / "vectors.npy")[:, :5])
    with pytest.raises(AssayError, match="altered"):
        load_reader(tmp_path / "model")
    card = json.loads((tmp_path / "model/reader.json").read_text())
    del card["files"]["reader/vectors.npy"]
    (tmp_path / "model/reader.json").write_text(json.dumps(card))
    with pytest.raises(AssayError, match="the weights don't fit"):
        load_reader(tmp_path / "model")


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"vectors": "nowhere.txt"}, "no such file"),
        ({"vectors": None}, "needs words' vectors"),
        ({"vectors": None, "contextual": "./nowhere"}, "no encoder here"),
        ({"parts": ("stem", "answer")}, "parts must be any of"),
        ({"parts": ()}, "parts must be any of"),
    ],
)
def test_bad_settings(vectors: str, settings: dict[str, object], said: str) -> None:
    with pytest.raises(AssayError, match=said):
        reader({"vectors": vectors, **settings})


def test_nothing_to_tune(encoder: str) -> None:
    with pytest.raises(AssayError, match="no static vectors to tune"):
        reader({"vectors": None, "contextual": encoder, "tuned": True})


def test_damaged_or_huge_vectors(tmp_path: Path) -> None:
    path = tmp_path / "v.txt"
    path.write_text("root 1 2\nleaf 1\n")
    with pytest.raises(AssayError, match="1 numbers, where 2 are due") as caught:
        reader({"vectors": str(path)})
    assert caught.value.faults[0].line == 2
    path.write_text("root 1 70000\n")
    with pytest.raises(AssayError, match="too large for half precision"):
        reader({"vectors": str(path)})


def test_the_settings_can_be_read_back(vectors: str) -> None:
    settings = reader({"vectors": vectors}).settings
    given = json.loads(json.dumps(asdict(settings)))
    assert read_settings(ESIMSettings, given, "esim") == settings


@torch.inference_mode()
def test_contextual_vectors_are_means_of_their_pieces(encoder: str) -> None:
    made = reader({"vectors": None, "contextual": encoder})
    words = made._vocabulary.tokens("The root's xyz \ud83e")
    assert words == ["the", "root", "'s", "xyz"]
    others = [("the", "root"), (), tuple(words) * 3, ("root",) * 100]
    found, _, nothing, _, long = made._contextual.vectors([tuple(words), *others], torch.device("cpu"))
    assert nothing.shape == (0, 16)
    own = made._contextual.encoder
    pieces = own.tokenizer(" ".join(words), return_tensors="pt")
    states = own.model(**pieces).last_hidden_state[0].numpy()
    assert pieces["input_ids"].shape[1] == 2 + 2 + 2 + 3
    for row, start, stop in ((0, 1, 2), (1, 2, 3), (2, 3, 5), (3, 5, 8)):
        np.testing.assert_allclose(found[row], states[start:stop].mean(0), atol=2e-3)
    assert long.shape == (100, 16)
    assert not long[62:].any()
    assert long[:62].any(axis=1).all()


@torch.inference_mode()
def test_a_block_is_prepared_as_each_alone(given: dict[str, object]) -> None:
    made = reader(given, sentences=2)
    draw = random.Random(3)
    examples = [random_example(draw, number) for number in range(9)]
    for one, other in zip(map(made.prepare, examples), made.prepare_block(examples), strict=True):
        assert one.premise_of == other.premise_of
        texts = zip((*one.premises, *one.choices), (*other.premises, *other.choices), strict=True)
        for alone, together in texts:
            np.testing.assert_array_equal(alone.ids, together.ids)
            assert (alone.context is None) == (together.context is None)
            if alone.context is not None and together.context is not None:
                np.testing.assert_allclose(alone.context, together.context, atol=2e-3)

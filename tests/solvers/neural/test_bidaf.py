"""BiDAF: the paper's formulas, that padding changes nothing, which spans come out, and that it learns."""

import json
import math
import random
from dataclasses import asdict, replace
from pathlib import Path

import pytest

pytest.importorskip("torch", reason="the neural extra isn't installed")

import numpy as np
import torch

from assay.errors import AssayError
from assay.passages.passage import PassageQuestion, Span
from assay.passages.places import reachable
from assay.passages.tokens import tokens
from assay.settings import read_settings
from assay.solvers.neural.bidaf import BiDAFReader, BiDAFSettings
from assay.solvers.neural.bidaf_network import (
    AttentionFlow,
    BiDAFNetwork,
    CharacterCNN,
    Highway,
    LockedDropout,
    best_span,
    inside,
)
from assay.solvers.neural.model_folder import load_reader, load_trainable, save_reader
from assay.solvers.neural.span_scorer import SpanScorer, span_scorer
from tests.solvers.neural.toy_passages import save_toy_vectors, toy_passages


@pytest.fixture(scope="module")
def vectors(tmp_path_factory: pytest.TempPathFactory) -> str:
    return save_toy_vectors(tmp_path_factory.mktemp("static"))


def reader(vectors: str, seed: int = 5, **settings: object) -> BiDAFReader:
    small = {"vectors": vectors, "hidden": 16, "filters": 8, "dropout": 0.0, "unknown": 4}
    return BiDAFReader.new(BiDAFSettings(**{**small, **settings}), seed)


def odd_passages(count: int, seed: int) -> list[PassageQuestion]:
    draw = random.Random(seed)
    words = [
        "Ana",
        "sells",
        "copper",
        "in",
        "Lowmere",
        ".",
        "qqz",
        "Äß",
        "🦁",
        "unpronounceably-long-words",
        "x",
    ]

    def text(most: int) -> str:
        return " ".join(draw.choices(words, k=draw.randrange(most)))

    return [PassageQuestion(f"o{n}", text(40), text(9), ()) for n in range(count)]


@torch.inference_mode()
def test_padding_never_changes_a_score(vectors: str) -> None:
    made = reader(vectors)
    prepared = [made.prepare(one) for one in odd_passages(24, 2)]
    assert {0, 1} <= {min(len(one.tokens), 1) for one in prepared}
    alone = [made.scores([one])[0] for one in prepared]
    for size in (5, 24):
        for start in range(0, 24, size):
            for one, other in zip(alone[start:], made.scores(prepared[start : start + size]), strict=False):
                assert one.dtype == torch.float32
                torch.testing.assert_close(one, other, rtol=1e-4, atol=1e-5)
    for one, scores in zip(prepared, alone, strict=True):
        assert scores.shape == (2, max(len(one.tokens), 1))
        torch.testing.assert_close(scores.exp().sum(1), torch.ones(2))
    assert torch.cat([scores.flatten() for scores in alone if scores.shape[1] > 3]).std() > 1e-3


@torch.inference_mode()
def test_attention_against_the_papers_formulas() -> None:
    torch.manual_seed(1)
    flow = AttentionFlow(6)
    h, u = torch.randn(1, 7, 6), torch.randn(1, 3, 6)
    w = torch.cat([flow.of_passage.weight[0], flow.of_question.weight[0], flow.of_both])
    s = torch.tensor([[float(w @ torch.cat([a, b, a * b])) for b in u[0]] for a in h[0]])
    torch.testing.assert_close(flow.similarity(h, u)[0], s)
    to_question = torch.stack([row.softmax(0) @ u[0] for row in s])
    to_passage = s.max(1).values.softmax(0) @ h[0]
    due = torch.cat([h[0], to_question, h[0] * to_question, h[0] * to_passage], 1)
    every = torch.ones(1, 7, dtype=torch.bool), torch.ones(1, 3, dtype=torch.bool)
    torch.testing.assert_close(flow(h, u, *every)[0], due)


@torch.inference_mode()
def test_the_layers_in_the_papers_order() -> None:
    torch.manual_seed(1)
    net = BiDAFNetwork(5, 4, 0.0).eval()
    c, q = torch.randn(1, 6, 5), torch.randn(1, 2, 5)
    n, j = torch.tensor([6]), torch.tensor([2])
    every = torch.ones(1, 6, dtype=torch.bool), torch.ones(1, 2, dtype=torch.bool)
    g = net.attention(net.contextual(c, n), net.contextual(q, j), *every)
    m = net.modelling[1](net.modelling[0](g, n), n)
    m2 = net.ending(m, n)
    starts, ends = net(c, n, q, j)
    torch.testing.assert_close(starts, net.start(torch.cat([g, m], -1))[..., 0].log_softmax(1))
    torch.testing.assert_close(ends, net.end(torch.cat([g, m2], -1))[..., 0].log_softmax(1))


@torch.inference_mode()
def test_words_of_characters() -> None:
    torch.manual_seed(1)
    made = CharacterCNN(10, 3)
    word = torch.tensor([[4, 2, 7]])
    padded = torch.zeros(1, 9, dtype=torch.int64)
    padded[0, :3] = word
    torch.testing.assert_close(made(word), made(padded))
    vectors = torch.nn.functional.pad(made.embedding(word)[0], (0, 0, 2, 2))
    weight, bias = made.filters.weight, made.filters.bias
    by_hand = torch.stack([(weight * vectors[at : at + 5].T).sum((1, 2)) + bias for at in range(3)])
    torch.testing.assert_close(made(word)[0], by_hand.relu().max(0).values)
    highway = Highway(3, layers=1)
    x = torch.randn(4, 3)
    gate = torch.sigmoid(highway.gates[0](x))
    torch.testing.assert_close(highway(x), gate * highway.changes[0](x).relu() + (1 - gate) * x)


def test_dropout_is_the_same_at_every_token() -> None:
    torch.manual_seed(1)
    dropout = LockedDropout(0.5)
    found = dropout(torch.ones(3, 5, 200))
    assert set(found.unique().tolist()) == {0, 2}
    assert torch.equal(found, found[:, :1].expand_as(found))
    assert not torch.equal(found[0], found[1])
    assert abs(float(found.mean()) - 1) < 0.1
    assert torch.equal(dropout.eval()(torch.ones(3, 5, 200)), torch.ones(3, 5, 200))


@pytest.mark.parametrize("longest", [1, 3, 50])
def test_the_best_span_against_all_spans(longest: int) -> None:
    draw = np.random.default_rng(longest)
    for _ in range(50):
        starts, ends = draw.integers(-4, 0, (2, int(draw.integers(1, 9)))).astype(np.float32)
        spans = [
            (-(starts[a] + ends[b]), b - a, a, b)
            for a in range(len(starts))
            for b in range(a, min(len(starts), a + longest))
        ]
        score, _, first, last = min(spans)
        found = best_span(torch.from_numpy(starts), torch.from_numpy(ends), longest)
        assert found == (first, last, pytest.approx(math.exp(-score)))


@pytest.mark.parametrize("longest", [1, 3, 50])
def test_where_tokens_lie_against_all_spans(longest: int) -> None:
    draw = np.random.default_rng(longest)
    for _ in range(20):
        starts, ends = torch.from_numpy(draw.normal(size=(2, int(draw.integers(1, 9))))).log_softmax(1)
        within, total = [0.0] * len(starts), 0.0
        for a in range(len(starts)):
            for b in range(a, min(len(starts), a + longest)):
                probability = math.exp(float(starts[a] + ends[b]))
                total += probability
                for at in range(a, b + 1):
                    within[at] += probability
        assert inside(starts, ends, longest).tolist() == pytest.approx([one / total for one in within])


@torch.inference_mode()
def test_the_loss_is_of_any_reference(vectors: str) -> None:
    made = reader(vectors)
    one = PassageQuestion("a", "Ana sells red copper in Lowmere. Bo sells copper.", "What?", ())
    prepared = made.prepare(one)
    starts, ends = made.scores([prepared])[0]
    single = float(-(starts[2] + ends[3]))
    assert float(made.loss([prepared], [(Span(10, "red copper"),)])) == pytest.approx(single, rel=1e-5)
    both = (Span(10, "red copper"), Span(14, "copper"), Span(42, "copper"))
    due = -math.log(sum(math.exp(float(starts[a] + ends[b])) for a, b in ((2, 3), (3, 3), (9, 9))))
    assert float(made.loss([prepared], [both])) == pytest.approx(due, rel=1e-5)
    # Twice the same is one; of a batch, the sum; what isn't reached counts nothing.
    assert float(made.loss([prepared], [(both[0], both[0])])) == pytest.approx(single, rel=1e-5)
    short = reader(vectors, tokens=4)
    cut = short.prepare(one)
    assert float(short.loss([cut], [(Span(42, "copper"),)])) == 0
    assert float(made.loss([prepared] * 3, [both, both[:1], both])) == pytest.approx(
        2 * due + single, rel=1e-5
    )
    assert made.points([prepared], [(Span(0, "everything"),)]) == [0.0]


def test_references_within_words_are_taken_where_they_are_words() -> None:
    cut = tokens("Commissioners count one and one more; golden things.")
    assert reachable(cut, [Span(7, "one")]) == [(2, 2), (4, 4)]
    assert reachable(cut, [Span(20, "one")]) == [(2, 2)]
    assert reachable(cut, [Span(38, "gold")]) == [(7, 7)]
    assert reachable(cut.first(3), [Span(28, "one")]) == []


def test_every_weight_has_a_gradient(vectors: str) -> None:
    made = reader(vectors)
    batch = [
        PassageQuestion("a", "Ana sells qqz in Lowmere. Äß too.", "What does qqz sell?", (Span(10, "qqz"),)),
        PassageQuestion("b", "Bo sells wax in Northby.", "", (Span(9, "wax"),)),
    ]
    made.loss([made.prepare(one) for one in batch], [one.key for one in batch]).backward()
    for name, weights in made.network.named_parameters():
        assert weights.grad is not None, name
        assert weights.grad.isfinite().all(), name
        assert weights.grad.abs().max() > 1e-7, name


def test_it_fits_a_toy_set(vectors: str) -> None:
    made = reader(vectors)
    examples = toy_passages(40, 1)
    prepared, keys = [made.prepare(one) for one in examples], [one.key for one in examples]
    optimizer = torch.optim.Adam(made.network.parameters(), 0.01)
    made.network.train()
    for _ in range(70):
        optimizer.zero_grad()
        loss = made.loss(prepared, keys) / len(keys)
        loss.backward()
        optimizer.step()
    made.network.eval()
    with torch.inference_mode():
        assert made.points(prepared, keys) == [1.0] * 40
    assert loss.item() < 0.2


@torch.inference_mode()
def test_what_is_read(vectors: str) -> None:
    made = reader(vectors, tokens=4, question_tokens=2)
    prepared = made.prepare(PassageQuestion("a", "Ana's qqz, sold in Lowmere", "Where does ANA live?", ()))
    assert prepared.tokens.words == ["Ana", "'s", "qqz", ","]
    assert made.cost(prepared) == 4
    words = made._vocabulary.words
    assert words[prepared.passage.words[0]] == "ana"
    assert prepared.passage.words[2] >= len(words)
    assert [words[n] for n in prepared.question.words] == ["live", "?"]
    assert prepared.passage.letters[0, :4].tolist() == [*b"Ana", 0]
    upper = made.prepare(PassageQuestion("a", "ANA", "?", ()))
    assert upper.passage.words[0] == prepared.passage.words[0]
    assert upper.passage.forms[0] != prepared.passage.forms[0]


@torch.inference_mode()
def test_words_that_stand_in_both_texts_are_marked(vectors: str) -> None:
    made, plain = reader(vectors), reader(vectors, matched=False)
    prepared = made.prepare(PassageQuestion("a", "The red copper, Coppers sell.", "Is the copper red?", ()))
    texts = [prepared.passage], [prepared.question]
    embedded, places = made._embedded([prepared.passage, prepared.question])
    count = len(prepared.passage.forms)
    found, _ = made._padded(*texts, embedded, places[:count])
    assert found[0, :, -1].tolist() == [0, 1, 1, 0, 1, 0, 0]
    without, _ = plain._padded(*texts, embedded, places[:count])
    assert torch.equal(without, found[..., :-1])
    asked, _ = made._padded(*texts[::-1], embedded, places[count:])
    assert asked[0, :, -1].tolist() == [0, 0, 1, 1, 0]


def test_the_same_seed_gives_the_same_weights(vectors: str) -> None:
    state = torch.random.get_rng_state()
    first, same = (reader(vectors).network.state_dict() for _ in range(2))
    assert all(torch.equal(first[name], same[name]) for name in first)
    assert torch.equal(torch.random.get_rng_state(), state)
    other = reader(vectors, seed=6).network.state_dict()
    assert not torch.equal(first["bidaf.start.weight"], other["bidaf.start.weight"])


@torch.inference_mode()
def test_a_model_folder_needs_nothing_else(vectors: str, tmp_path: Path) -> None:
    made = reader(vectors)
    prepared = [made.prepare(one) for one in odd_passages(6, 3)]
    save_reader(made, tmp_path / "model", {})
    card = json.loads((tmp_path / "model/reader.json").read_text())
    assert set(card["sources"]) == {"vectors"}
    card["settings"]["vectors"] = "/nowhere"
    (tmp_path / "model/reader.json").write_text(json.dumps(card))
    loaded, _ = load_trainable(tmp_path / "model", reads="passages")
    again = loaded.scores([loaded.prepare(one) for one in odd_passages(6, 3)])
    assert all(torch.equal(one, other) for one, other in zip(made.scores(prepared), again, strict=True))
    with pytest.raises(
        AssayError, match="a model of kind bidaf reads passages, and questions are to be read"
    ):
        load_reader(tmp_path / "model")


def test_damaged_models_are_refused(vectors: str, tmp_path: Path) -> None:
    save_reader(reader(vectors), tmp_path / "model", {})
    weights = tmp_path / "model/weights.safetensors"
    whole = weights.read_bytes()
    weights.write_bytes(whole[:-9])
    with pytest.raises(AssayError, match="altered"):
        span_scorer(tmp_path / "model")
    weights.write_bytes(whole)
    card = json.loads((tmp_path / "model/reader.json").read_text())
    card["settings"]["hidden"] = 12
    (tmp_path / "model/reader.json").write_text(json.dumps(card))
    with pytest.raises(AssayError, match="the weights don't fit"):
        span_scorer(tmp_path / "model")


@torch.inference_mode()
def test_spoilt_weights_are_said(vectors: str) -> None:
    made = reader(vectors)
    made.network.bidaf.start.weight.fill_(math.nan)
    with pytest.raises(AssayError, match="weights are spoilt"):
        list(SpanScorer(made, "").spans([("Ana sells wax.", "What?")]))


def test_threads_and_what_was_asked_before_change_no_bit(vectors: str) -> None:
    before = torch.get_num_threads()
    asked = [(one.passage, one.question) for one in odd_passages(30, 8)]
    found = [list(SpanScorer(reader(vectors), "", threads).spans(asked)) for threads in (1, 2, 5)]
    assert found[0] == found[1] == found[2]
    assert list(SpanScorer(reader(vectors), "").spans(asked[20:])) == found[0][20:]
    assert torch.get_num_threads() == before
    assert len({one.probability for one in found[0]}) > 20


def test_odd_passages(vectors: str) -> None:
    scorer = SpanScorer(reader(vectors, tokens=500), "")
    long = "Ana sells wax in Lowmere. " * 1_700
    empty, blank, nothing_asked, huge = scorer.spans(
        [("", "What?"), (" \n", "What?"), ("Ana sells wax.", ""), (long, "What? " * 3_000)]
    )
    assert (empty.span, blank.span) == (Span(0, ""), Span(0, ""))
    assert (empty.probability, empty.cut) == (1.0, False)
    assert nothing_asked.span.text in "Ana sells wax."
    assert huge.cut
    assert huge.span.end < 2_500


def test_vectors_that_there_are_none() -> None:
    with pytest.raises(AssayError, match="no such file"):
        reader("nowhere.txt")


def test_the_settings_can_be_read_back(vectors: str) -> None:
    settings = replace(reader(vectors).settings, longest=7)
    assert read_settings(BiDAFSettings, json.loads(json.dumps(asdict(settings))), "bidaf") == settings

"""The support reader: its measures against a plain reference, and that it learns, is saved and says no."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch", reason="the neural extra isn't installed")

import torch

from assay.errors import AssayError
from assay.solvers.neural.encoder import load_encoder
from assay.solvers.neural.reader import Example
from assay.solvers.neural.sentence_encoder import SentenceEncoder
from assay.solvers.neural.support import ABSENT, MEASURES, SupportReader, SupportSettings
from tests.solvers.neural.test_mcq import EXAMPLE, fit, toy
from tests.solvers.neural.tiny_encoder import save_tiny_encoder

FULL = replace(
    EXAMPLE,
    contexts=(("root takes water", "soil is ground", "sun"), ()),
    scores=((8.0, 4.0, 2.0), ()),
)


@pytest.fixture(scope="module")
def encoder(tmp_path_factory: pytest.TempPathFactory) -> str:
    return str(save_tiny_encoder(tmp_path_factory.mktemp("tiny") / "encoder"))


def reader(encoder: str, **settings: object) -> SupportReader:
    return SupportReader.new(SupportSettings(**{"encoder": encoder, "pieces": 40, **settings}), seed=7)


def plain(encoder: str, example: Example, sentences: int = 10) -> list[list[float]]:
    """The measures, one at a time."""
    sentence_encoder = SentenceEncoder(load_encoder(encoder), longest=40)

    def cosine(one: str, other: str) -> float:
        first, second = sentence_encoder.encode([one, other])
        return float(sum(a * b for a, b in zip(first.tolist(), second.tolist(), strict=True)))

    best = max(score for own in example.scores for score in own[:sentences])
    rows = []
    for choice, context, scores in zip(example.choices, example.contexts, example.scores, strict=True):
        context, scores = context[:sentences], scores[:sentences]
        statement = f"{example.stem} {choice}"
        near = sorted((cosine(statement, s) for s in context), reverse=True)
        near = [*near, ABSENT, ABSENT, ABSENT][:3]
        both = [min(cosine(example.stem, s), cosine(choice, s)) for s in context]
        rows.append(
            [
                cosine(example.stem, choice),
                *near,
                max(both, default=ABSENT),
                max((cosine(example.stem, s) for s in context), default=ABSENT),
                max((cosine(choice, s) for s in context), default=ABSENT),
                max(scores, default=0.0) / best,
                sum(scores) / sentences / best,
            ]
        )
    return rows


@pytest.mark.parametrize("sentences", [10, 2])
def test_measures_are_those_of_a_plain_loop(encoder: str, sentences: int) -> None:
    made = reader(encoder, sentences=sentences).prepare(FULL)
    assert made.dtype == np.float32
    assert made.shape == (2, len(MEASURES))
    np.testing.assert_allclose(made, plain(encoder, FULL, sentences), atol=1e-5)


def test_what_was_prepared_before_changes_nothing(encoder: str) -> None:
    fresh, other, remembering = reader(encoder), reader(encoder), reader(encoder)
    remembering.remembers = True
    for made in (other, remembering):
        made.prepare(replace(FULL, stem="iron ore is deep"))
    known = len(remembering._known)
    np.testing.assert_array_equal(fresh.prepare(FULL), other.prepare(FULL))
    np.testing.assert_allclose(fresh.prepare(FULL), remembering.prepare(FULL), atol=1e-6)
    # The stem and two statements are new; and nothing is kept by a reader that wasn't told to.
    assert (len(remembering._known) - known, other._known) == (3, {})


def test_without_retrieval_scores_are_not_read(encoder: str) -> None:
    made = reader(encoder, retrieval=False)
    alone = made.prepare(FULL)
    assert alone.shape == (2, len(MEASURES) - 2)
    np.testing.assert_array_equal(alone, made.prepare(replace(FULL, scores=((1.0, 1.0, 1.0), ()))))


def test_without_evidence_the_choices_still_differ(encoder: str) -> None:
    made = reader(encoder).prepare(replace(EXAMPLE, contexts=((), ())))
    assert (made[:, 1:7] == np.float32(ABSENT)).all()
    assert not made[:, 7:].any()
    assert len(set(made[:, 0].tolist())) == len(made)


@pytest.mark.parametrize("hidden", [0, 8])
def test_it_fits_a_toy_set_and_leaves_the_encoder_alone(encoder: str, hidden: int) -> None:
    made = reader(encoder, hidden=hidden)
    before = {name: value.clone() for name, value in made.network.encoder.state_dict().items()}
    assert fit(made, toy(), steps=200, rate=0.05) == 1.0
    after = made.network.encoder.state_dict()
    assert all(torch.equal(before[name], after[name]) for name in before)


def test_gradients_reach_every_weight_of_the_head(encoder: str) -> None:
    made = reader(encoder)
    (scores,) = made.scores([made.prepare(FULL)])
    assert scores.shape == (2,)
    scores[0].backward()
    trained = {name: p for name, p in made.network.named_parameters() if p.requires_grad}
    assert set(trained) == {"hidden.weight", "hidden.bias", "score.weight", "score.bias"}
    assert all(p.grad is not None and p.grad.abs().sum() > 0 for p in trained.values())


def test_saved_and_loaded_it_scores_the_same(encoder: str, tmp_path: Path) -> None:
    made = reader(encoder)
    made.save(tmp_path)
    again = SupportReader.load(made.settings, tmp_path)
    again.network.load_state_dict(made.network.state_dict())
    for one, other in zip(
        made.scores([made.prepare(FULL)]), again.scores([again.prepare(FULL)]), strict=True
    ):
        torch.testing.assert_close(one, other)


def test_more_pieces_than_the_encoder_reads_are_refused(encoder: str) -> None:
    with pytest.raises(AssayError, match="pieces = 9999"):
        reader(encoder, pieces=9999)

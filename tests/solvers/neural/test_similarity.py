"""The similarity reader: cosines as they are, and that it learns."""

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
from assay.solvers.neural.similarity import SimilarityReader, SimilaritySettings
from tests.solvers.neural.test_mcq import EXAMPLE, fit, toy
from tests.solvers.neural.tiny_encoder import save_tiny_encoder


@pytest.fixture(scope="module")
def encoder(tmp_path_factory: pytest.TempPathFactory) -> str:
    return str(save_tiny_encoder(tmp_path_factory.mktemp("tiny") / "encoder"))


def reader(encoder: str, **settings: object) -> SimilarityReader:
    given = {"encoder": encoder, "pieces": 40, "encoder_dropout": 0.0, **settings}
    return SimilarityReader.new(SimilaritySettings(**given), seed=7)


FULL = replace(EXAMPLE, contexts=(("root takes water", "soil is ground", "sun"), ("iron ore is deep",)))


def plain(encoder: str, example: Example, **settings: int) -> list[float]:
    """Cosines choice by choice, with the encoder of sentences."""
    vectors = SentenceEncoder(load_encoder(encoder))
    joined = settings.get("joined", 1)
    scores = []
    for choice, context in zip(example.choices, example.contexts, strict=True):
        context = context[: settings.get("sentences", 10)]
        texts = [" ".join(context[n : n + joined]) for n in range(0, len(context), joined)]
        query, *others = vectors.encode([f"{example.stem} {choice}", *texts])
        scores.append(20.0 * max(float(np.dot(query, other)) for other in others))
    return scores


@torch.inference_mode()
@pytest.mark.parametrize("settings", [{}, {"joined": 2}, {"sentences": 1}, {"freeze_sentences": True}])
def test_untrained_it_is_the_best_cosine(encoder: str, settings: dict[str, int]) -> None:
    made = reader(encoder, **settings)
    (scores,) = made.scores([made.prepare(FULL)])
    assert scores.dtype == torch.float32
    assert scores.tolist() == pytest.approx(plain(encoder, FULL, **settings), abs=1e-4)


@torch.inference_mode()
def test_without_evidence_it_is_the_cosine_of_stem_and_choice(encoder: str) -> None:
    vectors = SentenceEncoder(load_encoder(encoder))
    stem, *choices = vectors.encode([EXAMPLE.stem, *EXAMPLE.choices])
    for made, example in (
        (reader(encoder), replace(FULL, contexts=((), ()))),
        (reader(encoder, sentences=0), FULL),
    ):
        (scores,) = made.scores([made.prepare(example)])
        assert scores.tolist() == pytest.approx([20 * float(np.dot(stem, c)) for c in choices], abs=1e-4)


@torch.inference_mode()
def test_a_choice_without_a_sentence_is_the_worst(encoder: str) -> None:
    made = reader(encoder)
    (scores,) = made.scores([made.prepare(EXAMPLE)])
    assert scores[1] == -20.0
    assert scores[0] > -20.0


@torch.inference_mode()
def test_a_soft_sum_is_above_the_best(encoder: str) -> None:
    best, soft = (
        made.scores([made.prepare(FULL)])[0]
        for made in (reader(encoder), reader(encoder, combine="logsumexp"))
    )
    assert soft[0] > best[0]
    assert float(soft[1]) == pytest.approx(float(best[1]), abs=1e-5)


@torch.inference_mode()
def test_examples_do_not_mix(encoder: str) -> None:
    made = reader(encoder)
    examples = [FULL, EXAMPLE, replace(FULL, contexts=((), ())), *toy()]
    prepared = [made.prepare(example) for example in examples]
    together = made.scores(prepared)
    for one, scores in zip(prepared, together, strict=True):
        assert scores.tolist() == pytest.approx(made.scores([one])[0].tolist(), abs=1e-4)


@pytest.mark.parametrize("settings", [{}, {"freeze_sentences": True}, {"combine": "logsumexp"}])
def test_it_fits_a_toy_set(encoder: str, settings: dict[str, object]) -> None:
    made = reader(encoder, **settings)
    before = {
        name: weight.clone()
        for name, weight in made.network.state_dict().items()
        if name.startswith("sentence_encoder.")
    }
    assert fit(made, toy(), 60, 0.01) == 1.0
    assert bool(before) == bool(settings.get("freeze_sentences"))
    for name, weight in before.items():
        assert torch.equal(weight, made.network.state_dict()[name])


@torch.inference_mode()
def test_saved_and_loaded_it_scores_the_same(encoder: str, tmp_path: Path) -> None:
    made = reader(encoder, freeze_sentences=True)
    made.save(tmp_path)
    back = SimilarityReader.load(made.settings, tmp_path)
    back.network.load_state_dict(made.network.state_dict())
    assert back.scores([back.prepare(FULL)])[0].tolist() == made.scores([made.prepare(FULL)])[0].tolist()


def test_more_pieces_than_the_encoder_reads_are_refused(encoder: str) -> None:
    with pytest.raises(AssayError, match="reads 64 at most"):
        reader(encoder, pieces=65)

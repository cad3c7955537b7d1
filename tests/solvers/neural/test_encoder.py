"""Encoders as other people keep them: in half precision, of RoBERTa's kind, with texts as they come."""

from pathlib import Path

import pytest

pytest.importorskip("torch", reason="the neural extra isn't installed")

import numpy as np
import torch

from assay.solvers.neural.encoder import load_architecture, load_encoder
from assay.solvers.neural.sentence_encoder import SentenceEncoder
from tests.solvers.neural.tiny_encoder import save_tiny_encoder

POSITIONS = 34
"""In RoBERTa's table; the first two belong to padding."""


def test_weights_kept_in_half_precision_are_read_as_float32(tmp_path: Path) -> None:
    whole = load_encoder(str(save_tiny_encoder(tmp_path / "whole")))
    halved = whole.model.to(torch.bfloat16)
    halved.save_pretrained(tmp_path / "half")
    whole.tokenizer.save_pretrained(tmp_path / "half")
    half = load_encoder(str(tmp_path / "half"))
    assert half.model.dtype == torch.float32
    assert len(half.fingerprint) == 64
    half.save(tmp_path / "architecture")
    assert load_architecture(tmp_path / "architecture").model.dtype == torch.float32


def test_roberta_reads_as_many_pieces_as_it_has_places_for(tmp_path: Path) -> None:
    from transformers import RobertaConfig, RobertaModel

    tokenizer = load_encoder(str(save_tiny_encoder(tmp_path / "bert"))).tokenizer
    config = RobertaConfig(
        vocab_size=len(tokenizer), hidden_size=16, num_hidden_layers=1, num_attention_heads=2,
        intermediate_size=16, max_position_embeddings=POSITIONS,
    )  # fmt: skip
    RobertaModel(config).save_pretrained(tmp_path / "roberta")
    tokenizer.save_pretrained(tmp_path / "roberta")
    encoder = load_encoder(str(tmp_path / "roberta"))
    assert encoder.longest == POSITIONS - 2
    found = SentenceEncoder(encoder).encode(["root " * POSITIONS, "root"])
    assert np.isfinite(found).all()


def test_a_lone_surrogate_is_read_as_a_question_mark(tmp_path: Path) -> None:
    encoder = SentenceEncoder(load_encoder(str(save_tiny_encoder(tmp_path / "encoder"))))
    odd, mark = encoder.encode(["root \ud800", "root ?"])
    np.testing.assert_array_equal(odd, mark)

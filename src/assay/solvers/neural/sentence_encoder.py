"""Sentences as vectors: an encoder's token vectors averaged, length one (Reimers and Gurevych 2019)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import torch

from assay.progress import SILENT, Progress
from assay.solvers.neural.encoder import Encoder, readable
from assay.solvers.neural.pieces import chunks

BATCH_PIECES = 1024
"""Word pieces, padding included, that are encoded at once: more leaves a core's cache and pads more."""


class SentenceEncoder:
    """Texts to unit vectors, float32. Their dot product is the cosine."""

    def __init__(self, encoder: Encoder, *, longest: int = 128, bf16: bool = False) -> None:
        """`longest`: word pieces of a text that are read, the rest is cut off."""
        self._encoder, self._longest, self._bf16 = encoder, min(longest, encoder.longest), bf16
        self.dimension = encoder.dimension

    @property
    def settings(self) -> Mapping[str, Any]:
        """What decides a vector (a cache key)."""
        return {
            "encoder": self._encoder.name,
            "fingerprint": self._encoder.fingerprint,
            "longest": self._longest,
            "precision": "bf16" if self._bf16 else "fp32",
            "pooling": "mean",
        }

    def encode(self, texts: Sequence[str], progress: Progress = SILENT) -> np.ndarray[Any, Any]:
        """float32 [len(texts), dimension]. Texts of like length are encoded together."""
        pieces = self._encoder.tokenizer(
            [readable(text) for text in texts], truncation=True, max_length=self._longest
        )["input_ids"]
        vectors = np.empty((len(texts), self.dimension), np.float32)
        with progress.task("vectors", len(texts), "texts") as advance:
            for batch in chunks([len(text) for text in pieces], BATCH_PIECES):
                vectors[batch] = self._vectors([pieces[place] for place in batch])
                advance(len(batch))
        return vectors

    def _vectors(self, pieces: Sequence[Sequence[int]]) -> np.ndarray[Any, Any]:
        width = max(map(len, pieces))
        ids = torch.zeros((len(pieces), width), dtype=torch.long)
        mask = torch.zeros((len(pieces), width), dtype=torch.long)
        for row, text in enumerate(pieces):
            ids[row, : len(text)] = torch.as_tensor(text)
            mask[row, : len(text)] = 1
        model = self._encoder.model
        device = next(model.parameters()).device
        with torch.inference_mode(), torch.autocast(device.type, torch.bfloat16, enabled=self._bf16):
            states = model(input_ids=ids.to(device), attention_mask=mask.to(device)).last_hidden_state
        return mean_unit(states.float(), mask.to(device)).cpu().numpy()


def mean_unit(states: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
    """The mean of the unmasked token vectors [batch, pieces, d], as unit vectors [batch, d]."""
    weights = mask.unsqueeze(-1).to(states.dtype)
    means = (states * weights).sum(1) / weights.sum(1).clamp(min=1)
    return torch.nn.functional.normalize(means, dim=-1)

"""Words in their context: a frozen encoder's vectors, as ELMo's stand in ESIM (Peters et al. 2018)."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from typing import Any

import numpy as np
import torch

from assay.errors import AssayError
from assay.solvers.neural.encoder import Encoder, readable

CACHE_BYTES = 1 << 29
"""What texts that were met lately may take: the choices of a set repeat."""

Vectors = np.ndarray[Any, np.dtype[np.float16]]


class ContextualWords:
    """A text's words to the means of their word pieces' last vectors, float16 [words, dimension].

    Each text is encoded alone, so that its vectors depend on nothing else. A word without a piece, or behind
    the last piece that the encoder can read, has the zero vector.
    """

    def __init__(self, encoder: Encoder) -> None:
        """Raises AssayError when the encoder's tokeniser can't say which piece belongs to which word."""
        if not encoder.tokenizer.is_fast:
            raise AssayError(f"encoder {encoder.name!r}: contextual vectors need a fast tokeniser")
        self.encoder = encoder
        self.dimension = encoder.dimension
        self._cache: OrderedDict[tuple[str, ...], Vectors] = OrderedDict()
        self._bytes = 0

    def vectors(self, words: Sequence[str], device: torch.device) -> Vectors:
        """The vectors of one text's words."""
        key = tuple(words)
        known = self._cache.get(key)
        if known is not None:
            self._cache.move_to_end(key)
            return known
        made = self._encode(key, device)
        self._cache[key] = made
        self._bytes += made.nbytes
        while self._bytes > CACHE_BYTES:
            self._bytes -= self._cache.popitem(last=False)[1].nbytes
        return made

    def _encode(self, words: tuple[str, ...], device: torch.device) -> Vectors:
        if not words:
            return np.zeros((0, self.dimension), np.float16)
        pieces = self.encoder.tokenizer(
            [readable(word) for word in words],
            is_split_into_words=True,
            truncation=True,
            max_length=self.encoder.longest,
        )
        model = self.encoder.model.to(device).eval()
        with torch.inference_mode(), torch.autocast(device.type, enabled=False):
            ids = torch.tensor([pieces["input_ids"]], device=device)
            states = model(input_ids=ids).last_hidden_state[0].float().cpu().numpy()
        sums = np.zeros((len(words), self.dimension), np.float32)
        counts = np.zeros(len(words), np.float32)
        for state, word in zip(states, pieces.word_ids(), strict=True):
            if word is not None:
                sums[word] += state
                counts[word] += 1
        return (sums / np.maximum(counts, 1)[:, None]).astype(np.float16)

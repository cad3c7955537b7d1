"""Words in their context: a frozen encoder's vectors, as ELMo's stand in ESIM (Peters et al. 2018)."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch

from assay.errors import AssayError
from assay.solvers.neural.encoder import Encoder, readable
from assay.solvers.neural.pieces import chunks

Vectors = np.ndarray[Any, np.dtype[np.float16]]
Words = tuple[str, ...]


class ContextualWords:
    """Texts' words to the means of their word pieces' last vectors, float16 [words, dimension].

    A word without a piece, or behind the last piece that the encoder can read, has the zero vector.
    """

    def __init__(self, encoder: Encoder) -> None:
        """Raises AssayError when the encoder's tokeniser can't say which piece belongs to which word."""
        if not encoder.tokenizer.is_fast:
            raise AssayError(f"encoder {encoder.name!r}: contextual vectors need a fast tokeniser")
        self.encoder = encoder
        self.dimension = encoder.dimension

    def save(self, folder: Path) -> None:
        """Write the encoder with its weights, to be loaded again by the folder's name."""
        self.encoder.model.save_pretrained(folder)
        self.encoder.tokenizer.save_pretrained(folder)

    def vectors(self, texts: Sequence[Words], device: torch.device) -> list[Vectors]:
        """The vectors of each text's words.

        Texts of like lengths are read together, which moves last bits: the vectors are a function of all the
        texts of this call, and of nothing else.
        """
        distinct = [text for text in dict.fromkeys(texts) if text]
        known: dict[Words, Vectors] = {(): np.zeros((0, self.dimension), np.float16)}
        if distinct:
            pieces = self.encoder.tokenizer(
                [[readable(word) for word in text] for text in distinct],
                is_split_into_words=True,
                truncation=True,
                max_length=self.encoder.longest,
            )
            for part in chunks([len(ids) for ids in pieces["input_ids"]]):
                states = self._states([pieces["input_ids"][place] for place in part], device)
                for place, state in zip(part, states, strict=True):
                    text = distinct[place]
                    known[text] = self._means(state, pieces.word_ids(place), len(text))
        return [known[text] for text in texts]

    def _states(self, rows: Sequence[Sequence[int]], device: torch.device) -> Any:
        """The last vectors float32 [rows, longest, dimension] of piece numbers."""
        padded = self.encoder.tokenizer.pad({"input_ids": list(rows)}, return_tensors="pt")
        model = self.encoder.model.to(device).eval()
        with torch.inference_mode(), torch.autocast(device.type, enabled=False):
            found = model(**{name: tensor.to(device) for name, tensor in padded.items()})
        return found.last_hidden_state.float().cpu().numpy()

    def _means(self, states: Any, words_of: Sequence[int | None], count: int) -> Vectors:
        """The mean [count, dimension] of each word's pieces; `words_of` says whose a piece is."""
        sums = np.zeros((count, self.dimension), np.float32)
        counts = np.zeros(count, np.float32)
        for state, word in zip(states, words_of, strict=False):
            if word is not None:
                sums[word] += state
                counts[word] += 1
        return (sums / np.maximum(counts, 1)[:, None]).astype(np.float16)

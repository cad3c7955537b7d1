"""Texts as padded vectors of words: fixed ones, trained ones for unknown words, a leading NULL."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import torch

from assay.solvers.neural.vocabulary import Ids, Vocabulary


class Padded(NamedTuple):
    """Vectors float32 [texts, width, dimension], and which places are real, bool [texts, width]."""

    vectors: torch.Tensor
    real: torch.Tensor


class WordInputs(torch.nn.Module):
    """Vectors of length 1 for words (fixed), for unknown words by hash and for NULL (trained).

    Every text begins with NULL, to which words that correspond to nothing can be aligned (Parikh et al.
    2016, section 4.2); so a text without words has a place too.
    """

    def __init__(self, vocabulary: Vocabulary) -> None:
        super().__init__()
        self.words = len(vocabulary.words)
        # Not in the state: the vocabulary is written beside the weights.
        self.register_buffer("fixed", _unit(vocabulary), persistent=False)
        unknown = torch.randn(vocabulary.unknown, vocabulary.dimension)
        self.unknown = torch.nn.Parameter(torch.nn.functional.normalize(unknown, dim=-1))
        self.null = torch.nn.Parameter(0.1 * torch.randn(1, vocabulary.dimension))

    def forward(self, texts: Sequence[Ids]) -> Padded:
        """`texts`: numbers of each text's words as `Vocabulary.ids` gives them."""
        device = self.null.device
        lengths = np.fromiter((len(text) + 1 for text in texts), np.int64, len(texts))
        real = np.arange(int(lengths.max()))[None, :] < lengths[:, None]
        ids = np.full(real.shape, -1, np.int64)
        rows, columns = np.nonzero(real[:, 1:])
        ids[rows, columns + 1] = np.concatenate(texts)
        numbers = torch.from_numpy(ids).to(device)
        return Padded(self._vectors(numbers), torch.from_numpy(real).to(device))

    def _vectors(self, ids: torch.Tensor) -> torch.Tensor:
        """[.., dimension]; -1 stands for NULL."""
        fixed: torch.Tensor = self.get_buffer("fixed")
        vectors = self.unknown[(ids - self.words).clamp(min=0)]
        if self.words:
            known = fixed[ids.clamp(0, self.words - 1)].float()
            vectors = torch.where((ids < self.words)[..., None], known, vectors)
        return torch.where((ids < 0)[..., None], self.null, vectors)


def _unit(vocabulary: Vocabulary) -> torch.Tensor:
    """The words' vectors at length 1, float16; a vector of zeros stays."""
    vectors = torch.from_numpy(vocabulary.vectors).float()
    return torch.nn.functional.normalize(vectors, dim=-1).half()

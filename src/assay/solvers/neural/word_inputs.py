"""Texts as padded vectors of words: fixed ones, trained ones for unknown words, contextual ones, a NULL."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import torch

from assay.solvers.neural.contextual import Vectors
from assay.solvers.neural.vocabulary import Ids, Vocabulary


class Padded(NamedTuple):
    """Vectors float32 [texts, width, dimension], and which places are real, bool [texts, width]."""

    vectors: torch.Tensor
    real: torch.Tensor


class WordInputs(torch.nn.Module):
    """Vectors of length 1 for words (fixed), for unknown words by hash and for NULL (trained).

    Every text begins with NULL, to which words that correspond to nothing can be aligned (Parikh et al.
    2016, section 4.2); so a text without words has a place too. `contextual`: numbers of the vectors that
    words have in their context, which then stand, at length 1, behind the others.
    """

    def __init__(self, vocabulary: Vocabulary, contextual: int = 0) -> None:
        super().__init__()
        self.dimension = vocabulary.dimension + contextual
        self.words = len(vocabulary.words)
        # Not in the state: the vocabulary is written beside the weights.
        self.register_buffer("fixed", _unit(vocabulary), persistent=False)
        unknown = torch.randn(vocabulary.unknown, vocabulary.dimension)
        self.unknown = torch.nn.Parameter(torch.nn.functional.normalize(unknown, dim=-1))
        self.null = torch.nn.Parameter(0.1 * torch.randn(1, self.dimension))

    def forward(self, texts: Sequence[Ids], contexts: Sequence[Vectors] | None = None) -> Padded:
        """`texts`: numbers of each text's words as `Vocabulary.ids` gives them.

        `contexts`: each text's words' vectors in context, float16 [words, contextual]; None where that is 0.
        """
        device = self.null.device
        lengths = np.fromiter((len(text) + 1 for text in texts), np.int64, len(texts))
        real = np.arange(int(lengths.max()))[None, :] < lengths[:, None]
        ids = np.full(real.shape, -1, np.int64)
        rows, columns = np.nonzero(real[:, 1:])
        ids[rows, columns + 1] = np.concatenate(texts)
        numbers = torch.from_numpy(ids).to(device)
        vectors = self._vectors(numbers)
        if contexts is not None:
            shown = np.zeros((*real.shape, contexts[0].shape[1]), np.float32)
            shown[rows, columns + 1] = np.concatenate(contexts)
            context = torch.nn.functional.normalize(torch.from_numpy(shown).to(device), dim=-1)
            vectors = torch.cat([vectors, context], -1)
        vectors = torch.where((numbers < 0)[..., None], self.null, vectors)
        return Padded(vectors, torch.from_numpy(real).to(device))

    def _vectors(self, ids: torch.Tensor) -> torch.Tensor:
        """[.., dimension of the static vectors]; what -1 has means nothing."""
        fixed: torch.Tensor = self.get_buffer("fixed")
        vectors = self.unknown[(ids - self.words).clamp(min=0)]
        if self.words:
            known = fixed[ids.clamp(0, self.words - 1)].float()
            vectors = torch.where((ids < self.words)[..., None], known, vectors)
        return vectors


def _unit(vocabulary: Vocabulary) -> torch.Tensor:
    """The words' vectors at length 1, float16; a vector of zeros stays."""
    vectors = torch.from_numpy(vocabulary.vectors).float()
    return torch.nn.functional.normalize(vectors, dim=-1).half()

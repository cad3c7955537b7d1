"""Decomposable attention: attend, compare, aggregate (Parikh et al. 2016, without intra-sentence attention).

ARC's DecompAttn (Clark et al. 2018, section 3).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np
import torch
from torch import nn

from assay.entailment.pair import Pair
from assay.settings import setting
from assay.solvers.neural.vocabulary import Ids, Vocabulary
from assay.solvers.neural.word_inputs import Padded, WordInputs
from assay.text.analysis import Analyser
from assay.text.vectors import DEFAULT, PACKAGED, VectorSource


@dataclass(frozen=True)
class DecomposableSettings:
    """What decides how a pair is read."""

    vectors: str = setting(DEFAULT, f"static vectors: {', '.join(PACKAGED)}, or a file of any known format")
    vocabulary: int = setting(400_000, "words kept, the first of the file of vectors", minimum=1)
    unknown: int = setting(100, "trained vectors that words without one are hashed to", minimum=1)
    hidden: int = setting(200, "numbers of a projected word, and of each layer", minimum=1)
    dropout: float = setting(0.2, "dropout of every layer's input", minimum=0, maximum=0.9)
    tokens: int = setting(100, "tokens read of a premise and of a hypothesis, from the start", minimum=1)
    match: bool = setting(
        False, "compare, beside vectors, whether a word's stem stands in the other text (the paper doesn't)"
    )


Matches = np.ndarray[Any, np.dtype[np.float32]]
"""float32 [n]: 1 for each word whose stem stands in the other text, else 0."""


class Words(NamedTuple):
    """A pair: numbers of each text's words, int32 [n], and which of them match."""

    premise: Ids
    hypothesis: Ids
    of_premise: Matches
    of_hypothesis: Matches


class DecomposableNetwork(nn.Module):
    """Projected words; F attends, G compares, H aggregates; two scores a pair: neutral, entails."""

    def __init__(self, vocabulary: Vocabulary, settings: DecomposableSettings) -> None:
        super().__init__()
        hidden, dropout = settings.hidden, settings.dropout
        self.match = settings.match
        self.inputs = WordInputs(vocabulary)
        self.project = nn.Linear(vocabulary.dimension, hidden, bias=False)
        self.attend = perceptron(hidden, hidden, dropout)
        self.compare = perceptron(2 * hidden + settings.match, hidden, dropout)
        self.aggregate = perceptron(2 * hidden, hidden, dropout)
        self.score = nn.Linear(hidden, 2)

    def forward(self, batch: Sequence[Words]) -> torch.Tensor:
        """Scores [pairs, 2]: neutral, entails."""
        premise = self._projected(self.inputs([pair.premise for pair in batch]))
        hypothesis = self._projected(self.inputs([pair.hypothesis for pair in batch]))
        alike = self.attend(premise.vectors) @ self.attend(hypothesis.vectors).transpose(1, 2)
        alike = alike.float()
        to_hypothesis = _masked(alike, hypothesis.real[:, None, :]).softmax(2) @ hypothesis.vectors
        to_premise = _masked(alike, premise.real[:, :, None]).softmax(1).transpose(1, 2) @ premise.vectors
        compared = [
            self._compared(premise, to_hypothesis, [pair.of_premise for pair in batch]),
            self._compared(hypothesis, to_premise, [pair.of_hypothesis for pair in batch]),
        ]
        scores: torch.Tensor = self.score(self.aggregate(torch.cat(compared, -1)))
        return scores

    def _projected(self, padded: Padded) -> Padded:
        return Padded(self.project(padded.vectors), padded.real)

    def _compared(self, own: Padded, aligned: torch.Tensor, matches: Sequence[Matches]) -> torch.Tensor:
        """The sum of what its words and what they are aligned with make, [pairs, hidden]."""
        parts = [own.vectors, aligned]
        if self.match:
            known = np.zeros((*own.real.shape, 1), np.float32)
            for row, of_text in enumerate(matches):
                known[row, 1 : len(of_text) + 1, 0] = of_text
            parts.append(torch.from_numpy(known).to(aligned.device))
        each: torch.Tensor = self.compare(torch.cat(parts, -1))
        return each.masked_fill(~own.real[..., None], 0.0).sum(1)


def perceptron(inputs: int, hidden: int, dropout: float) -> nn.Sequential:
    """Two layers with ReLU, dropout before each."""
    return nn.Sequential(
        nn.Dropout(dropout), nn.Linear(inputs, hidden), nn.ReLU(),
        nn.Dropout(dropout), nn.Linear(hidden, hidden), nn.ReLU(),
    )  # fmt: skip


def _masked(alike: torch.Tensor, real: torch.Tensor) -> torch.Tensor:
    return alike.masked_fill(~real, -math.inf)


class DecomposableReader:
    """Reads pairs; of a text its first `tokens` words, lower-cased."""

    kind: ClassVar[str] = "decomposable-attention"
    reads: ClassVar[str] = "pairs"
    declared: ClassVar[type[Any]] = DecomposableSettings
    training: ClassVar[Mapping[str, Any]] = {
        "learning_rate": 1e-3,
        "batch": 32,
        "at_once": 32,
        "epochs": 10,
        "weight_decay": 1e-4,
        "warm_up": 0.02,
    }

    def __init__(
        self,
        settings: DecomposableSettings,
        vocabulary: Vocabulary,
        sources: Mapping[str, str],
        seed: int = 0,
    ) -> None:
        self._stems = Analyser("english", "none")
        self.settings = settings
        self.sources = sources
        self._vocabulary = vocabulary
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(seed)
            self.network = DecomposableNetwork(vocabulary, settings)
        self.network.eval()

    @classmethod
    def new(cls, settings: DecomposableSettings, seed: int) -> Self:
        """Weights drawn by `seed`. Raises AssayError when the vectors are missing or can't be read."""
        source = VectorSource(settings.vectors)
        vocabulary = Vocabulary.read(source, settings.vocabulary, settings.unknown)
        return cls(settings, vocabulary, {"vectors": source.fingerprint}, seed)

    @classmethod
    def load(cls, settings: DecomposableSettings, folder: Path) -> Self:
        """What `save` wrote; the weights are not set. Raises AssayError when it is missing or damaged."""
        return cls(settings, Vocabulary.load(folder, settings.unknown), {})

    def save(self, folder: Path) -> None:
        """Write the words with their vectors."""
        self._vocabulary.save(folder)

    def prepare(self, example: Pair) -> Words:
        """The words' numbers, and which match, cut to `tokens`."""
        most = self.settings.tokens
        premise, hypothesis = (
            self._vocabulary.tokens(text)[:most] for text in (example.premise, example.hypothesis)
        )
        return Words(
            self._vocabulary.ids(premise),
            self._vocabulary.ids(hypothesis),
            self._matches(premise, hypothesis),
            self._matches(hypothesis, premise),
        )

    def _matches(self, own: Sequence[str], other: Sequence[str]) -> Matches:
        if not self.settings.match:
            return np.zeros(len(own), np.float32)
        stems = set(map(self._stems.term, other))
        return np.array([self._stems.term(token) in stems for token in own], np.float32)

    def cost(self, prepared: Words) -> int:
        """Words of both texts."""
        return len(prepared.premise) + len(prepared.hypothesis)

    def scores(self, batch: Sequence[Words]) -> list[torch.Tensor]:
        """One float32 tensor a pair: neutral, entails."""
        return list(self.network(batch).float().unbind())

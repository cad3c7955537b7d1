"""Cross-encoder for entailment: a pre-trained encoder reads premise and hypothesis as one sequence.

Devlin et al. 2019 (BERT, section 4.1): what the years since the ARC paper changed about its baselines.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np
import torch

from assay.entailment.pair import Pair
from assay.settings import setting
from assay.solvers.neural.encoder import DEFAULT
from assay.solvers.neural.encoding import POOLINGS, encode, pooled
from assay.solvers.neural.pieces import Pieces, chunks, distinct, kept, padded, places_in
from assay.solvers.neural.scored_encoder import ScoredEncoder


@dataclass(frozen=True)
class CrossEntailmentSettings:
    """What decides how a pair is read."""

    encoder: str = setting(DEFAULT, "pre-trained encoder: minilm, a folder, or a hub's name")
    pieces: int = setting(96, "word pieces of a sequence, marks included", minimum=8)
    pooling: str | None = setting(
        None,
        "what stands for a sequence: the encoder's own pooler (the default where it has one), its first "
        "vector, or the mean of all",
        one_of=POOLINGS,
    )
    dropout: float = setting(0.1, "dropout before the scores", minimum=0, maximum=0.9)
    encoder_dropout: float = setting(0.1, "dropout within the encoder", minimum=0, maximum=0.9)


class CrossNetwork(torch.nn.Module):
    """Encoder, dropout, linear to two numbers: neutral, entails."""

    def __init__(self, encoder: Any, settings: CrossEntailmentSettings) -> None:
        super().__init__()
        self.encoder = encoder
        self.dropout = torch.nn.Dropout(settings.dropout)
        self.score = torch.nn.Linear(int(encoder.config.hidden_size), 2)
        self.pooling = str(settings.pooling)

    def forward(
        self, ids: torch.Tensor, mask: torch.Tensor | None, segments: torch.Tensor | None
    ) -> torch.Tensor:
        """Scores [rows, 2], float32, of sequences int64 [rows, pieces]; `mask` None: nothing is padded."""
        vectors = pooled(encode(self.encoder, ids, mask, segments), mask, self.pooling)
        scores: torch.Tensor = self.score(self.dropout(vectors)).float()
        return scores


class OneSequence(NamedTuple):
    """A pair as one sequence of pieces, and where its hypothesis begins."""

    row: Pieces
    hypothesis_at: int


class CrossEntailmentReader(ScoredEncoder):
    """[CLS] premise [SEP] hypothesis [SEP], segment 1 from the hypothesis on; the longer text is cut."""

    kind: ClassVar[str] = "cross-entailment"
    reads: ClassVar[str] = "pairs"
    declared: ClassVar[type[Any]] = CrossEntailmentSettings
    network_of = CrossNetwork

    def prepare(self, example: Pair) -> OneSequence:
        """The pair as one sequence, cut to `pieces`."""
        return self.prepare_block([example])[0]

    def prepare_block(self, examples: Sequence[Pair]) -> list[OneSequence]:
        """As `prepare`; all texts are tokenised together."""
        texts = [text for pair in examples for text in (pair.premise, pair.hypothesis)]
        found = iter(self._tokenizer.pieces(texts))
        return [self._sequence(next(found), next(found)) for _ in examples]

    def _sequence(self, premise: Pieces, hypothesis: Pieces) -> OneSequence:
        of_premise, of_hypothesis = kept(len(premise), len(hypothesis), self.settings.pieces - 3)
        cls, sep = np.asarray([[self._tokenizer.cls], [self._tokenizer.sep]], np.int32)
        row = np.concatenate([cls, premise[:of_premise], sep, hypothesis[:of_hypothesis], sep])
        return OneSequence(row, of_premise + 2)

    def cost(self, prepared: OneSequence) -> int:
        """Pieces of the sequence."""
        return len(prepared.row)

    def scores(self, batch: Sequence[OneSequence]) -> list[torch.Tensor]:
        """One float32 tensor a pair: neutral, entails. The same sequence is read once."""
        rows, starts = [one.row for one in batch], [one.hypothesis_at for one in batch]
        first, which = distinct(rows, starts)
        parts = chunks([len(rows[place]) for place in first])
        found = torch.cat([self._read([first[n] for n in part], rows, starts) for part in parts])
        return list(found[places_in(parts)[which].to(found.device)].unbind())

    def _read(self, places: Sequence[int], rows: Sequence[Pieces], starts: Sequence[int]) -> torch.Tensor:
        device = self.network.score.weight.device
        ids, mask = padded([rows[place] for place in places], self._tokenizer.pad)
        segments = torch.arange(ids.shape[1])[None, :] >= torch.tensor([starts[p] for p in places])[:, None]
        if mask is not None:
            segments = segments & mask.bool()
            mask = mask.to(device)
        scores: torch.Tensor = self.network(ids.to(device), mask, segments.long().to(device))
        return scores

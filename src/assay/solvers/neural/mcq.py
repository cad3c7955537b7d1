"""BERT-MCQ: an encoder reads context, question and choice as one sequence; its vector becomes a score.

Devlin et al. 2019 (BERT, section 4.4) with the context of Khot et al. 2019 (QASC, section 5.2).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np
import torch

from assay.errors import AssayError
from assay.settings import setting
from assay.solvers.neural.encoder import DEFAULT, Encoder
from assay.solvers.neural.encoding import POOLINGS, encode, pooled
from assay.solvers.neural.pieces import NOTHING, Pieces, chunks, distinct, kept, padded, places_in
from assay.solvers.neural.reader import Example
from assay.solvers.neural.scored_encoder import ScoredEncoder

PARTS = ("context", "stem", "choice")


@dataclass(frozen=True)
class MCQSettings:
    """What decides how a choice is read."""

    encoder: str = setting(DEFAULT, "pre-trained encoder: minilm, a folder, or a hub's name")
    pieces: int = setting(184, "word pieces of a sequence, marks included", minimum=8)
    sentences: int = setting(10, "sentences of evidence a choice, at most", minimum=0)
    pooling: str | None = setting(
        None,
        "what stands for a sequence: the encoder's own pooler (the default where it has one), its first "
        "vector, or the mean of all",
        one_of=POOLINGS,
    )
    dropout: float = setting(0.1, "dropout before the score", minimum=0, maximum=0.9)
    encoder_dropout: float = setting(0.1, "dropout within the encoder", minimum=0, maximum=0.9)
    parts: tuple[str, ...] = setting(PARTS, "what of a question is read: any of context, stem, choice")


class MCQNetwork(torch.nn.Module):
    """Encoder, dropout, linear to one number."""

    def __init__(self, encoder: Any, settings: MCQSettings) -> None:
        super().__init__()
        self.encoder = encoder
        self.dropout = torch.nn.Dropout(settings.dropout)
        self.score = torch.nn.Linear(int(encoder.config.hidden_size), 1)
        self.pooling = str(settings.pooling)

    @property
    def device(self) -> torch.device:
        """Where the weights are."""
        return self.score.weight.device

    def forward(
        self, ids: torch.Tensor, mask: torch.Tensor | None, segments: torch.Tensor | None
    ) -> torch.Tensor:
        """Scores [rows], float32, of sequences int64 [rows, pieces]; `mask` None where nothing is padded."""
        vectors = pooled(encode(self.encoder, ids, mask, segments), mask, self.pooling)
        scores: torch.Tensor = self.score(self.dropout(vectors)).squeeze(-1).float()
        return scores


class Sequences(NamedTuple):
    """An example's sequences, one a choice: pieces, and where segment 1 starts."""

    rows: tuple[Pieces, ...]
    choice_at: tuple[int, ...]


class MCQReader(ScoredEncoder):
    """[CLS] context [SEP] stem [SEP] choice [SEP], segment 1 from the choice on."""

    kind: ClassVar[str] = "mcq"
    declared: ClassVar[type[Any]] = MCQSettings
    network_of = MCQNetwork

    def __init__(self, encoder: Encoder, settings: MCQSettings, sources: Mapping[str, str]) -> None:
        """Raises AssayError for parts that there aren't, or more pieces than the encoder reads."""
        if not settings.parts or not set(settings.parts) <= set(PARTS):
            raise AssayError(f"parts must be any of {', '.join(PARTS)}. Got {list(settings.parts)}.")
        super().__init__(encoder, settings, sources)

    def prepare(self, example: Example) -> Sequences:
        """A sequence a choice, cut to `pieces`."""
        visible = self.settings.parts
        sentences = self.settings.sentences if "context" in visible else 0
        texts = [example.stem, *example.choices]
        texts += [sentence for context in example.contexts for sentence in context[:sentences]]
        known = dict(zip(texts, self._tokenizer.pieces(texts), strict=True))
        rows, choice_at = [], []
        for choice, context in zip(example.choices, example.contexts, strict=True):
            # The best sentence stands last, next to the question: the front is what is cut.
            parts = [np.concatenate([known[text] for text in context[:sentences][::-1]] or [NOTHING])]
            parts.append(known[example.stem] if "stem" in visible else NOTHING)
            row, at = self._sequence(parts, known[choice] if "choice" in visible else NOTHING)
            rows.append(row)
            choice_at.append(at)
        return Sequences(tuple(rows), tuple(choice_at))

    def _sequence(self, parts: Sequence[Pieces], choice: Pieces) -> tuple[Pieces, int]:
        context, stem = parts
        sep = np.asarray([self._tokenizer.sep], np.int32)
        first = np.concatenate([context, sep, stem]) if len(context) else stem
        stays, of_choice = kept(len(first), len(choice), self.settings.pieces - 3)
        cls = np.asarray([self._tokenizer.cls], np.int32)
        row = np.concatenate([cls, first[len(first) - stays :], sep, choice[:of_choice], sep])
        return row, stays + 2

    def cost(self, prepared: Sequences) -> int:
        """Pieces of the longest sequence."""
        return max(map(len, prepared.rows))

    def scores(self, batch: Sequence[Sequences]) -> list[torch.Tensor]:
        """One float32 tensor [choices] an example. The same sequence is read once."""
        rows = [row for sequences in batch for row in sequences.rows]
        starts = [at for sequences in batch for at in sequences.choice_at]
        first, which = distinct(rows, starts)
        parts = chunks([len(rows[place]) for place in first])
        found = torch.cat([self._read([first[n] for n in part], rows, starts) for part in parts])
        scores = found[places_in(parts)[which].to(found.device)]
        return list(scores.split([len(sequences.rows) for sequences in batch]))

    def _read(self, places: Sequence[int], rows: Sequence[Pieces], starts: Sequence[int]) -> torch.Tensor:
        device = self.network.device
        ids, mask = padded([rows[place] for place in places], self._tokenizer.pad)
        segments = torch.arange(ids.shape[1])[None, :] >= torch.tensor([starts[p] for p in places])[:, None]
        if mask is not None:
            segments = segments & mask.bool()
            mask = mask.to(device)
        scores: torch.Tensor = self.network(ids.to(device), mask, segments.long().to(device))
        return scores

"""The network of ESIM (Chen et al. 2017, "Enhanced LSTM for natural language inference", sequential)."""

from __future__ import annotations

import math

import torch
from torch import nn


class BiLSTM(nn.Module):
    """An LSTM in each direction over sequences of any lengths: [rows, width, inputs] to [.., 2 * hidden].

    The second reads each sequence turned round within its own length, so that padding, which follows it, is
    met by neither before the sequence ends. What comes out at padded places means nothing.
    """

    def __init__(self, inputs: int, hidden: int) -> None:
        super().__init__()
        self.forwards = nn.LSTM(inputs, hidden, batch_first=True)
        self.backwards = nn.LSTM(inputs, hidden, batch_first=True)

    def forward(self, vectors: torch.Tensor, lengths: torch.Tensor) -> torch.Tensor:
        """`lengths` int64 [rows], each at least 1."""
        places = torch.arange(vectors.shape[1], device=vectors.device)[None, :]
        turned = torch.where(places < lengths[:, None], lengths[:, None] - 1 - places, places)[..., None]
        onward, _ = self.forwards(vectors)
        back, _ = self.backwards(vectors.gather(1, turned.expand(-1, -1, vectors.shape[2])))
        return torch.cat([onward, back.gather(1, turned.expand(-1, -1, back.shape[2]))], -1)


class ESIMNetwork(nn.Module):
    """Encoding, soft alignment, composition, pooling, and a perceptron down to one score a pair."""

    def __init__(self, inputs: int, hidden: int, dropout: float) -> None:
        super().__init__()
        self.encoding = BiLSTM(inputs, hidden)
        self.projection = nn.Linear(8 * hidden, hidden)
        self.composition = BiLSTM(hidden, hidden)
        self.inner = nn.Linear(8 * hidden, hidden)
        self.score = nn.Linear(hidden, 1)
        self.dropout = nn.Dropout(dropout)

    def encode(self, vectors: torch.Tensor, lengths: torch.Tensor) -> torch.Tensor:
        """[rows, width, inputs] to [rows, width, 2 * hidden] (section 3.1)."""
        encoded: torch.Tensor = self.encoding(self.dropout(vectors), lengths)
        return encoded

    def forward(
        self,
        premises: torch.Tensor,
        premise_lengths: torch.Tensor,
        choices: torch.Tensor,
        choice_lengths: torch.Tensor,
    ) -> torch.Tensor:
        """Scores [pairs] of encoded premises [pairs, p, 2 * hidden] and choices [pairs, c, 2 * hidden]."""
        in_premise = real(premise_lengths, premises.shape[1])
        in_choice = real(choice_lengths, choices.shape[1])
        alike = premises @ choices.transpose(1, 2)
        to_choice = alike.masked_fill(~in_choice[:, None, :], -math.inf).softmax(2) @ choices
        to_premise = (
            alike.masked_fill(~in_premise[:, :, None], -math.inf).softmax(1).transpose(1, 2) @ premises
        )
        pooled = [
            self._composed(premises, to_choice, premise_lengths, in_premise),
            self._composed(choices, to_premise, choice_lengths, in_choice),
        ]
        inner = torch.tanh(self.inner(self.dropout(torch.cat(pooled, -1))))
        scores: torch.Tensor = self.score(self.dropout(inner)).squeeze(-1)
        return scores

    def _composed(
        self, own: torch.Tensor, aligned: torch.Tensor, lengths: torch.Tensor, mask: torch.Tensor
    ) -> torch.Tensor:
        """Local inference (3.2), composed (3.3): mean and maximum over places, [pairs, 4 * hidden]."""
        compared = torch.cat([own, aligned, own - aligned, own * aligned], -1)
        projected = self.dropout(torch.relu(self.projection(compared)))
        states = self.composition(projected, lengths)
        shown = mask[..., None]
        mean = states.masked_fill(~shown, 0).sum(1) / lengths[:, None]
        return torch.cat([mean, states.masked_fill(~shown, -math.inf).amax(1)], -1)


def real(lengths: torch.Tensor, width: int) -> torch.Tensor:
    """Which places aren't padding: bool [rows, width]."""
    return torch.arange(width, device=lengths.device)[None, :] < lengths[:, None]

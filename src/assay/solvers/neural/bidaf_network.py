"""The network of BiDAF (Seo et al. 2017, "Bidirectional attention flow ...", section 2)."""

from __future__ import annotations

import math

import torch
from torch import nn

from assay.solvers.neural.esim_network import BiLSTM, real

CHARACTER = 16
"""Numbers of a character's vector."""
WIDTH = 5
"""Characters that a filter sees at once, the paper's."""


class CharacterCNN(nn.Module):
    """Words from their characters (section 2, layer 1): filters over neighbours, the maximum over places."""

    def __init__(self, characters: int, filters: int) -> None:
        super().__init__()
        self.embedding = nn.Embedding(characters, CHARACTER, padding_idx=0)
        self.filters = nn.Conv1d(CHARACTER, filters, WIDTH, padding=WIDTH // 2)

    def forward(self, characters: torch.Tensor) -> torch.Tensor:
        """Characters int64 [words, longest], 0 behind a word's end, to [words, filters]."""
        found = torch.relu(self.filters(self.embedding(characters).transpose(1, 2)))
        # A place behind the end counts 0, the least there is: how long other words are changes nothing.
        shown: torch.Tensor = found.masked_fill((characters == 0)[:, None, :], 0).amax(2)
        return shown


class Highway(nn.Module):
    """Layers that let part of their input through (Srivastava et al. 2015): [.., size] to the same."""

    def __init__(self, size: int, layers: int = 2) -> None:
        super().__init__()
        self.changes = nn.ModuleList(nn.Linear(size, size) for _ in range(layers))
        self.gates = nn.ModuleList(nn.Linear(size, size) for _ in range(layers))
        for gate in self.gates:
            nn.init.constant_(gate.bias, -1.0)  # type: ignore[arg-type]

    def forward(self, vectors: torch.Tensor) -> torch.Tensor:
        """Each layer: gate * change + (1 - gate) * input."""
        for change, gate in zip(self.changes, self.gates, strict=True):
            vectors = torch.lerp(vectors, torch.relu(change(vectors)), torch.sigmoid(gate(vectors)))
        return vectors


class AttentionFlow(nn.Module):
    """Passage and question, each told of the other (section 2, layer 4)."""

    def __init__(self, size: int) -> None:
        super().__init__()
        self.of_passage = nn.Linear(size, 1, bias=False)
        self.of_question = nn.Linear(size, 1, bias=False)
        self.of_both = nn.Parameter(torch.empty(size).uniform_(-1, 1) / math.sqrt(size))

    def similarity(self, passage: torch.Tensor, question: torch.Tensor) -> torch.Tensor:
        """w . [h; u; h * u] of each pair: [rows, t, size] and [rows, j, size] to [rows, t, j]."""
        both = (passage * self.of_both) @ question.transpose(1, 2)
        alike: torch.Tensor = both + self.of_passage(passage) + self.of_question(question).transpose(1, 2)
        return alike

    def forward(
        self,
        passage: torch.Tensor,
        question: torch.Tensor,
        in_passage: torch.Tensor,
        in_question: torch.Tensor,
    ) -> torch.Tensor:
        """[h; u~; h * u~; h * h~] for each token of the passage: [rows, t, 4 * size]. Masks: bool."""
        alike = self.similarity(passage, question).masked_fill(~in_question[:, None, :], -math.inf)
        to_question = alike.softmax(2) @ question
        strongest = alike.amax(2).masked_fill(~in_passage, -math.inf).softmax(1)
        to_passage = strongest[:, None, :] @ passage
        return torch.cat([passage, to_question, passage * to_question, passage * to_passage], -1)


class LockedDropout(nn.Module):
    """Dropout of the same numbers at every token of a row (Gal and Ghahramani 2016): cheap, for LSTMs."""

    def __init__(self, share: float) -> None:
        super().__init__()
        self.share = share

    def forward(self, vectors: torch.Tensor) -> torch.Tensor:
        """[rows, width, size] to the same; as it is where nothing is trained."""
        if not self.training or not self.share:
            return vectors
        mask = torch.empty(len(vectors), 1, vectors.shape[2], device=vectors.device).bernoulli_(
            1 - self.share
        )
        return vectors * (mask / (1 - self.share))


class BiDAFNetwork(nn.Module):
    """Vectors of passage and question to where the answer starts and ends."""

    def __init__(self, inputs: int, hidden: int, dropout: float) -> None:
        super().__init__()
        self.contextual = BiLSTM(inputs, hidden)
        self.attention = AttentionFlow(2 * hidden)
        self.modelling = nn.ModuleList([BiLSTM(8 * hidden, hidden), BiLSTM(2 * hidden, hidden)])
        self.ending = BiLSTM(2 * hidden, hidden)
        # A bias would change nothing: the softmax over tokens takes it away.
        self.start = nn.Linear(10 * hidden, 1, bias=False)
        self.end = nn.Linear(10 * hidden, 1, bias=False)
        self.dropout = LockedDropout(dropout)

    def forward(
        self,
        passage: torch.Tensor,
        passage_lengths: torch.Tensor,
        question: torch.Tensor,
        question_lengths: torch.Tensor,
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """Logarithms of the probabilities of start and end, float32 [rows, t] each; -inf at padding.

        `passage`, `question`: [rows, width, inputs]; lengths int64 [rows], each at least 1.
        """
        in_passage = real(passage_lengths, passage.shape[1])
        in_question = real(question_lengths, question.shape[1])
        h = self.contextual(self.dropout(passage), passage_lengths)
        u = self.contextual(self.dropout(question), question_lengths)
        # What an LSTM says behind a sequence's end means nothing, and nothing may come of it.
        h, u = h * in_passage[..., None], u * in_question[..., None]
        g = self.attention(h, u, in_passage, in_question)
        m = g
        for layer in self.modelling:
            m = layer(self.dropout(m), passage_lengths)
        m2 = self.ending(self.dropout(m), passage_lengths)
        starts = self.start(self.dropout(torch.cat([g, m], -1))).squeeze(-1)
        ends = self.end(self.dropout(torch.cat([g, m2], -1))).squeeze(-1)
        return _log_softmax(starts, in_passage), _log_softmax(ends, in_passage)


def _log_softmax(logits: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
    return logits.float().masked_fill(~mask, -math.inf).log_softmax(1)


def inside(starts: torch.Tensor, ends: torch.Tensor, longest: int) -> torch.Tensor:
    """The probability of each token to lie within the span, over all spans of at most `longest` tokens: [t].

    `starts`, `ends` as for `best_span`. A span's probability is its start's times its end's, of their sum.
    """
    at, total = torch.zeros(len(starts) + 1, dtype=torch.float64), 0.0
    for more in range(min(longest, len(starts))):
        spans = (starts[: len(starts) - more] + ends[more:]).double().exp()
        at[: len(spans)] += spans
        at[more + 1 :] -= spans
        total += float(spans.sum())
    return at.cumsum(0)[:-1].clamp(min=0) / total


def best_span(starts: torch.Tensor, ends: torch.Tensor, longest: int) -> tuple[int, int, float]:
    """First and last token of the likeliest span of at most `longest` tokens, and its probability.

    `starts`, `ends`: logarithms of probabilities, [t], t at least 1. Of equal spans the shortest, of these
    the first.
    """
    best: tuple[int, int, float] = (0, 0, -math.inf)
    for more in range(min(longest, len(starts))):
        together = starts[: len(starts) - more] + ends[more:]
        place = int(together.argmax())
        score = float(together[place])
        if score > best[2]:
            best = place, place + more, score
    return best[0], best[1], math.exp(best[2])

"""DGEM's network: nodes and edges of the hypothesis, each aligned with the premise.

Khot et al. 2018, section 4. Words are projected, w = W x. With F a perceptron, a word w of the hypothesis is
aligned with the premise's words p_j as a(w) = sum_j softmax_j(F(w) . F(p_j)) p_j. A node is the mean of its
words, n, its aligned encoding the mean of theirs, a. Then

    node:  c = G([a; n; a - n; a * n])              two scores: neutral, entails
    edge:  e = H([a of the source; label; a of the target])
    pair:  mean of c over the nodes + mean of e over the edges

Where the paper leaves it open: the alignment is by word, not by node, so that each word of a long phrase
finds its own; scores, not probabilities, are averaged.

Not in the paper, each by a setting: a node is judged by the mean of its words' comparisons C([a(w); w; a(w) -
w; a(w) * w]) too (`words`); whether a word's stem stands in the premise is read (`match`); a word attends
more to those of its own stem, by a trained number (`align_stems`); words have vectors in their context too
(`contextual`; the released code has an LSTM read the premise).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import torch
from torch import nn

from assay.solvers.neural.contextual import Vectors
from assay.solvers.neural.decomposable_attention import perceptron
from assay.solvers.neural.vocabulary import Ids, Vocabulary
from assay.solvers.neural.word_inputs import WordInputs

STEM_WEIGHT = 2.0
"""What `align_stems` begins with: such a word outweighs e^2 = 7 others that are as alike."""

Same = np.ndarray[tuple[int, ...], np.dtype[np.bool_]]
Places = np.ndarray[tuple[int, ...], np.dtype[np.int64]]


class Graph(NamedTuple):
    """A prepared pair.

    `premise`, `hypothesis`: numbers of words, int32 [n]. `members`: int64 [2, m], the node and the word
    (from 0) of each word in a node. `edges`: int64 [3, e], source node, number of the label, target node.
    `matches`: float32 [nodes], the share of a node's words whose stem stands in the premise. `same`: bool
    [words of the hypothesis, words of the premise], which have the same stem. `contexts`: the words' vectors
    in context, of the premise and of the hypothesis, float16 [words, d]; None where there are none.
    """

    premise: Ids
    hypothesis: Ids
    members: Places
    edges: Places
    matches: np.ndarray[tuple[int, ...], np.dtype[np.float32]]
    same: Same
    contexts: tuple[Vectors, Vectors] | None = None

    @property
    def stand(self) -> Same:
        """bool [words of the hypothesis]: whose stem stands in the premise."""
        found: Same = self.same.max(1, initial=False)
        return found

    @property
    def nodes(self) -> int:
        """How many there are."""
        return len(self.matches)


class DGEMNetwork(nn.Module):
    """`match`: what share of a node's words stands in the premise is read beside their vectors.

    `words`: a node is shown the mean of its words' comparisons. `align_stems`: words of one stem attend to
    each other by a trained number more. `contextual`: numbers of a word's vector in context, 0 for none.
    """

    def __init__(
        self,
        vocabulary: Vocabulary,
        *,
        labels: int,
        hidden: int,
        label_size: int,
        dropout: float,
        match: bool,
        words: bool = False,
        align_stems: bool = False,
        contextual: int = 0,
    ) -> None:
        super().__init__()
        self.match, self.words, self.align_stems = match, words, align_stems
        self.contextual = bool(contextual)
        self.inputs = WordInputs(vocabulary, contextual)
        self.project = nn.Linear(self.inputs.dimension, hidden, bias=False)
        self.attend = perceptron(hidden, hidden, dropout)
        self.labels = nn.Embedding(labels, label_size)
        self.node = _judge((5 if words else 4) * hidden + match, hidden, dropout)
        self.edge = _judge(2 * hidden + label_size + 2 * match, hidden, dropout)
        # After the others, so that these are drawn as they were before there were such settings.
        if words:
            self.compare = perceptron(4 * hidden + match, hidden, dropout)
        if align_stems:
            self.stem_weight = nn.Parameter(torch.tensor([STEM_WEIGHT]))

    def forward(self, batch: Sequence[Graph]) -> torch.Tensor:
        """Scores [pairs, 2]: neutral, entails; 0 and 0 for a pair without a node."""
        words, aligned = self._aligned(batch)
        count = sum(graph.nodes for graph in batch)
        numbers, pairs, places = _members(batch, words.device)
        of_words, of_aligned = words[pairs, places], aligned[pairs, places]
        nodes, found = (_means(part, numbers, count) for part in (of_words, of_aligned))
        shown = _shown(found, nodes)
        matches = torch.from_numpy(np.concatenate([graph.matches for graph in batch])).to(words.device)[
            :, None
        ]
        of_node = torch.tensor(
            [row for row, graph in enumerate(batch) for _ in range(graph.nodes)], device=words.device
        )
        if self.match:
            shown.append(matches)
        if self.words:
            compared = _shown(of_aligned, of_words)
            if self.match:
                compared.append(_word_matches(batch, words.device))
            shown.append(_means(self.compare(torch.cat(compared, -1)), numbers, count))
        judged = self.node(torch.cat(shown, -1))
        scores = _means(judged, of_node, len(batch))
        sources, labels, targets, of_edge = _edges(batch, words.device)
        joined = [found[sources], self.labels(labels), found[targets]]
        if self.match:
            joined += [matches[sources], matches[targets]]
        return scores + _means(self.edge(torch.cat(joined, -1)), of_edge, len(batch))

    def _aligned(self, batch: Sequence[Graph]) -> tuple[torch.Tensor, torch.Tensor]:
        """The hypotheses' words, and what they are aligned with: both [pairs, words, hidden].

        A word that corresponds to nothing can be aligned with the NULL that the premise begins with; the
        hypothesis's own NULL stands in no node.
        """
        contexts = [graph.contexts for graph in batch if graph.contexts is not None]
        of_premise, of_hypothesis = zip(*contexts, strict=True) if self.contextual else (None, None)
        premise = self.inputs([graph.premise for graph in batch], of_premise)
        hypothesis = self.inputs([graph.hypothesis for graph in batch], of_hypothesis)
        ours, theirs = self.project(hypothesis.vectors), self.project(premise.vectors)
        alike = (self.attend(ours) @ self.attend(theirs).transpose(1, 2)).float()
        if self.align_stems:
            alike = alike + self.stem_weight * _same(batch, alike)
        alike = alike.masked_fill(~premise.real[:, None, :], -math.inf)
        return ours.float(), (alike.softmax(2) @ theirs.float())


def _shown(found: torch.Tensor, own: torch.Tensor) -> list[torch.Tensor]:
    return [found, own, found - own, found * own]


def _judge(inputs: int, hidden: int, dropout: float) -> nn.Sequential:
    return nn.Sequential(perceptron(inputs, hidden, dropout), nn.Linear(hidden, 2))


def _members(batch: Sequence[Graph], device: torch.device) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Of each word in a node: the node's number in the batch, its pair, and its place there."""
    starts = np.cumsum([0, *(graph.nodes for graph in batch)])
    pairs = np.repeat(np.arange(len(batch)), [graph.members.shape[1] for graph in batch])
    node, word = np.concatenate([graph.members for graph in batch], 1)
    # Place 0 is NULL.
    number, pair, place = (
        torch.from_numpy(array).to(device) for array in (node + starts[pairs], pairs, word + 1)
    )
    return number, pair, place


def _word_matches(batch: Sequence[Graph], device: torch.device) -> torch.Tensor:
    """Of each word in a node, in the order of `_members`: 1 if its stem stands in the premise, [words, 1]."""
    each = [graph.stand[graph.members[1]] for graph in batch]
    return torch.from_numpy(np.concatenate(each).astype(np.float32)).to(device)[:, None]


def _same(batch: Sequence[Graph], alike: torch.Tensor) -> torch.Tensor:
    """1 where two words have the same stem, of the shape of `alike`; a NULL is like none."""
    found = np.zeros(tuple(alike.shape), np.float32)
    for row, graph in enumerate(batch):
        ours, theirs = graph.same.shape
        found[row, 1 : ours + 1, 1 : theirs + 1] = graph.same
    return torch.from_numpy(found).to(alike.device)


def _edges(
    batch: Sequence[Graph], device: torch.device
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]:
    """Source, label, target and pair of every edge; sources and targets by their number in the batch."""
    starts = np.cumsum([0, *(graph.nodes for graph in batch)])
    rows = np.repeat(np.arange(len(batch)), [graph.edges.shape[1] for graph in batch])
    source, label, target = np.concatenate([graph.edges for graph in batch], 1)
    first = starts[rows]
    begin, named, end, row = (
        torch.from_numpy(array).to(device) for array in (source + first, label, target + first, rows)
    )
    return begin, named, end, row


def _means(values: torch.Tensor, of: torch.Tensor, count: int) -> torch.Tensor:
    """The mean of the values [n, d] that belong to each of `count`, [count, d]; 0 where none do."""
    values = values.float()
    total = values.new_zeros(count, values.shape[1]).index_add(0, of, values)
    sizes = torch.bincount(of, minlength=count).clamp(min=1)
    return total / sizes[:, None]

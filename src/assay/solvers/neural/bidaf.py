"""BiDAF: which span of a passage answers a question? (Seo et al. 2017; Clark et al. 2018, section 5.)"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np
import torch

from assay.passages.exactness import f1
from assay.passages.passage import PassageQuestion, Span
from assay.passages.places import reachable
from assay.passages.tokens import Tokens, tokens
from assay.settings import setting
from assay.solvers.neural.bidaf_network import BiDAFNetwork, CharacterCNN, Highway, best_span, inside
from assay.solvers.neural.vocabulary import Vocabulary
from assay.text.analysis import Analyser, normalise
from assay.text.vectors import DEFAULT, PACKAGED, VectorSource

CHARACTERS = 256
"""Numbers of characters: 0 for none, ASCII as it is, all others hashed to the upper half."""
LETTERS = 16
"""Characters that are read of a word."""
KEPT = 1024
"""Passages whose numbers are remembered: questions about one follow each other."""


@dataclass(frozen=True)
class BiDAFSettings:
    """What decides how a passage is read."""

    vectors: str = setting(DEFAULT, f"static vectors: {', '.join(PACKAGED)}, or a file of any known format")
    vocabulary: int = setting(400_000, "words kept, the first of the file of vectors", minimum=1)
    unknown: int = setting(64, "trained vectors that words without one are hashed to", minimum=1)
    filters: int = setting(50, "filters over a word's characters (the paper: 100)", minimum=1)
    hidden: int = setting(64, "numbers of an LSTM's state, each direction (the paper: 100)", minimum=1)
    dropout: float = setting(0.3, "dropout of every layer's input (the paper: 0.2)", minimum=0, maximum=0.9)
    matched: bool = setting(
        True, "mark words whose stem stands in the other text too (Chen et al. 2017); the paper doesn't"
    )
    tokens: int = setting(500, "tokens read of a passage, its first", minimum=1)
    question_tokens: int = setting(80, "tokens read of a question, its last", minimum=1)
    longest: int = setting(20, "tokens of the longest span that is answered", minimum=1)


class Text(NamedTuple):
    """A text's tokens: what tells equal ones int64 [n], words' numbers int32 [n], letters uint8 [n, 16].

    `stems`: what tells equal stems int64 [n]; 0 for stop words and signs.
    """

    forms: np.ndarray[Any, Any]
    words: np.ndarray[Any, Any]
    letters: np.ndarray[Any, Any]
    stems: np.ndarray[Any, Any]


class PreparedPassage(NamedTuple):
    """A passage and its question as numbers, and where the passage's tokens stand in it."""

    passage: Text
    question: Text
    tokens: Tokens


class SpanNetwork(torch.nn.Module):
    """BiDAF with its words: fixed vectors beside those made of characters, through the highway."""

    def __init__(self, vocabulary: Vocabulary, settings: BiDAFSettings) -> None:
        super().__init__()
        inputs = vocabulary.dimension + settings.filters
        self.characters = CharacterCNN(CHARACTERS, settings.filters)
        self.highway = Highway(inputs)
        self.bidaf = BiDAFNetwork(inputs + settings.matched, settings.hidden, settings.dropout)
        spread = float(vocabulary.vectors.astype(np.float32).std()) if vocabulary.words else 0.0
        self.unknown = torch.nn.Parameter(spread * torch.randn(vocabulary.unknown, vocabulary.dimension))
        self.nothing = torch.nn.Parameter(0.1 * torch.randn(1, inputs))


class BiDAFReader:
    """Where in its passage a question's answer starts and ends."""

    kind: ClassVar[str] = "bidaf"
    declared: ClassVar[type[Any]] = BiDAFSettings
    reads: ClassVar[str] = "passages"
    training: ClassVar[Mapping[str, Any]] = {
        "learning_rate": 2e-3,
        "warm_up": 0.05,
        "clip": 5.0,
        "epochs": 12,
        "batch": 32,
        "at_once": 32,
    }

    def __init__(
        self, settings: BiDAFSettings, vocabulary: Vocabulary, sources: Mapping[str, str], seed: int = 0
    ) -> None:
        self.settings = settings
        self.sources = sources
        self._vocabulary = vocabulary
        self._fixed = torch.from_numpy(vocabulary.vectors)
        self._analyser = Analyser()
        self._text = lru_cache(KEPT)(self._numbers)
        self._form = lru_cache(1 << 16)(self._numbers_of_token)
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(seed)
            self.network = SpanNetwork(vocabulary, settings)
        self.network.eval()

    @classmethod
    def new(cls, settings: BiDAFSettings, seed: int) -> Self:
        """Weights drawn by `seed`. Raises AssayError when the vectors are missing."""
        source = VectorSource(settings.vectors)
        vocabulary = Vocabulary.read(source, settings.vocabulary, settings.unknown)
        return cls(settings, vocabulary, {"vectors": source.fingerprint}, seed)

    @classmethod
    def load(cls, settings: BiDAFSettings, folder: Path) -> Self:
        """What `save` wrote; the weights are not set. Raises AssayError when it is missing or damaged."""
        return cls(settings, Vocabulary.load(folder, settings.unknown), {})

    def save(self, folder: Path) -> None:
        """Write the words with their vectors."""
        self._vocabulary.save(folder)

    def prepare(self, example: PassageQuestion) -> PreparedPassage:
        """The tokens of passage and question, cut to those that are read."""
        cut = tokens(example.passage).first(self.settings.tokens)
        asked = tokens(example.question).words[-self.settings.question_tokens :]
        return PreparedPassage(self._text(tuple(cut.words)), self._numbers(asked), cut)

    def _numbers(self, words: Sequence[str]) -> Text:
        found = [self._form(word) for word in words]
        return Text(
            np.array([form for form, _, _, _ in found], np.int64),
            np.array([number for _, number, _, _ in found], np.int32),
            np.array([letters for _, _, letters, _ in found], np.uint8).reshape(len(found), LETTERS),
            np.array([stem for _, _, _, stem in found], np.int64),
        )

    def _numbers_of_token(self, token: str) -> tuple[int, int, tuple[int, ...], int]:
        stems = self._analyser.content(token)
        letters = [ord(one) if 0 < ord(one) < 128 else 128 + ord(one) % 128 for one in token[:LETTERS]]
        (number,) = self._vocabulary.ids([normalise(token)])
        stem = _digest(stems[0]) if stems else 0
        return _digest(token), int(number), (*letters, *[0] * (LETTERS - len(letters))), stem

    def cost(self, prepared: PreparedPassage) -> int:
        """Tokens of the passage."""
        return len(prepared.tokens)

    def scores(self, batch: Sequence[PreparedPassage]) -> list[torch.Tensor]:
        """Logarithms of the probabilities of start (row 0) and end (row 1), float32 [2, tokens] an example.

        A passage without tokens has one that stands for nothing.
        """
        starts, ends = self._ends(batch)
        lengths = [max(len(one.tokens), 1) for one in batch]
        return [torch.stack([s[:n], e[:n]]) for s, e, n in zip(starts, ends, lengths, strict=True)]

    def loss(self, batch: Sequence[PreparedPassage], keys: Sequence[Sequence[Span]]) -> torch.Tensor:
        """Minus the logarithm of the probability of any reference, summed over the batch, float32.

        With one reference that is the paper's sum of two cross-entropies. An example none of whose references
        lies within the tokens that are read counts 0.
        """
        starts, ends = self._ends(batch)
        known = [reachable(one.tokens, key) for one, key in zip(batch, keys, strict=True)]
        most = max(map(len, known), default=0)
        if not most:
            return 0 * (starts[:, 0] + ends[:, 0]).sum()
        rows = [place for place, spans in enumerate(known) if spans]
        padded = [[*known[row], *[(0, 0)] * (most - len(known[row]))] for row in rows]
        counted = torch.tensor([[place < len(known[row]) for place in range(most)] for row in rows])
        places = torch.tensor(padded, device=starts.device)
        which = torch.tensor(rows, device=starts.device)[:, None]
        together = starts[which, places[..., 0]] + ends[which, places[..., 1]]
        return -together.masked_fill(~counted.to(starts.device), -torch.inf).logsumexp(1).sum()

    def points(self, batch: Sequence[PreparedPassage], keys: Sequence[Sequence[Span]]) -> list[float]:
        """F1 of each example's likeliest span."""
        found = (self.answer(one, scores) for one, scores in zip(batch, self.scores(batch), strict=True))
        return [f1(span.text, [s.text for s in key]) for (span, _), key in zip(found, keys, strict=True)]

    def answer(self, prepared: PreparedPassage, scores: torch.Tensor) -> tuple[Span, float]:
        """The likeliest span by `scores`, and its probability; of a passage without tokens the empty one."""
        if not len(prepared.tokens):
            return Span(0, ""), 1.0
        first, last, probability = best_span(scores[0], scores[1], self.settings.longest)
        return prepared.tokens.span(first, last), probability

    def inside(self, prepared: PreparedPassage, scores: torch.Tensor) -> list[float]:
        """The probability of each token of the passage to lie within the span, over all spans."""
        return inside(scores[0], scores[1], self.settings.longest).tolist() if len(prepared.tokens) else []

    def _ends(self, batch: Sequence[PreparedPassage]) -> tuple[torch.Tensor, torch.Tensor]:
        passages, questions = [one.passage for one in batch], [one.question for one in batch]
        vectors, places = self._embedded([*passages, *questions])
        split = sum(len(text.forms) for text in passages)
        found: tuple[torch.Tensor, torch.Tensor] = self.network.bidaf(
            *self._padded(passages, questions, vectors, places[:split]),
            *self._padded(questions, passages, vectors, places[split:]),
        )
        return found

    def _embedded(self, texts: Sequence[Text]) -> tuple[torch.Tensor, torch.Tensor]:
        """Vectors [distinct, inputs] of the distinct tokens, and which each token has, int64 [tokens]."""
        network = self.network
        device = network.nothing.device
        forms = np.concatenate([text.forms for text in texts])
        if not len(forms):
            return network.nothing, torch.zeros(0, dtype=torch.int64, device=device)
        _, first, places = np.unique(forms, return_index=True, return_inverse=True)
        letters = np.concatenate([text.letters for text in texts])[first].astype(np.int64)
        longest = max(int((letters > 0).sum(1).max()), 1)
        ids = torch.from_numpy(np.concatenate([text.words for text in texts])[first]).long().to(device)
        made = network.characters(torch.from_numpy(letters[:, :longest]).to(device))
        vectors: torch.Tensor = network.highway(torch.cat([self._word_vectors(ids), made], -1))
        return vectors, torch.from_numpy(places.reshape(-1)).to(device)

    def _word_vectors(self, ids: torch.Tensor) -> torch.Tensor:
        """Vectors [words, dimension] of known and unknown words, float32."""
        known = len(self._vocabulary.words)
        unknown = self.network.unknown[(ids - known).clamp(min=0)]
        if not known:
            return unknown
        if self._fixed.device != ids.device:
            self._fixed = self._fixed.to(ids.device)
        return torch.where((ids < known)[:, None], self._fixed[ids.clamp(max=known - 1)].float(), unknown)

    def _padded(
        self, texts: Sequence[Text], others: Sequence[Text], vectors: torch.Tensor, places: torch.Tensor
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """Vectors [texts, width, inputs] and lengths; a text without tokens has one that says so.

        The last of the inputs is whether a token's stem stands in the other text, where that is marked.
        """
        counts = np.array([len(text.forms) for text in texts])
        width = max(int(counts.max()), 1)
        rows, columns = np.nonzero(np.arange(width)[None, :] < counts[:, None])
        padded = vectors.new_zeros(len(texts), width, vectors.shape[1])
        where = torch.from_numpy(rows).to(vectors.device), torch.from_numpy(columns).to(vectors.device)
        padded = padded.index_put(where, vectors[places])
        empty = torch.from_numpy(np.flatnonzero(counts == 0)).to(vectors.device)
        if len(empty):
            padded = padded.index_put(
                (empty, torch.zeros_like(empty)), self.network.nothing.to(padded.dtype).expand(len(empty), -1)
            )
        if self.settings.matched:
            marks = padded.new_zeros(len(texts), width, 1)
            both = zip(texts, others, strict=True)
            found = np.concatenate(
                [np.isin(one.stems, other.stems) & (one.stems != 0) for one, other in both]
            )
            marks[where] = torch.from_numpy(found).to(padded)[:, None]
            padded = torch.cat([padded, marks], -1)
        return padded, torch.from_numpy(counts).clamp(min=1).to(vectors.device)


def _digest(text: str) -> int:
    """64 bits that tell a text from others; never 0."""
    found = hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(found, "little", signed=True) or 1

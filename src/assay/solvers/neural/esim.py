"""ESIM Q2Choice: does the question entail the choice? (Mihaylov et al. 2018, section 4; QASC, section 7.)"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np
import torch

from assay.errors import AssayError
from assay.settings import setting
from assay.solvers.neural.contextual import ContextualWords, Vectors
from assay.solvers.neural.encoder import load_encoder
from assay.solvers.neural.esim_network import ESIMNetwork
from assay.solvers.neural.mcq import PARTS
from assay.solvers.neural.reader import Example
from assay.solvers.neural.vocabulary import Ids, Vocabulary
from assay.text.vectors import DEFAULT, PACKAGED, VectorSource

ENCODER = "encoder"
"""Where in a model folder the contextual encoder lies."""


@dataclass(frozen=True)
class ESIMSettings:
    """What decides how a choice is read."""

    vectors: str | None = setting(
        DEFAULT,
        f"static vectors: {', '.join(PACKAGED)}, or a file of any known format; none: contextual only",
    )
    contextual: str | None = setting(
        None, "encoder whose frozen vectors stand beside the static ones: minilm, a folder, or a hub's name"
    )
    vocabulary: int = setting(400_000, "words kept, the first of the file of vectors", minimum=1)
    unknown: int = setting(64, "trained vectors that words without one are hashed to", minimum=1)
    tuned: bool = setting(False, "train the words' vectors too; best with a smaller vocabulary")
    hidden: int = setting(100, "numbers of an LSTM's state, each direction (the paper: 300)", minimum=1)
    dropout: float = setting(0.3, "dropout of every layer's input", minimum=0, maximum=0.9)
    tokens: int = setting(100, "tokens read of a premise (its end) and of a choice (its start)", minimum=1)
    sentences: int = setting(0, "best sentences of evidence that stand before the question", minimum=0)
    parts: tuple[str, ...] = setting(PARTS, "what of a question is read: any of context, stem, choice")


class Text(NamedTuple):
    """A text in parts, each encoded for itself, and which of its tokens are kept."""

    parts: tuple[str, ...]
    kept: slice


class Words(NamedTuple):
    """A text: its words' numbers int32 [n], and their contextual vectors float16 [n, d], if there are any."""

    ids: Ids
    context: Vectors | None


class Pairs(NamedTuple):
    """An example: distinct premises, the choices, and for each choice the place of its premise."""

    premises: tuple[Words, ...]
    choices: tuple[Words, ...]
    premise_of: tuple[int, ...]


class WordNetwork(torch.nn.Module):
    """ESIM over words: its trained vectors for unknown words and for a text without words."""

    def __init__(self, vocabulary: Vocabulary, contextual: int, settings: ESIMSettings) -> None:
        super().__init__()
        inputs = vocabulary.dimension + contextual
        self.esim = ESIMNetwork(inputs, settings.hidden, settings.dropout)
        spread = float(vocabulary.vectors.astype(np.float32).std()) if vocabulary.words else 0.0
        self.unknown = torch.nn.Parameter(spread * torch.randn(vocabulary.unknown, vocabulary.dimension))
        self.nothing = torch.nn.Parameter(0.1 * torch.randn(1, inputs))
        self.words: torch.nn.Parameter | None = None
        if settings.tuned:
            self.words = torch.nn.Parameter(torch.from_numpy(vocabulary.vectors.astype(np.float32)))


class ESIMReader:
    """Premise: the question, behind its evidence if any. Hypothesis: the choice. One score a pair."""

    kind: ClassVar[str] = "esim"
    declared: ClassVar[type[Any]] = ESIMSettings

    def __init__(
        self,
        settings: ESIMSettings,
        vocabulary: Vocabulary,
        contextual: ContextualWords | None,
        sources: Mapping[str, str],
        seed: int = 0,
    ) -> None:
        """Raises AssayError for parts that there aren't, or vectors to tune where there are none."""
        if not settings.parts or not set(settings.parts) <= set(PARTS):
            raise AssayError(f"parts must be any of {', '.join(PARTS)}. Got {list(settings.parts)}.")
        if settings.tuned and settings.vectors is None:
            raise AssayError("tuned = true, but there are no static vectors to tune")
        self.settings = settings
        self.sources = sources
        self._vocabulary = vocabulary
        self._contextual = contextual
        self._fixed = torch.from_numpy(vocabulary.vectors)
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(seed)
            self.network = WordNetwork(vocabulary, contextual.dimension if contextual else 0, settings)
        self.network.eval()

    @classmethod
    def new(cls, settings: ESIMSettings, seed: int) -> Self:
        """Weights drawn by `seed`. Raises AssayError when vectors or encoder are missing, or both none."""
        if settings.vectors is None and settings.contextual is None:
            raise AssayError("esim needs words' vectors: vectors, contextual, or both")
        sources = {}
        vocabulary = Vocabulary.none(settings.unknown)
        if settings.vectors is not None:
            source = VectorSource(settings.vectors)
            vocabulary = Vocabulary.read(source, settings.vocabulary, settings.unknown)
            sources["vectors"] = source.fingerprint
        contextual = None
        if settings.contextual is not None:
            contextual = ContextualWords(load_encoder(settings.contextual))
            sources["contextual"] = contextual.encoder.fingerprint
        return cls(settings, vocabulary, contextual, sources, seed)

    @classmethod
    def load(cls, settings: ESIMSettings, folder: Path) -> Self:
        """What `save` wrote; the weights are not set. Raises AssayError when it is missing or damaged."""
        vocabulary = Vocabulary.load(folder, settings.unknown)
        contextual = None
        if settings.contextual is not None:
            contextual = ContextualWords(load_encoder(str(folder / ENCODER)))
        return cls(settings, vocabulary, contextual, {})

    def save(self, folder: Path) -> None:
        """Write the words with their vectors, and the contextual encoder with its weights."""
        self._vocabulary.save(folder)
        if self._contextual is not None:
            self._contextual.save(folder / ENCODER)

    def prepare(self, example: Example) -> Pairs:
        """The words of the premises and choices, cut to `tokens`."""
        return self.prepare_block([example])[0]

    def prepare_block(self, examples: Sequence[Example]) -> list[Pairs]:
        """As `prepare`; the contextual vectors of all the examples' texts are made together."""
        shown = [self._texts(example) for example in examples]
        words = iter(self._words([text for premises, choices, _ in shown for text in (*premises, *choices)]))
        return [
            Pairs(tuple(islice(words, len(premises))), tuple(islice(words, len(choices))), premise_of)
            for premises, choices, premise_of in shown
        ]

    def _texts(self, example: Example) -> tuple[list[Text], list[Text], tuple[int, ...]]:
        """Distinct premises, choices, and the place of each choice's premise."""
        visible = self.settings.parts
        stem = example.stem if "stem" in visible else ""
        sentences = self.settings.sentences if "context" in visible else 0
        # The best sentence stands last, next to the question: the front is what is cut.
        texts = [(*context[:sentences][::-1], stem) for context in example.contexts]
        premises = list(dict.fromkeys(texts))
        choices = [choice if "choice" in visible else "" for choice in example.choices]
        return (
            [Text(parts, slice(-self.settings.tokens, None)) for parts in premises],
            [Text((choice,), slice(self.settings.tokens)) for choice in choices],
            tuple(premises.index(text) for text in texts),
        )

    def _words(self, texts: Sequence[Text]) -> list[Words]:
        tokens = [[tuple(self._vocabulary.tokens(part)) for part in text.parts] for text in texts]
        ids = [self._vocabulary.ids(token for part in parts for token in part) for parts in tokens]
        if self._contextual is None:
            return [Words(number[text.kept], None) for number, text in zip(ids, texts, strict=True)]
        device = self.network.nothing.device
        found = iter(self._contextual.vectors([part for parts in tokens for part in parts], device))
        context = [np.concatenate(list(islice(found, len(parts)))) for parts in tokens]
        return [Words(n[text.kept], c[text.kept]) for n, c, text in zip(ids, context, texts, strict=True)]

    def cost(self, prepared: Pairs) -> int:
        """Tokens of the longest premise and of the longest choice."""
        return sum(max(len(text.ids) for text in texts) for texts in (prepared.premises, prepared.choices))

    def scores(self, batch: Sequence[Pairs]) -> list[torch.Tensor]:
        """One float32 tensor [choices] an example; a premise is encoded once, whatever its choices."""
        premises = [text for pairs in batch for text in pairs.premises]
        starts = np.cumsum([0, *(len(pairs.premises) for pairs in batch)])
        of_pair = [int(s) + at for s, pairs in zip(starts, batch, strict=False) for at in pairs.premise_of]
        esim = self.network.esim
        vectors, lengths = self._embedded(premises)
        which = torch.tensor(of_pair, device=vectors.device)
        encoded = esim.encode(vectors, lengths)[which]
        choices, choice_lengths = self._embedded([text for pairs in batch for text in pairs.choices])
        scores = esim(encoded, lengths[which], esim.encode(choices, choice_lengths), choice_lengths)
        return list(scores.float().split([len(pairs.choices) for pairs in batch]))

    def _embedded(self, texts: Sequence[Words]) -> tuple[torch.Tensor, torch.Tensor]:
        """Padded vectors [texts, width, inputs] and lengths; a text without words has one that says so."""
        network = self.network
        device = network.nothing.device
        lengths = torch.tensor([max(len(text.ids), 1) for text in texts])
        rows, columns = np.nonzero(np.arange(int(lengths.max()))[None, :] < lengths.numpy()[:, None])
        ids = torch.from_numpy(np.concatenate([text.ids if len(text.ids) else [-1] for text in texts])).long()
        words = self._word_vectors(ids.clamp(min=0).to(device))
        if self._contextual is not None:
            zero = np.zeros((1, self._contextual.dimension), np.float16)
            context = [text.context if text.context is not None and len(text.ids) else zero for text in texts]
            words = torch.cat([words, torch.from_numpy(np.concatenate(context)).to(device).float()], -1)
        words = torch.where((ids < 0).to(device)[:, None], network.nothing, words)
        padded = words.new_zeros(len(texts), int(lengths.max()), words.shape[1])
        places = torch.from_numpy(rows).to(device), torch.from_numpy(columns).to(device)
        return padded.index_put(places, words), lengths.to(device)

    def _word_vectors(self, ids: torch.Tensor) -> torch.Tensor:
        """Vectors [words, dimension] of known and unknown words, float32."""
        network = self.network
        known = len(self._vocabulary.words)
        is_known = (ids < known)[:, None]
        unknown = network.unknown[(ids - known).clamp(min=0)]
        if not known:
            return unknown
        if network.words is not None:
            vectors = network.words[ids.clamp(max=known - 1)]
        else:
            if self._fixed.device != ids.device:
                self._fixed = self._fixed.to(ids.device)
            vectors = self._fixed[ids.clamp(max=known - 1)].float()
        return torch.where(is_known, vectors, unknown)

"""Similarity: a choice is as good as the sentence whose vector is nearest to question + choice.

Both sides share one encoder of sentences (Reimers and Gurevych 2019, Sentence-BERT). Untrained it is the
encoder as it comes.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np
import torch

from assay.settings import setting
from assay.solvers.neural.encoder import DEFAULT, Encoder, load_architecture, load_encoder
from assay.solvers.neural.encoding import encode, fit_pooler, pooled, set_dropout
from assay.solvers.neural.pieces import Pieces, Tokenizer, chunks, distinct, padded, places_in
from assay.solvers.neural.reader import Example

COMBINATIONS = ("max", "logsumexp")
SCALE = 20.0
"""Where the learnt scale starts: cosines lie too close together for a softmax (Sentence-BERT's own 20)."""


@dataclass(frozen=True)
class SimilaritySettings:
    """What decides how alike a choice and its evidence are."""

    encoder: str = setting(DEFAULT, "pre-trained encoder: minilm, a folder, or a hub's name")
    pieces: int = setting(64, "word pieces of a text, marks included; the rest is cut off", minimum=8)
    sentences: int = setting(10, "sentences of evidence a choice, at most", minimum=0)
    joined: int = setting(1, "so many sentences, one after another, are read as one text", minimum=1)
    combine: str = setting(
        "max", "one score out of the sentences': the best, or a soft sum of all", one_of=COMBINATIONS
    )
    encoder_dropout: float = setting(0.1, "dropout within the encoder", minimum=0, maximum=0.9)
    freeze_sentences: bool = setting(
        False, "sentences keep the vectors of the encoder as it comes; only question + choice is trained"
    )


class SimilarityNetwork(torch.nn.Module):
    """The encoder, a copy that stays as it was where sentences are frozen, and the scale."""

    def __init__(self, encoder: Any, *, freeze_sentences: bool) -> None:
        super().__init__()
        self.encoder = encoder
        self.scale = torch.nn.Parameter(torch.tensor(SCALE))
        self.sentence_encoder: torch.nn.Module | None = None
        if freeze_sentences:
            self.sentence_encoder = copy.deepcopy(encoder).requires_grad_(False)

    def train(self, mode: bool = True) -> Self:
        """As ever, but without dropout in what is frozen."""
        super().train(mode)
        if self.sentence_encoder is not None:
            self.sentence_encoder.eval()
        return self

    def vectors(
        self, ids: torch.Tensor, mask: torch.Tensor | None, *, sentences: bool = False
    ) -> torch.Tensor:
        """Unit vectors [rows, d], float32, of texts int64 [rows, pieces]."""
        frozen = sentences and self.sentence_encoder is not None
        means = pooled(encode(self.sentence_encoder if frozen else self.encoder, ids, mask), mask, "mean")
        return torch.nn.functional.normalize(means.float(), dim=-1)


class Texts(NamedTuple):
    """An example's texts as pieces with marks: one query a choice, and each choice's sentences.

    Where no choice has a sentence, `stem` is what each query (the choice alone) is held against.
    """

    queries: tuple[Pieces, ...]
    sentences: tuple[tuple[Pieces, ...], ...]
    stem: Pieces | None


class SimilarityReader:
    """Score: scale * the best cosine of stem + choice and a sentence; without evidence of stem and choice."""

    kind: ClassVar[str] = "similarity"
    declared: ClassVar[type[Any]] = SimilaritySettings

    def __init__(self, encoder: Encoder, settings: SimilaritySettings, sources: Mapping[str, str]) -> None:
        """Raises AssayError for more pieces than the encoder reads."""
        encoder.check_pieces(settings.pieces)
        self.settings = settings
        self.sources = sources
        self._encoder = encoder
        self._tokenizer = Tokenizer(encoder)
        fit_pooler(encoder.model, "mean")
        set_dropout(encoder.model, settings.encoder_dropout)
        self.network: Any = SimilarityNetwork(encoder.model, freeze_sentences=settings.freeze_sentences)
        self.network.eval()

    @classmethod
    def new(cls, settings: SimilaritySettings, seed: int) -> Self:
        """The encoder as it comes: nothing is drawn. Raises AssayError when it isn't there or doesn't fit."""
        encoder = load_encoder(settings.encoder)
        return cls(encoder, settings, {"encoder": encoder.fingerprint})

    @classmethod
    def load(cls, settings: SimilaritySettings, folder: Path) -> Self:
        """The architecture that `save` wrote; its weights are not set. Raises AssayError as `new` does."""
        return cls(load_architecture(folder), settings, {})

    def save(self, folder: Path) -> None:
        """Write the encoder's configuration and tokeniser."""
        self._encoder.save(folder)

    def prepare(self, example: Example) -> Texts:
        """Every text in pieces, cut to `pieces`."""
        contexts = [self._joined(context[: self.settings.sentences]) for context in example.contexts]
        evidence = any(contexts)
        queries = [f"{example.stem} {choice}" if evidence else choice for choice in example.choices]
        flat = [text for context in contexts for text in context]
        found = iter(self._tokenizer.pieces([*queries, *flat, example.stem]))
        rows = tuple(self._marked(next(found)) for _ in queries)
        sentences = tuple(tuple(self._marked(next(found)) for _ in context) for context in contexts)
        return Texts(rows, sentences, None if evidence else self._marked(next(found)))

    def _joined(self, sentences: Sequence[str]) -> list[str]:
        size = self.settings.joined
        return [" ".join(sentences[start : start + size]) for start in range(0, len(sentences), size)]

    def _marked(self, pieces: Pieces) -> Pieces:
        start, end = np.asarray([[self._tokenizer.cls], [self._tokenizer.sep]], np.int32)
        return np.concatenate([start, pieces[: self.settings.pieces - 2], end])

    def cost(self, prepared: Texts) -> int:
        """Pieces of the longest text."""
        return max(map(len, _flat(prepared)))

    def scores(self, batch: Sequence[Texts]) -> list[torch.Tensor]:
        """One float32 tensor [choices] an example. The same text is read once.

        A choice without a sentence, where others have some, scores as a cosine of -1 would.
        """
        queries = self._vectors([row for texts in batch for row in texts.queries], sentences=False)
        others = self._vectors([row for texts in batch for row in _held_against(texts)], sentences=True)
        scores, query, other = [], 0, 0
        for texts in batch:
            sizes = [len(own) for own in texts.sentences]
            own = queries[query : query + len(sizes)]
            query += len(sizes)
            if texts.stem is not None:
                scores.append(self.network.scale * (own @ others[other]))
                other += 1
                continue
            held = others[other : other + sum(sizes)].split(sizes)
            other += sum(sizes)
            found = [self._one(vector, sentences) for vector, sentences in zip(own, held, strict=True)]
            scores.append(torch.stack(found))
        return scores

    def _one(self, query: torch.Tensor, sentences: torch.Tensor) -> torch.Tensor:
        if not len(sentences):
            worst: torch.Tensor = -self.network.scale
            return worst
        scaled: torch.Tensor = self.network.scale * (sentences @ query)
        return scaled.max() if self.settings.combine == "max" else scaled.logsumexp(0)

    def _vectors(self, rows: Sequence[Pieces], *, sentences: bool) -> torch.Tensor:
        device = self.network.scale.device
        first, which = distinct(rows)
        parts = chunks([len(rows[place]) for place in first])
        found = []
        for part in parts:
            ids, mask = padded([rows[first[number]] for number in part], self._tokenizer.pad)
            mask = None if mask is None else mask.to(device)
            found.append(self.network.vectors(ids.to(device), mask, sentences=sentences))
        return torch.cat(found)[places_in(parts)[which].to(device)]


def _held_against(texts: Texts) -> list[Pieces]:
    if texts.stem is not None:
        return [texts.stem]
    return [row for own in texts.sentences for row in own]


def _flat(texts: Texts) -> list[Pieces]:
    return [*texts.queries, *_held_against(texts)]

"""Support: how much all of a choice's evidence speaks for it, a few measures weighed by a small network.

The measures are cosines of sentence vectors (Reimers and Gurevych 2019) from an encoder that stays as it
comes, and the scores by which the sentences were retrieved. What a person would look for is among them: one
sentence near to question + choice, one that is near to both parts, and good pairs of facts (QASC's two steps
score pairs: Khot et al. 2019, section 5).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Self

import numpy as np
import torch

from assay.settings import setting
from assay.solvers.neural.encoder import DEFAULT, Encoder, load_architecture, load_encoder
from assay.solvers.neural.encoding import fit_pooler
from assay.solvers.neural.reader import Example
from assay.solvers.neural.sentence_encoder import SentenceEncoder

Measures = np.ndarray[Any, np.dtype[np.float32]]
NEAREST = 3
"""How many of the nearest sentences are measured one by one."""
MEASURES = (
    "stem and choice",
    *(f"sentence {rank + 1} by nearness to stem + choice" for rank in range(NEAREST)),
    "the sentence nearest to both stem and choice",
    "the sentence nearest to the stem",
    "the sentence nearest to the choice",
    "best retrieval score",
    "mean retrieval score",
)
"""What is measured of a choice, in order; all but the last two are cosines."""
RETRIEVAL = 2
"""Measures, the last ones, that are retrieval scores as a share of the question's best."""
ABSENT = -0.2
"""The cosine that stands where a choice has no sentence: lower than any that is met."""
CENTRE, SPREAD = 0.5, 0.2
"""Where the measures lie, roughly: what the network reads is centred."""
REMEMBERED = 200_000
"""Texts whose vectors are kept while a training's examples are prepared (of 384 dimensions: 300 MB)."""


@dataclass(frozen=True)
class SupportSettings:
    """What decides how evidence is measured and weighed."""

    encoder: str = setting(DEFAULT, "pre-trained encoder: minilm, a folder, or a hub's name")
    pieces: int = setting(64, "word pieces of a text, marks included; the rest is cut off", minimum=8)
    sentences: int = setting(10, "sentences of evidence a choice, at most", minimum=0)
    hidden: int = setting(16, "hidden units; 0: the measures are weighed and added", minimum=0)
    retrieval: bool = setting(True, "retrieval scores are measured too, not nearness alone")
    bf16: bool = setting(False, "vectors in bf16: faster where there is hardware, a little less exact")


class SupportNetwork(torch.nn.Module):
    """The encoder, never trained, and the network over the measures."""

    def __init__(self, encoder: Any, settings: SupportSettings) -> None:
        super().__init__()
        self.encoder = encoder.requires_grad_(False)
        size = len(MEASURES) - (0 if settings.retrieval else RETRIEVAL)
        self.hidden = torch.nn.Linear(size, settings.hidden) if settings.hidden else None
        self.score = torch.nn.Linear(settings.hidden or size, 1)

    def train(self, mode: bool = True) -> Self:
        """As ever, but the encoder has no dropout."""
        super().train(mode)
        self.encoder.eval()
        return self

    def forward(self, measures: torch.Tensor) -> torch.Tensor:
        """Scores [choices] of measures [choices, measures], float32."""
        read = (measures - CENTRE) / SPREAD
        if self.hidden is not None:
            read = torch.relu(self.hidden(read))
        scores: torch.Tensor = self.score(read).squeeze(-1)
        return scores.float()


class SupportReader:
    """Measures of a choice and its evidence, weighed by what training found."""

    kind: ClassVar[str] = "support"
    declared: ClassVar[type[Any]] = SupportSettings
    training: ClassVar[Mapping[str, Any]] = {"learning_rate": 0.01, "batch": 64, "at_once": 64, "epochs": 30}

    def __init__(self, encoder: Encoder, settings: SupportSettings, sources: Mapping[str, str]) -> None:
        """Raises AssayError for more pieces than the encoder reads."""
        encoder.check_pieces(settings.pieces)
        self.settings = settings
        self.sources = sources
        self._encoder = encoder
        fit_pooler(encoder.model, "mean")
        self._sentences = SentenceEncoder(encoder, longest=settings.pieces, bf16=settings.bf16)
        self.remembers = False
        self._known: dict[str, Measures] = {}
        self.network = SupportNetwork(encoder.model, settings)
        self.network.eval()

    @classmethod
    def new(cls, settings: SupportSettings, seed: int) -> Self:
        """An untrained network, drawn by `seed`, over the encoder as it comes.

        Raises AssayError when the encoder isn't there or doesn't fit the settings.
        """
        encoder = load_encoder(settings.encoder)
        reader = cls(encoder, settings, {"encoder": encoder.fingerprint})
        generator = torch.Generator().manual_seed(seed)
        for layer in (reader.network.hidden, reader.network.score):
            if layer is not None:
                with torch.no_grad():
                    layer.weight.normal_(0.0, layer.in_features**-0.5, generator=generator)
                    layer.bias.zero_()
        return reader

    @classmethod
    def load(cls, settings: SupportSettings, folder: Path) -> Self:
        """The architecture that `save` wrote; its weights are not set. Raises AssayError as `new` does."""
        return cls(load_architecture(folder), settings, {})

    def save(self, folder: Path) -> None:
        """Write the encoder's configuration and tokeniser."""
        self._encoder.save(folder)

    def prepare(self, example: Example) -> Measures:
        """The measures of each choice, float32 [choices, measures]."""
        contexts = [context[: self.settings.sentences] for context in example.contexts]
        statements = [f"{example.stem} {choice}" for choice in example.choices]
        known = self._vectors(
            [example.stem, *example.choices, *statements, *(s for c in contexts for s in c)]
        )
        stem = known[example.stem]
        rows = [
            _nearness(stem, known[choice], known[statement], [known[sentence] for sentence in context])
            for choice, statement, context in zip(example.choices, statements, contexts, strict=True)
        ]
        measures = np.asarray(rows, np.float32)
        if not self.settings.retrieval:
            return measures
        scores = np.zeros((len(rows), max(1, self.settings.sentences)), np.float32)
        # Sentences that no search found have no scores.
        for row, own in zip(scores, example.scores, strict=False):
            row[: len(own)] = own[: len(row)]
        best = max(float(scores.max()), 1e-9)
        shares = np.stack([scores.max(1), scores.mean(1)], axis=1) / best
        return np.concatenate([measures, shares.astype(np.float32)], axis=1)

    def _vectors(self, texts: Sequence[str]) -> Mapping[str, Measures]:
        """Each text's vector. In training those met before are remembered: sentences come again and again."""
        wanted = list(dict.fromkeys(texts))
        if not self.remembers:
            return dict(zip(wanted, self._sentences.encode(wanted), strict=True))
        new = [text for text in wanted if text not in self._known]
        if len(self._known) + len(new) > REMEMBERED:
            self._known, new = {}, wanted
        if new:
            self._known.update(zip(new, self._sentences.encode(new), strict=True))
        return self._known

    def cost(self, prepared: Measures) -> int:
        """The same for all: what takes time is done when an example is prepared."""
        return 1

    def scores(self, batch: Sequence[Measures]) -> list[torch.Tensor]:
        """One float32 tensor [choices] an example."""
        device = self.network.score.weight.device
        found = self.network(torch.from_numpy(np.concatenate(batch)).to(device))
        return list(found.split([len(measures) for measures in batch]))


def _nearness(
    stem: Measures, choice: Measures, statement: Measures, sentences: Sequence[Measures]
) -> list[float]:
    """The cosines among MEASURES of one choice, from unit vectors [d]."""
    nearest, both, to_stem, to_choice = [ABSENT] * NEAREST, ABSENT, ABSENT, ABSENT
    if sentences:
        held = np.stack(sentences)
        best = np.sort(held @ statement)[::-1][:NEAREST].tolist()
        nearest[: len(best)] = best
        stems, choices = held @ stem, held @ choice
        both = float(np.minimum(stems, choices).max())
        to_stem, to_choice = float(stems.max()), float(choices.max())
    return [float(stem @ choice), *nearest, both, to_stem, to_choice]

"""What readers share that score sequences by one linear layer over an encoder."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar, Self

import torch

from assay.solvers.neural.encoder import Encoder, load_architecture, load_encoder
from assay.solvers.neural.encoding import draw, fit_pooler, layers_of, set_dropout
from assay.solvers.neural.pieces import Tokenizer


class ScoredEncoder:
    """A reader whose network is made of an encoder and settings, and has its linear layer as `score`.

    The settings have `encoder`, `pieces`, `encoder_dropout`, and `pooling` (None: the encoder's own trained
    pooler, or the mean).
    """

    network_of: ClassVar[type[torch.nn.Module]]

    def __init__(self, encoder: Encoder, settings: Any, sources: Mapping[str, str]) -> None:
        """Raises AssayError for more pieces than the encoder reads, or a pooler that it hasn't got."""
        encoder.check_pieces(settings.pieces)
        if settings.pooling is None:
            settings = replace(settings, pooling="pooler" if encoder.trained_pooler else "mean")
        fit_pooler(encoder.model, str(settings.pooling))
        set_dropout(encoder.model, settings.encoder_dropout)
        self.settings = settings
        self.sources = sources
        self._encoder = encoder
        self._tokenizer = Tokenizer(encoder)
        self.network: Any = self.network_of(encoder.model, settings)
        self.network.eval()

    @classmethod
    def new(cls, settings: Any, seed: int) -> Self:
        """The encoder as it comes, under a linear layer drawn by `seed`, as is a pooler without weights.

        Raises AssayError when the encoder isn't there or doesn't fit the settings.
        """
        encoder = load_encoder(settings.encoder)
        reader = cls(encoder, settings, {"encoder": encoder.fingerprint})
        generator = torch.Generator().manual_seed(seed)
        draw(reader.network.score, generator)
        if reader.settings.pooling == "pooler" and not encoder.trained_pooler:
            draw(encoder.model.pooler.dense, generator)
        return reader

    @classmethod
    def load(cls, settings: Any, folder: Path) -> Self:
        """The architecture that `save` wrote; its weights are not set. Raises AssayError as `new` does."""
        return cls(load_architecture(folder), settings, {})

    def save(self, folder: Path) -> None:
        """Write the encoder's configuration and tokeniser."""
        self._encoder.save(folder)

    def layers(self) -> list[list[torch.nn.Parameter]]:
        """The encoder's: embeddings, then a layer at a time."""
        return layers_of(self._encoder.model)

"""A reader small enough to train in a moment: hashed words of stem, choice and context, one hidden layer."""

from __future__ import annotations

import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Self

import torch

from assay.errors import AssayError
from assay.settings import setting
from assay.solvers.neural.reader import Example


@dataclass(frozen=True, slots=True)
class TinySettings:
    buckets: int = setting(64, "hash values", minimum=1)
    hidden: int = setting(8, "units", minimum=1)
    dropout: float = setting(0.1, "share", minimum=0, maximum=1)
    sentences: int = setting(1, "of evidence", minimum=0)


class TinyReader:
    kind: ClassVar[str] = "tiny"
    declared: ClassVar[type[Any]] = TinySettings

    def __init__(self, settings: TinySettings) -> None:
        self._settings = settings
        self.network = torch.nn.Sequential(
            torch.nn.EmbeddingBag(settings.buckets, settings.hidden, mode="mean"),
            torch.nn.Dropout(settings.dropout),
            torch.nn.Tanh(),
            torch.nn.Linear(settings.hidden, 1),
        )

    @classmethod
    def new(cls, settings: TinySettings, seed: int) -> Self:
        with torch.random.fork_rng():
            torch.manual_seed(seed)
            return cls(settings)

    @classmethod
    def load(cls, settings: TinySettings, folder: Path) -> Self:
        if not (folder / "tiny.txt").is_file():
            raise AssayError("no tiny.txt", file=folder)
        return cls(settings)

    @property
    def settings(self) -> TinySettings:
        return self._settings

    @property
    def sources(self) -> Mapping[str, str]:
        return {"words": "crc32"}

    def save(self, folder: Path) -> None:
        (folder / "tiny.txt").write_text("words are hashed\n", encoding="utf-8")

    def layers(self) -> Sequence[Sequence[torch.nn.Parameter]]:
        return [list(self.network[0].parameters()), list(self.network[3].parameters())]

    def prepare(self, example: Example) -> list[list[int]]:
        return [
            [
                zlib.crc32(word.encode()) % self._settings.buckets
                for word in f"{example.stem} {choice} {' '.join(context)}".lower().split()
            ]
            for choice, context in zip(example.choices, example.contexts, strict=True)
        ]

    def cost(self, prepared: list[list[int]]) -> int:
        return max(map(len, prepared))

    def scores(self, batch: Sequence[list[list[int]]]) -> list[torch.Tensor]:
        bags = [torch.tensor(choice) for prepared in batch for choice in prepared]
        offsets = torch.tensor([0, *(len(bag) for bag in bags[:-1])]).cumsum(0)
        device = self.network[0].weight.device
        hidden = self.network[0](torch.cat(bags).to(device), offsets.to(device))
        found = self.network[1:](hidden).squeeze(-1)
        return list(found.split([len(prepared) for prepared in batch]))

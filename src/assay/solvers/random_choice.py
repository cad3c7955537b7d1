"""Random: one choice a question, drawn from a seed and the question's id."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from assay.corpus.model import Corpus
from assay.questions.model import Answer, Question
from assay.solvers.settings import read_settings, setting


@dataclass(frozen=True)
class RandomSettings:
    """What decides the draw."""

    seed: int = setting(0, "another seed, another draw")


class RandomChoice:
    """Chooses one label, each as likely; a question's draw depends on its id and the seed alone."""

    declared = RandomSettings

    def __init__(self, name: str = "random", seed: int = 0) -> None:
        self.name = name
        self.seed = seed

    @classmethod
    def build(cls, name: str, settings: Mapping[str, Any], corpora: Mapping[str, Corpus]) -> RandomChoice:
        """Raises AssayError for a setting that is unknown or wrong."""
        return cls(name, read_settings(cls.declared, settings, f"solver {name!r}").seed)

    @property
    def settings(self) -> Mapping[str, Any]:
        """The seed."""
        return {"solver": "random", "seed": self.seed}

    def answer(self, questions: Iterable[Question]) -> Iterator[Answer]:
        """One answer a question, in order; neither order nor batch changes a draw."""
        for question in questions:
            key = f"{self.seed}\n{question.id}".encode("utf-8", "surrogatepass")
            draw = int.from_bytes(hashlib.sha256(key).digest(), "big")
            yield Answer(question.id, "answered", (question.labels[draw % len(question.labels)],))

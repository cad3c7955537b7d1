"""What a reader is: a network that scores the choices of a question, and what training needs of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Protocol, Self, runtime_checkable

import torch

from assay.questions.model import Answer, Question, SentenceEvidence


@dataclass(frozen=True, slots=True)
class Example:
    """A question as a reader sees it.

    `contexts`: for each choice its sentences, best first; empty where there are none. `key`: the place of
    the correct choice, None where it is hidden. `scores`: for each choice the scores by which its sentences
    were retrieved; empty where nothing is known of them.
    """

    id: str
    stem: str
    choices: tuple[str, ...]
    contexts: tuple[tuple[str, ...], ...]
    key: int | None
    scores: tuple[tuple[float, ...], ...] = ()


class Reader(Protocol):
    """A trainable network with its way of reading examples. Kinds are named in `solvers.neural.readers`.

    `prepare` is pure and is done once an example (all of a training set are held at once, so it is small);
    `scores` is differentiable and depends on nothing but the batch's examples and the weights (and dropout
    while `network.training`). It puts its tensors where the network's weights are.

    A reader that reads evidence says of how many sentences a choice in its setting `sentences`. One for which
    the usual recipe isn't right names its own settings of training in a mapping `training`.
    """

    kind: ClassVar[str]
    declared: ClassVar[type[Any]]
    network: torch.nn.Module

    @classmethod
    def new(cls, settings: Any, seed: int) -> Self:
        """An untrained reader; `seed` draws the weights that don't come from an encoder.

        Raises AssayError when an encoder or vectors file isn't there or doesn't fit.
        """
        ...

    @classmethod
    def load(cls, settings: Any, folder: Path) -> Self:
        """The architecture that `save` wrote into `folder`; its weights are then set by the caller."""
        ...

    @property
    def settings(self) -> Any:
        """An instance of `declared`: what decides how it reads."""
        ...

    @property
    def sources(self) -> Mapping[str, str]:
        """Fingerprints of what it was made from (encoder, vectors), for the card."""
        ...

    def save(self, folder: Path) -> None:
        """Write what `load` needs besides weights: tokeniser, configuration, vocabulary."""
        ...

    def prepare(self, example: Example) -> Any:
        """The example as numbers, ready for `scores`."""
        ...

    def cost(self, prepared: Any) -> int:
        """How long it is (pieces of its longest sequence), so that like lengths can be read together."""
        ...

    def scores(self, batch: Sequence[Any]) -> list[torch.Tensor]:
        """For each prepared example a 1-D float32 tensor, one score a choice, higher is better."""
        ...


@runtime_checkable
class Layered(Protocol):
    """A reader whose lowest weights can be kept as they are while the others are trained."""

    def layers(self) -> Sequence[Sequence[torch.nn.Parameter]]:
        """What can be frozen, from the input upwards: the embeddings first, then a layer at a time."""
        ...


@runtime_checkable
class Remembering(Protocol):
    """A reader that prepares examples sooner by remembering their texts' vectors, where it is told to.

    The last bits then depend on what was prepared before, in the same order again the same ones: that is for
    training, which prepares all examples anew whenever it goes on.
    """

    remembers: bool
    """False until it is set."""


@runtime_checkable
class Blockwise(Protocol):
    """A reader that prepares examples sooner when it gets several at once. Last bits may then differ.

    Training asks in blocks, always the same ones.
    """

    def prepare_block(self, examples: Sequence[Example]) -> list[Any]:
        """Each example as `Reader.prepare` makes it."""
        ...


def sentences_read(reader: Reader) -> int:
    """Sentences of evidence a choice that the reader reads; 0 where it reads none."""
    return int(getattr(reader.settings, "sentences", 0))


def usual_training(kind: type[Reader]) -> Mapping[str, Any]:
    """The settings of training by which this kind of reader is trained unless others are given."""
    found: Mapping[str, Any] = getattr(kind, "training", {})
    return found


def example(question: Question, evidence: Answer | None, sentences: int) -> Example:
    """The question with its best `sentences` of evidence a choice (none where `evidence` is None)."""
    found: Sequence[Sequence[SentenceEvidence]] = ((),) * len(question.choices)
    if evidence is not None and evidence.evidence is not None:
        found = [
            [piece for piece in pieces if isinstance(piece, SentenceEvidence)][:sentences]
            for pieces in evidence.evidence
        ]
    contexts = tuple(tuple(piece.text for piece in pieces) for pieces in found)
    scores = tuple(tuple(piece.score for piece in pieces) for pieces in found)
    key = None if question.answer is None else question.labels.index(question.answer)
    texts = tuple(choice.text for choice in question.choices)
    return Example(question.id, question.stem, texts, contexts, key, scores)

"""What a reader is: a network that can be trained, and what training and solvers need of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Literal, Protocol, Self, get_args, runtime_checkable

import torch

from assay.questions.model import Answer, Question, SentenceEvidence

Reads = Literal["questions", "pairs", "passages"]
READS: tuple[Reads, ...] = get_args(Reads)
"""What there is to read: questions with choices, entailment pairs, passages with questions about them."""


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


class Trainable(Protocol):
    """A trainable network with its way of reading examples. Kinds are named in `solvers.neural.readers`.

    It is a `Reader` too, and trained towards the highest score for the key, or has its `OwnLoss`. What an
    example is a class attribute `reads` says: `Example` for questions (as where there is no such attribute),
    `assay.entailment.pair.Pair` for pairs, `assay.passages.passage.PassageQuestion` for passages. Any example
    has an `id` and a `key`, None where it is hidden.

    `prepare` is pure and is done once an example (all of a training set are held at once, so it is small).

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

    def prepare(self, example: Any) -> Any:
        """The example as numbers, ready for a batch."""
        ...

    def cost(self, prepared: Any) -> int:
        """How long it is (pieces of its longest sequence), so that like lengths can be read together."""
        ...


class Reader(Trainable, Protocol):
    """A network that scores what there is to choose from: a question's choices, or neutral and entails.

    `scores` is differentiable and depends on nothing but the batch's examples and the weights (and dropout
    while `network.training`). It puts its tensors where the network's weights are.
    """

    def scores(self, batch: Sequence[Any]) -> list[torch.Tensor]:
        """For each prepared example a 1-D float32 tensor, one score a choice, higher is better."""
        ...


@runtime_checkable
class OwnLoss(Protocol):
    """A reader that is trained and judged by something else than which score is highest."""

    def loss(self, batch: Sequence[Any], keys: Sequence[Any]) -> torch.Tensor:
        """The sum of the prepared examples' losses, float32, differentiable; as for `Reader.scores`."""
        ...

    def points(self, batch: Sequence[Any], keys: Sequence[Any]) -> list[float]:
        """What each prepared example earns, 0 to 1: the mean over dev is what weights are chosen by."""
        ...


@runtime_checkable
class Ignoring(Protocol):
    """A reader that can make nothing of some examples: they are left out of a training, and counted."""

    def ignored(self, prepared: Any) -> bool:
        """Whether the prepared example is such a one."""
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

    def prepare_block(self, examples: Sequence[Any]) -> list[Any]:
        """Each example as `Trainable.prepare` makes it."""
        ...


def sentences_read(reader: Trainable) -> int:
    """Sentences of evidence a choice that the reader reads; 0 where it reads none."""
    return int(getattr(reader.settings, "sentences", 0))


def what_it_reads(kind: type[Trainable]) -> Reads:
    """What the examples of this kind of reader are."""
    found: Reads = getattr(kind, "reads", "questions")
    return found


def usual_training(kind: type[Trainable]) -> Mapping[str, Any]:
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

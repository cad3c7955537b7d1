"""How a reader is trained: the settings, and what bounds a run without being part of the recipe."""

from __future__ import annotations

from dataclasses import dataclass

from assay.errors import AssayError
from assay.settings import setting


@dataclass(frozen=True, slots=True)
class TrainingSettings:
    """A recipe: together with data, reader and seed it decides the weights."""

    learning_rate: float = setting(5e-5, "the highest learning rate", minimum=0)
    schedule: str = setting(
        "linear",
        "after the warm-up: straight down to 0, or constant",
        one_of=("linear", "constant"),
    )
    warm_up: float = setting(0.1, "share of the steps in which the rate rises from 0", minimum=0, maximum=1)
    weight_decay: float = setting(0.01, "AdamW's decay of weights; biases and norms have none", minimum=0)
    beta1: float = setting(0.9, "AdamW's decay of the mean gradient", minimum=0, maximum=0.9999)
    beta2: float = setting(0.999, "AdamW's decay of the mean squared gradient", minimum=0, maximum=0.99999)
    epsilon: float = setting(1e-8, "AdamW's guard against division by 0", minimum=0)
    clip: float = setting(1.0, "longest gradient, in the 2-norm; 0: as long as it is", minimum=0)
    epochs: int = setting(3, "times that every question is read", minimum=1)
    max_steps: int = setting(0, "steps at most, which the schedule then spans; 0: as epochs say", minimum=0)
    batch: int = setting(16, "questions a step", minimum=1)
    at_once: int = setting(
        8, "questions read at once; gradients are summed until a step's are read", minimum=1
    )
    window: int = setting(
        32, "batches among which questions of like length are put together; 1: by chance alone", minimum=1
    )
    precision: str = setting(
        "fp32", "of the network's products; bf16 is faster where there is hardware", one_of=("fp32", "bf16")
    )
    freeze: int = setting(0, "lowest layers left as they are; 1: the embeddings, 2: a layer more", minimum=0)
    evaluate_every: int = setting(0, "steps from one look at dev to the next; 0: an epoch", minimum=0)
    evaluate_first: bool = setting(False, "look at dev before the first step too; it may be the best")
    patience: int = setting(0, "looks at dev without a new best before it ends; 0: never", minimum=0)


@dataclass(frozen=True, slots=True)
class Budget:
    """What ends a run early, and how often it is kept; no part of the recipe.

    Raises AssayError for fewer minutes than 0, no number of minutes, or fewer steps than 1.
    """

    max_minutes: float | None = None
    checkpoint_minutes: float = 10.0
    checkpoint_steps: int | None = None

    def __post_init__(self) -> None:
        for name, minutes in (
            ("max_minutes", self.max_minutes),
            ("checkpoint_minutes", self.checkpoint_minutes),
        ):
            if minutes is not None and not minutes >= 0:
                raise AssayError(f"{name} must be at least 0. Got {minutes:g}.")
        if self.checkpoint_steps is not None and self.checkpoint_steps < 1:
            raise AssayError(f"checkpoint_steps must be at least 1. Got {self.checkpoint_steps}.")


UNBOUNDED = Budget()

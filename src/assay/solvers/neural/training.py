"""The training loop of any reader: cross-entropy over choices, or its own loss; selection by dev."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal, cast

import torch

from assay.errors import AssayError
from assay.progress import SILENT, Progress
from assay.solvers.neural.checkpoints import (
    RESTART,
    Checkpoint,
    latest_checkpoint,
    save_checkpoint,
)
from assay.solvers.neural.evaluation import accuracy
from assay.solvers.neural.memory import keep_few_primitives
from assay.solvers.neural.optimizer import Optimizer
from assay.solvers.neural.reader import (
    Blockwise,
    Ignoring,
    OwnLoss,
    Reader,
    Remembering,
    Trainable,
    what_it_reads,
)
from assay.solvers.neural.schedule import (
    epoch_batches,
    in_parts,
    learning_rate,
    step_seed,
    steps_an_epoch,
    total_steps,
)
from assay.solvers.neural.tensor_files import copy_of
from assay.solvers.neural.training_settings import UNBOUNDED, Budget, TrainingSettings

SEEN_EVERY = 10
"""Steps from one look at the losses to the next: a look makes a GPU wait."""
BLOCK = 64
"""Examples that are prepared together."""
CALMER = "a lower learning_rate, a longer warm_up, or precision fp32"
Stopped = Literal["done", "patience", "max_minutes"]


@dataclass(frozen=True, slots=True)
class DevPoint:
    """A look at dev. `loss`: the mean a question since the look before; `accuracy`: mean points, 0 to 1.

    `minutes` of training until then, those of a run that was cut off and went on included.
    """

    step: int
    epochs: float
    loss: float | None
    accuracy: float
    minutes: float


@dataclass(frozen=True, slots=True)
class Trained:
    """What became of a training; the reader's network holds the best weights (without dev: the last).

    `ignored`: examples that the reader could make nothing of, and that it wasn't trained on.
    """

    curve: tuple[DevPoint, ...]
    steps: int
    planned: int
    best: DevPoint | None
    stopped: Stopped
    minutes: float
    ignored: int = 0


def train(
    reader: Trainable,
    examples: Sequence[Any],
    dev: Sequence[Any],
    settings: TrainingSettings,
    *,
    seed: int,
    work: Path,
    key: str,
    budget: Budget = UNBOUNDED,
    progress: Progress = SILENT,
    tell: Callable[[DevPoint], None] = lambda point: None,
) -> Trained:
    """Train the reader on examples with keys; the weights that did best on `dev` stay.

    `work` holds the checkpoints; one made under the same `key` is gone on from, and the weights are then the
    same bytes as those of a run in one go (same machine and number of threads). `tell` hears of each look.
    Raises AssayError when the loss is no number, memory runs out, or a checkpoint is damaged or another's.
    """
    keep_few_primitives()
    reader.network.to(torch.device("cuda" if torch.cuda.is_available() else "cpu"))
    training = _Training(reader, examples, dev, settings, seed, progress)
    training.resume(work, key)
    try:
        stopped = _run(training, work, key, budget, progress, tell)
    except torch.OutOfMemoryError:
        raise AssayError(
            "the GPU's memory is too small", hint="read fewer questions at once: --training at_once=1"
        ) from None
    if training.best:
        reader.network.load_state_dict(training.best)
    reader.network.eval()
    if not all(bool(weight.isfinite().all()) for weight in reader.network.parameters()):
        raise AssayError("the weights are not numbers after the last step", hint=CALMER)
    return Trained(
        tuple(training.curve),
        training.step,
        training.total,
        training.best_point,
        stopped,
        training.seconds / 60,
        training.ignored,
    )


def _run(
    training: _Training,
    work: Path,
    key: str,
    budget: Budget,
    progress: Progress,
    tell: Callable[[DevPoint], None],
) -> Stopped:
    """Step, look and keep until the end; why it ended."""
    clock = time.monotonic
    began = clock() - training.seconds
    kept = clock()

    def look() -> None:
        training.seconds = clock() - began
        if (point := training.look()) is not None:
            tell(point)

    training.reader.network.train()
    if training.settings.evaluate_first and not training.step:
        look()
    left = round((training.total - training.step) * len(training.prepared) / training.epoch_steps)
    with progress.task("training", left, what_it_reads(type(training.reader))) as advance:
        while (stopped := training.stopped(budget.max_minutes)) is None:
            advance(training.one_step(), training.status())
            training.seconds = clock() - began
            if due := training.look_is_due:
                look()
            often = budget.checkpoint_steps
            due = due or bool(often and training.step % often == 0)
            if due or clock() - kept >= 60 * budget.checkpoint_minutes:
                training.seconds = clock() - began
                training.save(work, key)
                kept = clock()
    if stopped == "max_minutes" and (not training.curve or training.curve[-1].step != training.step):
        look()
        training.save(work, key)
    return stopped


class _Training:
    """A training that stands after `step` steps."""

    def __init__(
        self,
        reader: Trainable,
        examples: Sequence[Any],
        dev: Sequence[Any],
        settings: TrainingSettings,
        seed: int,
        progress: Progress,
    ) -> None:
        self.reader, self.settings, self.seed = reader, settings, seed
        self.device = next(reader.network.parameters()).device
        self.optimizer = Optimizer(reader, settings)
        self.prepared, self.keys = _prepared(reader, "preparing train", examples, progress)
        readable = _readable(reader, self.prepared)
        self.ignored = len(self.prepared) - len(readable)
        self.prepared = [self.prepared[place] for place in readable]
        self.keys = [self.keys[place] for place in readable]
        self.dev, self.dev_keys = _prepared(reader, "preparing dev", dev, progress)
        self.costs = [reader.cost(prepared) for prepared in self.prepared]
        self.epoch_steps = steps_an_epoch(len(self.prepared), settings)
        self.total = total_steps(len(self.prepared), settings)
        self.every = settings.evaluate_every or self.epoch_steps
        self.epoch = -1
        self.batches: tuple[tuple[int, ...], ...] = ()
        self.step, self.seconds = 0, 0.0
        self.curve: list[DevPoint] = []
        self.best: dict[str, torch.Tensor] = {}
        self.unseen: list[torch.Tensor] = []
        self.loss_sum, self.loss_count, self.shown_loss = 0.0, 0, math.nan

    @property
    def bf16(self) -> bool:
        return self.settings.precision == "bf16"

    @property
    def best_point(self) -> DevPoint | None:
        """The look with the highest accuracy, the first of those."""
        return max(self.curve, key=lambda point: point.accuracy, default=None)

    @property
    def look_is_due(self) -> bool:
        return self.step % self.every == 0 or self.step == self.total

    def one_step(self) -> int:
        """Read a batch and step; the number of its questions."""
        batch = self._batch()
        torch.manual_seed(step_seed(self.seed, self.step))
        total = torch.zeros((), device=self.device)
        for places in in_parts(batch, self.settings.at_once):
            loss = self._loss(places)
            (loss / len(batch)).backward()
            total += loss.detach()
        self.optimizer.step(learning_rate(self.step, self.total, self.settings))
        self.step += 1
        self.unseen.append(total / len(batch))
        if self.step % SEEN_EVERY == 0:
            self.see_losses()
        return len(batch)

    def _loss(self, places: Sequence[int]) -> torch.Tensor:
        """The sum over the examples, float32."""
        batch = [self.prepared[place] for place in places]
        keys = [self.keys[place] for place in places]
        with torch.autocast(self.device.type, torch.bfloat16, enabled=self.bf16):
            if isinstance(self.reader, OwnLoss):
                return self.reader.loss(batch, keys)
            scores = cast(Reader, self.reader).scores(batch)
        return choice_loss(scores, keys)

    def _batch(self) -> tuple[int, ...]:
        epoch, within = divmod(self.step, self.epoch_steps)
        if epoch != self.epoch:
            settings = self.settings
            self.batches = epoch_batches(self.costs, settings.batch, settings.window, self.seed, epoch)
            self.epoch = epoch
        return self.batches[within]

    def see_losses(self) -> None:
        """Take the losses of the latest steps into account. Raises AssayError when one is no number."""
        for loss in torch.stack(self.unseen).tolist() if self.unseen else []:
            if not math.isfinite(loss):
                raise AssayError(
                    f"the loss is {loss} within the {SEEN_EVERY} steps before {self.step:,}",
                    hint=CALMER,
                )
            self.loss_sum, self.loss_count = self.loss_sum + loss, self.loss_count + 1
            self.shown_loss = loss if math.isnan(self.shown_loss) else 0.95 * self.shown_loss + 0.05 * loss
        self.unseen.clear()

    def look(self) -> DevPoint | None:
        """Look at dev; the weights are kept if they are the best so far. None without dev."""
        self.see_losses()
        if not self.dev:
            return None
        try:
            score = accuracy(
                self.reader, self.dev, self.dev_keys, at_once=2 * self.settings.at_once, bf16=self.bf16
            )
        except AssayError as error:
            raise AssayError(f"after step {self.step:,} {error.faults[0].what}", hint=CALMER) from None
        best = self.best_point
        if best is None or score > best.accuracy:
            self.best = copy_of(self.reader.network.state_dict())
        loss = self.loss_sum / self.loss_count if self.loss_count else None
        self.loss_sum, self.loss_count = 0.0, 0
        point = DevPoint(self.step, self.step / self.epoch_steps, loss, score, self.seconds / 60)
        self.curve.append(point)
        return point

    def stopped(self, max_minutes: float | None) -> Stopped | None:
        """Why it is at its end; None where it isn't."""
        if self.step >= self.total:
            return "done"
        best, patience = self.best_point, self.settings.patience
        if patience and best is not None and len(self.curve) - 1 - self.curve.index(best) >= patience:
            return "patience"
        if max_minutes is not None and self.seconds >= 60 * max_minutes:
            return "max_minutes"
        return None

    def status(self) -> str:
        """Loss and best dev accuracy, for the bar."""
        parts = [] if math.isnan(self.shown_loss) else [f"loss {self.shown_loss:.3f}"]
        best = self.best_point
        return ", ".join(parts + ([] if best is None else [f"dev {100 * best.accuracy:.1f}"]))

    def save(self, work: Path, key: str) -> None:
        """Write a checkpoint."""
        self.see_losses()
        tensors = {"weights": self.reader.network.state_dict(), "optimizer": self.optimizer.state()}
        if self.best:
            tensors["best"] = self.best
        record = {
            "seconds": self.seconds,
            "curve": [asdict(point) for point in self.curve],
            "loss_sum": self.loss_sum,
            "loss_count": self.loss_count,
            "threads": torch.get_num_threads(),
        }
        save_checkpoint(work, self.step, key, tensors, record)

    def resume(self, work: Path, key: str) -> None:
        """Go on from the last checkpoint, if there is one."""
        checkpoint = latest_checkpoint(work, key)
        if checkpoint is None:
            return
        try:
            self._restore(checkpoint)
        except (AttributeError, KeyError, RuntimeError, TypeError, ValueError):
            raise AssayError("the checkpoint is damaged: it doesn't fit", file=work, hint=RESTART) from None

    def _restore(self, checkpoint: Checkpoint) -> None:
        self.step = int(checkpoint.step)
        self.reader.network.load_state_dict(dict(checkpoint.tensors["weights"]))
        self.optimizer.restore(checkpoint.tensors["optimizer"])
        self.best = dict(checkpoint.tensors.get("best", {}))
        record = checkpoint.record
        self.seconds = record["seconds"]
        self.curve = [DevPoint(**point) for point in record["curve"]]
        self.loss_sum, self.loss_count = record["loss_sum"], record["loss_count"]


def choice_loss(scores: Sequence[torch.Tensor], keys: Sequence[int]) -> torch.Tensor:
    """The sum over questions of the cross-entropy of the key against all choices, float32."""
    padded = torch.nn.utils.rnn.pad_sequence(
        [question.float() for question in scores], batch_first=True, padding_value=-math.inf
    )
    targets = torch.tensor(keys, device=padded.device)
    return torch.nn.functional.cross_entropy(padded, targets, reduction="sum")


def _readable(reader: Trainable, prepared: Sequence[Any]) -> list[int]:
    """Places of what the reader can make something of. Raises AssayError where there is none."""
    if not isinstance(reader, Ignoring):
        return list(range(len(prepared)))
    found = [place for place, one in enumerate(prepared) if not reader.ignored(one)]
    if prepared and not found:
        raise AssayError(f"a reader of kind {reader.kind} can make nothing of any example to train on")
    return found


def _prepared(
    reader: Trainable, what: str, examples: Sequence[Any], progress: Progress
) -> tuple[list[Any], list[Any]]:
    prepared: list[Any] = []
    keys = []
    for example in examples:
        if example.key is None:
            raise AssayError("no key to train towards", question_id=example.id)
        keys.append(example.key)
    if isinstance(reader, Remembering):
        reader.remembers = True
    with progress.task(what, len(examples), what_it_reads(type(reader))) as advance:
        for start in range(0, len(examples), BLOCK):
            block = examples[start : start + BLOCK]
            if isinstance(reader, Blockwise):
                prepared += reader.prepare_block(block)
                advance(len(block))
                continue
            for example in block:
                prepared.append(reader.prepare(example))
                advance(1)
    return prepared, keys

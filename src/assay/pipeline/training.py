"""Training as a step that can be cut off: files in, a model folder out, whole or not there."""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from importlib.metadata import version
from pathlib import Path
from typing import Any

from assay import __version__
from assay.errors import AssayError
from assay.pipeline.training_data import Data, Part, Use, read_part
from assay.progress import SILENT, Progress
from assay.settings import read_settings
from assay.solvers.neural.examples import fingerprint
from assay.solvers.neural.model_folder import load_trainable, read_card, save_reader
from assay.solvers.neural.reader import Trainable, usual_training, what_it_reads
from assay.solvers.neural.readers import reader_class
from assay.solvers.neural.tensor_files import check_files
from assay.solvers.neural.trained_on import TrainedOn
from assay.solvers.neural.training import DevPoint, train
from assay.solvers.neural.training_settings import UNBOUNDED, Budget, TrainingSettings
from assay.storage import only_writer, to_json

Tell = Callable[[str], None]
CARD_SAYS = {"best", "minutes", "steps", "stopped"}
ANEW = "--restart trains anew"
MOST_SEED = 2**63 - 1
"""What PyTorch takes."""


@dataclass(frozen=True, slots=True)
class Plan:
    """One training. `start`: a model folder whose weights it starts with. `limit`: examples of each set.

    `dev` None: no dev set, by explicit wish; the last weights are kept.
    """

    kind: str
    train: tuple[Data, ...]
    dev: Data | None
    reader: Mapping[str, Any] = field(default_factory=dict)
    training: Mapping[str, Any] = field(default_factory=dict)
    start: Path | None = None
    seed: int = 0
    limit: int | None = None
    allow_missing: bool = False


@dataclass(frozen=True, slots=True)
class TrainedModel:
    """A model folder with its card. `reused`: it stood there already, made by the same plan."""

    folder: Path
    card: Mapping[str, Any]
    reused: bool


def train_model(
    plan: Plan,
    folder: Path,
    *,
    budget: Budget = UNBOUNDED,
    restart: bool = False,
    progress: Progress = SILENT,
    tell: Tell = lambda line: None,
) -> TrainedModel:
    """Train by the plan into `folder`. What was cut off goes on, from `<folder>.training` beside it.

    A folder that the same plan made is taken as it stands, unless its time was up and `budget` now has more.
    Raises AssayError for bad input, a folder made by another plan, or a damaged checkpoint; `restart` throws
    both away.
    """
    work = work_folder(folder)
    settings = check_plan(plan)
    reader, start = _reader(plan)
    parts = [_read("train", data, reader, plan, tell) for data in plan.train]
    dev = None if plan.dev is None else _read("dev", plan.dev, reader, plan, tell)
    examples = [shown for part in parts for shown in part.examples]
    dev_examples = () if dev is None else dev.examples
    key = _key(plan, reader, settings, start, [fingerprint(examples), fingerprint(dev_examples)])
    with only_writer(work):
        if restart:
            _clear(work, folder)
        elif (made := _made(folder, key, budget)) is not None:
            shutil.rmtree(work, ignore_errors=True)
            return TrainedModel(folder, made, reused=True)
        done = train(
            reader,
            examples,
            dev_examples,
            settings,
            seed=plan.seed,
            work=work,
            key=key,
            budget=budget,
            progress=progress,
            tell=lambda point: tell(_said(point)),
        )
        if done.ignored:
            counted = f"{done.ignored:,} of {len(examples):,} {what_it_reads(type(reader))}"
            tell(f"train: {counted} were left out: the reader can make nothing of them")
        data = [part.record for part in (*parts, *([] if dev is None else [dev]))]
        record = {
            "key": key,
            "seed": plan.seed,
            "settings": asdict(settings),
            "start": start,
            **asdict(done),
            "data": data,
        }
        # A reader loaded from its own files doesn't know what these were once made from.
        sources = {**(read_card(plan.start)["sources"] if plan.start else {}), **reader.sources}
        made_how = {
            "reads": what_it_reads(type(reader)),
            "sources": sources,
            "training": record,
            "versions": _versions(),
        }
        seen = TrainedOn(
            frozenset().union(*(part.digests for part in parts)), frozenset() if dev is None else dev.digests
        )
        card = save_reader(reader, folder, made_how, seen.and_before(plan.start))
        if done.stopped != "max_minutes":
            shutil.rmtree(work, ignore_errors=True)
    return TrainedModel(folder, card, reused=False)


def work_folder(folder: Path) -> Path:
    """Where a training of `folder` keeps what isn't done. Raises AssayError where it can have no such."""
    if folder.name in ("", "..") or "\0" in str(folder):
        raise AssayError("is no name for a model folder", file=folder, hint="name one that is to be made")
    if folder.is_file():
        raise AssayError("is a file, not a model folder", file=folder, hint="name another by --to")
    return folder.with_name(folder.name + ".training")


def check_plan(plan: Plan) -> TrainingSettings:
    """The plan's settings of the training.

    Raises AssayError for what is wrong with the plan before any file is read: kind, settings, seed, limit.
    """
    kind = reader_class(plan.kind)
    settings = read_settings(TrainingSettings, {**usual_training(kind), **plan.training}, "training")
    read_settings(kind.declared, plan.reader, f"reader {plan.kind!r}")
    if not 0 <= plan.seed <= MOST_SEED:
        raise AssayError(f"the seed must be in [0, 2^63 - 1]. Got {plan.seed}.")
    if plan.limit is not None and plan.limit < 1:
        raise AssayError(f"the limit must be at least 1. Got {plan.limit}.")
    return settings


def _reader(plan: Plan) -> tuple[Trainable, str | None]:
    """The reader to train, and the fingerprint of the weights it starts with, if it has been trained."""
    kind = reader_class(plan.kind)
    if plan.start is None:
        return kind.new(read_settings(kind.declared, plan.reader, f"reader {plan.kind!r}"), plan.seed), None
    card = read_card(plan.start)
    if card["kind"] != plan.kind:
        raise AssayError(
            f"its reader is of kind {card['kind']}, not {plan.kind}: the weights don't fit", file=plan.start
        )
    reader, card = load_trainable(plan.start, plan.reader)
    return reader, card["weights"]


def _read(use: Use, data: Data, reader: Trainable, plan: Plan, tell: Tell) -> Part:
    part = read_part(use, data, reader, limit=plan.limit, allow_missing=plan.allow_missing)
    for note in part.notes:
        tell(note)
    return part


def _key(
    plan: Plan, reader: Trainable, settings: TrainingSettings, start: str | None, data: Sequence[str]
) -> str:
    """SHA-256 (hex) of all that decides the weights, but machine and number of threads."""
    record = {
        "assay": __version__,
        "torch": version("torch"),
        "kind": plan.kind,
        "reader": asdict(reader.settings),
        "sources": dict(reader.sources),
        "training": asdict(settings),
        "start": start,
        "seed": plan.seed,
        "data": list(data),
    }
    return hashlib.sha256(to_json(record).encode()).hexdigest()


def _made(folder: Path, key: str, budget: Budget) -> Mapping[str, Any] | None:
    """The card of a folder that is what was asked for; None where there is none or time is left to go on."""
    if not folder.exists():
        return None
    card = read_card(folder)
    training = card.get("training")
    if not isinstance(training, dict) or training.get("key") != key:
        raise AssayError(
            "here stands a model made of other data or settings",
            file=folder,
            hint="name another folder, or --restart to replace it",
        )
    if not training.keys() >= CARD_SAYS:
        raise AssayError("the card doesn't say how it was trained", file=folder, hint=ANEW)
    check_files(folder, card["files"], ANEW)
    more = budget.max_minutes is None or budget.max_minutes > training["minutes"]
    return None if training["stopped"] == "max_minutes" and more else card


def _clear(work: Path, folder: Path) -> None:
    if folder.exists():
        # Only what is a model is replaced: a mistyped --to must not cost anything else.
        read_card(folder)
    for path in work.glob("step-*"):
        shutil.rmtree(path, ignore_errors=True)


def _said(point: DevPoint) -> str:
    loss = "" if point.loss is None else f"loss {point.loss:.4f}, "
    return (
        f"step {point.step:,} (epoch {point.epochs:.2f}): {loss}dev {100 * point.accuracy:.2f} percent, "
        f"{point.minutes:.1f} minutes"
    )


def _versions() -> dict[str, str]:
    return {
        "assay": __version__,
        **{name: version(name) for name in ("torch", "safetensors", "transformers")},
    }

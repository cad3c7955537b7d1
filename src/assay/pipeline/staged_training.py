"""A recipe's trainings, each in a folder of its own; the one that did best on dev is the result."""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from assay.errors import AssayError
from assay.pipeline.recipe import Trial
from assay.pipeline.training import Tell, TrainedModel, check_plan, train_model, work_folder
from assay.progress import SILENT, Progress
from assay.solvers.neural.model_folder import copy_model, read_card
from assay.solvers.neural.tensor_files import check_files
from assay.solvers.neural.training_settings import UNBOUNDED, Budget
from assay.storage import only_writer, to_json


@dataclass(frozen=True, slots=True)
class TrialDone:
    """A trial's values and the models of its stages; the last is its result."""

    values: Mapping[str, Any]
    stages: tuple[TrainedModel, ...]

    @property
    def accuracy(self) -> float | None:
        """The best on dev of its last stage; None without dev."""
        best = self.stages[-1].card["training"]["best"]
        return None if best is None else float(best["accuracy"])


@dataclass(frozen=True, slots=True)
class RecipeDone:
    """Every trial, and which of them `model` was made of."""

    model: TrainedModel
    trials: tuple[TrialDone, ...]
    best: int


def train_recipe(
    trials: Sequence[Trial],
    folder: Path,
    *,
    budget: Budget = UNBOUNDED,
    restart: bool = False,
    progress: Progress = SILENT,
    tell: Tell = lambda line: None,
) -> RecipeDone:
    """Train every stage of every trial in `<folder>.training`, then copy the best result to `folder`.

    Stages that trials have in common are trained once, and what was trained is never trained again.
    `budget.max_minutes` bounds each training. Of equal results the first counts.
    Raises AssayError as `train_model` does, and where trials are to be compared without dev questions.
    """
    if len(trials) > 1 and any(trial.stages[-1].plan.dev is None for trial in trials):
        raise AssayError("a sweep chooses by dev, and there are no dev questions")
    # A fault in the last trial must not show after days of the first.
    for trial in trials:
        for stage in trial.stages:
            check_plan(stage.plan)
    work = work_folder(folder)
    with only_writer(work):
        if folder.exists():
            known = read_card(folder)
            if "recipe" not in known and not restart:
                raise AssayError(
                    "here stands a model that no recipe made",
                    file=folder,
                    hint="name another folder, or --restart to replace it",
                )
        if restart:
            for path in work.iterdir():
                if path.is_dir():
                    shutil.rmtree(path)
        done: list[TrialDone] = []
        for number, trial in enumerate(trials, 1):
            if len(trials) > 1:
                tell(f"trial {number} of {len(trials)}: {_named(trial.values)}")
            done.append(_trial(trial, work, budget, progress, tell))
        best = max(range(len(done)), key=lambda place: (done[place].accuracy or 0.0, -place))
        return RecipeDone(_result(folder, done, best), tuple(done), best)


def _trial(trial: Trial, work: Path, budget: Budget, progress: Progress, tell: Tell) -> TrialDone:
    chain = ""
    made: list[TrainedModel] = []
    for stage in trial.stages:
        chain = hashlib.sha256(
            (chain + to_json(asdict(stage.plan) | _paths(stage.plan))).encode("utf-8")
        ).hexdigest()
        plan = replace(stage.plan, start=made[-1].folder) if made else stage.plan
        folder = work / f"{stage.name}-{chain[:12]}"
        if len(trial.stages) > 1:
            tell(f"stage {stage.name}, in {folder.name}")
        made.append(train_model(plan, folder, budget=budget, progress=progress, tell=tell))
    return TrialDone(trial.values, tuple(made))


def _paths(plan: Any) -> dict[str, Any]:
    """The plan's paths as text."""

    def shown(data: Any) -> Any:
        return [list(data.files), None if data.evidence is None else str(data.evidence)]

    return {
        "train": [shown(data) for data in plan.train],
        "dev": None if plan.dev is None else shown(plan.dev),
        "start": None if plan.start is None else str(plan.start),
    }


def _result(folder: Path, done: Sequence[TrialDone], best: int) -> TrainedModel:
    chosen = done[best]
    record = {
        "stages": [_record(model) for model in chosen.stages],
        "trials": [
            {"values": dict(trial.values), **_record(trial.stages[-1])} for trial in done if trial.values
        ],
    }
    if folder.exists():
        card = read_card(folder)
        source = chosen.stages[-1].card
        if card["weights"] == source["weights"] and card.get("recipe") == record:
            check_files(folder, card["files"], "remove it, and run the same command again")
            return TrainedModel(folder, card, reused=True)
    card = copy_model(chosen.stages[-1].folder, folder, {"recipe": record})
    return TrainedModel(folder, card, reused=False)


def _record(model: TrainedModel) -> dict[str, Any]:
    training = model.card["training"]
    return {
        "folder": model.folder.name,
        "weights": model.card["weights"],
        "accuracy": None if training["best"] is None else training["best"]["accuracy"],
        "steps": training["steps"],
        "minutes": training["minutes"],
        "stopped": training["stopped"],
    }


def _named(values: Mapping[str, Any]) -> str:
    return ", ".join(f"{name} = {value}" for name, value in values.items())

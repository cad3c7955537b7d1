"""Where a training stands, kept so that a run that was cut off ends with the same weights."""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch

from assay.errors import AssayError
from assay.solvers.neural.tensor_files import Tensors, check_files, files_of, read_tensors, write_tensors
from assay.storage import to_json, whole_folder

STATE = "state.json"
RESTART = "--restart throws it away and trains from the start"


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """`tensors` by file name without its ending ("weights", "optimizer", "best"); `record` is JSON."""

    step: int
    tensors: Mapping[str, Mapping[str, torch.Tensor]]
    record: Mapping[str, Any]


def save_checkpoint(
    work: Path, step: int, key: str, tensors: Mapping[str, Tensors], record: Mapping[str, Any]
) -> None:
    """Write the checkpoint of `step` into the folder `work`, whole or not at all, then drop earlier ones."""
    folder = work / f"step-{step:08d}"
    with whole_folder(folder) as part:
        for name, values in tensors.items():
            write_tensors(part / f"{name}.safetensors", values)
        state = {"key": key, "step": step, "files": files_of(part), "record": dict(record)}
        (part / STATE).write_text(to_json(state, indent=2) + "\n", encoding="utf-8")
    for path in _folders(work):
        if path != folder:
            shutil.rmtree(path, ignore_errors=True)


def latest_checkpoint(work: Path, key: str) -> Checkpoint | None:
    """The last checkpoint in `work`, None where there is none.

    Raises AssayError when it was made by another recipe (`key`), or a file is missing, cut off or altered.
    """
    folders = _folders(work)
    if not folders:
        return None
    folder = folders[-1]
    try:
        state = json.loads((folder / STATE).read_bytes())
        known, files, record, step = state["key"], dict(state["files"]), state["record"], state["step"]
    except (OSError, ValueError, KeyError, TypeError):
        raise AssayError("the checkpoint is damaged", file=folder / STATE, hint=RESTART) from None
    if known != key:
        raise AssayError(
            "here stands a training of other data or settings, not yet done",
            file=folder,
            hint=f"name another folder; or {RESTART}",
        )
    check_files(folder, files, f"the checkpoint is damaged; {RESTART}")
    tensors = {name.removesuffix(".safetensors"): read_tensors(folder / name) for name in files}
    return Checkpoint(step, tensors, record)


def _folders(work: Path) -> list[Path]:
    return sorted(path for path in work.glob("step-*") if path.is_dir())

"""`assay train`: a model folder from files, the same after a kill, and clear words for bad input."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

pytest.importorskip("torch", reason="the extra 'neural' isn't installed")

from tests.conftest import ROOT
from tests.solvers.neural.toy import write_toy

# The command, with a reader small enough for a test; SLOW makes every step last so many seconds.
COMMAND = """
import os, sys, time
from assay.solvers.neural import readers, training
readers.READERS["tiny"] = "tests.solvers.neural.tiny:TinyReader"
slow = float(os.environ.get("SLOW", "0"))
if slow:
    step = training.choice_loss
    def slowly(*given):
        time.sleep(slow)
        return step(*given)
    training.choice_loss = slowly
from assay.cli.main import main
sys.argv = ["assay", *sys.argv[1:]]
main()
"""


def arguments(folder: Path, *more: str, to: str = "model") -> list[str]:
    train, train_evidence = write_toy(folder, "train", 60, 1)
    dev, dev_evidence = write_toy(folder, "dev", 20, 2)
    return [
        *("train", "tiny", "--train", str(train), "--train-evidence", str(train_evidence)),
        *("--dev", str(dev), "--dev-evidence", str(dev_evidence), "--to", str(folder / to)),
        *("--training", "learning_rate=0.05", "--training", "batch=8", "--training", "at_once=3"),
        *("--training", "epochs=4", "--training", "evaluate_every=5", "--checkpoint-steps", "3", *more),
    ]


def start(given: list[str], **environment: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", COMMAND, *given],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": f"src{os.pathsep}.", "OMP_NUM_THREADS": "1", **environment},
    )


def assay(given: list[str]) -> tuple[int, str, str]:
    process = start(given)
    out, err = process.communicate(timeout=120)
    return process.returncode, out, err


def test_trains_and_says_how(tmp_path: Path) -> None:
    status, out, err = assay(arguments(tmp_path, "--json"))
    assert status == 0, err
    card = json.loads(out)
    assert card["training"]["best"]["accuracy"] == 1.0
    assert [point["step"] for point in card["training"]["curve"]] == [5, 10, 15, 20, 25, 30, 32]
    assert "dev 100.00 percent" in err
    folder = tmp_path / "model"
    assert sorted(path.name for path in folder.iterdir()) == [
        "README.md",
        "reader",
        "reader.json",
        "weights.safetensors",
    ]
    assert not (tmp_path / "model.training").exists()
    status, out, _ = assay(arguments(tmp_path))
    assert (status, "stood there already" in out) == (0, True)
    status, _, err = assay(arguments(tmp_path, "--seed", "7"))
    assert (status, "made of other data or settings" in err) == (2, True)
    status, _, err = assay(arguments(tmp_path, "--seed", "7", "--restart"))
    assert status == 0, err


def test_killed_anywhere_ends_with_the_same_weights(tmp_path: Path) -> None:
    assert assay(arguments(tmp_path, to="whole"))[0] == 0
    whole = (tmp_path / "whole/weights.safetensors").read_bytes()
    work = tmp_path / "model.training"
    kills, seen = 0, set()
    for wait in (0, 0.05, 0.11, 0.02, 0.3, 0.17):
        process = start(arguments(tmp_path), SLOW="0.02")
        until = time.monotonic() + 60
        before = {path.name for path in work.glob("step-*")} if work.exists() else set()
        while process.poll() is None and time.monotonic() < until:
            # Killed a little after it has got further than the kill before.
            if {path.name for path in work.glob("step-*")} - before:
                time.sleep(wait)
                process.send_signal(signal.SIGKILL)
                break
            time.sleep(0.005)
        process.communicate()
        kills += process.returncode == -signal.SIGKILL
        seen |= {path.name for path in work.glob("step-*")}
    assert kills >= 3
    assert len(seen) >= 3
    status, _, err = assay(arguments(tmp_path))
    assert status == 0, err
    assert (tmp_path / "model/weights.safetensors").read_bytes() == whole

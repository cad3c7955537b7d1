"""Kill `assay train` again and again, then let it end by itself.

    python -m tests.cli.kill_training WORK ARGUMENTS...

Every run is a fork of this process, which has imported PyTorch but not used it: a start costs nothing.
Prints a JSON list: the names of the checkpoints that stood after each kill.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import time
from pathlib import Path
from typing import Any

import assay.pipeline.training  # noqa: F401 (imported before the forks)
from assay.cli.main import main
from assay.solvers.neural import readers, training

WAITS = (0.0, 0.05, 0.11, 0.02, 0.3, 0.17)
SLOW = 0.01


def run(arguments: list[str], slow: float) -> int:
    """Start the command in a fork; every batch lasts `slow` seconds longer."""
    child = os.fork()
    if child:
        return child
    plain = training.choice_loss

    def slowly(*given: Any) -> Any:
        time.sleep(slow)
        return plain(*given)

    training.choice_loss = slowly
    readers.READERS["tiny"] = "tests.solvers.neural.tiny:TinyReader"  # type: ignore[index]
    sys.argv = ["assay", *arguments]
    status = 1
    try:
        main()
    except SystemExit as left:
        status = int(left.code or 0)
    finally:
        os._exit(status)


def checkpoints(work: Path) -> list[str]:
    return sorted(path.name for path in work.glob("step-*"))


def killed(work: Path, wait: float, arguments: list[str]) -> bool:
    """Start it and kill it `wait` seconds after it has kept a new checkpoint; whether that was in time."""
    before = checkpoints(work)
    child = run(arguments, SLOW)
    until = time.monotonic() + 100
    while time.monotonic() < until:
        ended, _status = os.waitpid(child, os.WNOHANG)
        if ended:
            return False
        if set(checkpoints(work)) - set(before):
            time.sleep(wait)
            break
        time.sleep(0.002)
    os.kill(child, signal.SIGKILL)
    return os.WIFSIGNALED(os.waitpid(child, 0)[1])


def all_runs(work: Path, arguments: list[str]) -> list[list[str]]:
    found = []
    for wait in WAITS:
        if killed(work, wait, arguments):
            found.append(checkpoints(work))
    status = os.waitstatus_to_exitcode(os.waitpid(run(arguments, 0.0), 0)[1])
    if status:
        sys.exit(f"the last run ended with {status}")
    return found


if __name__ == "__main__":
    print(json.dumps(all_runs(Path(sys.argv[1]), sys.argv[2:])))

"""log.jsonl: when each step ran and what it cost, apart from everything that must be the same each time."""

from __future__ import annotations

import resource
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from assay.storage import append_lines, to_json

ANSWERS = "answers "
"""How the step of a system's answers is called, before the system's name."""


class RunLog:
    """Appends a line a step: its name, seconds, what was made and what was reused, peak memory in bytes."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self.steps: list[dict[str, object]] = []

    @contextmanager
    def step(self, name: str) -> Iterator[dict[str, object]]:
        """Time a step; the mapping it yields takes whatever else is to be logged."""
        _forget_peak()
        started, more = time.perf_counter(), dict[str, object]()
        yield more
        record: dict[str, object] = {
            "step": name,
            "seconds": round(time.perf_counter() - started, 3),
            **more,
            "peak_bytes": _peak(),
            "at": datetime.now(UTC).isoformat(timespec="seconds"),
        }
        self.steps.append(record)
        with append_lines(self._path) as write:
            write(to_json(record))


def _forget_peak() -> None:
    """Have Linux measure the peak of resident memory anew, so that a step shows its own."""
    try:
        Path("/proc/self/clear_refs").write_text("5", encoding="ascii")
    except OSError:
        return


def _peak() -> int:
    """Highest resident memory in bytes: since `_forget_peak` on Linux, elsewhere since the process began."""
    try:
        status = Path("/proc/self/status").read_text(encoding="ascii", errors="replace")
    except OSError:
        # macOS counts bytes where others count blocks of 1,024.
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)
    line = next(line for line in status.splitlines() if line.startswith("VmHWM"))
    return int(line.split()[1]) * 1024

"""log.jsonl: when each step ran and what it cost, apart from everything that must be the same each time."""

from __future__ import annotations

import resource
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from assay.storage import append_lines, to_json


class RunLog:
    """Appends a line a step: its name, seconds, what was made and what was reused, peak memory in bytes."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self.steps: list[dict[str, object]] = []

    @contextmanager
    def step(self, name: str) -> Iterator[dict[str, object]]:
        """Time a step; the mapping it yields takes whatever else is to be logged."""
        started, more = time.perf_counter(), dict[str, object]()
        yield more
        record: dict[str, object] = {
            "step": name,
            "seconds": round(time.perf_counter() - started, 3),
            **more,
            "peak_bytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024,
            "at": datetime.now(UTC).isoformat(timespec="seconds"),
        }
        self.steps.append(record)
        with append_lines(self._path) as write:
            write(to_json(record))

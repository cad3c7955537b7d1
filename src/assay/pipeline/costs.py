"""What each system's answers took, read from a run's log: the report itself is the same on any machine."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from assay.pipeline.run_log import ANSWERS


@dataclass(frozen=True, slots=True)
class Cost:
    """Answers that a system gave, in `seconds` of one or several runs (loading what it needs included).

    `peak_bytes`: the process's highest resident memory while it answered, with all that was loaded before.
    """

    system: str
    questions: int
    seconds: float
    peak_bytes: int

    @property
    def rate(self) -> float:
        """Questions a second."""
        return self.questions / max(self.seconds, 1e-3)


def read_costs(folder: Path) -> list[Cost]:
    """A cost for each system that ever answered in this run folder, in the order of the latest run.

    Counted are the answers since they were last begun anew: a run that goes on adds to the one before it.
    """
    found: dict[str, Cost] = {}
    for record in _records(folder / "log.jsonl"):
        system = str(record["step"]).removeprefix(ANSWERS)
        new = int(record["questions"]) - int(record["reused"])
        before = found.pop(system, None)
        if not new:
            if before is not None:
                found[system] = before
            continue
        cost = Cost(system, new, float(record["seconds"]), int(record["peak_bytes"]))
        if before is not None and record["reused"]:
            cost = Cost(
                system,
                before.questions + cost.questions,
                before.seconds + cost.seconds,
                max(before.peak_bytes, cost.peak_bytes),
            )
        found[system] = cost
    return list(found.values())


def _records(path: Path) -> Iterator[dict[str, Any]]:
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            record = json.loads(line)
            if str(record.get("step", "")).startswith(ANSWERS) and "reused" in record:
                yield record

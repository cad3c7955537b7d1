"""Names in benchmark.toml that files of the run are called by."""

from __future__ import annotations

import re
from collections.abc import Iterable

from assay.errors import AssayError

LONGEST = 200
"""Bytes of a name; file systems allow 255 for it and what is put to it."""
TOGETHER = 170
"""Bytes of a solver's name and an experiment's: answers/SOLVER@EXPERIMENT-CONDITION.jsonl has both."""
_OF_ANOTHER = re.compile(r"(.+)(?:-[0-9]+|\.(?:json|key|svg))")


def check_file_names(solvers: Iterable[str], evidence: Iterable[str], experiments: Iterable[str]) -> None:
    """Raises AssayError for a name that can't be a file's, and one that another's file is called by."""
    experiments, solvers = list(experiments), list(solvers)
    for room, names in (("solvers", solvers), ("evidence", evidence), ("experiments", experiments)):
        for name in names:
            _check_file_name(room, name)
    for name in experiments:
        another = _OF_ANOTHER.fullmatch(name)
        if another and another[1] in experiments:
            raise AssayError(
                f"experiments.{name}: a file of experiments.{another[1]} may be called so",
                hint="name it otherwise",
            )
        for solver in solvers:
            if len(f"{solver}{name}".encode()) > TOGETHER:
                raise AssayError(
                    f"solvers.{solver[:40]} and experiments.{name[:40]}: over {TOGETHER} bytes together, "
                    "too long for a file's name"
                )


def _check_file_name(room: str, name: str) -> None:
    if (
        not name
        or name.startswith(".")
        or any(character in '<>:"/\\|?*' or not character.isprintable() for character in name)
    ):
        raise AssayError(f"{room}.{name}: a name can't be a path or hold any of < > : \" / \\ | ? *")
    if len(name.encode("utf-8")) > LONGEST:
        raise AssayError(f"{room}.{name[:40]}...: a name can't be over {LONGEST} bytes")

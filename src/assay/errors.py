"""The one family of errors: what is wrong, where, and what to do about it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Literal

Severity = Literal["error", "warning"]


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing wrong with an input.

    `file` is the path as the user gave it (None: not from a file), `line` counts from 1 by line feeds,
    `question_id` names the question where there is one. `severity` "error" makes the input unusable.
    """

    what: str
    file: str | None = None
    line: int | None = None
    question_id: str | None = None
    severity: Severity = "error"

    @property
    def where(self) -> str:
        """`file:line` as far as it is known, else the empty string."""
        if self.file is None:
            return f"line {self.line}" if self.line is not None else ""
        return self.file if self.line is None else f"{self.file}:{self.line}"

    def __str__(self) -> str:
        parts = [
            self.where,
            f"question {self.question_id}" if self.question_id is not None else "",
            self.what,
        ]
        return ": ".join(part for part in parts if part)


def first_line(error: BaseException) -> str:
    """The first line of what another library's error says, or its name where it says nothing."""
    return (str(error).splitlines() or [type(error).__name__])[0]


class AssayError(Exception):
    """Anything a user can mend: bad input, wrong usage, a full disk. Printed without a traceback.

    Exit status 2. `hint` says what to do, and is printed after the fault.
    """

    exit_status = 2

    def __init__(
        self,
        what: str,
        *,
        file: str | Path | None = None,
        line: int | None = None,
        question_id: str | None = None,
        hint: str | None = None,
    ) -> None:
        self.faults: tuple[Fault, ...] = (
            Fault(what, None if file is None else str(file), line, question_id),
        )
        self.hint = hint
        super().__init__(what)

    def __str__(self) -> str:
        text = "\n".join(str(fault) for fault in self.faults)
        return text if self.hint is None else f"{text} ({self.hint})"


class FaultyInput(AssayError):
    """An input with one or more faults, every one of them listed."""

    def __init__(self, faults: Sequence[Fault], *, hint: str | None = None) -> None:
        if not faults:
            raise ValueError("FaultyInput needs at least one fault")
        super().__init__(faults[0].what, hint=hint)
        self.faults = tuple(faults)


class MissingExtra(AssayError):
    """A part of Assay that needs an optional dependency which isn't installed."""

    def __init__(self, what: str, extra: str) -> None:
        super().__init__(f"{what} needs the extra '{extra}'", hint=f"pip install 'assay[{extra}]'")


NEURAL = ("torch", "safetensors", "transformers")
"""Packages without which nothing of the extra 'neural' can be loaded."""


def need_neural(what: str) -> None:
    """Raises MissingExtra, for `what` is asked, where the extra 'neural' isn't installed."""
    if not all(map(find_spec, NEURAL)):
        raise MissingExtra(what, "neural")

"""How long work says how far it is: a small protocol, so that no room knows a terminal."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Protocol

Advance = Callable[[int], None]
"""Called with the number of units done since the last call."""


class Progress(Protocol):
    """Shows tasks; `assay.cli.progress` draws bars, `SILENT` nothing."""

    def task(self, what: str, total: int | None, unit: str) -> AbstractContextManager[Advance]:
        """A task called `what` of `total` units (None: unknown), `unit` in the plural ("sentences")."""
        ...


class _Silent:
    @contextmanager
    def task(self, what: str, total: int | None, unit: str) -> Iterator[Advance]:
        yield lambda count: None


SILENT: Progress = _Silent()

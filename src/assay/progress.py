"""How long work says how far it is: a small protocol, so that no room knows a terminal."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Protocol


class Advance(Protocol):
    """Called with the number of units done since the last call, and how it goes."""

    def __call__(self, count: int, status: str = "", /) -> None:
        """`status` is shown beside the bar until the next one; "" leaves the last as it is."""
        ...


class Progress(Protocol):
    """Shows tasks; `assay.cli.progress` draws bars, `SILENT` nothing."""

    def task(self, what: str, total: int | None, unit: str) -> AbstractContextManager[Advance]:
        """A task called `what` of `total` units (None: unknown), `unit` in the plural ("sentences")."""
        ...


class _Silent:
    @contextmanager
    def task(self, what: str, total: int | None, unit: str) -> Iterator[Advance]:
        yield lambda count, status="": None


SILENT: Progress = _Silent()

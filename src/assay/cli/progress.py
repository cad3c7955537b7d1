"""Progress on standard error: bars with rate and time left on a terminal, a few plain lines elsewhere."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

from assay.progress import SILENT, Advance, Progress

PLAIN_SECONDS = 30.0
"""Off a terminal a task says how far it is at most this often, and never more than PLAIN_LINES times."""
PLAIN_LINES = 8


class _Plain:
    @contextmanager
    def task(self, what: str, total: int | None, unit: str) -> Iterator[Advance]:
        started = said = time.monotonic()
        done = lines = 0

        def advance(count: int) -> None:
            nonlocal done, said, lines
            done += count
            now = time.monotonic()
            if lines < PLAIN_LINES and now - said >= PLAIN_SECONDS * 2**lines:
                said, lines = now, lines + 1
                of = "" if total is None else f" of {total:,}"
                print(f"{what}: {done:,}{of} {unit}, {done / (now - started):,.0f}/s", file=sys.stderr)

        yield advance


class _Bars:
    @contextmanager
    def task(self, what: str, total: int | None, unit: str) -> Iterator[Advance]:
        from rich.console import Console
        from rich.progress import (
            BarColumn,
            MofNCompleteColumn,
            ProgressColumn,
            Task,
            TextColumn,
            TimeRemainingColumn,
        )
        from rich.progress import Progress as RichProgress
        from rich.text import Text

        class Rate(ProgressColumn):
            def render(self, task: Task) -> Text:
                return Text("" if task.speed is None else f"{task.speed:,.0f} {unit}/s", style="cyan")

        with RichProgress(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            Rate(),
            TimeRemainingColumn(),
            console=Console(stderr=True),
            transient=True,
        ) as bars:
            task_id = bars.add_task(what, total=total)

            def advance(count: int) -> None:
                bars.advance(task_id, count)

            yield advance


def progress(*, quiet: bool = False) -> Progress:
    """Bars if standard error is a terminal, plain lines if not, nothing if `quiet`."""
    if quiet:
        return SILENT
    return _Bars() if sys.stderr.isatty() else _Plain()

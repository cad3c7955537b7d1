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

        latest = ""

        def advance(count: int, status: str = "", /) -> None:
            nonlocal done, said, lines, latest
            done += count
            latest = status or latest
            now = time.monotonic()
            if lines < PLAIN_LINES and now - said >= PLAIN_SECONDS * 2**lines:
                said, lines = now, lines + 1
                of = "" if total is None else f" of {total:,}"
                rate = done / (now - started)
                shown = f"{rate:,.0f}" if rate >= 10 else f"{rate:.1f}"
                more = f", {latest}" if latest else ""
                print(f"{what}: {done:,}{of} {unit}, {shown}/s{more}", file=sys.stderr)

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
                if task.speed is None:
                    return Text("")
                shown = f"{task.speed:,.0f}" if task.speed >= 10 else f"{task.speed:.1f}"
                return Text(f"{shown} {unit}/s", style="cyan")

        with RichProgress(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            Rate(),
            TimeRemainingColumn(),
            TextColumn("{task.fields[status]}"),
            console=Console(stderr=True),
            transient=True,
        ) as bars:
            task_id = bars.add_task(what, total=total, status="")

            def advance(count: int, status: str = "", /) -> None:
                bars.advance(task_id, count)
                if status:
                    bars.update(task_id, status=status)

            yield advance


def progress(*, quiet: bool = False) -> Progress:
    """Bars if standard error is a terminal, plain lines if not, nothing if `quiet`."""
    if quiet:
        return SILENT
    return _Bars() if sys.stderr.isatty() else _Plain()

"""Many items through a network on all cores, each read alone by one thread, so that none knows others."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, TypeVar

import torch

Item = TypeVar("Item")
Prepared = TypeVar("Prepared")
Result = TypeVar("Result")
AHEAD = 4
"""Items a thread that are prepared before their turn."""


def in_threads(
    items: Iterable[Item],
    prepare: Callable[[Item], Prepared],
    read: Callable[[Item, Prepared], Result],
    threads: int,
) -> Iterator[Result]:
    """`read(item, prepare(item))` of each item, in order; a thread has one of PyTorch's own.

    `prepare` is never called twice at once: tokenisers aren't safe in threads.
    """
    initializer: Any = torch.set_num_threads
    preparing, reading = (
        ThreadPoolExecutor(count, initializer=initializer, initargs=(1,)) for count in (1, threads)
    )
    waiting: deque[Future[Result]] = deque()

    def when_prepared(item: Item, prepared: Future[Prepared]) -> Result:
        return read(item, prepared.result())

    try:
        for item in items:
            waiting.append(reading.submit(when_prepared, item, preparing.submit(prepare, item)))
            if len(waiting) >= AHEAD * threads:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    finally:
        reading.shutdown(wait=False, cancel_futures=True)
        preparing.shutdown(cancel_futures=True)
        reading.shutdown()

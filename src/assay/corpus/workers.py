"""Worker processes: tasks out, answers back in the order of the tasks, whatever the number of workers.

Plain subprocesses that speak length-prefixed pickles, not multiprocessing: nothing is forked beside threads,
and a caller's script needs no guard against being imported again.
"""

from __future__ import annotations

import gc
import os
import pickle
import struct
import subprocess
import sys
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from functools import partial
from importlib import import_module
from queue import SimpleQueue
from typing import IO, Any

from assay.corpus.analysis import Piece, Settings
from assay.corpus.inputs import Block
from assay.errors import AssayError

FEW_BYTES = 6 << 20
"""Inputs up to this size are done here: a worker takes longer to start."""
START = "from assay.corpus.workers import serve; serve()"


def pieces(blocks: Iterable[Block], settings: Settings, workers: int) -> Generator[Piece]:
    """A piece for each block, in order, made by so many worker processes (1: in this one)."""
    yield from answers(blocks, "assay.corpus.analysis:BlockAnalyser", settings, workers)


def answers(tasks: Iterable[Any], maker: str, settings: Any, workers: int) -> Generator[Any]:
    """An answer for each task, in order, made by so many worker processes (1: in this one).

    `maker` ("module:name") is called in each process with `settings` and the process's number (from 0), and
    gives the function from task to answer. All of these can be pickled. What the function raises is raised
    here; AssayError when a process ends early.
    """
    if workers <= 1:
        yield from map(_made(maker, settings, 0), tasks)
        return
    with ExitStack() as stack:
        idle: SimpleQueue[subprocess.Popen[bytes]] = SimpleQueue()
        for number in range(workers):
            idle.put(stack.enter_context(_worker((maker, settings, number))))
        pool = ThreadPoolExecutor(workers)
        stack.callback(pool.shutdown, wait=True, cancel_futures=True)
        waiting: deque[Future[Any]] = deque()
        for task in tasks:
            waiting.append(pool.submit(_ask, idle, task))
            if len(waiting) > workers + 1:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()


@contextmanager
def _worker(orders: tuple[str, Any, int]) -> Iterator[subprocess.Popen[bytes]]:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    process = subprocess.Popen(
        [sys.executable, "-c", START],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=environment,
        # An interrupt from the keyboard is for the one who asked, who then ends the workers.
        process_group=0,
    )
    try:
        assert process.stdin is not None
        try:
            _send(process.stdin, orders)
        except BrokenPipeError:
            # It ended at once; whoever gives it a task is told.
            pass
        yield process
    finally:
        process.kill()
        process.wait()
        for stream in (process.stdin, process.stdout):
            if stream is not None:
                try:
                    stream.close()
                except OSError:
                    pass


def _made(maker: str, settings: Any, number: int) -> Callable[[Any], Any]:
    module, _, name = maker.partition(":")
    made: Callable[[Any], Any] = getattr(import_module(module), name)(settings, number)
    return made


def _ask(idle: SimpleQueue[subprocess.Popen[bytes]], task: Any) -> Any:
    process = idle.get()
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        _send(process.stdin, task)
        answer = _receive(process.stdout)
    except (BrokenPipeError, EOFError):
        raise AssayError(
            f"a worker process ended early (exit status {process.wait()})",
            hint="was there memory enough? Fewer workers need less: --workers 1",
        ) from None
    finally:
        # Also one that ended: whoever waits for a process would wait for ever.
        idle.put(process)
    if isinstance(answer, BaseException):
        raise answer
    return answer


def _send(stream: IO[bytes], value: Any) -> None:
    data = pickle.dumps(value, protocol=5)
    stream.write(struct.pack("<Q", len(data)))
    stream.write(data)
    stream.flush()


def _receive(stream: IO[bytes]) -> Any:
    head = stream.read(8)
    if len(head) < 8:
        raise EOFError
    data = stream.read(struct.unpack("<Q", head)[0])
    return pickle.loads(data)


def _fail(error: Exception, _: Any) -> Any:
    raise error


def serve() -> None:
    """A worker's life: orders first, then tasks until the other side is gone."""
    stdin, stdout = sys.stdin.buffer, sys.stdout.buffer
    # Millions of strings and no cycles: nothing to collect, much to look through.
    gc.disable()
    sys.stdout = sys.stderr
    try:
        orders = _receive(stdin)
        try:
            work = _made(*orders)
        except Exception as error:
            # Told to whoever sends the first task.
            work = partial(_fail, error)
        while True:
            task = _receive(stdin)
            try:
                answer: Any = work(task)
            except Exception as error:
                answer = error
            _send(stdout, answer)
    except (EOFError, BrokenPipeError, KeyboardInterrupt):
        os._exit(0)

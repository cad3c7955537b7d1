"""Worker processes: blocks out, pieces back in the order of the blocks, whatever the number of workers.

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
from collections.abc import Generator, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from queue import SimpleQueue
from typing import IO, Any

from assay.corpus.analysis import BlockAnalyser, Piece, Settings
from assay.corpus.inputs import Block
from assay.errors import AssayError

FEW_BYTES = 6 << 20
"""Inputs up to this size are done here: a worker takes longer to start."""
START = "from assay.corpus.workers import serve; serve()"


def pieces(blocks: Iterable[Block], settings: Settings, workers: int) -> Generator[Piece]:
    """A piece for each block, in order, made by so many worker processes (1: in this one)."""
    if workers <= 1:
        yield from map(BlockAnalyser(settings), blocks)
        return
    with ExitStack() as stack:
        idle: SimpleQueue[subprocess.Popen[bytes]] = SimpleQueue()
        for number in range(workers):
            idle.put(stack.enter_context(_worker(settings, number)))
        pool = ThreadPoolExecutor(workers)
        stack.callback(pool.shutdown, wait=True, cancel_futures=True)
        waiting: deque[Future[Piece]] = deque()
        for block in blocks:
            waiting.append(pool.submit(_ask, idle, block))
            if len(waiting) > workers + 1:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()


@contextmanager
def _worker(settings: Settings, number: int) -> Iterator[subprocess.Popen[bytes]]:
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
        _send(process.stdin, (settings, number))
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


def _ask(idle: SimpleQueue[subprocess.Popen[bytes]], block: Block) -> Piece:
    process = idle.get()
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        _send(process.stdin, block)
        answer = _receive(process.stdout)
    except (BrokenPipeError, EOFError):
        raise AssayError(
            f"a worker process ended early (exit status {process.wait()})",
            hint="was there memory enough? Fewer workers need less: --workers 1",
        ) from None
    idle.put(process)
    if isinstance(answer, BaseException):
        raise answer
    assert isinstance(answer, Piece)
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


def serve() -> None:
    """A worker's life: settings first, then blocks until the other side is gone."""
    stdin, stdout = sys.stdin.buffer, sys.stdout.buffer
    # Millions of strings and no cycles: nothing to collect, much to look through.
    gc.disable()
    sys.stdout = sys.stderr
    try:
        analyse = BlockAnalyser(*_receive(stdin))
        while True:
            block = _receive(stdin)
            try:
                answer: Any = analyse(block)
            except Exception as error:
                answer = error
            _send(stdout, answer)
    except (EOFError, BrokenPipeError, KeyboardInterrupt):
        os._exit(0)

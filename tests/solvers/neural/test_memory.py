"""Freed memory goes back to the system, and training asks for it."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch", reason="the extra 'neural' isn't installed")

from assay.solvers.neural import memory


def resident() -> int:
    """Bytes of this process in memory."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096


@pytest.mark.skipif(sys.platform != "linux", reason="malloc_trim is the GNU C library's")
def test_holes_are_given_back() -> None:
    before = resident()
    blocks = [np.ones(12_000, np.uint8) for _ in range(10_000)]
    kept = blocks[::500]
    del blocks
    held = resident() - before
    memory.give_back()
    assert len(kept) == 20
    assert resident() - before < held / 2 or held < 20_000_000


def test_a_system_without_it_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    class Nothing:
        def __init__(self, name: None) -> None:
            raise OSError

    memory._trim.cache_clear()
    monkeypatch.setattr(memory.ctypes, "CDLL", Nothing)
    assert memory._trim() is None
    memory.give_back()
    memory._trim.cache_clear()

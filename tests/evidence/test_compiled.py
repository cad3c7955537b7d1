"""Kept kernels are forgotten when any source beside them is newer."""

from __future__ import annotations

import os
from pathlib import Path

from assay.evidence.compiled import forget_stale


def test_only_kernels_older_than_a_source_go(tmp_path: Path) -> None:
    kept = tmp_path / "__pycache__"
    kept.mkdir()
    for name, seconds in [
        ("a.py", 100),
        ("b.py", 300),
        ("__pycache__/a.old.nbi", 200),
        ("__pycache__/a.new.nbi", 400),
    ]:
        (tmp_path / name).write_text("")
        os.utime(tmp_path / name, (seconds, seconds))
    assert forget_stale(tmp_path) == 1
    assert sorted(path.name for path in kept.iterdir()) == ["a.new.nbi"]
    assert forget_stale(tmp_path) == 0


def test_nothing_there(tmp_path: Path) -> None:
    assert forget_stale(tmp_path) == 0

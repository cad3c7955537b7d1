"""What a training over batches of many shapes would otherwise pile up."""

from __future__ import annotations

import os

PRIMITIVES = "ONEDNN_PRIMITIVE_CACHE_CAPACITY"
KEPT = 16
"""Compiled products that oneDNN keeps (it would keep 1,024), each with memory of its own. Few shapes come
again before many others: fewer kept cost no time, and gigabytes are saved (docs/training.md)."""


def keep_few_primitives() -> None:
    """Bound what oneDNN keeps for shapes met before, unless the environment says how much.

    It is read once, when the first product is made in bf16: later calls change nothing.
    """
    os.environ.setdefault(PRIMITIVES, str(KEPT))

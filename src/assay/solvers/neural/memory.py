"""What the C library holds of freed memory, given back."""

from __future__ import annotations

import ctypes
import functools
from collections.abc import Callable


@functools.cache
def _trim() -> Callable[[int], int] | None:
    """The C library's malloc_trim, None where it has none (macOS, Windows, musl)."""
    try:
        found: Callable[[int], int] = ctypes.CDLL(None).malloc_trim
    except (AttributeError, OSError, TypeError):
        return None
    return found


def give_back() -> None:
    """Return freed pages to the system.

    Batches differ in shape, so what one frees seldom fits the next: the holes grew to 7 GB in a training that
    needs less than one.
    """
    trim = _trim()
    if trim is not None:
        trim(0)

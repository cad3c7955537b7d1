"""What is kept beside a corpus in shards: files of so many sentences each, named by what decides them."""

from __future__ import annotations

import hashlib
import re
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from assay.corpus.columns import Strings
from assay.storage import to_json

CRC_BYTES = 4
_NAME = re.compile(r"[0-9]{6,}-[0-9a-f]{24}")


def digests(texts: Sequence[str], size: int) -> Iterator[str]:
    """SHA-256 (hex) of every `size` sentences."""
    for first in range(0, len(texts), size):
        last = min(first + size, len(texts))
        if isinstance(texts, Strings):
            starts = texts.starts[first : last + 1]
            blob = texts.blob[starts[0] : starts[-1]].tobytes()
            lengths = np.diff(starts)
        else:
            encoded = [text.encode("utf-8", "surrogatepass") for text in texts[first:last]]
            blob, lengths = b"".join(encoded), np.array([len(text) for text in encoded], np.int64)
        yield hashlib.sha256(np.asarray(lengths, "<i8").tobytes() + blob).hexdigest()


def hash_of(value: Any) -> str:
    """SHA-256 (hex) of a value as JSON."""
    return hashlib.sha256(to_json(value).encode("utf-8")).hexdigest()


def names(decided_by: Sequence[Any], texts: Sequence[str]) -> list[str]:
    """A file name a shard: of its place, of what else decides its content, and of its sentences' digest."""
    return [f"{place:06d}-{hash_of([*decided_by, text])[:24]}" for place, text in enumerate(texts)]


def remove_others(folder: Path, wanted: Sequence[str], manifest: str) -> None:
    """Remove shards of other sentences or settings, and first of all a manifest that names any."""
    known = set(wanted)
    others = [path for path in folder.iterdir() if _NAME.fullmatch(path.name) and path.name not in known]
    if others:
        (folder / manifest).unlink(missing_ok=True)
    for path in others:
        path.unlink()


def with_checksum(content: bytes) -> bytes:
    """The content and its CRC-32, as a shard is written."""
    return content + zlib.crc32(content).to_bytes(CRC_BYTES, "little")


def unaltered(content: bytes | memoryview) -> bool:
    """The CRC-32 at its end is that of what stands before it."""
    if len(content) < CRC_BYTES:
        return False
    body = memoryview(content)[:-CRC_BYTES]
    return zlib.crc32(body).to_bytes(CRC_BYTES, "little") == content[-CRC_BYTES:]

"""What is kept beside a corpus in shards: files of so many sentences each, named by what decides them."""

from __future__ import annotations

import hashlib
import json
import re
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from assay.corpus.columns import Strings
from assay.corpus.model import Corpus
from assay.errors import AssayError
from assay.storage import to_json

MANIFEST = "manifest.json"
"""Written last: without it the shards are an extraction that didn't end."""
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


@dataclass(frozen=True, slots=True)
class Kept:
    """What is kept, in words ("vectors"); the verb that makes it; store version; what its manifest needs."""

    what: str
    verb: str
    version: int
    needs: str

    @property
    def kind(self) -> str:
        """How the manifest is marked."""
        return f"assay {self.what}"

    @property
    def again(self) -> str:
        """What to do about a store that is of no use."""
        return f"make them again: assay {self.verb}"

    def manifest(self, folder: Path) -> Mapping[str, Any]:
        """What the folder's manifest says. Raises AssayError when there is none, or it is damaged."""
        path = folder / MANIFEST
        damaged = AssayError("the manifest is damaged", file=path, hint=self.again)
        if not path.is_file():
            there = f"holds no {self.what}: it has no {MANIFEST}"
            raise AssayError(
                there if folder.exists() else f"there are no {self.what} here",
                file=folder,
                hint=f"assay {self.verb} makes them; run again, it goes on where it was cut off",
            )
        try:
            content = json.loads(path.read_bytes().decode("utf-8"))
        except (ValueError, RecursionError):
            raise damaged from None
        if not isinstance(content, dict) or content.get("kind") != self.kind:
            raise AssayError(
                f"is no manifest of {self.what}", file=path, hint=f"name a folder that {self.verb} wrote"
            )
        if content.get("version") != self.version:
            raise AssayError(
                f"the {self.what} have store version {content.get('version')!r}, this assay reads version "
                f"{self.version}",
                file=path,
                hint=self.again,
            )
        if not {"sentences", "texts", self.needs} <= content.keys():
            raise damaged
        return content

    def of_corpus(self, folder: Path, corpus: Corpus, size: int) -> Mapping[str, Any]:
        """As `manifest`; shards are of `size` sentences.

        Raises AssayError too when they are of other sentences than the corpus has.
        """
        found = self.manifest(folder)
        if found["texts"] != hash_of(list(digests(corpus.texts, size))):
            raise AssayError(
                f"the {self.what} are of {found['sentences']:,} sentences that aren't those of corpus "
                f"{corpus.name} ({len(corpus):,})",
                file=folder,
                hint=self.again,
            )
        return found


def remove_others(folder: Path, wanted: Sequence[str]) -> None:
    """Remove shards of other sentences or settings, and first of all a manifest that names any."""
    known = set(wanted)
    others = [path for path in folder.iterdir() if _NAME.fullmatch(path.name) and path.name not in known]
    if others:
        (folder / MANIFEST).unlink(missing_ok=True)
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

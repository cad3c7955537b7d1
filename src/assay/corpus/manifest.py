"""The manifest of a corpus folder: written last, read first, and what it promises checked."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from assay.corpus.columns import WHOLE_CHECK_BYTES, checksum, quick_checksum
from assay.errors import AssayError
from assay.storage import sha256_of, to_json

KIND = "assay corpus"
VERSION = 1
MANIFEST = "manifest.json"
AGAIN = "import it again"


@dataclass(frozen=True)
class Manifest:
    """What manifest.json holds, as read; `folder` is the corpus folder, `data` the folder of its columns."""

    folder: Path
    content: Mapping[str, Any]

    @property
    def data(self) -> Path:
        """Where the columns lie."""
        return self.folder / str(self.content["data"])

    def __getitem__(self, key: str) -> Any:
        return self.content[key]


def read_manifest(folder: str | Path) -> Manifest:
    """The manifest of the corpus in `folder`; columns aren't looked at.

    Raises AssayError when there is none, it is damaged, or another version of the store wrote it.
    """
    folder = Path(folder)
    path = folder / MANIFEST
    if not path.is_file():
        if not folder.exists():
            raise AssayError("no such corpus folder", file=folder)
        raise AssayError(
            f"is no corpus: it has no {MANIFEST}",
            file=folder,
            hint="an import that didn't end leaves none; run it again, it starts anew by itself",
        )
    try:
        content = json.loads(path.read_bytes().decode("utf-8"))
    except (ValueError, RecursionError):
        raise AssayError("the manifest is damaged", file=path, hint=AGAIN) from None
    if not isinstance(content, dict) or content.get("kind") != KIND:
        raise AssayError("is no manifest of a corpus", file=path, hint="name the folder of a corpus")
    if content.get("version") != VERSION:
        raise AssayError(
            f"the corpus has store version {content.get('version')!r}, this assay reads version {VERSION}",
            file=path,
            hint=AGAIN,
        )
    if not isinstance(content.get("files"), dict) or not isinstance(content.get("data"), str):
        raise AssayError("the manifest is damaged", file=path, hint=AGAIN)
    return Manifest(folder, content)


def check_files(manifest: Manifest, *, whole: bool = False) -> None:
    """Compare every column with the manifest: its size, and its checksum (see WHOLE_CHECK_BYTES).

    `whole`: every byte of the large ones too. Raises AssayError for what is missing, cut off or altered.
    """
    for name, promised in manifest["files"].items():
        path = manifest.data / name
        if not path.is_file():
            raise AssayError("a file of the corpus is missing", file=path, hint=AGAIN)
        if (size := path.stat().st_size) != promised["bytes"]:
            raise AssayError(
                f"a file of the corpus has {size:,} bytes where the manifest says {promised['bytes']:,}",
                file=path,
                hint=AGAIN,
            )
        large = size > WHOLE_CHECK_BYTES
        found, right = (
            (quick_checksum(path), promised["sampled"])
            if large and not whole
            else (checksum(path), promised["crc32"])
        )
        if found != right:
            raise AssayError(
                "a file of the corpus was altered: its checksum isn't the manifest's", file=path, hint=AGAIN
            )


def describe_files(folder: Path) -> dict[str, dict[str, Any]]:
    """Size and checksums of every file in `folder`, by name."""

    def describe(path: Path) -> dict[str, Any]:
        size = path.stat().st_size
        described: dict[str, Any] = {"bytes": size, "crc32": checksum(path)}
        if size > WHOLE_CHECK_BYTES:
            described["sampled"] = quick_checksum(path)
        return described

    paths = sorted(folder.iterdir())
    with ThreadPoolExecutor(2) as pool:
        return {path.name: found for path, found in zip(paths, pool.map(describe, paths), strict=True)}


def fingerprint(
    folder: Path, source_names: Sequence[str], analyser: Mapping[str, str], rules: Sequence[str]
) -> str:
    """SHA-256 over sentences, their sources, the analyser's settings and the rules: nothing else."""
    columns = ("texts.utf8", "texts.starts", "sources.codes")
    with ThreadPoolExecutor(2) as pool:
        digests = list(pool.map(lambda name: sha256_of(folder / name), columns))
    whole = to_json([VERSION, digests, list(source_names), dict(analyser), list(rules)])
    return hashlib.sha256(whole.encode("utf-8")).hexdigest()

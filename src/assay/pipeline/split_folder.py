"""The folder of a split: it is replaced as a whole, so that nothing but an earlier split may lie in it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from assay.errors import AssayError


def check_folder(folder: Path, inputs: Sequence[str | Path], record: str, parts: str) -> None:
    """Raises AssayError unless the folder is new, empty, or an earlier split's and holds no input.

    `record`, `parts`: as for `stored_record`.
    """
    if folder.exists() and not folder.is_dir():
        raise AssayError("is a file: a split needs a folder", file=folder, hint="name another with --to")
    if not folder.exists():
        return
    for given in inputs:
        if Path(given).resolve().parent == folder.resolve():
            raise AssayError("holds an input: name another folder to write", file=folder)
    earlier = stored_record(folder, record, parts) or {parts: {}}
    ours = {record, *(part["file"] for part in earlier[parts].values())}
    others = sorted(
        path.name for path in folder.iterdir() if not path.name.startswith(".") and path.name not in ours
    )
    if others:
        raise AssayError(
            f"holds files that no split made ({', '.join(others[:3])})",
            file=folder,
            hint="name an empty folder or a new one: a split replaces the folder as a whole",
        )


def stored_record(folder: Path, record: str, parts: str) -> dict[str, Any] | None:
    """What the file `record` in a folder says of its split, whose parts stand by name under `parts`.

    None where there is no such record: each part has a `file` and its `sha256` (hex).
    """
    try:
        found = json.loads((folder / record).read_bytes())
        named = found[parts].values()
        whole = all(isinstance(part["file"], str) and isinstance(part["sha256"], str) for part in named)
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None
    return found if whole else None

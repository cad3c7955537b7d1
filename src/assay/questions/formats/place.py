"""Ids for questions that have none: the name of the file and the position in it."""

from __future__ import annotations

from pathlib import PurePath


def id_by_position(file: str | None, position: int) -> str:
    """The file's name without its endings, a hyphen, and the position from 1: "valid-17"."""
    name = PurePath(file).name.split(".")[0] if file else ""
    return f"{name or 'question'}-{position}"

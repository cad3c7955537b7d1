"""Pairs as a file of our own: JSON lines with id, premise, hypothesis, label and the question's digest."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from assay.entailment.pair import Pair
from assay.storage import to_json, write_text


def pair_to_json(pair: Pair) -> str:
    """One line without its line feed; what a pair hasn't got is left out."""
    record = {"id": pair.id, "premise": pair.premise, "hypothesis": pair.hypothesis}
    for name in ("label", "question"):
        value = getattr(pair, name)
        if value is not None:
            record[name] = value
    return to_json(record)


def write_pairs(path: str | Path, pairs: Iterable[Pair]) -> None:
    """Write the pairs, whole or not at all. Raises AssayError when the file can't be written."""
    write_text(path, "".join(pair_to_json(pair) + "\n" for pair in pairs))

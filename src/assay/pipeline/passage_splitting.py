"""Passage questions to a folder of parts, a file each, with a record of how they were made."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from assay import __version__
from assay.construction.folds.sizes import fold_sizes
from assay.passages.passage import PassageQuestion, fingerprint
from assay.passages.reading import read_passages
from assay.passages.rows import own_record
from assay.passages.splitting import groups, split_by_group
from assay.pipeline.split_folder import check_folder
from assay.storage import only_writer, sha256_of, to_json, whole_folder, write_json, write_text

RECORD = "parts.json"


@dataclass(frozen=True, slots=True)
class PassageParts:
    """The parts by name, and what was read."""

    parts: Mapping[str, tuple[PassageQuestion, ...]]
    notes: tuple[str, ...]


def passage_parts(paths: Sequence[str | Path], wanted: str, seed: int) -> PassageParts:
    """The files' questions in parts by `wanted` ("train=80,dev=10,test=10"). Raises AssayError."""
    reading = read_passages(paths)
    sizes = fold_sizes(wanted, len(reading.questions))
    targets = dict(zip(sizes.names, sizes.targets, strict=True))
    return PassageParts(split_by_group(reading.questions, targets, seed), reading.notes)


def held(questions: Sequence[PassageQuestion]) -> dict[str, int]:
    """What a part holds, counted."""
    return {
        "questions": len(questions),
        "passages": len({one.passage for one in questions}),
        "articles": len({one.group for one in questions if one.group is not None}),
        "groups": len(groups(questions)),
        "hidden": sum(not one.answers for one in questions),
    }


def write_parts(
    made: PassageParts, folder: Path, inputs: Sequence[str | Path], wanted: str, seed: int
) -> dict[str, Any]:
    """Write NAME.jsonl a part and parts.json; the folder appears whole. Returns the record.

    Raises AssayError for a folder that holds anything but an earlier split, or one of the `inputs`.
    """
    check_folder(folder, inputs, RECORD, "parts")
    record: dict[str, Any] = {"assay": __version__, "sizes": wanted, "seed": seed, "parts": {}}
    with only_writer(folder), whole_folder(folder) as part:
        for name, questions in made.parts.items():
            file = f"{name}.jsonl"
            write_text(part / file, "".join(to_json(own_record(one)) + "\n" for one in questions))
            record["parts"][name] = {
                "file": file,
                "sha256": sha256_of(part / file),
                "fingerprint": fingerprint(questions),
                **held(questions),
            }
        write_json(part / RECORD, record)
    return record

"""A trained reader on disk: weights, what it needs beside them, and a card that says how it was made.

reader.json           the card, written last; with the SHA-256 of every other file
weights.safetensors   the network's weights
reader/               what `Trainable.save` wrote: tokeniser, architecture, vocabulary
trained-on.json       which questions it was trained on and chosen by, as digests
README.md             the card for people
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path, PurePosixPath
from typing import Any, cast

from assay.errors import AssayError
from assay.settings import read_settings
from assay.solvers.neural.card_page import card_page
from assay.solvers.neural.reader import Reader, Reads, Trainable, what_it_reads
from assay.solvers.neural.readers import reader_class
from assay.solvers.neural.tensor_files import check_files, files_of, read_tensors, write_tensors
from assay.solvers.neural.trained_on import FILE as TRAINED_ON
from assay.solvers.neural.trained_on import TrainedOn
from assay.storage import to_json, whole_folder

CARD, WEIGHTS, OWN, PAGE = "reader.json", "weights.safetensors", "reader", "README.md"
FORMAT = "assay-reader-1"
CARD_HOLDS = {"kind": str, "settings": dict, "sources": dict, "weights": str, "files": dict}
SOLVERS: Mapping[Reads, str] = {
    "questions": "it answers questions as solver reader",
    "pairs": "it answers questions as solver entailment",
    "passages": "it answers questions as solver span",
}
DAMAGED = "copy it again from where it is whole, or train anew"


def save_reader(
    reader: Trainable, folder: Path, made: Mapping[str, Any], trained_on: TrainedOn | None = None
) -> Mapping[str, Any]:
    """Write the reader to `folder`, whole or not at all, and return its card.

    `made` is what the card says of how it was made (JSON values). The card adds "format", "kind", "settings",
    "sources", "weights" (the SHA-256 of the weights' file: the reader's fingerprint) and "files".
    """
    with whole_folder(folder) as part:
        write_tensors(part / WEIGHTS, reader.network.state_dict())
        (part / OWN).mkdir()
        reader.save(part / OWN)
        if trained_on is not None:
            (part / TRAINED_ON).write_text(trained_on.to_json() + "\n", encoding="utf-8")
        files = files_of(part)
        card: dict[str, Any] = {
            "format": FORMAT,
            "kind": reader.kind,
            "settings": asdict(reader.settings),
            "sources": dict(reader.sources),
            "weights": files[WEIGHTS],
            **made,
            "files": files,
        }
        _write_card(part, card)
    return read_card(folder)


def copy_model(source: Path, folder: Path, added: Mapping[str, Any]) -> Mapping[str, Any]:
    """Copy a model folder to `folder`, whole or not at all, with more on its card; returns that card.

    Raises AssayError when the source isn't whole.
    """
    card = {**read_card(source), **added}
    check_files(source, card["files"], DAMAGED)
    with whole_folder(folder) as part:
        for name in card["files"]:
            (part / name).parent.mkdir(exist_ok=True)
            shutil.copyfile(source / name, part / name)
        _write_card(part, card)
    return read_card(folder)


def _write_card(part: Path, card: Mapping[str, Any]) -> None:
    (part / PAGE).write_text(card_page(card), encoding="utf-8")
    (part / CARD).write_text(to_json(card, indent=2) + "\n", encoding="utf-8")


def read_card(folder: str | Path) -> Mapping[str, Any]:
    """The card of a model folder. Raises AssayError when it is none, or its card is damaged."""
    path = Path(folder) / CARD
    if not path.is_file():
        raise AssayError("no model folder: it has no reader.json", file=folder, hint="assay train makes one")
    return whole_card(path, FORMAT, WEIGHTS, DAMAGED)


def whole_card(path: Path, written_as: str, weights: str, hint: str) -> Mapping[str, Any]:
    """The card in the file `path`. Raises AssayError unless it is of that format and names its weights' file.

    Files that it names lie within its folder: a folder from elsewhere can't have others read or overwritten.
    """
    try:
        card = json.loads(path.read_bytes())
    except (ValueError, RecursionError):
        card = None
    if not isinstance(card, dict) or card.get("format") != written_as:
        raise AssayError(f"no card of the format {written_as}", file=path, hint=hint)
    for name, kind in CARD_HOLDS.items():
        if not isinstance(card.get(name), kind):
            raise AssayError(f"the card is damaged: its {name!r} is missing or no {kind.__name__}", file=path,
                             hint=hint)  # fmt: skip
    files = card["files"]
    if weights not in files:
        raise AssayError(f"the card is damaged: it doesn't name {weights}", file=path, hint=hint)
    for name, known in files.items():
        within = PurePosixPath(name)
        if within.is_absolute() or ".." in within.parts or not isinstance(known, str):
            raise AssayError(f"the card is damaged: {name!r} is no file of its folder", file=path, hint=hint)
    return card


def load_reader(
    folder: str | Path, changed: Mapping[str, Any] | None = None, *, reads: Reads = "questions"
) -> tuple[Reader, Mapping[str, Any]]:
    """As `load_trainable`, a reader of questions' choices, or of pairs."""
    reader, card = load_trainable(folder, changed, reads=reads)
    return cast(Reader, reader), card


def load_trainable(
    folder: str | Path, changed: Mapping[str, Any] | None = None, *, reads: Reads | None = None
) -> tuple[Trainable, Mapping[str, Any]]:
    """The reader of a model folder, ready to read, and its card.

    `changed`: settings to read with instead of the ones it was trained with, where its weights allow it.
    `reads`: what it must read; None: whatever it does.
    Raises AssayError when the folder is none of ours, a file is missing, cut off or altered, its kind isn't
    known or reads something else, or its weights don't fit its architecture or vocabulary.
    """
    folder = Path(folder)
    card = read_card(folder)
    kind = reader_class(card["kind"])
    if reads not in (None, what_it_reads(kind)):
        raise AssayError(
            f"a model of kind {card['kind']} reads {what_it_reads(kind)}, and {reads} are to be read",
            file=folder,
            hint=SOLVERS[what_it_reads(kind)],
        )
    check_files(folder, card["files"], DAMAGED)
    given = {**card["settings"], **(changed or {})}
    settings = read_settings(kind.declared, given, f"reader {card['kind']!r}")
    reader = kind.load(settings, folder / OWN)
    _set_weights(reader, folder / WEIGHTS)
    return reader, card


def _set_weights(reader: Trainable, path: Path) -> None:
    weights = read_tensors(path)
    own = reader.network.state_dict()
    missing, unknown = sorted(own.keys() - weights.keys()), sorted(weights.keys() - own.keys())
    faults = [f"{name} is missing" for name in missing] + [f"{name} is not of it" for name in unknown]
    faults += [
        f"{name} is of shape {list(weights[name].shape)}, not {list(own[name].shape)}"
        for name in sorted(own.keys() & weights.keys())
        if own[name].shape != weights[name].shape
    ]
    if faults:
        more = f", and {len(faults) - 1:,} others" if faults[1:] else ""
        raise AssayError(
            f"the weights don't fit the reader that {CARD} and {OWN}/ describe: {faults[0]}{more}",
            file=path,
            hint="another vocabulary or other settings than it was trained with",
        )
    reader.network.load_state_dict(weights)
    reader.network.eval()

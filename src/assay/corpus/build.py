"""Importing: from inputs to a corpus folder, in one streaming pass and a sort."""

from __future__ import annotations

import hashlib
import os
import shutil
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from assay.corpus.analysis import Settings
from assay.corpus.archives import digest
from assay.corpus.inputs import (
    STDIN,
    Block,
    Input,
    Reading,
    Split,
    blocks,
    find_inputs,
    format_by_content,
)
from assay.corpus.manifest import KIND, MANIFEST, VERSION, Manifest, check_files, read_manifest
from assay.corpus.model import Corpus
from assay.corpus.rules import DEFAULT_CLEANING, Cleaning, check_dedupe
from assay.corpus.store import open_corpus
from assay.corpus.workers import FEW_BYTES, pieces
from assay.errors import AssayError
from assay.progress import SILENT, Progress
from assay.storage import only_writer, to_json, whole_folder, write_json
from assay.text.analysis import Analyser


def import_corpus(
    sources: str | Path | Iterable[str | Path],
    folder: str | Path,
    analyser: Analyser | None = None,
    *,
    cleaning: Sequence[str] = DEFAULT_CLEANING,
    dedupe: str = "exact",
    include_sources: Iterable[str] | None = None,
    exclude_sources: Iterable[str] = (),
    split: Split = "none",
    reading: Reading | None = None,
    name: str | None = None,
    append: bool = False,
    progress: Progress = SILENT,
    workers: int | None = None,
) -> Corpus:
    """Import files, folders, patterns or "-" (standard input) into the corpus folder `folder`, and open it.

    `analyser`: English unless given. `cleaning`: names of `rules.CLEANING_RULES`, applied in order;
    `dedupe`: a name of `rules.DEDUPE_RULES`, the first of equal sentences stays. `include_sources`: these
    alone; `exclude_sources`: all but these. `split` and `reading`: see `inputs.Reading` (`split` goes before
    the one in `reading`). `name`: the corpus's name, by default the folder's. `append`: add to what is there,
    with the same result as importing all at once in that order. `workers`: processes, by default one a core;
    the bytes written don't depend on it.

    Inputs and settings unchanged: done at once. More inputs after unchanged ones: only those are read.
    A killed import leaves what was there before, and starts anew when run again.
    Raises AssayError for inputs that are missing or can't be read (file and line), unknown rules, other
    settings than those of the corpus appended to, a folder that can't be written or is being written.
    """
    reading = reading or Reading()
    if split != "none":
        reading = replace(reading, split=split)
    settings = Settings(
        reading,
        Cleaning(tuple(cleaning)),
        check_dedupe(dedupe),
        analyser or Analyser(),
        None if include_sources is None else frozenset(include_sources),
        frozenset(exclude_sources),
    )
    named = [sources] if isinstance(sources, (str, Path)) else list(sources)
    folder = Path(folder)
    inputs, passed_over = find_inputs(named, reading)
    with only_writer(folder), _spooled(inputs, reading, folder) as inputs:
        return _import(folder, settings, inputs, passed_over, name, append, progress, workers)


def _import(
    folder: Path,
    settings: Settings,
    inputs: list[Input],
    passed_over: list[str],
    name: str | None,
    append: bool,
    progress: Progress,
    workers: int | None,
) -> Corpus:
    described = describe_settings(settings)
    work = _plan(folder, inputs, described, append=append)
    old = work.base
    if old is not None:
        passed_over = list(dict.fromkeys([*old["passed_over"], *passed_over]))
        name = name or old["name"]
        if not work.inputs:
            if (name, passed_over) != (old["name"], old["passed_over"]):
                write_json(folder / MANIFEST, {**old.content, "name": name, "passed_over": passed_over})
            _clear(folder, old["data"])
            return open_corpus(folder)
    from assay.corpus.writer import StoreWriter

    key = to_json([VERSION, described, work.listed])
    data = "data-" + hashlib.sha256(key.encode("utf-8")).hexdigest()[:16]
    with whole_folder(folder / data) as part, closing(StoreWriter(part, settings, progress)) as writer:
        if old is not None:
            writer.start_from(old)
        _read(work.inputs, settings, writer, progress, workers)
        content = writer.finish(len(work.listed))
    manifest = {
        "kind": KIND,
        "version": VERSION,
        "name": name or folder.resolve().name,
        **content,
        "settings": described,
        "inputs": [
            {**source, **counts} for source, counts in zip(work.listed, content["inputs"], strict=True)
        ],
        "passed_over": passed_over,
        "data": data,
    }
    write_json(folder / MANIFEST, manifest)
    _clear(folder, data)
    return open_corpus(folder)


@dataclass(frozen=True)
class _Work:
    """What there is to do: read `inputs` after what `base` holds; `listed` describes all of it."""

    base: Manifest | None
    inputs: list[Input]
    listed: list[dict[str, Any]]


def _plan(folder: Path, inputs: list[Input], described: dict[str, Any], *, append: bool) -> _Work:
    listed = [_listed(source) for source in inputs]
    old = _existing(folder, append=append)
    if old is None:
        return _Work(None, inputs, listed)
    known = [{key: source[key] for key in listed[0]} for source in old["inputs"]]
    same = old["settings"] == described
    if append and not same:
        raise AssayError(
            f"can't append with other settings: {_difference(old['settings'], described)}",
            file=folder,
            hint="give the settings it was imported with, or import all again",
        )
    if not append and (not same or listed[: len(known)] != known):
        return _Work(None, inputs, listed)
    if append:
        new = [at for at, source in enumerate(listed) if source not in known]
    else:
        new = list(range(len(known), len(listed)))
    numbered = [replace(inputs[at], number=len(known) + number) for number, at in enumerate(new)]
    return _Work(old, numbered, known + [listed[at] for at in new])


def _read(
    inputs: Sequence[Input], settings: Settings, writer: Any, progress: Progress, workers: int | None
) -> None:
    megabytes = [os.path.getsize(source.path) / 1e6 for source in inputs]
    workers = workers or os.cpu_count() or 1
    if sum(megabytes) * 1e6 <= FEW_BYTES // 4:
        workers = 1
    total = max(1, round(sum(megabytes)))
    with progress.task("reading and analysing", total, "MB") as advance:
        done = 0.0
        with closing(pieces(_all_blocks(inputs, settings.reading), settings, workers)) as made:
            for piece in made:
                writer.add(piece)
                before, done = round(done), done + piece.consumed / 1e6
                advance(round(done) - before)
        advance(total - round(done))


def _all_blocks(inputs: Sequence[Input], reading: Reading) -> Iterator[Block]:
    for source in inputs:
        yield from blocks(source, reading)


def describe_settings(settings: Settings) -> dict[str, Any]:
    """Everything that decides what an import makes of its inputs, for the manifest."""
    include = settings.include_sources
    return {
        "analyser": dict(settings.analyser.settings),
        **asdict(settings.reading),
        "cleaning": list(settings.cleaning.rules),
        "dedupe": settings.dedupe,
        "include_sources": None if include is None else sorted(include),
        "exclude_sources": sorted(settings.exclude_sources),
    }


def _difference(old: dict[str, Any], new: dict[str, Any]) -> str:
    return "; ".join(
        f"{key} is {new.get(key)!r} where the corpus has {old.get(key)!r}"
        for key in new
        if new.get(key) != old.get(key)
    )


def _listed(source: Input) -> dict[str, Any]:
    return {
        "file": source.name,
        "format": source.format,
        "source": source.source,
        "bytes": os.path.getsize(source.path),
        "sha256": digest(source.path, source.name),
    }


def _existing(folder: Path, *, append: bool) -> Manifest | None:
    """The corpus in `folder` if it is whole; None if there is none, or one that has to be made anew."""
    path = folder / MANIFEST
    if not path.exists():
        return None
    try:
        manifest = read_manifest(folder)
        check_files(manifest)
    except AssayError as error:
        if append or "no manifest of a corpus" in str(error):
            raise
        return None
    return manifest


def _clear(folder: Path, data: str) -> None:
    """Remove the columns of earlier imports."""
    for path in folder.glob("data-*"):
        if path.name != data:
            shutil.rmtree(path, ignore_errors=True)


@contextmanager
def _spooled(inputs: list[Input], reading: Reading, folder: Path) -> Iterator[list[Input]]:
    """Standard input and pipes copied to a file first, so that their digest is known before they are read."""
    spooled: list[Path] = []
    try:
        result = []
        for source in inputs:
            if source.name == STDIN or not os.path.isfile(source.path):
                path = folder / f".data-input-{len(spooled)}.part"
                spooled.append(path)
                _spool(source, path)
                format = format_by_content(source, str(path)) if reading.format == "auto" else reading.format
                result.append(replace(source, path=str(path), format=format))
            else:
                result.append(source)
        yield result
    finally:
        for path in spooled:
            path.unlink(missing_ok=True)


def _spool(source: Input, path: Path) -> None:
    try:
        with path.open("wb") as copy:
            if source.name == STDIN:
                shutil.copyfileobj(sys.stdin.buffer, copy, 1 << 20)
            else:
                with open(source.path, "rb") as pipe:
                    shutil.copyfileobj(pipe, copy, 1 << 20)
    except OSError as error:
        raise AssayError(
            f"{source.name} can't be kept here: {error.strerror or error}", file=path.parent
        ) from None

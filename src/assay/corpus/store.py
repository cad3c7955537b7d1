"""Opening a corpus folder: checked, memory-mapped, never read whole."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from assay.corpus.columns import Coded, Strings, mapped, starts_of
from assay.corpus.manifest import AGAIN, Manifest, check_files, read_manifest
from assay.corpus.model import Corpus, Postings, Provenance, Stream, Vocabulary
from assay.errors import AssayError
from assay.text.analysis import Analyser


def open_corpus(folder: str | Path) -> Corpus:
    """The corpus in `folder`, its columns memory-mapped.

    Sizes and checksums are compared with the manifest first (of columns over 64 MB at 64 places).
    Raises AssayError for a folder that is no corpus, is half-written or damaged, or of another version.
    """
    manifest = read_manifest(folder)
    try:
        check_files(manifest)
    except AssayError:
        # An import may have put a new corpus in the place of the old one meanwhile.
        newer = read_manifest(folder)
        if newer["data"] == manifest["data"]:
            raise
        manifest = newer
        check_files(manifest)
    return mapped_corpus(manifest)


def mapped_corpus(manifest: Manifest) -> Corpus:
    """The corpus of a manifest whose files were checked."""
    data = manifest.data
    try:
        sources = Coded(
            mapped(data / "sources.codes", "<u4"), [source["name"] for source in manifest["sources"]]
        )
        return Corpus(
            name=manifest["name"],
            fingerprint=manifest["fingerprint"],
            analyser=stored_analyser(manifest),
            texts=strings(data, "texts"),
            sources=sources,
            vocabulary=Vocabulary(strings(data, "terms"), mapped(data / "terms.stop", "?")),
            tokens=Stream(mapped(data / "tokens.ids", "<u4"), mapped(data / "tokens.starts", "<i8")),
            content=Stream(mapped(data / "content.ids", "<u4"), mapped(data / "content.starts", "<i8")),
            postings=Postings(
                starts=mapped(data / "postings.starts", "<i8"),
                sentences=mapped(data / "postings.sentences", "<u4"),
                counts=mapped(data / "postings.counts", "<u2"),
                lengths=mapped(data / "postings.lengths", "<u4"),
            ),
            folder=manifest.folder,
            provenance=Provenance(
                files=[source["file"] for source in manifest["inputs"]],
                starts=starts_of(np.array([source["sentences"] for source in manifest["inputs"]], np.int64)),
                lines=mapped(data / "lines", "<u4"),
                documents=Coded(mapped(data / "documents.codes", "<u4"), strings(data, "documents")),
            ),
        )
    except (KeyError, TypeError) as error:
        raise AssayError(
            f"the manifest is damaged: {error}", file=manifest.folder / "manifest.json", hint=AGAIN
        ) from None


def strings(data: Path, name: str) -> Strings:
    """A column of strings."""
    return Strings(mapped(data / f"{name}.utf8", "u1"), mapped(data / f"{name}.starts", "<i8"))


def stored_analyser(manifest: Manifest) -> Analyser:
    """The analyser the corpus was made with. Raises AssayError when this version would analyse otherwise."""
    stored = dict(manifest["analyser"])
    stop_list = stored.pop("stop_list")
    analyser = Analyser.with_list(stored["language"], stored["stop_words"], stop_list)
    if dict(analyser.settings) != stored:
        raise AssayError("the corpus was made by another analyser", file=manifest.folder, hint=AGAIN)
    return analyser

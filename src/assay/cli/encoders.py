"""The encoder that verbs hand to floors which don't know PyTorch."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, TypedDict

from assay.errors import AssayError, need_neural

if TYPE_CHECKING:
    from assay.corpus.model import Corpus
    from assay.evidence.vectors import Vectors
    from assay.solvers.neural.sentence_encoder import SentenceEncoder


class VectorsWithEncoder(TypedDict, total=False):
    """What `Retriever` is given for methods that need vectors."""

    vectors: Vectors
    encoder: SentenceEncoder


def text_encoder(name: str, *, bf16: bool = False, longest: int = 128) -> SentenceEncoder:
    """The sentence encoder of that name or folder.

    Raises AssayError when it isn't there, or the extra 'neural' isn't installed.
    """
    need_neural("an encoder of sentences")
    from assay.solvers.neural.encoder import load_encoder
    from assay.solvers.neural.sentence_encoder import SentenceEncoder

    return SentenceEncoder(load_encoder(name), longest=longest, bf16=bf16)


def open_vectors_with_encoder(corpus: Corpus, folder: Path | None, encoder: str | None) -> VectorsWithEncoder:
    """The vectors of a corpus (by default the only ones in its folder), and what turns queries into such.

    Raises AssayError when there are none, more than one to choose from, or the encoder can't be had.
    """
    from assay.evidence.vectors import open_vectors

    opened = open_vectors(folder or _only(corpus), corpus)
    made_by = opened.encoder
    return {
        "vectors": opened,
        "encoder": text_encoder(encoder or str(made_by["encoder"]), longest=int(made_by.get("longest", 128))),
    }


def _only(corpus: Corpus) -> Path:
    from assay.evidence.shards import MANIFEST
    from assay.evidence.vectors import FOLDER

    assert corpus.folder is not None
    within = corpus.folder / FOLDER
    found = sorted(path.parent for path in within.glob(f"*/{MANIFEST}"))
    if len(found) > 1:
        names = ", ".join(path.name for path in found)
        raise AssayError(
            f"the corpus has vectors of {len(found)} kinds: {names}", file=within, hint="say --vectors"
        )
    if not found:
        raise AssayError(
            "the corpus has no vectors", file=corpus.folder, hint=f"assay corpus encode {corpus.folder}"
        )
    return found[0]

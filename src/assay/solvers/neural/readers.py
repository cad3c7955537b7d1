"""Readers by name."""

from __future__ import annotations

import importlib
from collections.abc import Mapping

from assay.errors import AssayError
from assay.solvers.neural.reader import Trainable

READERS: Mapping[str, str] = {
    "mcq": "assay.solvers.neural.mcq:MCQReader",
    "similarity": "assay.solvers.neural.similarity:SimilarityReader",
    "support": "assay.solvers.neural.support:SupportReader",
    "esim": "assay.solvers.neural.esim:ESIMReader",
    "decomposable-attention": "assay.solvers.neural.decomposable_attention:DecomposableReader",
    "cross-entailment": "assay.solvers.neural.cross_entailment:CrossEntailmentReader",
    "bidaf": "assay.solvers.neural.bidaf:BiDAFReader",
    "dgem": "assay.solvers.neural.dgem:DGEMReader",
}


def reader_class(kind: str) -> type[Trainable]:
    """The class of readers of that kind. Raises AssayError for an unknown one."""
    where = READERS.get(kind)
    if where is None:
        raise AssayError(f"no reader {kind!r}", hint=f"one of {', '.join(READERS)}")
    module, _, attribute = where.partition(":")
    found: type[Trainable] = getattr(importlib.import_module(module), attribute)
    return found

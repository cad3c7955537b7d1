"""The search engines by name."""

from __future__ import annotations

from assay.corpus.model import Corpus
from assay.errors import AssayError
from assay.evidence.engine import SearchEngine
from assay.evidence.exact import K1, B, ExactEngine

ENGINES = ("exact",)


def open_engine(name: str, corpus: Corpus, *, k1: float = K1, b: float = B) -> SearchEngine:
    """The engine of that name over `corpus`. Raises AssayError when there is none."""
    if name == "exact":
        return ExactEngine(corpus, k1=k1, b=b)
    raise AssayError(f"no search engine {name!r}", hint=f"one of {', '.join(ENGINES)}")

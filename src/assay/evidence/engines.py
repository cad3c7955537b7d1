"""The search engines by name."""

from __future__ import annotations

from assay.corpus.model import Corpus
from assay.errors import AssayError
from assay.evidence.engine import K1, B, SearchEngine

ENGINES = ("exact", "tantivy")


def open_engine(name: str, corpus: Corpus, *, k1: float = K1, b: float = B) -> SearchEngine:
    """The engine of that name over `corpus`.

    Raises AssayError when there is none, its index can't be made or read, or it has no such constants.
    """
    if name == "exact":
        from assay.evidence.exact import ExactEngine

        return ExactEngine(corpus, k1=k1, b=b)
    if name == "tantivy":
        from assay.evidence.tantivy_engine import TantivyEngine

        if (k1, b) != (K1, B):
            raise AssayError(
                f"tantivy has k1 {K1} and b {B} only. Got k1 {k1} and b {b}", hint="use the engine 'exact'"
            )
        return TantivyEngine(corpus)
    raise AssayError(f"no search engine {name!r}", hint=f"one of {', '.join(ENGINES)}")

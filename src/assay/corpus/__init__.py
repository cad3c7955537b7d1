"""The sentence store: import text once, open it at once."""

from assay.corpus.build import import_corpus
from assay.corpus.inputs import Reading
from assay.corpus.model import Corpus, corpus_in_memory
from assay.corpus.store import open_corpus
from assay.corpus.subset import only_sources, source_sizes, without_sentences, without_sources

__all__ = [
    "Corpus",
    "Reading",
    "corpus_in_memory",
    "import_corpus",
    "only_sources",
    "open_corpus",
    "source_sizes",
    "without_sentences",
    "without_sources",
]

"""The sentence store: import text once, open it at once."""

from assay.corpus.build import import_corpus
from assay.corpus.inputs import Reading
from assay.corpus.model import Corpus, corpus_in_memory
from assay.corpus.store import open_corpus

__all__ = ["Corpus", "Reading", "corpus_in_memory", "import_corpus", "open_corpus"]

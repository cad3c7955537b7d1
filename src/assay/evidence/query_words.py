"""The words of a query: a corpus's own analysis of questions, less further stop words."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path

import numpy as np
import numpy.typing as npt

from assay.corpus.model import Corpus
from assay.text.stopwords import stop_words


class QueryWords:
    """What questions, choices and first facts ask for: content stems, less the stems of a second stop list.

    The corpus stays as it was imported: sentences keep all their stems, and their length.
    """

    def __init__(self, corpus: Corpus, stop_list: str = "none") -> None:
        """`stop_list`: a name or file as in `assay.text.stopwords.stop_words`. Raises AssayError as there."""
        self.corpus = corpus
        self._name = stop_list
        listed = stop_words(stop_list)
        self._digest = hashlib.sha256("\n".join(sorted(listed)).encode("utf-8")).hexdigest()
        analyser = corpus.analyser
        self._left_out = frozenset(term for word in listed for term in analyser.content(word))

    @property
    def settings(self) -> Mapping[str, str]:
        """The second list: its name, and a digest of its words where it has any."""
        name = {"query_stop_words": Path(self._name).name}
        return {**name, "query_stop_words_sha256": self._digest} if self._name != "none" else name

    def content(self, text: str) -> list[str]:
        """Content stems of `text` that a query may hold, repeats kept, in order."""
        return [term for term in self.corpus.analyser.content(text) if term not in self._left_out]

    def choice(self, text: str) -> list[str]:
        """The same; where there is none, what the corpus's own analyser makes of the text ("it")."""
        return self.content(text) or self.corpus.analyser.query_terms(text)

    def asks(self, term: str) -> bool:
        """Whether a query may hold the term."""
        return term not in self._left_out

    @cached_property
    def idf(self) -> npt.NDArray[np.float64]:
        """BM25's idf of each term, in nats, shape (V,); 0 for those that no query holds."""
        corpus = self.corpus
        held = np.diff(np.asarray(corpus.postings.starts, np.int64)).astype(np.float64)
        idf: npt.NDArray[np.float64] = np.log1p((len(corpus) - held + 0.5) / (held + 0.5))
        ids = corpus.vocabulary.ids
        known = [ids[term] for term in self._left_out if term in ids]
        idf[known] = 0.0
        idf[np.asarray(corpus.vocabulary.stop)] = 0.0
        return idf

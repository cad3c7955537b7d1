"""Sentences that state a question's answer: with them gone, does a question stay Easy?"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from assay.corpus.model import Corpus
from assay.questions.model import Question


def answer_sentences(corpus: Corpus, questions: Iterable[Question], share: float) -> npt.NDArray[np.int64]:
    """Ids, ascending, of the sentences that state the answer of at least one question.

    A sentence states the answer of a question if it holds every content stem of the key's text and at least
    `share` (0 to 1, and at least one) of the distinct content stems of the question's stem. A key without
    content stems is matched on its own words. Questions without a key state nothing.
    """
    found: list[npt.NDArray[np.int64]] = []
    for question in questions:
        key = next((choice.text for choice in question.choices if choice.label == question.answer), None)
        if key is not None:
            found.append(_stating(corpus, question.stem, key, share))
    return np.unique(np.concatenate(found)) if found else np.empty(0, np.int64)


def _stating(corpus: Corpus, stem: str, key: str, share: float) -> npt.NDArray[np.int64]:
    none = np.empty(0, np.int64)
    holding: npt.NDArray[np.int64] | None = None
    key_terms = dict.fromkeys(corpus.analyser.query_terms(key))
    for term in sorted(key_terms, key=lambda term: len(_sentences(corpus, term))):
        having = _sentences(corpus, term)
        holding = having if holding is None else np.intersect1d(holding, having, assume_unique=True)
        if not len(holding):
            return none
    if holding is None:
        return none
    stem_terms = dict.fromkeys(corpus.analyser.content(stem))
    held = np.zeros(len(holding), dtype=np.int64)
    for term in stem_terms:
        having = _sentences(corpus, term)
        if len(having):
            places = np.minimum(np.searchsorted(having, holding), len(having) - 1)
            held += having[places] == holding
    return holding[held >= max(1.0, share * len(stem_terms))]


def _sentences(corpus: Corpus, term: str) -> npt.NDArray[np.int64]:
    number = corpus.vocabulary.ids.get(term)
    if number is None:
        return np.empty(0, np.int64)
    starts = corpus.postings.starts
    return corpus.postings.sentences[starts[number] : starts[number + 1]].astype(np.int64)

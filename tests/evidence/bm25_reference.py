"""BM25 as slowly and plainly as can be: what every engine is held against."""

import math
from collections.abc import Sequence
from itertools import pairwise

from assay.corpus.model import Corpus
from assay.evidence.engine import Query
from assay.text.analysis import is_stop


class Reference:
    """Scores of every sentence for a query, from the texts alone."""

    def __init__(self, corpus: Corpus, k1: float = 1.2, b: float = 0.75) -> None:
        self.k1, self.b = k1, b
        self.sentences = [corpus.analyser.all_terms(text) for text in corpus.texts]
        self.lengths = [sum(not is_stop(term) for term in sentence) for sentence in self.sentences]
        self.average = sum(self.lengths) / len(self.lengths) if any(self.lengths) else 1.0

    def idf(self, term: str) -> float:
        held = sum(term in sentence for sentence in self.sentences)
        return math.log(1 + (len(self.sentences) - held + 0.5) / (held + 0.5))

    def part(self, term: str, number: int) -> float:
        idf = self.idf(term)
        count = self.sentences[number].count(term)
        norm = self.k1 * (1 - self.b + self.b * self.lengths[number] / self.average)
        return idf * count * (self.k1 + 1) / (count + norm)

    def scores(self, query: Query) -> dict[int, float]:
        """Score of every sentence that is a hit."""
        found = {}
        for number, sentence in enumerate(self.sentences):
            met = [any(term in sentence for term in group) for group in query.groups]
            filtered = all(any(term in sentence for term in group) for group in query.required)
            if query.groups and filtered and (all(met) if query.every_group else any(met)):
                terms = [term for group in query.groups for term in group if term in sentence]
                found[number] = sum(self.part(term, number) for term in terms)
        return found


def agrees(ids: Sequence[int], scores: Sequence[float], right: dict[int, float], k: int) -> bool:
    """Whether the hits are the best k of `right`, score then id, but for differences below 1e-9."""
    if len(ids) != min(k, len(right)) or len(set(ids)) != len(ids):
        return False
    if any(abs(score - right[number]) > 1e-9 for number, score in zip(ids, scores, strict=True)):
        return False
    pairs = list(zip(scores, ids, strict=True))
    ordered = all(
        one[0] > other[0] or (one[0] == other[0] and one[1] < other[1]) for one, other in pairwise(pairs)
    )
    left_out = [score for number, score in right.items() if number not in set(ids)]
    return ordered and (not left_out or not ids or max(left_out) <= min(scores) + 1e-9)

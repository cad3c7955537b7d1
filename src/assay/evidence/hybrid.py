"""Methods that look at vectors: alone, joined with words in one step or two, or judging what words found."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from assay.evidence.dense import Floats, cosines
from assay.evidence.dense_retrieval import DenseRetriever, DenseSettings
from assay.evidence.engine import Hits
from assay.evidence.retrieval import FirstStep, Retrieved
from assay.evidence.two_step import Pairs, find_pairs, walk
from assay.questions.model import Question


def fuse(lists: Sequence[Hits], weights: Sequence[float], constant: float) -> Hits:
    """Reciprocal rank fusion (Cormack, Clarke and Buettcher 2009): all sentences of the lists, best first.

    A sentence's score is the sum of weight / (constant + rank) over the lists that hold it, ranks from 1;
    equal scores by ascending id.
    """
    ids = np.concatenate([hits.ids for hits in lists])
    shares = [
        weight / (constant + np.arange(1, len(hits.ids) + 1))
        for hits, weight in zip(lists, weights, strict=True)
    ]
    distinct, place = np.unique(ids, return_inverse=True)
    scores = np.zeros(len(distinct))
    # One list after another: a sum's last bits depend on its order.
    np.add.at(scores, place, np.concatenate(shares))
    order = np.lexsort((distinct, -scores))
    return Hits(distinct[order], scores[order])


def dense(
    words: FirstStep,
    vectors: DenseRetriever,
    questions: Sequence[Question],
    settings: DenseSettings,
) -> Iterator[list[Retrieved]]:
    """For each choice of each question, one after another, the k sentences nearest to stem + choice."""
    for hits in vectors.fetcher.best(vectors.queries(questions), settings.k, settings.fetched):
        pairs = zip(hits.ids.tolist(), hits.scores.tolist(), strict=True)
        yield [Retrieved(sentence, score, "dense") for sentence, score in pairs]


def hybrid(
    words: FirstStep,
    vectors: DenseRetriever,
    questions: Sequence[Question],
    settings: DenseSettings,
) -> Iterator[list[Retrieved]]:
    """For each choice of each question, one after another, the k best of the fused lists."""
    by_words, by_vectors = _both(words, vectors, questions, vectors.queries(questions), settings)
    for found in zip(by_words, by_vectors, strict=True):
        hits = _fused(found, settings)
        pairs = zip(hits.ids.tolist(), hits.scores.tolist(), strict=True)
        yield [Retrieved(sentence, score, "hybrid") for sentence, score in pairs][: settings.k]


def hybrid_two_step(
    words: FirstStep,
    vectors: DenseRetriever,
    questions: Sequence[Question],
    settings: DenseSettings,
) -> Iterator[list[Retrieved]]:
    """Two steps with vectors: first facts from the fused lists, pairs by their words and their meaning.

    Partners are found by words, as in `two_step`: what joins two facts is a word. A pair's score is the BM25
    of its first fact (0 where that isn't among the best `depth` by words), that of its partner, and
    `cosine_weight` times the cosines of both with stem + choice.
    """
    queries = vectors.queries(questions)
    by_words, by_vectors = _both(words, vectors, questions, queries, settings)
    firsts = []
    for found in zip(by_words, by_vectors, strict=True):
        ids = _fused(found, settings).ids[: settings.facts]
        known = dict(zip(found[0].ids.tolist(), found[0].scores.tolist(), strict=True))
        firsts.append(Hits(ids, np.array([known.get(sentence, 0.0) for sentence in ids.tolist()])))
    pairs = find_pairs(words, questions, firsts)
    for query, hits, found_pairs in zip(queries, firsts, pairs, strict=True):
        rescored = _rescored(found_pairs, query, vectors, settings.cosine_weight)
        yield walk(words, hits, rescored)


def reranked_single(
    words: FirstStep,
    vectors: DenseRetriever,
    questions: Sequence[Question],
    settings: DenseSettings,
) -> Iterator[list[Retrieved]]:
    """`single`, its best `rerank` sentences in the order of BM25 and `cosine_weight` times the cosine."""
    taken = words.best(questions, _most(settings))
    for query, hits in zip(vectors.queries(questions), taken, strict=True):
        near = cosines(vectors.vectors.rows(hits.ids), query)
        scores = hits.scores + settings.cosine_weight * near
        order = np.lexsort((hits.ids, -scores))[: settings.k]
        yield [Retrieved(int(hits.ids[at]), float(scores[at]), "single") for at in order]


def reranked_two_step(
    words: FirstStep,
    vectors: DenseRetriever,
    questions: Sequence[Question],
    settings: DenseSettings,
) -> Iterator[list[Retrieved]]:
    """`two_step`, of its best `rerank` pairs, each with `cosine_weight` times both facts' cosines added."""
    firsts = words.best(questions, settings.facts)
    pairs = find_pairs(words, questions, firsts)
    for query, hits, found_pairs in zip(vectors.queries(questions), firsts, pairs, strict=True):
        best = found_pairs.at(slice(_most(settings)))
        yield walk(words, hits, _rescored(best, query, vectors, settings.cosine_weight))


def _most(settings: DenseSettings) -> int:
    assert settings.rerank is not None
    return settings.rerank


def _both(
    words: FirstStep,
    vectors: DenseRetriever,
    questions: Sequence[Question],
    queries: Sequence[Floats],
    settings: DenseSettings,
) -> tuple[list[Hits], list[Hits]]:
    """The best `depth` of each choice, by words and by vectors."""
    return (
        words.best(questions, settings.depth),
        vectors.fetcher.best(queries, settings.depth, settings.fetched),
    )


def _fused(found: tuple[Hits, Hits], settings: DenseSettings) -> Hits:
    return fuse(found, (1.0, settings.dense_weight), settings.rank_constant)


def _rescored(pairs: Pairs, query: Floats, vectors: DenseRetriever, weight: float) -> Pairs:
    both = np.stack([pairs.firsts, pairs.seconds])
    sentences, place = np.unique(both, return_inverse=True)
    near = cosines(vectors.vectors.rows(sentences), query)[place].reshape(both.shape)
    return pairs.scored(pairs.scores + weight * (near[0] + near[1]))

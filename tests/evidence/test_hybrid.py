"""Rank fusion and hybrid retrieval against plain Python."""

import random
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.corpus.model import Corpus, corpus_in_memory
from assay.errors import AssayError
from assay.evidence import retriever
from assay.evidence.dense_retrieval import DenseSettings
from assay.evidence.engine import Hits
from assay.evidence.hybrid import fuse
from assay.evidence.query_words import QueryWords
from assay.evidence.retrieval import FirstStep, RetrievalSettings, first_queries
from assay.evidence.retriever import NEED_VECTORS, Retriever, settings_of
from assay.evidence.two_step import find_pairs
from assay.evidence.vectors import Vectors, encode_corpus, open_vectors
from assay.questions.model import Choice, Question, SentenceEvidence
from tests.evidence.word_encoder import WordEncoder

ids = st.lists(st.integers(0, 20), unique=True, max_size=12)
WORDS = [*(f"w{number}" for number in range(25)), "x!"]


def step(corpus: Corpus, made: Retriever, chosen: DenseSettings) -> FirstStep:
    return FirstStep(made.fetcher, QueryWords(corpus), chosen)


@given(st.lists(ids, min_size=1, max_size=3), st.sampled_from([0, 1, 60]))
def test_fusion_as_plain_python(lists: list[list[int]], constant: float) -> None:
    weights = [1.0, 0.5, 2.0][: len(lists)]
    right: dict[int, float] = {}
    for found, weight in zip(lists, weights, strict=True):
        for rank, sentence in enumerate(found, 1):
            right[sentence] = right.get(sentence, 0.0) + weight / (constant + rank)
    hits = fuse([Hits(np.array(one, np.int64), np.zeros(len(one))) for one in lists], weights, constant)
    ordered = sorted(right.items(), key=lambda hit: (-hit[1], hit[0]))
    assert list(zip(hits.ids.tolist(), hits.scores.tolist(), strict=True)) == ordered


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    rng = random.Random(5)
    return corpus_in_memory([" ".join(rng.choices(WORDS, k=rng.randint(3, 7))) for _ in range(250)])


@pytest.fixture(scope="module")
def opened(corpus: Corpus, tmp_path_factory: pytest.TempPathFactory) -> Vectors:
    folder = tmp_path_factory.mktemp("v")
    encode_corpus(corpus, WordEncoder(), folder)
    return open_vectors(folder, corpus)


def questions(count: int) -> list[Question]:
    rng = random.Random(6)
    return [
        Question(
            str(number),
            " ".join(rng.choices(WORDS, k=4)),
            tuple(Choice(label, rng.choice(WORDS)) for label in "AB"),
        )
        for number in range(count)
    ]


def found_by(
    method: str, corpus: Corpus, opened: Vectors, asked: list[Question], **given: object
) -> list[list[SentenceEvidence]]:
    kind = settings_of(method, rerank="rerank" in given)
    chosen = kind(**given)  # type: ignore[arg-type]
    more = {"vectors": opened, "encoder": WordEncoder()} if kind is DenseSettings else {}
    answers = Retriever(method, corpus, chosen, **more).answer(asked)  # type: ignore[arg-type]
    return [
        [piece for piece in pieces if isinstance(piece, SentenceEvidence)]
        for answer in answers
        for pieces in answer.evidence or ()
    ]


def fused(
    corpus: Corpus, opened: Vectors, asked: list[Question], depth: int
) -> list[list[tuple[int, float]]]:
    lists = [found_by(method, corpus, opened, asked, k=depth) for method in ("single", "dense")]
    made = []
    for by_words, by_vectors in zip(*lists, strict=True):
        scores: dict[int, float] = {}
        for rank, piece in enumerate(by_words, 1):
            scores[piece.sentence_id or 0] = 1 / (60 + rank)
        for rank, piece in enumerate(by_vectors, 1):
            scores[piece.sentence_id or 0] = scores.get(piece.sentence_id or 0, 0.0) + 0.7 / (60 + rank)
        made.append(sorted(scores.items(), key=lambda hit: (-hit[1], hit[0])))
    return made


def test_hybrid_is_the_fused_lists(corpus: Corpus, opened: Vectors) -> None:
    asked = questions(12)
    right = fused(corpus, opened, asked, 9)
    found = found_by("hybrid", corpus, opened, asked, k=5, depth=9, dense_weight=0.7)
    assert [[(p.sentence_id, p.score) for p in pieces] for pieces in found] == [one[:5] for one in right]
    assert {piece.role for pieces in found for piece in pieces} == {"hybrid"}
    assert all("!" not in piece.text for pieces in found for piece in pieces)


def test_a_reranker_without_weight_changes_nothing(corpus: Corpus, opened: Vectors) -> None:
    asked = questions(12)
    for method in ("single", "two-step"):
        right = found_by(method, corpus, opened, asked, k=6, facts=5)
        found = found_by(method, corpus, opened, asked, k=6, facts=5, cosine_weight=0.0, rerank=30)
        assert [[p.sentence_id for p in pieces] for pieces in found] == [
            [p.sentence_id for p in pieces] for pieces in right
        ]
        assert any(found)


def test_reranked_sentences_and_pairs(corpus: Corpus, opened: Vectors) -> None:
    asked = questions(12)
    rows = WordEncoder().encode(list(corpus.texts)).astype(np.float16).astype(np.float64)
    texts = [f"{question.stem} {choice.text}" for question in asked for choice in question.choices]
    first = found_by("single", corpus, opened, asked, k=15)
    found = found_by("single", corpus, opened, asked, k=4, rerank=15, cosine_weight=7.0)
    for text, before, after in zip(texts, first, found, strict=True):
        (query,) = WordEncoder().encode([text]).astype(np.float64)
        scored = [
            (-(p.score + 7 * round(float(rows[p.sentence_id] @ query), 6)), p.sentence_id) for p in before
        ]
        assert [p.sentence_id for p in after] == [number for _, number in sorted(scored)[:4]]
    # Of two-step's best pair alone there is nothing to put in another order.
    best = found_by("two-step", corpus, opened, asked, k=2)
    same = found_by("two-step", corpus, opened, asked, k=2, rerank=1)
    assert [[p.sentence_id for p in one] for one in same] == [[p.sentence_id for p in one] for one in best]
    more = found_by("two-step", corpus, opened, asked, k=2, rerank=80, cosine_weight=500.0)
    assert more != same


@pytest.mark.parametrize("weight", [0.0, 3.0, 500.0])
def test_pairs_are_judged_by_words_and_vectors(corpus: Corpus, opened: Vectors, weight: float) -> None:
    asked = questions(12)
    chosen = DenseSettings(k=8, facts=6, partners=3, depth=20, cosine_weight=weight, dense_weight=0.7)
    made = Retriever("hybrid-two-step", corpus, chosen, vectors=opened, encoder=WordEncoder())
    right = fused(corpus, opened, asked, 20)
    words = made.fetcher.best(first_queries(QueryWords(corpus), asked, chosen), 20, 500)
    firsts = []
    for one, hits in zip(right, words, strict=True):
        known = dict(zip(hits.ids.tolist(), hits.scores.tolist(), strict=True))
        taken = [sentence for sentence, _ in one[:6]]
        firsts.append(
            Hits(np.array(taken, np.int64), np.array([known.get(sentence, 0.0) for sentence in taken]))
        )
    rows = WordEncoder().encode(list(corpus.texts)).astype(np.float16).astype(np.float64)
    texts = [f"{question.stem} {choice.text}" for question in asked for choice in question.choices]
    pairs = find_pairs(step(corpus, made, chosen), asked, firsts)
    evidence = [pieces for answer in made.answer(asked) for pieces in answer.evidence or ()]
    for text, found_pairs, pieces in zip(texts, pairs, evidence, strict=True):
        (query,) = WordEncoder().encode([text]).astype(np.float64)
        near = np.round(rows @ query, 6)
        scored = [
            (
                -(score + weight * (near[first] + near[second])),
                rank,
                place,
                first,
                second,
            )
            for score, rank, place, first, second in zip(*(c.tolist() for c in found_pairs), strict=True)
        ]
        line: list[int] = []
        for pair in sorted(scored):
            line += [sentence for sentence in pair[3:] if sentence not in line]
        assert [piece.sentence_id for piece in pieces] == line[:8]  # type: ignore[union-attr]


def test_company_changes_nothing(corpus: Corpus, opened: Vectors, monkeypatch: pytest.MonkeyPatch) -> None:
    for method in NEED_VECTORS:
        whole = found_by(method, corpus, opened, questions(7))
        monkeypatch.setattr(retriever, "BATCH", 3)
        assert found_by(method, corpus, opened, questions(7)) == whole
        monkeypatch.undo()


def test_nothing_to_find(tmp_path: Path) -> None:
    for texts in ([], [""], ["ore"]):
        corpus = corpus_in_memory(texts)
        encode_corpus(corpus, WordEncoder(), tmp_path / str(len(texts)) / "v")
        opened = open_vectors(tmp_path / str(len(texts)) / "v", corpus)
        for method in NEED_VECTORS:
            found = found_by(
                method, corpus, opened, [Question("q", "", (Choice("A", ""), Choice("B", "zyx")))]
            )
            assert all(len(pieces) <= len(texts) for pieces in found)


def test_what_cannot_be_reranked() -> None:
    with pytest.raises(AssayError, match="looks at vectors itself"):
        settings_of("hybrid", rerank=True)


@pytest.mark.parametrize(
    ("method", "settings", "what"),
    [
        ("dense", RetrievalSettings(), "DenseSettings are due"),
        ("hybrid", DenseSettings(rerank=5), "looks at vectors itself"),
        ("single", DenseSettings(), "looks at no vectors unless"),
    ],
)
def test_settings_that_a_method_would_not_heed_are_refused(
    corpus: Corpus, opened: Vectors, method: str, settings: RetrievalSettings, what: str
) -> None:
    with pytest.raises(AssayError, match=what):
        Retriever(method, corpus, settings, vectors=opened, encoder=WordEncoder())

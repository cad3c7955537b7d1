"""Dense search against plain double precision, whatever the cores and batches; the filter is respected."""

import random
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.corpus.model import Corpus, corpus_in_memory
from assay.errors import AssayError
from assay.evidence import dense, retriever
from assay.evidence.dense import DenseIndex
from assay.evidence.dense_retrieval import DenseSettings
from assay.evidence.retriever import Retriever
from assay.evidence.vectors import Vectors, encode_corpus, open_vectors
from assay.questions.model import Choice, Question
from tests.evidence.word_encoder import WordEncoder


def unit(rows: np.ndarray) -> np.ndarray:
    return (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)


def vectors_of(rows: np.ndarray, cuts: list[int]) -> Vectors:
    shards = np.split(rows.astype(np.float16), sorted({cut % (len(rows) + 1) for cut in cuts}))
    return Vectors(Path("v"), {}, "f", rows.shape[1], shards)


def plain(rows: np.ndarray, query: np.ndarray, k: int) -> list[tuple[int, float]]:
    scored = [
        (number, round(sum(float(a) * float(b) for a, b in zip(row, query, strict=True)), 6))
        for number, row in enumerate(rows.astype(np.float16).tolist())
    ]
    return sorted(scored, key=lambda hit: (-hit[1], hit[0]))[:k]


@settings(max_examples=60)
@given(st.integers(0, 2**32 - 1), st.integers(1, 60), st.integers(1, 70), st.integers(1, 3))
def test_as_plain_python(seed: int, count: int, k: int, threads: int) -> None:
    rng = np.random.default_rng(seed)
    rows = unit(rng.standard_normal((count, 5)))
    # Sentences alike to the last bit, and to the last but one.
    rows[rng.integers(0, count, count // 2)] = rows[0]
    rows[rng.integers(0, count, count // 4)] = np.nextafter(rows[0], 1)
    queries = [*unit(rng.standard_normal((4, 5))), rows[0]]
    # Rows are looked up by shards of one size: one shard here.
    index = DenseIndex(vectors_of(rows, []), threads=threads)
    for query, hits in zip(queries, index.search(queries, k), strict=True):
        assert list(zip(hits.ids.tolist(), hits.scores.tolist(), strict=True)) == plain(rows, query, k)


def test_more_ties_than_are_kept_in_hand() -> None:
    rows = np.repeat(unit(np.random.default_rng(0).standard_normal((2, 8))), 500, axis=0)
    (hits,) = DenseIndex(vectors_of(rows, [])).search([rows[0]], 5)
    assert hits.ids.tolist() == [0, 1, 2, 3, 4]
    (hits,) = DenseIndex(vectors_of(rows, [])).search([rows[0]], 501)
    assert hits.ids.tolist() == list(range(501))


def test_batches_and_threads_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(3)
    rows = unit(rng.standard_normal((3000, 24)))
    queries = list(unit(rng.standard_normal((40, 24))))
    found = []
    for threads, batch in ((1, 1024), (2, 1024), (3, 7), (1, 1)):
        monkeypatch.setattr(dense, "BATCH", batch)
        hits = DenseIndex(vectors_of(rows, []), threads=threads).search(queries, 20)
        found.append([(one.ids.tolist(), one.scores.tolist()) for one in hits])
    assert all(other == found[0] for other in found)


WORDS = "ore mud iron bat root sand silt clay not x!".split()


@pytest.fixture
def corpus() -> Corpus:
    rng = random.Random(5)
    return corpus_in_memory([" ".join(rng.choices(WORDS, k=rng.randint(2, 7))) for _ in range(300)])


@pytest.fixture
def opened(corpus: Corpus, tmp_path: Path) -> Vectors:
    encode_corpus(corpus, WordEncoder(), tmp_path / "v")
    return open_vectors(tmp_path / "v", corpus)


def questions(count: int) -> list[Question]:
    rng = random.Random(6)
    return [
        Question(
            str(number),
            " ".join(rng.choices(WORDS, k=5)),
            tuple(Choice(label, rng.choice(WORDS)) for label in "ABC"),
        )
        for number in range(count)
    ]


def test_dense_evidence_is_the_nearest_that_the_filter_keeps(corpus: Corpus, opened: Vectors) -> None:
    encoder = WordEncoder()
    asked = questions(9)
    chosen = DenseSettings(k=6, negation=True, max_characters=25)
    made = Retriever("dense", corpus, chosen, vectors=opened, encoder=encoder)
    rows = encoder.encode(list(corpus.texts))
    for question, answer in zip(asked, made.answer(asked), strict=True):
        for choice, pieces in zip(question.choices, answer.evidence or (), strict=True):
            (query,) = encoder.encode([f"{question.stem} {choice.text}"])
            right = [
                number
                for number, _ in plain(rows, query, len(rows))
                if len(corpus.texts[number]) <= 25
                and "not" not in corpus.texts[number]
                and "!" not in corpus.texts[number]
            ]
            assert [piece.sentence_id for piece in pieces] == right[:6]
            assert {piece.role for piece in pieces} == {"dense"}
    assert made.dropped["unclean"] > 0
    assert made.dropped["negation"] > 0
    assert made.queries == 27


def test_company_changes_nothing(corpus: Corpus, opened: Vectors, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = questions(7)
    whole = list(Retriever("dense", corpus, vectors=opened, encoder=WordEncoder()).answer(asked))
    monkeypatch.setattr(retriever, "BATCH", 3)
    parts = Retriever("dense", corpus, vectors=opened, encoder=WordEncoder())
    assert list(parts.answer(asked)) == whole


def test_settings_say_what_decides(corpus: Corpus, opened: Vectors) -> None:
    found = Retriever("dense", corpus, vectors=opened, encoder=WordEncoder()).settings
    assert found["dense"] == {
        "search": "exact",
        "vectors": opened.fingerprint,
        "encoder": {"encoder": "words", "fingerprint": "one 16"},
    }
    assert found["engine"]["corpus"] == corpus.fingerprint


def test_bad_input(corpus: Corpus, opened: Vectors) -> None:
    with pytest.raises(AssayError, match="needs vectors"):
        Retriever("dense", corpus)
    with pytest.raises(AssayError, match="other weights"):
        Retriever("dense", corpus, vectors=opened, encoder=WordEncoder(weights="two"))

"""Counts against the shared cases, and against a slow, plain reference."""

import json
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.corpus.model import Stream, Vocabulary
from assay.errors import AssayError
from assay.evidence.cooccurrence import ESTIMATORS, Blocks, Counts, Estimator, count_blocks, count_pairs
from assay.evidence.ngrams import Groups, ngrams_of_parts

Sentences = list[list[str]]
Ngram = tuple[str, ...]


def stream(sentences: Sentences) -> tuple[Stream, Vocabulary]:
    terms = sorted({term for sentence in sentences for term in sentence})
    ids = {term: number for number, term in enumerate(terms)}
    flat = np.array([ids[term] for sentence in sentences for term in sentence], dtype=np.uint32)
    starts = np.concatenate([[0], np.cumsum([len(sentence) for sentence in sentences], dtype=np.int64)])
    return Stream(flat, starts.astype(np.int64)), Vocabulary(terms, np.zeros(len(terms), np.bool_))


def found(ngram: Ngram, tokens: list[str]) -> list[int]:
    """Start positions of an n-gram."""
    return [
        start
        for start in range(len(tokens) - len(ngram) + 1)
        if all(part in ("_", token) for part, token in zip(ngram, tokens[start:], strict=False))
    ]


def reference(sentences: Sentences, x: Ngram, y: Ngram, estimator: str, window: int) -> tuple[int, ...]:
    """total, single x, single y, joint; straight from the definitions."""
    total = single_x = single_y = joint = 0
    for tokens in sentences:
        if estimator == "windows":
            count = max(1, len(tokens) - window + 1) if tokens else 0
            for begin in range(count):
                inside = tokens[begin : begin + window]
                has_x, has_y = bool(found(x, inside)), bool(found(y, inside))
                total, single_x, single_y = total + 1, single_x + has_x, single_y + has_y
                joint += has_x and has_y
        else:
            at_x, at_y = found(x, tokens), found(y, tokens)
            total, single_x, single_y = total + len(tokens), single_x + len(at_x), single_y + len(at_y)
            joint += sum(abs(i - j) < window for i in at_x for j in at_y)
    return total, single_x, single_y, joint


def counted(sentences: Sentences, pairs: list[tuple[Ngram, Ngram]], **options: object) -> list[tuple]:
    ngrams, numbers = ngrams_of_parts([ngram for pair in pairs for ngram in pair])
    x, y = numbers[::2], numbers[1::2]
    counts = count_pairs(*stream(sentences), ngrams, x, y, **options)
    return list(
        zip(
            [counts.total] * len(pairs),
            counts.single[x].tolist(),
            counts.single[y].tolist(),
            counts.joint.tolist(),
            strict=True,
        )
    )


@pytest.mark.real_data
@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_shared_cases(shared_cases: Path, estimator: Estimator) -> None:
    cases = json.loads((shared_cases / "cooccurrence.json").read_text(encoding="utf-8"))["cases"]
    assert sum(len(case["pairs"]) for case in cases) >= 100
    for case in cases:
        pairs = [(tuple(pair["x"]), tuple(pair["y"])) for pair in case["pairs"]]
        results = counted(case["sentences"], pairs, estimator=estimator)
        for pair, (total, x, y, joint) in zip(case["pairs"], results, strict=True):
            right = pair[estimator]
            assert (total, x, y, joint) == (right["total"], right["x"], right["y"], right["xy"]), pair
            pmi = math.log(joint * total / (x * y)) if joint else None
            assert pmi == (None if right["pmi"] is None else pytest.approx(right["pmi"], abs=1e-12))


TERMS = st.sampled_from(["a", "b", "c", "d"])
NGRAMS = st.one_of(
    st.tuples(TERMS),
    st.tuples(TERMS, TERMS),
    st.tuples(TERMS, TERMS, TERMS),
    st.tuples(TERMS, st.just("_"), TERMS),
    st.tuples(st.just("never"), TERMS),
)


@settings(max_examples=150, deadline=None)
@given(
    sentences=st.lists(st.lists(st.sampled_from("aabbcdef"), max_size=30), max_size=12),
    pairs=st.lists(st.tuples(NGRAMS, NGRAMS), min_size=1, max_size=8),
    window=st.integers(1, 13),
    estimator=st.sampled_from(ESTIMATORS),
    threads=st.integers(1, 3),
    chunk=st.integers(1, 60),
)
def test_counts_are_the_definitions(
    sentences: Sentences,
    pairs: list[tuple[Ngram, Ngram]],
    window: int,
    estimator: Estimator,
    threads: int,
    chunk: int,
) -> None:
    right = [reference(sentences, x, y, estimator, window) for x, y in pairs]
    assert counted(sentences, pairs, estimator=estimator, window=window, threads=threads) == right
    assert counted_in_blocks(sentences, pairs, estimator, window, threads, chunk) == right


def counted_in_blocks(
    sentences: Sentences,
    pairs: list[tuple[Ngram, Ngram]],
    estimator: Estimator,
    window: int,
    threads: int,
    chunk: int,
) -> list[tuple[int, int, int, int]]:
    """The pairs from one block of all x by all y (which holds every pair, x with x too)."""
    ngrams, numbers = ngrams_of_parts([ngram for pair in pairs for ngram in pair])
    left, right = (list(dict.fromkeys(numbers[side::2].tolist())) for side in (0, 1))
    members = np.array(left + right, dtype=np.int32)
    groups = Groups(ngrams, members, np.array([0, len(left), len(left) + len(right)], dtype=np.int64))
    blocks = Blocks(groups, np.array([0], np.int32), np.array([[1, 2]], np.int32))
    counts: Counts = count_blocks(
        *stream(sentences), blocks, estimator=estimator, window=window, threads=threads, chunk=chunk
    )
    cell = counts.joint.reshape(len(left), len(right))
    return [
        (counts.total, int(counts.single[x]), int(counts.single[y]), int(cell[left.index(x), right.index(y)]))
        for x, y in zip(numbers[::2].tolist(), numbers[1::2].tolist(), strict=True)
    ]


def test_a_memory_mapped_corpus_counts_alike(tmp_path: Path) -> None:
    sentences = [["a", "b", "a", "c"] * 9, [], ["b"]]
    tokens, vocabulary = stream(sentences)
    np.save(tmp_path / "ids.npy", tokens.ids)
    np.save(tmp_path / "starts.npy", tokens.starts)
    mapped = Stream(*(np.load(tmp_path / f"{name}.npy", mmap_mode="r") for name in ("ids", "starts")))
    ngrams, numbers = ngrams_of_parts([("a",), ("b", "a")])
    for estimator in ESTIMATORS:
        one, other = (
            count_pairs(each, vocabulary, ngrams, numbers[:1], numbers[1:], estimator=estimator)
            for each in (tokens, mapped)
        )
        assert one.joint.tolist() == other.joint.tolist() != [0]
        assert one.single.tolist() == other.single.tolist()


def test_counts_of_a_huge_corpus_are_kept_wide(monkeypatch: pytest.MonkeyPatch) -> None:
    sentences = [["a", "b", "a", "c"] * 9, [], ["b"]]
    pairs = [(("a",), ("b", "a")), (("a",), ("a",)), (("a", "_", "a"), ("c",))]
    narrow = {estimator: counted(sentences, pairs, estimator=estimator) for estimator in ESTIMATORS}
    monkeypatch.setattr("assay.evidence.cooccurrence.WIDE", 0)
    for estimator in ESTIMATORS:
        assert counted(sentences, pairs, estimator=estimator) == narrow[estimator]


@pytest.mark.parametrize("options", [{"window": 0}, {"window": 257}, {"estimator": "documents"}])
def test_settings_out_of_range_are_refused(options: dict) -> None:
    with pytest.raises(AssayError, match="Got"):
        counted([["a"]], [(("a",), ("a",))], **options)


def test_a_sentence_longer_than_a_chunk_is_refused() -> None:
    tokens = Stream(np.zeros((1 << 23) + 1, np.uint32), np.array([0, (1 << 23) + 1], np.int64))
    ngrams, numbers = ngrams_of_parts([("a",)])
    with pytest.raises(AssayError, match="sentence 0"):
        count_pairs(tokens, Vocabulary(["a"], np.zeros(1, np.bool_)), ngrams, numbers, numbers)

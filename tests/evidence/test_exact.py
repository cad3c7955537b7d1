"""The exact engine against plain Python, and the troubles that others have met."""

import random
import time
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.corpus.model import Corpus, corpus_in_memory
from assay.errors import AssayError
from assay.evidence import exact
from assay.evidence.engine import Hits, Query
from assay.evidence.exact import ExactEngine
from assay.text.analysis import Analyser
from tests.evidence.bm25_reference import Reference, agrees

PLAIN = Analyser(language="none", stop_words="none")
WORDS = "ore mud iron bat root sand the of x y".split()

texts = st.lists(st.lists(st.sampled_from(WORDS), max_size=9).map(" ".join), max_size=30)
groups = st.lists(st.sampled_from([*WORDS, "unknown", "=the", "=of"]), max_size=6).map(tuple)
asked = st.lists(
    st.builds(
        Query,
        st.lists(groups, min_size=0, max_size=4).map(tuple),
        st.booleans(),
        st.lists(groups, max_size=2).map(tuple),
    ),
    min_size=1,
    max_size=8,
)


def hits(engine: ExactEngine, queries: Sequence[Query], k: int) -> list[tuple[list[int], list[float]]]:
    return [(found.ids.tolist(), found.scores.tolist()) for found in engine.search(queries, k)]


def ask(corpus: Corpus, text: str, k: int = 10) -> Hits:
    return next(ExactEngine(corpus).search([Query((tuple(corpus.analyser.query_terms(text)),))], k))


@settings(max_examples=150, deadline=None)
@given(texts, asked, st.integers(1, 12), st.sampled_from([1024, 4]), st.floats(0, 3), st.floats(0, 1))
def test_as_plain_python(
    sentences: list[str],
    queries: list[Query],
    k: int,
    block: int,
    k1: float,
    b: float,
) -> None:
    corpus = corpus_in_memory(sentences, Analyser(language="none"))
    reference = Reference(corpus, k1, b)
    engine = ExactEngine(corpus, k1=k1, b=b, threads=1)
    engine._block = block
    # Each question twice, with the same first group, as a solver asks for its choices.
    doubled = [
        Query(query.groups, query.every_group, required)
        for query in queries
        for required in (query.required, ())
    ]
    for query, (ids, scores) in zip(doubled, hits(engine, doubled, k), strict=True):
        assert agrees(ids, scores, reference.scores(query), k), (query, ids, scores, reference.scores(query))


@pytest.mark.parametrize("every", [False, True])
def test_many_sentences_in_blocks_as_plain_python(every: bool) -> None:
    """Enough sentences that most are skipped: skipping loses nothing."""
    rng = random.Random(7)
    words = [f"w{n}" for n in range(60)]
    weights = [1 / (n + 1) for n in range(60)]
    sentences = [" ".join(rng.choices(words, weights, k=rng.randint(1, 12))) for _ in range(1500)]
    corpus = corpus_in_memory(sentences, PLAIN)
    reference = Reference(corpus)
    held = {word: sum(word in s for s in reference.sentences) for word in words}
    reference.part = _remembered(reference, held)  # type: ignore[method-assign]
    engine = ExactEngine(corpus, threads=2)
    engine._block = 64
    queries = []
    for _ in range(12):
        stem = tuple(rng.choices(words, weights, k=rng.randint(1, 9)))
        queries += [
            Query(
                (stem, tuple(rng.choices(words, weights, k=rng.randint(0, 4)))),
                every,
                (tuple(words[:required]),) if required else (),
            )
            for required in (0, 0, 1, 3)
        ]
    for k in (1, 5, 50):
        for query, (ids, scores) in zip(queries, hits(engine, queries, k), strict=True):
            assert agrees(ids, scores, reference.scores(query), k)


def _remembered(reference: Reference, held: dict[str, int]):
    import math

    def part(term: str, number: int) -> float:
        idf = math.log(1 + (len(reference.sentences) - held[term] + 0.5) / (held[term] + 0.5))
        count = reference.sentences[number].count(term)
        norm = 1.2 * (0.25 + 0.75 * reference.lengths[number] / reference.average)
        return idf * count * 2.2 / (count + norm)

    return part


def test_threads_batches_and_company_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = random.Random(3)
    words = [f"w{n}" for n in range(40)]
    corpus = corpus_in_memory([" ".join(rng.choices(words, k=8)) for _ in range(400)], PLAIN)
    queries = []
    for _ in range(20):
        stem = tuple(rng.choices(words, k=6))
        queries += [
            Query((stem, tuple(rng.choices(words, k=3))), every, required)
            for every in (False, True)
            for required in ((), (tuple(words[:5]),))
        ]
    whole = hits(ExactEngine(corpus, threads=1), queries, 7)
    assert hits(ExactEngine(corpus, threads=5), queries, 7) == whole
    assert [hits(ExactEngine(corpus), [query], 7)[0] for query in queries] == whole
    monkeypatch.setattr(exact, "BATCH", 4)
    assert hits(ExactEngine(corpus, threads=2), queries, 7) == whole


def test_order_of_terms_and_of_groups_changes_no_score() -> None:
    rng = random.Random(5)
    words = [f"w{n}" for n in range(30)]
    corpus = corpus_in_memory([" ".join(rng.choices(words, k=12)) for _ in range(100)], PLAIN)
    terms = rng.choices(words, k=25)
    shuffled = rng.sample(terms, len(terms))
    one, other, split = hits(
        ExactEngine(corpus),
        [
            Query((tuple(terms),)),
            Query((tuple(shuffled),)),
            Query((tuple(shuffled[:9]), tuple(shuffled[9:]))),
        ],
        100,
    )
    assert one == other == split


DOCUMENTS = [
    "a bat is a mammal",
    "a newt is an amphibian",
    "cells of plant and animal",
    "water boils at 100 degrees",
    "frost at 40 degrees below",
    "speed v equals u plus a times t",
]


@pytest.mark.parametrize(
    ("text", "order"),
    [
        ("Which is a mammal: bat or newt?", [0, 1]),
        ("What's a bat's size?", [0]),
        ("-40 degrees", [4, 3]),
        ("<<<", []),
        ("Except:", []),
        ("*", []),
        (r"Evaluate \frac{u}{t} for {v}", [5]),
        ("zyx qqq", []),
    ],
)
def test_no_text_is_query_syntax(text: str, order: list[int]) -> None:
    assert ask(corpus_in_memory(DOCUMENTS), text).ids.tolist() == order


def test_without_stop_words_every_word_counts() -> None:
    corpus = corpus_in_memory(DOCUMENTS, PLAIN)
    assert ask(corpus, "Which is a mammal: bat or newt?").ids.tolist() == [0, 1, 5]


def test_term_in_half_of_the_sentences_still_scores() -> None:
    corpus = corpus_in_memory(
        ["tin ore found here", "tin mine found deep", "clay found deep", "sand and silt"], PLAIN
    )
    found = ask(corpus, "tin")
    assert found.ids.tolist() == [0, 1]
    assert found.scores == pytest.approx([0.654875, 0.654875], abs=1e-6)


def test_term_in_every_sentence_still_scores() -> None:
    found = ask(corpus_in_memory(["ore"] * 40, PLAIN), "ore")
    assert found.ids.tolist() == list(range(10))
    assert min(found.scores) > 0


def test_equal_sentences_keep_corpus_order() -> None:
    corpus = corpus_in_memory(["iron ore is mined"] * 6)
    assert ask(corpus, "iron mined").ids.tolist() == [0, 1, 2, 3, 4, 5]
    assert ask(corpus, "iron mined", k=3).ids.tolist() == [0, 1, 2]


def test_scores_of_growing_sentences() -> None:
    corpus = corpus_in_memory(["iron ore" + " pad" * n for n in range(8)], PLAIN)
    found = ask(corpus, "iron")
    assert found.ids.tolist() == list(range(8))
    assert found.scores[:3] == pytest.approx([0.077276, 0.070215, 0.064337], abs=1e-6)


def test_lengths_are_exact() -> None:
    corpus = corpus_in_memory(["iron" + " pad" * n for n in (38, 39, 40, 41)], PLAIN)
    scores = ask(corpus, "iron").scores.tolist()
    assert scores == sorted(set(scores), reverse=True)


def test_five_thousand_words() -> None:
    corpus = corpus_in_memory([" ".join(f"w{n}" for n in range(5000))], PLAIN)
    ask(corpus, "w1")
    started = time.monotonic()
    found = ask(corpus, " ".join(f"w{n}" for n in range(5000)))
    assert time.monotonic() - started < 2
    assert found.ids.tolist() == [0]
    assert np.isfinite(found.scores).all()


@pytest.mark.parametrize("sentences", [[], ["", "", ""], ["...", "+"]])
def test_nothing_to_find(sentences: list[str]) -> None:
    found = ask(corpus_in_memory(sentences), "iron")
    assert found.ids.tolist() == []
    assert found.scores.tolist() == []
    assert list(ExactEngine(corpus_in_memory(sentences)).search([], 3)) == []


def test_stop_words_are_found_by_their_terms() -> None:
    corpus = corpus_in_memory(["it is", "being", "that it was it"])
    assert corpus.analyser.query_terms("it") == ["=it"]
    assert set(ask(corpus, "it").ids.tolist()) == {0, 2}


def test_words_of_any_length_are_found() -> None:
    words = ["methylchloroisothiazolinonebenzisothiazole", "x" * 39, "y" * 40, "\u00e9" * 30000]
    corpus = corpus_in_memory([f"{word} kills mould" for word in words], PLAIN)
    for number, word in enumerate(words):
        assert ask(corpus, word).ids.tolist() == [number]


@pytest.mark.parametrize(
    ("k1", "b", "message"),
    [(-1, 0.75, "k1 must be"), (float("nan"), 0.5, "k1 must be"), (1.2, 1.5, "b must be")],
)
def test_constants_out_of_range(k1: float, b: float, message: str) -> None:
    with pytest.raises(AssayError, match=message):
        ExactEngine(corpus_in_memory(["ore"]), k1=k1, b=b)


def test_no_hits_wanted_is_an_error() -> None:
    with pytest.raises(AssayError, match="1 or more"):
        list(ExactEngine(corpus_in_memory(["ore"])).search([Query((("ore",),))], 0))


def test_settings_say_what_decides_the_scores() -> None:
    corpus = corpus_in_memory(["ore"])
    assert ExactEngine(corpus, k1=0.9).settings == {
        "engine": "exact",
        "k1": 0.9,
        "b": 0.75,
        "lengths": "exact",
        "corpus": corpus.fingerprint,
    }

"""One contract over every search engine."""

import random
from collections.abc import Callable, Sequence

import pytest

from assay.corpus.model import Corpus, corpus_in_memory
from assay.errors import AssayError
from assay.evidence.engine import Hits, Query, SearchEngine
from assay.evidence.engines import ENGINES, open_engine
from assay.text.analysis import Analyser
from tests.evidence.bm25_reference import Reference

PLAIN = Analyser(language="none", stop_words="none")
QUANTISED = 40
"""Up to this length no engine rounds lengths."""

Open = Callable[[Corpus], SearchEngine]


@pytest.fixture(params=ENGINES)
def opened(request: pytest.FixtureRequest) -> Open:
    return lambda corpus: open_engine(request.param, corpus)


def search(engine: SearchEngine, queries: Sequence[Query], k: int = 10) -> list[Hits]:
    return list(engine.search(queries, k))


def test_scores_as_plain_python(opened: Open) -> None:
    rng = random.Random(11)
    words = [f"w{n}" for n in range(25)]
    corpus = corpus_in_memory([" ".join(rng.choices(words, k=rng.randint(1, 12))) for _ in range(80)], PLAIN)
    reference = Reference(corpus)
    queries = []
    for _ in range(15):
        stem = tuple(rng.choices([*words, "unknown"], k=rng.randint(0, 5)))
        queries += [
            Query((stem, tuple(rng.choices(words, k=rng.randint(0, 3)))), every, required)
            for every in (False, True)
            for required in ((), (("w1", "w2"),), (tuple(words[:9]), ("w3", "unknown", "w9", "w11")))
        ]
    for query, hits in zip(queries, search(opened(corpus), queries), strict=True):
        right = reference.scores(query)
        best = sorted(right.values(), reverse=True)[:10]
        assert hits.scores.tolist() == pytest.approx(best, rel=3e-6)
        for number, score in zip(hits.ids.tolist(), hits.scores.tolist(), strict=True):
            assert score == pytest.approx(right[number], rel=3e-6)


def test_published_value(opened: Open) -> None:
    corpus = corpus_in_memory(
        ["tin ore found here", "tin mine found deep", "clay found deep", "sand and silt"], PLAIN
    )
    (hits,) = search(opened(corpus), [Query((("tin",),))])
    assert hits.ids.tolist() == [0, 1]
    assert hits.scores.tolist() == pytest.approx([0.654875, 0.654875], abs=1e-5)


def test_equal_sentences_keep_corpus_order(opened: Open) -> None:
    corpus = corpus_in_memory(["iron ore is mined deep under ground"] * 6 + ["iron"], PLAIN)
    queries = [Query((("iron", "ore", "mined", "deep"), ("ground", "under")))] * 2
    for _ in range(2):
        for hits in search(opened(corpus), queries):
            assert hits.ids.tolist() == [0, 1, 2, 3, 4, 5, 6]


def test_nothing_to_find(opened: Open) -> None:
    corpus = corpus_in_memory(["ore", "mud"])
    queries = [
        Query((("zyx", "qqq"),)),
        Query(()),
        Query(((),)),
        Query(((), ("ore",)), every_group=True),
        Query((("ore",), ("zyx",)), every_group=True),
        Query((("ore",), ("mud",)), every_group=True),
    ]
    assert [hits.ids.tolist() for hits in search(opened(corpus), queries)] == [[]] * 6
    assert search(opened(corpus_in_memory(["", "", ""])), [Query((("iron",),))])[0].ids.tolist() == []
    assert search(opened(corpus_in_memory([])), [Query((("iron",),))])[0].ids.tolist() == []


def test_required_terms_add_nothing_to_the_score(opened: Open) -> None:
    corpus = corpus_in_memory(["iron ore", "iron mud", "ore mud", "sand", "silt and clay"], PLAIN)
    plain, filtered, twice, one, nothing, empty = search(
        opened(corpus),
        [
            Query((("iron",),)),
            Query((("iron",),), required=(("mud", "sand"),)),
            Query((("iron",),), required=(("mud", "sand"), ("iron", "ore"))),
            Query((("iron",), ("ore", "mud")), every_group=True, required=(("ore",),)),
            Query((("iron",),), required=(("mud",), ("zyx",))),
            Query((("iron",),), required=((),)),
        ],
    )
    assert plain.ids.tolist() == [0, 1]
    assert filtered.ids.tolist() == twice.ids.tolist() == [1]
    assert filtered.scores.tolist() == twice.scores.tolist() == plain.scores.tolist()[1:]
    assert one.ids.tolist() == [0]
    assert nothing.ids.tolist() == empty.ids.tolist() == []


def test_results_in_the_order_of_the_queries(opened: Open) -> None:
    corpus = corpus_in_memory([f"w{n}" for n in range(300)], PLAIN)
    queries = [Query(((f"w{n}",),)) for n in range(300)]
    assert [hits.ids.tolist() for hits in search(opened(corpus), queries)] == [[n] for n in range(300)]
    assert [hits.ids.tolist() for hits in opened(corpus).search(iter(queries), 1)] == [
        [n] for n in range(300)
    ]


def test_stop_words_are_found_by_their_terms(opened: Open) -> None:
    corpus = corpus_in_memory(["it is mud", "being", "that it was it"])
    (hits,) = search(opened(corpus), [Query((("=it",),))])
    assert set(hits.ids.tolist()) == {0, 2}
    (hits,) = search(opened(corpus), [Query((("mud",), ("=it",)), every_group=True)])
    assert hits.ids.tolist() == [0]


def test_long_words_and_long_queries(opened: Open) -> None:
    words = ["methylchloroisothiazolinonebenzisothiazole", "x" * 39, "y" * 40, "\u00e9" * 30000]
    corpus = corpus_in_memory([f"{word} kills mould" for word in words], PLAIN)
    found = search(opened(corpus), [Query(((word,),)) for word in words])
    assert [hits.ids.tolist() for hits in found] == [[0], [1], [2], [3]]
    many = tuple(f"w{n}" for n in range(5000))
    (hits,) = search(opened(corpus_in_memory([" ".join(many)], PLAIN)), [Query((many,))])
    assert hits.ids.tolist() == [0]


def test_lengths_as_the_settings_say(opened: Open) -> None:
    corpus = corpus_in_memory(["iron" + " pad" * n for n in (38, 39, 40, 41)], PLAIN)
    engine = opened(corpus)
    scores = search(engine, [Query((("iron",),))])[0].scores.tolist()
    exact = engine.settings["lengths"] == "exact"
    assert len(set(scores)) == (4 if exact else 3)
    assert scores[1] > scores[2] if exact else scores[1] == scores[2]


def test_settings_name_the_corpus(opened: Open) -> None:
    corpus = corpus_in_memory(["ore"])
    engine = opened(corpus)
    assert engine.settings["corpus"] == corpus.fingerprint
    assert engine.settings["engine"] == engine.name


def test_no_hits_wanted_is_an_error(opened: Open) -> None:
    with pytest.raises(AssayError, match="1 or more"):
        search(opened(corpus_in_memory(["ore"])), [Query((("ore",),))], 0)


def test_unknown_engine_or_constants() -> None:
    corpus = corpus_in_memory(["ore"])
    with pytest.raises(AssayError, match="no search engine 'lucene'"):
        open_engine("lucene", corpus)
    with pytest.raises(AssayError, match=r"k1 1\.2 and b 0\.75 only"):
        open_engine("tantivy", corpus, k1=0.9)

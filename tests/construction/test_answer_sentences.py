"""Which sentences state an answer, and a corpus without them, against a plain reading of the rule."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.construction.answer_sentences import answer_sentences
from assay.corpus.model import Corpus, corpus_in_memory
from assay.corpus.subset import without_sentences
from assay.questions.model import Choice, Question

WORDS = ["plant", "water", "root", "leaf", "the", "of"]
texts = st.lists(st.lists(st.sampled_from(WORDS), max_size=6).map(" ".join), min_size=1, max_size=12)


def question(stem: str, key: str) -> Question:
    return Question("q", stem, (Choice("A", key), Choice("B", "stone")), "A")


@given(
    texts,
    st.lists(st.sampled_from(WORDS), min_size=1, max_size=3),
    st.lists(st.sampled_from(WORDS), max_size=4),
)
def test_rule_against_plain_reading(sentences: list[str], key: list[str], stem: list[str]) -> None:
    corpus = corpus_in_memory(sentences)
    analyser = corpus.analyser
    wanted, asked = set(analyser.query_terms(" ".join(key))), set(analyser.content(" ".join(stem)))
    plain = [
        number
        for number, sentence in enumerate(sentences)
        if wanted <= set(analyser.all_terms(sentence))
        and len(asked & set(analyser.all_terms(sentence))) >= max(1, 0.5 * len(asked))
    ]
    found = answer_sentences(corpus, [question(" ".join(stem), " ".join(key))], 0.5)
    assert found.tolist() == plain


def same(one: Corpus, other: Corpus) -> None:
    assert list(one.texts) == list(other.texts)
    for made, right in [(one.tokens, other.tokens), (one.content, other.content)]:
        assert [one.vocabulary.terms[i] for i in made.ids] == [other.vocabulary.terms[i] for i in right.ids]
        assert made.starts.tolist() == right.starts.tolist()
    assert one.postings.lengths.tolist() == other.postings.lengths.tolist()
    for number, term in enumerate(one.vocabulary.terms):
        here = slice(*one.postings.starts[number : number + 2])
        there_id = other.vocabulary.ids.get(term)
        there = slice(0, 0) if there_id is None else slice(*other.postings.starts[there_id : there_id + 2])
        assert one.postings.sentences[here].tolist() == other.postings.sentences[there].tolist()
        assert one.postings.counts[here].tolist() == other.postings.counts[there].tolist()


@given(texts, st.data())
def test_less_some_sentences_is_the_corpus_of_the_rest(sentences: list[str], data: st.DataObject) -> None:
    gone = data.draw(st.lists(st.integers(0, len(sentences) - 1)))
    smaller = without_sentences(corpus_in_memory(sentences), np.array(gone, dtype=np.int64))
    same(smaller, corpus_in_memory([s for n, s in enumerate(sentences) if n not in gone]))


def test_fingerprint_tells_what_is_gone() -> None:
    corpus = corpus_in_memory(["one", "two", "three"])
    prints = {
        without_sentences(corpus, np.array(gone, dtype=np.int64)).fingerprint for gone in ([], [0], [1])
    }
    assert len(prints | {corpus.fingerprint}) == 4
    with pytest.raises(IndexError):
        without_sentences(corpus, np.array([3]))

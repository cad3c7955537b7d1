"""The sentence that holds most of some terms, against a plain look at every sentence."""

from __future__ import annotations

import random

import numpy as np
import pytest

from assay.corpus import corpus_in_memory, without_sentences
from assay.evidence.held import Holding
from assay.text.shares import Shares

WORDS = "moss fern newt owl crab kelp wasp toad lynx hare mole wren is the a of".split()


def texts(seed: int, count: int, most: int = 7) -> list[str]:
    draw = random.Random(seed)
    return [" ".join(draw.choices([*WORDS, "zebu"], k=draw.randint(0, most))) for _ in range(count)]


@pytest.mark.parametrize("seed", range(4))
def test_the_nearest_sentence_is_that_of_the_greatest_share(seed: int) -> None:
    sentences = [text.replace("zebu", "moss") for text in texts(seed, 60)]
    corpus = corpus_in_memory(sentences)
    facts = texts(seed + 100, 80)
    terms = [corpus.analyser.query_terms(fact) for fact in facts]
    found = Holding(corpus).most(terms)
    shares = Shares(corpus.analyser)
    for row, fact in enumerate(facts):
        every = [shares.share(sentence, fact) for sentence in sentences]
        assert found.shares[row] == pytest.approx(max(every))
        assert found.sentences[row] == (every.index(max(every)) if max(every) > 0 else -1)
        assert found.wanted[row] == len(set(terms[row]))
        assert found.known[row] == len({term for term in terms[row] if term in corpus.vocabulary.ids})


@pytest.mark.parametrize("seed", range(4))
def test_required_terms_are_all_held(seed: int) -> None:
    sentences = [text.replace("zebu", "moss") for text in texts(seed, 60)]
    corpus = corpus_in_memory(sentences)
    pairs = list(zip(texts(seed + 7, 80), texts(seed + 8, 80, 2), strict=True))
    wanted = [corpus.analyser.content(stem) for stem, _ in pairs]
    required = [corpus.analyser.query_terms(choice) for _, choice in pairs]
    found = Holding(corpus).most(wanted, required)
    held = [set(corpus.analyser.all_terms(sentence)) for sentence in sentences]
    for row, (stem, choice) in enumerate(zip(wanted, required, strict=True)):
        counts = [len(set(stem) & own) if choice and set(choice) <= own else -1 for own in held]
        assert found.held[row] == max(counts)
        assert found.sentences[row] == (counts.index(max(counts)) if max(counts) >= 0 else -1)


def test_nothing_is_found_in_nothing_or_by_nothing() -> None:
    empty = Holding(corpus_in_memory([]))
    assert empty.most([["moss"], []]).sentences.tolist() == [-1, -1]
    some = Holding(corpus_in_memory(["moss"]))
    assert some.most([[]], [["moss"]]).held.tolist() == [0]
    assert some.most([["moss"]], [[]]).held.tolist() == [-1]
    assert some.most([]).shares.tolist() == []


def test_terms_that_no_sentence_of_a_part_holds_are_unknown_there() -> None:
    part = without_sentences(corpus_in_memory(["moss grows", "newts swim"]), np.array([1]))
    holding = Holding(part)
    assert holding.known("moss")
    assert not holding.known("newt")
    found = holding.most([["newt", "moss"]])
    assert (found.sentences[0], found.held[0], found.wanted[0], found.known[0]) == (0, 1, 2, 1)

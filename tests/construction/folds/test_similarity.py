"""The graph of groups against the formula."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.construction.folds.groups import group_questions
from assay.construction.folds.similarity import SimilaritySettings, similarity_graph
from assay.errors import AssayError
from assay.questions.model import Choice, Facts, Question

WORDS = "ant bee cat dog elk".split()
TEXTS = st.lists(st.lists(st.sampled_from(WORDS), max_size=6).map(" ".join), min_size=1, max_size=8)


@given(TEXTS, st.sampled_from(["product", "idf"]), st.sampled_from([0.0, 0.7, 2.0]))
def test_the_graph_is_the_formula(texts: list[str], overlap: str, threshold: float) -> None:
    graph = similarity_graph([[text] for text in texts], SimilaritySettings(overlap, threshold, "none"))
    found = {
        (a, b): s
        for a, b, s in zip(
            graph.first.tolist(), graph.second.tolist(), graph.similarity.tolist(), strict=True
        )
    }
    bags = [text.split() for text in texts]
    for a in range(len(texts)):
        for b in range(a + 1, len(texts)):
            right = 0.0
            for word in set(bags[a]) & set(bags[b]):
                idf = math.log(len(texts) / sum(word in bag for bag in bags))
                right += idf**2 * bags[a].count(word) * bags[b].count(word) if overlap == "product" else idf
            if right >= max(threshold, 0.001) + 0.001:
                assert found[a, b] == pytest.approx(1000 * right, abs=0.51)
            elif right < max(threshold, 0.001) - 0.001:
                assert (a, b) not in found
    assert list(found) == sorted(found)


def test_stop_words_and_inflections_are_aside() -> None:
    graph = similarity_graph(
        [["the cats sleep"], ["a cat is here"], ["the one here"], ["nothing"]],
        SimilaritySettings(threshold=0),
    )
    assert list(zip(graph.first.tolist(), graph.second.tolist(), strict=True)) == [(0, 1), (1, 2)]


def question(number: int, fact: str | None, stem: str = "") -> Question:
    choices = (Choice("A", "x"), Choice("B", "y"))
    return Question(
        f"q{number}", stem or f"Stem {number}?", choices, "A", None if fact is None else Facts(seed=fact)
    )


def test_facts_that_share_a_question_are_one_group() -> None:
    questions = [question(0, "f"), question(1, "g"), question(2, "f"), question(3, "h", "stem 1")]
    groups = group_questions(questions, "fact1", "stem_alnum")
    assert groups.members == ((0, 2), (1, 3))
    assert groups.names == ("f", "g | h")
    assert groups.texts == (("f",), ("g", "h"))
    assert groups.joined == 1
    assert len(group_questions(questions, "fact1", None).members) == 3


def test_some_questions_without_a_fact() -> None:
    questions = [question(0, "f"), question(1, None), question(2, "f")]
    with pytest.raises(AssayError, match=r"1 of 3 questions have no value in column fact1 \(the first: q1\)"):
        group_questions(questions, "fact1", None)
    groups = group_questions(questions, "fact1", None, alone=True)
    assert groups.weights == (2, 1)
    assert groups.texts[1] == ("Stem 1?",)


def test_the_cut_counts_edges_between_folds() -> None:
    graph = similarity_graph([["bee ant"], ["bee"], ["ant"], ["cat"]], SimilaritySettings(threshold=0))
    assert graph.cut(np.array([0, 0, 0, 1])) == 0
    assert graph.cut(np.array([0, 1, 1, 1])) == graph.total

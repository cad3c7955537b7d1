"""Ties of all choices, and how support graphs were found."""

from __future__ import annotations

import numpy as np
import pytest

from assay.questions.model import Answer, Choice, GraphEvidence, GraphNode, Question
from assay.scoring.abstentions import abstentions


def question(name: str, choices: str = "ABCD") -> Question:
    return Question(name, "Stem?", tuple(Choice(label, label * 3) for label in choices), "A")


def graph(status: str) -> tuple[GraphEvidence, ...]:
    return (GraphEvidence((), (), (), 0.0, status),)


def test_a_tie_of_all_is_an_abstention_and_the_rest_is_scored_apart() -> None:
    asked = [question("a"), question("b"), question("c", "ABC"), question("d", "A")]
    given = [("A", "B", "C", "D"), ("A",), ("A", "B"), ("A",)]
    answers = [Answer(q.id, "answered", chosen) for q, chosen in zip(asked, given, strict=True)]
    found = abstentions("x", asked, answers)
    # With one choice there is nothing to tell apart.
    assert (found.n, found.count) == (3, 1)
    assert found.others.mean == pytest.approx((1 + 0.5 + 1) / 3)
    assert found.graphs == {}


def test_clusters_are_counted_anew_without_the_abstentions() -> None:
    asked = [question(name) for name in "abcd"]
    answers = [Answer("a", "answered", tuple("ABCD")), *(Answer(n, "answered", ("A",)) for n in "bcd")]
    found = abstentions("x", asked, answers, np.array([0, 1, 1, 2]))
    assert (found.others.n, found.others.clusters) == (3, 2)


def test_everything_tied_leaves_nothing_to_score() -> None:
    found = abstentions("x", [question("a")], [Answer("a", "answered", tuple("ABCD"))])
    assert (found.count, found.others.n, found.others.mean) == (1, 0, None)


def test_no_answer_is_no_abstention() -> None:
    assert abstentions("x", [question("a")], [Answer("a", "unanswered")]).count == 0


def test_choices_are_counted_by_how_their_search_ended() -> None:
    whole = (GraphEvidence((GraphNode("t", "term", "moss"),), (), (), 1.0, "optimal"),)
    evidence = (whole, graph("no solution found: limit hit"), (), whole)
    answers = [Answer("a", "answered", ("A",), evidence=evidence), Answer("b", "answered", tuple("ABCD"))]
    found = abstentions("x", [question("a"), question("b")], answers)
    assert found.graphs == {"no solution found: limit hit": 1, "optimal": 2, "no graph": 5}
    assert list(found.graphs)[-1] == "no graph"

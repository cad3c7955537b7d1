import json
import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.errors import AssayError, FaultyInput
from assay.questions.answers import answer_from_json, answer_to_json
from assay.questions.model import (
    Answer,
    Choice,
    GraphEdge,
    GraphEvidence,
    GraphFact,
    GraphNode,
    PairEvidence,
    Question,
    ReplyEvidence,
    SentenceEvidence,
)

QUESTION = Question("q1", "Which floats?", (Choice("1", "cork"), Choice("2", "lead"), Choice("B", "slate")))
NUMBERS = st.floats(allow_nan=False)
IDS = st.none() | st.integers(0, 9)
TEXTS = st.text(max_size=8)
FACTS = st.builds(GraphFact, TEXTS, st.none() | TEXTS, IDS)
WEIGHTS = st.floats(allow_nan=False, allow_infinity=False)


@st.composite
def graphs(draw: st.DrawFn) -> GraphEvidence:
    facts = draw(st.lists(FACTS, max_size=2))
    place = st.none() | st.integers(0, len(facts) - 1) if facts else st.none()
    kinds = st.sampled_from(["term", "fact", "choice"])
    nodes = draw(st.lists(st.builds(GraphNode, kinds, TEXTS, TEXTS, place), max_size=3))
    ends = st.integers(0, len(nodes) - 1)
    edges = draw(st.lists(st.builds(GraphEdge, ends, ends, WEIGHTS, TEXTS), max_size=3)) if nodes else []
    return GraphEvidence(tuple(nodes), tuple(edges), tuple(facts), draw(NUMBERS), draw(TEXTS))


PIECES = st.one_of(
    st.builds(SentenceEvidence, TEXTS, NUMBERS, IDS, st.none() | TEXTS, TEXTS, IDS),
    st.builds(PairEvidence, TEXTS, TEXTS, NUMBERS, st.integers(0, 9)),
    st.builds(ReplyEvidence, TEXTS),
    graphs(),
)


def three(values: st.SearchStrategy) -> st.SearchStrategy:
    return st.none() | st.tuples(values, values, values)


@settings(max_examples=100)
@given(
    chosen=st.sets(st.sampled_from(QUESTION.labels)),
    status=st.sampled_from(["unanswered", "empty", "unparsed", "refused"]),
    scores=three(NUMBERS),
    probabilities=three(st.floats(0, 1)),
    evidence=three(st.lists(PIECES, max_size=2).map(tuple)),
)
def test_answers_come_back_bit_for_bit(chosen, status, scores, probabilities, evidence) -> None:
    labels = tuple(label for label in QUESTION.labels if label in chosen)
    answer = Answer("q1", "answered" if labels else status, labels, scores, evidence, probabilities)
    line = answer_to_json(QUESTION, answer)
    assert "\n" not in line
    json.loads(line, parse_constant=lambda name: pytest.fail(f"{name} is no JSON"))
    again = answer_from_json(QUESTION, line)
    assert again == answer
    assert answer_to_json(QUESTION, again) == line


def test_infinite_scores_are_kept() -> None:
    answer = Answer("q1", "answered", ("1",), (math.inf, -math.inf, 0.0))
    assert answer_from_json(QUESTION, answer_to_json(QUESTION, answer)) == answer


def test_a_score_that_is_no_number_is_never_written() -> None:
    with pytest.raises(AssayError, match="not a number"):
        answer_to_json(QUESTION, Answer("q1", "answered", ("1",), (math.nan, 0.0, 0.0)))
    with pytest.raises(AssayError, match="2 scores for 3 choices"):
        answer_to_json(QUESTION, Answer("q1", "answered", ("1",), (1.0, 0.0)))


@pytest.mark.parametrize(
    ("record", "what"),
    [
        ({"status": "answered", "chosen": []}, ["answered, but nothing is chosen"]),
        ({"status": "empty", "chosen": ["1"]}, ["empty, but 1 is chosen"]),
        ({"status": "fine", "chosen": ["1"]}, ["'status' must be one of"]),
        ({"chosen": ["A", "1", "1"]}, ["label 1 stands twice", "A is not one of 1, 2, B"]),
        ({"chosen": "1"}, ["'chosen' must be a list"]),
        ({"chosen": ["1"], "scores": {"1": 1.0, "2": 0.0}}, ["'scores' lacks choice B"]),
        ({"chosen": ["1"], "scores": {"1": 1, "2": "x", "B": None}}, ["of choice 2", "of choice B"]),
        ({"chosen": ["1"], "scores": {"1": 1, "2": True, "B": 0}}, ["of choice 2 is not a number"]),
        ({"chosen": ["1"], "scores": {"1": 1, "2": 0, "B": 0, "C": 0}}, ["'scores' names C"]),
        ({"chosen": ["1"], "probabilities": {"1": 1.5, "2": 0, "B": 0}}, ["outside 0 to 1"]),
        ({"chosen": ["1"], "evidence": {"1": [{}], "2": [], "B": 3}}, ["choice 1", "choice B"]),
        ({}, ["answered, but nothing is chosen"]),
        ({"status": None}, ["answered, but nothing is chosen"]),
    ],
)
def test_every_fault_is_listed(record, what) -> None:
    with pytest.raises(FaultyInput) as caught:
        answer_from_json(QUESTION, json.dumps({"id": "q1", **record}))
    assert len(caught.value.faults) == len(what)
    for fault, part in zip(caught.value.faults, what, strict=True):
        assert part in fault.what
        assert fault.question_id == "q1"


def test_scores_alone_are_decided_by_the_tie_rule() -> None:
    answer = answer_from_json(QUESTION, '{"id":"q1","scores":{"B":2,"1":2,"2":0}}')
    assert (answer.status, answer.chosen, answer.scores) == ("answered", ("1", "B"), (2.0, 0.0, 2.0))


def test_an_answer_to_another_question_is_refused() -> None:
    with pytest.raises(AssayError, match="the answer is to 'q2'"):
        answer_from_json(QUESTION, '{"id":"q2","chosen":["1"]}')


@pytest.mark.parametrize(
    ("part", "value"),
    [
        ("edges", [[0, 2, 1.0, ""]]), ("edges", [[0, True, 1.0, ""]]), ("edges", [[0, 1, "x", ""]]),
        ("nodes", [{"kind": "planet", "text": "x"}]), ("nodes", [{"kind": "fact", "text": "x", "fact": 1}]),
        ("facts", [{"text": 3}]), ("status", None),
    ],
)  # fmt: skip
def test_a_graph_that_points_beside_its_parts_is_a_fault(part, value) -> None:
    nodes = [{"kind": "term", "text": "cork"}, {"kind": "fact", "text": "cork", "fact": 0}]
    whole = {
        "facts": [{"text": "Cork floats."}],
        "nodes": nodes,
        "edges": [[0, 1, 1, ""]],
        "status": "optimal",
    }

    def line(graph: object) -> str:
        evidence = {"1": [{"graph": graph, "score": 2}], "2": [], "B": []}
        return json.dumps({"id": "q1", "chosen": ["1"], "evidence": evidence})

    assert answer_from_json(QUESTION, line(whole)).evidence[0][0].facts[0].text == "Cork floats."
    with pytest.raises(FaultyInput, match="evidence of choice 1 can't be read"):
        answer_from_json(QUESTION, line({**whole, part: value}))

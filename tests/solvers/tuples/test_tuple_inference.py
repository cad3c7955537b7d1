"""TupleInference over worlds of our own sentences."""

import dataclasses
import json
import random
from pathlib import Path
from typing import Any

import pytest

from assay.corpus import import_corpus, open_corpus
from assay.corpus.model import corpus_in_memory
from assay.errors import AssayError
from assay.evidence.tuples import extract_corpus
from assay.questions.answers import answer_from_record, answer_to_record
from assay.questions.model import Answer, Choice, GraphEvidence, Question, QuestionSet
from assay.solvers.registry import build
from assay.solvers.solver import Solver
from assay.solvers.tuple_inference import TupleInference
from assay.solvers.tuples import sources
from assay.solvers.tuples.fields import Origin
from assay.solvers.tuples.problem import Problem, faults
from assay.solvers.tuples.search import best_graph
from assay.solvers.tuples.sources import Parsed
from assay.text.parsing import open_parser
from tests.solvers.tuples.test_search import exhaustive

pytest.importorskip("spacy", reason="the extra 'parse' isn't installed")

WORLD = [
    "Roots absorb water from the soil.",
    "Leaves make sugar from sunlight.",
    "The heart pumps blood through the body.",
    "Lungs take in oxygen from the air.",
    "Copper conducts electricity.",
    "Rubber stops electricity.",
    "Evaporation turns liquid water into a gas.",
    "Melting turns a solid into a liquid.",
    "Temperature is measured with a thermometer.",
    "Mass is measured with a balance.",
]


def question(stem: str, *texts: str, number: int = 1) -> Question:
    return Question(f"q{number}", stem, tuple(map(Choice, "ABCDE", texts)), answer="A")


ASKED = [
    question("Which part of a plant absorbs water from the soil?", "roots", "leaves", "heart", number=0),
    question("Which organ pumps blood through the body?", "heart", "lungs", "leaves", number=1),
    question("Which material conducts electricity?", "copper", "rubber", "sugar", number=2),
    question("With what is mass measured?", "a balance", "a thermometer", number=3),
    question("What turns liquid water into a gas?", "evaporation", "melting", number=4),
]


def solver(sentences: list[str] = WORLD, **settings: Any) -> Solver:
    return build("tuple-inference", "t", settings, {"world": corpus_in_memory(sentences)})


def graphs(answer: Answer) -> list[tuple[GraphEvidence, ...]]:
    assert answer.evidence is not None
    return [tuple(one for one in own if isinstance(one, GraphEvidence)) for own in answer.evidence]


def test_tuples_tie_the_key_to_the_question() -> None:
    answers = list(solver().answer(ASKED))
    assert [answer.chosen for answer in answers] == [("A",)] * len(ASKED)


def test_the_known_graph() -> None:
    answer = next(iter(solver().answer(ASKED[2:3])))
    (graph,), (other,), none = graphs(answer)
    assert [fact.text for fact in graph.facts] == ["Copper conducts electricity."]
    ends = {(graph.nodes[e.source].text, graph.nodes[e.target].text) for e in graph.edges}
    assert ends == {("conducts", "conducts"), ("electricity", "electricity"), ("Copper", "copper")}
    assert [(node.kind, node.part) for node in graph.nodes if node.fact == 0] == [
        ("fact", "subject"), ("fact", "predicate"), ("fact", "object"),
    ]  # fmt: skip
    assert graph.score == pytest.approx(sum(edge.weight for edge in graph.edges), abs=1e-9)
    assert [fact.text for fact in other.facts] == ["Rubber stops electricity."]
    assert none == ()
    assert answer.scores == (graph.score, other.score, 0.0)
    assert graph.status == other.status == "optimal"


def test_the_evidence_comes_back_from_an_answers_file() -> None:
    for asked, answer in zip(ASKED, solver().answer(ASKED), strict=True):
        assert answer_from_record(asked, json.loads(json.dumps(answer_to_record(asked, answer)))) == answer


def test_neither_the_order_of_sentences_nor_irrelevant_ones_matter() -> None:
    first = [dataclasses.replace(answer, evidence=None) for answer in solver().answer(ASKED)]
    dice = random.Random(2)
    for _ in range(3):
        shuffled = dice.sample(WORLD, len(WORLD))
        again = [dataclasses.replace(answer, evidence=None) for answer in solver(shuffled).answer(ASKED)]
        assert again == first
    more = [*WORLD, "The old castle burned twice.", "Bees dance.", "Red paint dries quickly."]
    chosen = [answer.chosen for answer in solver(more).answer(ASKED)]
    assert chosen == [answer.chosen for answer in first]


def test_the_same_tuple_twice_counts_once() -> None:
    twice = solver([*WORLD, "Copper conducts electricity!", "The copper conducts electricity."])
    (once,), (more,) = (list(one.answer(ASKED[2:3])) for one in (solver(), twice))
    assert [len(own[0].facts) for own in graphs(more) if own] == [1, 1]
    assert more.chosen == once.chosen == ("A",)


@pytest.mark.parametrize(
    "asked",
    [
        question("Which?", "roots", "leaves"),
        question("", "roots", "leaves"),
        question("What is it?", "it", "of the", "?!"),
        question("Qqq zzz?", "vvv", "www"),
        question("Where does the river rise?", "copper", "rubber"),
    ],
)
def test_without_a_tuple_all_choices_tie(asked: Question) -> None:
    answer = next(iter(solver().answer([asked])))
    assert answer.chosen == asked.labels
    assert answer.scores == (0.0,) * len(asked.choices)
    assert answer.evidence == ((),) * len(asked.choices)


def test_denied_tuples_and_negated_sentences() -> None:
    world = ["Copper does not conduct electricity.", "Rubber conducts electricity."]
    assert next(iter(solver(world).answer(ASKED[2:3]))).chosen == ("B",)
    kept = next(iter(solver(world, negation=False).answer(ASKED[2:3])))
    assert kept.chosen == ("A", "B")


def test_premises_instead_of_a_corpus(tmp_path: Path) -> None:
    path = tmp_path / "premises.jsonl"
    sentences = [["Copper conducts electricity."], ["Rubber stops electricity."], []]
    record = {
        "id": "q2", "status": "unanswered", "chosen": [],
        "evidence": {
            label: [{"sentence": text, "score": 1.0, "role": "premise"} for text in own]
            for label, own in zip("ABC", sentences, strict=True)
        },
    }  # fmt: skip
    path.write_text(json.dumps(record) + "\n")
    asked = build("tuple-inference", "t", {"evidence": str(path)}, {})
    assert [answer.chosen for answer in asked.answer(ASKED[2:4])] == [("A",), ("A", "B")]
    assert isinstance(asked, TupleInference)
    assert asked.check(QuestionSet(ASKED)) == ("4 questions have no evidence: all their choices tie",)
    with pytest.raises(AssayError, match="given twice"):
        build("tuple-inference", "t", {"evidence": str(path), "corpus": "w"}, {"w": corpus_in_memory(WORLD)})
    with pytest.raises(AssayError, match="needs sentences"):
        build("tuple-inference", "t", {}, {})


def test_stored_tuples_are_those_parsed_on_the_fly(tmp_path: Path) -> None:
    (tmp_path / "world.txt").write_text("\n".join(WORLD))
    import_corpus([str(tmp_path / "world.txt")], tmp_path / "c")
    corpus = open_corpus(tmp_path / "c")

    def answers(tuples: str) -> list[Answer]:
        return list(build("tuple-inference", "t", {"tuples": tuples}, {"w": corpus}).answer(ASKED))

    with pytest.raises(AssayError, match="there are no tuples here"):
        answers("stored")
    parsed = answers("corpus")
    extract_corpus(corpus, tmp_path / "c" / "tuples" / "en_core_web_sm", workers=1)
    extract_corpus(corpus, tmp_path / "elsewhere", workers=1)
    assert [own.chosen for own in parsed] == [("A",)] * len(ASKED)
    assert answers("stored") == answers("corpus") == answers(str(tmp_path / "elsewhere")) == parsed
    with pytest.raises(AssayError, match="has no stored tuples"):
        solver(tuples="stored")


def test_what_was_parsed_is_forgotten_before_it_fills_the_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    origins = [Origin(text) for text in WORLD]
    expected = Parsed(open_parser()).tuples(origins)
    assert all(expected)
    monkeypatch.setattr(sources, "REMEMBERED", 4)
    parsed = Parsed(open_parser())
    for first in (0, 2, 1, 5, 7, 0):
        assert parsed.tuples(origins[first : first + 3]) == expected[first : first + 3]
        assert len(parsed._known) <= 4


def test_a_parser_that_is_not_there() -> None:
    with pytest.raises(AssayError, match="no-such-model"):
        solver(parser="no-such-model")


def test_a_limit_that_is_hit_is_said_and_the_run_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    from assay.solvers import tuple_inference
    from assay.solvers.tuples.search import Found

    def hit(problem: Problem, nodes: int) -> Found:
        return Found((), 0, "no solution found: limit hit")

    monkeypatch.setattr(tuple_inference, "best_graph", hit)
    answers = list(solver().answer(ASKED[2:4]))
    assert answers[0].chosen == ("A", "B", "C")
    assert [[one.status for one in own] for own in graphs(answers[0])] == [
        ["no solution found: limit hit"]
    ] * 3
    assert len(answers) == 2


def reduced(problem: Problem) -> Problem:
    """The links of the problem's first tuples, few enough for all graphs to be tried."""
    kept: list[Any] = []
    for number in dict.fromkeys(link.tuple for link in problem.links):
        own = [link for link in problem.links if link.tuple == number]
        if len(kept) + len(own) > 12:
            break
        kept += own
    return Problem(tuple(kept), problem.limits)


def test_toy_questions_solved_as_by_trying_every_graph() -> None:
    asked = solver(tuples_used=2, links_per_term=1)
    assert isinstance(asked, TupleInference)
    checked = 0
    for one in ASKED:
        for problem in map(reduced, asked.problems(one)[1]):
            found = best_graph(problem, 100)
            assert found.gain == exhaustive(problem)
            assert not faults(found.links, problem.limits)
            checked += found.gain > 0
    assert checked >= 8

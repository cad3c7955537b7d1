"""The word-overlap solver against a plain reading of its rules."""

from __future__ import annotations

import random
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from assay.corpus.model import corpus_in_memory
from assay.errors import AssayError
from assay.evidence.premises import Premises
from assay.questions.answers import answer_to_json
from assay.questions.model import Answer, Choice, Question, QuestionSet, SentenceEvidence
from assay.solvers.overlap import OverlapSolver
from assay.text.analysis import Analyser
from assay.text.statements import statement

DRAW = random.Random(3)
WORDS = "moss roots water soil stone iron light heat the of a".split()


def text(most: int) -> str:
    return " ".join(DRAW.choices(WORDS, k=DRAW.randrange(1, most)))


QUESTIONS = [
    Question(
        f"q{n}", f"Which {text(4)} is near {text(3)}?", tuple(Choice(label, text(4)) for label in "ABCD"), "A"
    )
    for n in range(30)
]
EVIDENCE = {
    q.id: tuple(
        tuple(
            SentenceEvidence(f"{text(7)}{DRAW.choice(['.', ''])}", DRAW.random(), DRAW.randrange(99))
            for _ in range(DRAW.randrange(4))
        )
        for _ in q.choices
    )
    for q in QUESTIONS
}
EVIDENCE["q3"] = ((), (), (), ())


@pytest.fixture(scope="module")
def evidence(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("evidence") / "premises.jsonl"
    records = [(q, Answer(q.id, "unanswered", evidence=EVIDENCE[q.id])) for q in QUESTIONS]
    path.write_text("".join(answer_to_json(*record) + "\n" for record in records))
    return str(path)


def made(evidence: str, **settings: Any) -> OverlapSolver:
    return OverlapSolver.build("mine", {"evidence": evidence, **settings}, {})


def share(premise: str, asked: str) -> float:
    analyser = Analyser()
    wanted = set(analyser.content(asked)) or set(analyser.all_terms(asked))
    return len(wanted & set(analyser.all_terms(premise))) / len(wanted)


@pytest.mark.parametrize("combine", ["max", "pairs", "joined"])
@pytest.mark.parametrize("whose", ["own", "pool"])
@pytest.mark.parametrize("most", [2, 8])
def test_scores_against_a_plain_reading(evidence: str, combine: str, whose: str, most: int) -> None:
    solver = made(evidence, combine=combine, premises=whose, most=most, statements="lineage")
    for q, answer in zip(QUESTIONS, solver.answer(QUESTIONS), strict=True):
        pool = sorted((piece for own in EVIDENCE[q.id] for piece in own), key=lambda piece: -piece.score)
        for place, choice in enumerate(q.choices):
            mine = list(EVIDENCE[q.id][place]) if whose == "own" else pool
            texts = [piece.text for piece in mine]
            texts = (list(dict.fromkeys(texts)) if whose == "pool" else texts)[:most]
            if combine == "pairs":
                texts += [f"{one} {two}" for one, two in combinations(texts, 2)]
            elif combine == "joined" and texts:
                texts = [" ".join(texts)]
            asked = statement(q.stem, choice.text, "lineage").text
            right = max((share(text, asked) for text in texts), default=0.0)
            assert answer.scores is not None
            assert answer.scores[place] == right
            assert answer.evidence is not None
            assert [
                piece.score for piece in answer.evidence[place] if isinstance(piece, SentenceEvidence)
            ] == ([right] if texts else [])


def test_no_premise_is_a_tie_and_is_said(evidence: str) -> None:
    solver = made(evidence)
    answers = {answer.question_id: answer for answer in solver.answer(QUESTIONS)}
    assert answers["q3"].chosen == tuple("ABCD")
    assert answers["q3"].evidence == ((), (), (), ())
    (said,) = solver.check(QuestionSet(QUESTIONS))
    assert "questions have no premise: their choices tie" in said


def test_a_corpus_gives_the_premises_that_retrieval_gives(tmp_path: Path) -> None:
    corpus = corpus_in_memory(sorted({f"{text(9).capitalize()}." for _ in range(200)}))
    path = tmp_path / "premises.jsonl"
    found = zip(QUESTIONS, Premises(corpus).answer(QUESTIONS), strict=True)
    path.write_text("".join(answer_to_json(*record) + "\n" for record in found))
    searching = OverlapSolver.build("mine", {"corpus": "c"}, {"c": corpus})
    assert list(searching.answer(QUESTIONS)) == list(made(str(path)).answer(QUESTIONS))
    assert searching.settings != made(str(path)).settings


def test_what_cannot_be_is_refused(evidence: str) -> None:
    with pytest.raises(AssayError, match="needs premises"):
        OverlapSolver.build("mine", {}, {})
    with pytest.raises(AssayError, match="given twice"):
        made(evidence, corpus="c")
    with pytest.raises(AssayError, match="'most' must be"):
        made(evidence, most=0)
    with pytest.raises(AssayError, match="no evidence for this question"):
        made(evidence).check(QuestionSet([Question("other", "Which?", (Choice("A", "moss"),), "A")]))


def test_every_setting_decides(evidence: str) -> None:
    changes = (
        {}, {"combine": "joined"}, {"premises": "pool"}, {"statements": "lineage"}, {"most": 2},
        {"allow_missing": True},
    )  # fmt: skip
    known = [made(evidence, **changed).settings for changed in changes]
    assert all(one != other for one, other in combinations(known, 2))

"""The entailment solver against a plain reading of its rules, and what it says no to."""

import random
from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("torch", reason="the neural extra isn't installed")

import torch

from assay import errors
from assay.entailment.pair import Pair
from assay.errors import AssayError, MissingExtra
from assay.questions.answers import answer_to_json
from assay.questions.duplicates import question_digest
from assay.questions.model import Answer, Choice, Question, QuestionSet, SentenceEvidence
from assay.solvers.entailment import EntailmentSolver
from assay.solvers.neural.decomposable_attention import DecomposableReader, DecomposableSettings
from assay.solvers.neural.mcq import MCQReader, MCQSettings
from assay.solvers.neural.model_folder import load_reader, save_reader
from assay.solvers.neural.trained_on import TrainedOn
from assay.text.statements import statement
from tests.solvers.neural.tiny_encoder import WORDS, save_tiny_encoder

DRAW = random.Random(8)


def question(number: int) -> Question:
    choices = tuple(Choice(label, DRAW.choice(WORDS)) for label in "ABCD")
    return Question(f"q{number}", f"Which {DRAW.choice(WORDS)} is in the soil?", choices, "A")


QUESTIONS = [question(number) for number in range(10)]


def premise(number: int) -> SentenceEvidence:
    text = " ".join(DRAW.choices(WORDS, k=DRAW.randrange(2, 7)))
    return SentenceEvidence(text, DRAW.random() * 9, number, "made up", "premise")


EVIDENCE = {
    q.id: tuple(
        tuple(sorted((premise(n) for n in range(DRAW.randrange(4))), key=lambda piece: -piece.score))
        for _ in q.choices
    )
    for q in QUESTIONS
}
EVIDENCE["q3"] = ((), (), (), ())
EVIDENCE["q4"] = ((SentenceEvidence(" \t", 3.0),), (SentenceEvidence("the root", 1.0),), (), ())


def write(path: Path, questions: Sequence[Question]) -> str:
    records = [(q, Answer(q.id, "unanswered", evidence=EVIDENCE[q.id])) for q in questions]
    path.write_text("".join(answer_to_json(*record) + "\n" for record in records))
    return str(path)


@pytest.fixture(scope="module")
def evidence(tmp_path_factory: pytest.TempPathFactory) -> str:
    return write(tmp_path_factory.mktemp("evidence") / "premises.jsonl", QUESTIONS)


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("model")
    rows = [" ".join([word, *(f"{DRAW.gauss(0, 1):.3f}" for _ in range(10))]) for word in WORDS]
    (folder / "vectors.txt").write_text("\n".join(rows) + "\n")
    settings = DecomposableSettings(vectors=str(folder / "vectors.txt"), hidden=12, unknown=4)
    reader = DecomposableReader.new(settings, 2)
    with torch.no_grad():
        reader.network.score.weight.mul_(40)
    seen = TrainedOn(frozenset({question_digest(QUESTIONS[1])}), frozenset({question_digest(QUESTIONS[5])}))
    save_reader(reader, folder / "model", {"reads": "pairs"}, seen)
    return str(folder / "model")


def made(model: str, evidence: str, **settings: Any) -> EntailmentSolver:
    return EntailmentSolver.build("mine", {"model": model, "evidence": evidence, **settings}, {})


def probability(model: str, premise: str, hypothesis: str) -> float:
    reader, _ = load_reader(model, reads="pairs")
    with torch.inference_mode():
        (scores,) = reader.scores([reader.prepare(Pair("p", premise, hypothesis, None))])
    return float(scores.double().softmax(0)[1])


def offered(texts: list[str], combine: str) -> list[str]:
    """What a statement is held against, written down once more."""
    if combine == "max":
        return texts
    if combine == "pairs":
        return texts + [f"{one}. {two}." for one, two in combinations(texts, 2)]
    return [" ".join(f"{text}." for text in texts)] if len(texts) > 1 else texts


@pytest.mark.parametrize("combine", ["max", "pairs", "joined"])
@pytest.mark.parametrize("whose", ["own", "pool"])
@pytest.mark.parametrize("method", ["grammatical", "lineage"])
def test_scores_against_a_plain_reading(
    model: str, evidence: str, combine: str, whose: str, method: Any
) -> None:
    solver = made(model, evidence, combine=combine, premises=whose, statements=method)
    for q, answer in zip(QUESTIONS, solver.answer(QUESTIONS), strict=True):
        pieces = [[piece for piece in own if piece.text.strip()] for own in EVIDENCE[q.id]]
        pool = sorted((piece for own in pieces for piece in own), key=lambda piece: -piece.score)
        assert answer.scores is not None
        assert answer.evidence is not None
        for place, choice in enumerate(q.choices):
            mine = pieces[place] if whose == "own" else pool
            texts = offered(list(dict.fromkeys(piece.text for piece in mine))[:8], combine)
            asked = statement(q.stem, choice.text, method).text
            right = {text: probability(model, text, asked) for text in texts}
            assert answer.scores[place] == pytest.approx(max(right.values(), default=0), abs=1e-4)
            if not right:
                assert answer.evidence[place] == ()
                continue
            (won,) = answer.evidence[place]
            assert isinstance(won, SentenceEvidence)
            assert won.score == answer.scores[place]
            assert right[won.text] == pytest.approx(won.score, abs=1e-4)


def test_the_winner_keeps_where_it_is_from(model: str, evidence: str) -> None:
    for answer in made(model, evidence, combine="pairs").answer(QUESTIONS):
        for own, found in zip(EVIDENCE[answer.question_id], answer.evidence or (), strict=True):
            by_text = {piece.text: piece for piece in own}
            for piece in found:
                assert isinstance(piece, SentenceEvidence)
                if piece.text in by_text:
                    assert piece.sentence_id == by_text[piece.text].sentence_id
                    assert piece.partner is None
                else:
                    parts = {by_text[text].sentence_id for text in by_text if f"{text}." in piece.text}
                    assert {piece.sentence_id, piece.partner} <= parts


def test_no_premise_scores_0_and_all_0_is_a_tie(model: str, evidence: str) -> None:
    answers = {answer.question_id: answer for answer in made(model, evidence).answer(QUESTIONS)}
    assert answers["q3"].scores == (0.0,) * 4
    assert answers["q3"].chosen == tuple("ABCD")
    assert answers["q4"].scores is not None
    assert answers["q4"].scores[0] == 0.0
    assert answers["q4"].chosen == ("B",)


def test_a_statement_alone_is_read_where_that_is_asked(model: str, evidence: str) -> None:
    solver = made(model, evidence, without="read")
    answers = {answer.question_id: answer for answer in solver.answer(QUESTIONS)}
    plain = {answer.question_id: answer for answer in made(model, evidence).answer(QUESTIONS)}
    alone = 0
    for q in QUESTIONS:
        scores, usual = answers[q.id].scores or (), plain[q.id].scores or ()
        for place, choice in enumerate(q.choices):
            if usual[place] or any(piece.text.strip() for piece in EVIDENCE[q.id][place]):
                assert scores[place] == usual[place]
                continue
            alone += 1
            asked = statement(q.stem, choice.text).text
            assert scores[place] == pytest.approx(probability(model, "", asked), abs=1e-4)
            assert (answers[q.id].evidence or ())[place] == ()
    assert alone >= 4
    (said,) = solver.check(QuestionSet(QUESTIONS))
    assert said == "1 of 10 questions have no premise: their statements are read alone"


def test_equal_at_four_decimals_is_a_tie(model: str, evidence: str, tmp_path: Path) -> None:
    reader, _ = load_reader(model, reads="pairs")
    with torch.no_grad():
        reader.network.score.weight.mul_(1e-7)
        reader.network.score.bias.zero_()
    save_reader(reader, tmp_path / "model", {"reads": "pairs"}, TrainedOn())
    exact = {
        probability(str(tmp_path / "model"), piece.text, statement(q.stem, choice.text).text)
        for q in QUESTIONS[:1]
        for choice, own in zip(q.choices, EVIDENCE[q.id], strict=True)
        for piece in own
    }
    assert len(exact) > 1
    assert {round(one, 4) for one in exact} == {0.5}
    (answer,) = made(str(tmp_path / "model"), evidence).answer(QUESTIONS[:1])
    assert answer.scores == tuple(0.5 if own else 0.0 for own in EVIDENCE["q0"])
    assert len(answer.chosen) == sum(map(bool, EVIDENCE["q0"])) > 1


def test_the_number_of_cores_changes_nothing(
    model: str, evidence: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = list(made(model, evidence).answer(QUESTIONS))
    for cores in ({0}, set(range(6))):
        monkeypatch.setattr("os.sched_getaffinity", lambda _, cores=cores: cores)
        assert list(made(model, evidence).answer(QUESTIONS)) == expected


def test_it_knows_the_questions_its_pairs_were_made_of(model: str, evidence: str) -> None:
    assert [q.id for q in made(model, evidence).seen(QUESTIONS)] == ["q1", "q5"]


def test_what_decides_is_in_the_settings(model: str, evidence: str, tmp_path: Path) -> None:
    known = [made(model, evidence, **changed).settings for changed in (
        {}, {"combine": "pairs"}, {"premises": "pool"}, {"statements": "lineage"}, {"most": 2},
        {"precision": "bf16"}, {"without": "read"},
    )]  # fmt: skip
    assert all(one != other for one, other in combinations(known, 2))
    fewer = write(tmp_path / "fewer.jsonl", QUESTIONS[:9])
    assert made(model, fewer).settings != known[0]


def test_it_says_what_has_no_premise(model: str, evidence: str, tmp_path: Path) -> None:
    assert made(model, evidence).check(QuestionSet(QUESTIONS)) == (
        "1 of 10 questions have no premise: their choices tie",
    )
    fewer = write(tmp_path / "fewer.jsonl", QUESTIONS[:8])
    with pytest.raises(AssayError, match=r"q8.*nor for 1 others"):
        made(model, fewer).check(QuestionSet(QUESTIONS))
    allowed = made(model, fewer, allow_missing=True)
    assert allowed.check(QuestionSet(QUESTIONS)) == (
        "3 of 10 questions have no premise, 2 of them not in the evidence file: their choices tie",
    )
    assert [answer.chosen for answer in allowed.answer(QUESTIONS[8:])] == [tuple("ABCD")] * 2


def test_wrong_models_and_settings_are_refused(model: str, evidence: str, tmp_path: Path) -> None:
    encoder = str(save_tiny_encoder(tmp_path / "encoder"))
    save_reader(MCQReader.new(MCQSettings(encoder=encoder, pieces=32), 1), tmp_path / "mcq", {})
    with pytest.raises(AssayError, match="reads questions, and pairs are to be read"):
        made(str(tmp_path / "mcq"), evidence)
    with pytest.raises(AssayError, match="needs premises"):
        EntailmentSolver.build("mine", {"model": model}, {})
    with pytest.raises(AssayError, match="given twice"):
        made(model, evidence, corpus="science")
    with pytest.raises(AssayError, match="'combine' must be one of"):
        made(model, evidence, combine="mean")
    with pytest.raises(AssayError, match="needs the setting 'model'"):
        EntailmentSolver.build("mine", {"evidence": evidence}, {})
    with pytest.raises(AssayError, match="no model folder"):
        made(str(tmp_path), evidence)


def test_without_torch_it_says_what_to_install(
    model: str, evidence: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(errors, "NEURAL", ("no_such_package_at_all",))
    with pytest.raises(MissingExtra, match="neural"):
        made(model, evidence)


def test_a_question_of_other_choices_than_its_premises_is_a_fault(model: str, evidence: str) -> None:
    other = replace(QUESTIONS[0], choices=QUESTIONS[0].choices[:3])
    with pytest.raises(AssayError, match="q0"):
        list(made(model, evidence).answer([other]))

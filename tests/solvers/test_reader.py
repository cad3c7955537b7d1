"""A reader as a solver: its evidence, its settings as a cache key, the same scores on any number of cores."""

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

pytest.importorskip("torch", reason="the neural extra isn't installed")

import torch

from assay import errors
from assay.errors import AssayError, MissingExtra
from assay.questions.answers import answer_to_json
from assay.questions.model import Answer, Choice, Question, QuestionSet, SentenceEvidence
from assay.solvers.evidence_file import EvidenceFile
from assay.solvers.neural.mcq import MCQReader, MCQSettings
from assay.solvers.neural.model_folder import save_reader
from assay.solvers.neural.reader import Reader
from assay.solvers.neural.scorer import Scorer
from assay.solvers.neural.support import SupportReader, SupportSettings
from assay.solvers.reader import ReaderSolver
from tests.solvers.neural.tiny_encoder import WORDS, save_tiny_encoder


def question(number: int) -> Question:
    texts = WORDS[number % 7 :: 9][:4]
    choices = tuple(Choice(label, text) for label, text in zip("ABCD", texts, strict=True))
    return Question(f"q{number}", " ".join(WORDS[number : number + 3 + number % 5]), choices, "A")


QUESTIONS = [question(number) for number in range(12)]


def evidence_for(asked: Question) -> Answer:
    place = int(asked.id[1:])
    sentences = tuple(
        tuple(
            SentenceEvidence(" ".join(WORDS[(place + n + m) % 20 : 25]), 9.0 - m, n, "made up")
            for m in range((place + n) % 4)
        )
        for n in range(4)
    )
    return Answer(asked.id, "unanswered", evidence=sentences)


def write(path: Path, questions: Sequence[Question]) -> str:
    path.write_text("".join(answer_to_json(q, evidence_for(q)) + "\n" for q in questions))
    return str(path)


@pytest.fixture(scope="module")
def encoder(tmp_path_factory: pytest.TempPathFactory) -> str:
    return str(save_tiny_encoder(tmp_path_factory.mktemp("tiny") / "encoder"))


@pytest.fixture(scope="module")
def evidence(tmp_path_factory: pytest.TempPathFactory) -> str:
    return write(tmp_path_factory.mktemp("evidence") / "evidence.jsonl", QUESTIONS)


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory, encoder: str) -> str:
    folder = tmp_path_factory.mktemp("model") / "mcq"
    made = MCQReader.new(MCQSettings(encoder=encoder, pieces=32, sentences=2), seed=3)
    made.network.score.weight.data *= 50
    save_reader(made, folder, {})
    return str(folder)


def build(**settings: object) -> ReaderSolver:
    return ReaderSolver.build("mine", settings, {})


def test_a_model_answers_with_the_evidence_it_was_given(model: str, evidence: str) -> None:
    answers = list(build(model=model, evidence=evidence).answer(QUESTIONS))
    for asked, answer in zip(QUESTIONS, answers, strict=True):
        assert answer.status == "answered"
        assert answer.scores is not None
        assert answer.probabilities is not None
        assert sum(answer.probabilities) == pytest.approx(1.0, abs=1e-5)
        whole = evidence_for(asked).evidence
        assert whole is not None
        assert answer.evidence == tuple(pieces[:2] for pieces in whole)
    without = list(build(model=model, sentences=0).answer(QUESTIONS))
    assert [answer.scores for answer in without] != [answer.scores for answer in answers]
    assert all(answer.evidence is None for answer in without)


def test_an_untrained_reader_states_no_probabilities(encoder: str, evidence: str) -> None:
    for answer in build(encoder=encoder, pieces=32, evidence=evidence).answer(QUESTIONS):
        assert answer.probabilities is None
        assert answer.scores is not None
        assert max(map(abs, answer.scores)) <= 20.0


@pytest.mark.parametrize("bf16", [False, True])
@pytest.mark.parametrize("kind", ["mcq", "support"])
def test_threads_change_no_bit(encoder: str, kind: str, bf16: bool) -> None:
    before = torch.get_num_threads()
    found = []
    for threads in (1, 2, 5):
        made: Reader = (
            MCQReader.new(MCQSettings(encoder=encoder, pieces=60), seed=3)
            if kind == "mcq"
            else SupportReader.new(SupportSettings(encoder=encoder, pieces=60), seed=3)
        )
        scorer = Scorer(made, "", trained=True, bf16=bf16, threads=threads)
        found.append(list(scorer.scores((q, evidence_for(q)) for q in QUESTIONS)))
    assert found[0] == found[1] == found[2]
    assert len({tuple(scores) for scores in found[0]}) > 5
    assert torch.get_num_threads() == before
    # Nor do the questions that were asked before.
    assert list(scorer.scores((q, evidence_for(q)) for q in QUESTIONS[5:])) == found[0][5:]


def test_settings_are_a_key_of_content(model: str, encoder: str, evidence: str, tmp_path: Path) -> None:
    copied = tmp_path / "elsewhere.jsonl"
    copied.write_bytes(Path(evidence).read_bytes())
    key = build(model=model, evidence=evidence).settings
    json.dumps(key)
    assert build(model=model, evidence=str(copied)).settings == key
    fewer = write(tmp_path / "fewer.jsonl", QUESTIONS[:3])
    for other in (
        build(model=model, evidence=fewer),
        build(model=model, evidence=evidence, sentences=1),
        build(model=model, evidence=evidence, precision="bf16"),
        build(model=model, sentences=0),
        build(encoder=encoder, pieces=32, evidence=evidence),
    ):
        assert other.settings != key


def test_a_question_without_evidence_is_a_fault_unless_allowed(model: str, tmp_path: Path) -> None:
    file = write(tmp_path / "evidence.jsonl", QUESTIONS[:10])
    strict = build(model=model, evidence=file)
    with pytest.raises(AssayError, match=r"q10.*no evidence for this question, nor for 1 others"):
        strict.check(QuestionSet(QUESTIONS))
    assert strict.check(QuestionSet(QUESTIONS), QUESTIONS[:4]) == ()
    with pytest.raises(AssayError, match="no evidence for this question"):
        list(strict.answer(QUESTIONS))
    lenient = build(model=model, evidence=file, allow_missing=True)
    assert lenient.check(QuestionSet(QUESTIONS)) == ("2 questions have no evidence and are read without",)
    answers = list(lenient.answer(QUESTIONS))
    assert [answer.evidence is None for answer in answers] == [False] * 10 + [True] * 2


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({}, "reads 2 sentences of evidence a choice"),
        ({"evidence": "e", "method": "single"}, "evidence is given twice"),
        ({"evidence": "e", "sentences": 0}, "sentences = 0, so no evidence is read"),
        ({"encoder": "minilm", "sentences": 0}, "a model has its own encoder"),
        ({"method": "two-step"}, "setting 'corpus' must be the name of a corpus"),
        ({"evidence": "no/such/file.jsonl"}, "can't be read"),
        ({"sentences": 0, "pieces": 65}, "reads 64 at most"),
    ],
)
def test_what_does_not_fit_is_refused(model: str, settings: dict[str, object], message: str) -> None:
    with pytest.raises(AssayError, match=message):
        build(model=model, **settings)


def test_evidence_for_a_reader_that_reads_none_is_refused(
    encoder: str, evidence: str, tmp_path: Path
) -> None:
    save_reader(
        MCQReader.new(MCQSettings(encoder=encoder, pieces=32, sentences=0), seed=3), tmp_path / "m", {}
    )
    assert next(build(model=str(tmp_path / "m")).answer(QUESTIONS[:1])).evidence is None
    with pytest.raises(AssayError, match="reads no evidence"):
        build(model=str(tmp_path / "m"), evidence=evidence)


def test_without_what_readers_need(model: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(errors, "NEURAL", ("torch", "transformers_of_nowhere"))
    with pytest.raises(MissingExtra, match="needs the extra 'neural'"):
        build(model=model, sentences=0)


def test_a_model_that_is_none_is_refused(tmp_path: Path) -> None:
    with pytest.raises(AssayError, match="no model folder"):
        build(model=str(tmp_path), sentences=0)


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (["{"], "not a record of evidence"),
        (['["q0"]'], "not a record of evidence"),
        (['{"id":7}'], "not a record of evidence"),
        (['{"id":"q0"}', '{"id":"q0"}'], "its evidence stands twice"),
    ],
)
def test_a_damaged_evidence_file_is_refused(tmp_path: Path, lines: list[str], message: str) -> None:
    path = tmp_path / "evidence.jsonl"
    path.write_text("\n".join(lines) + "\n")
    with pytest.raises(AssayError, match=message):
        EvidenceFile(path)


def test_a_record_of_other_choices_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "evidence.jsonl"
    path.write_text(
        '{"id":"q0","status":"unanswered","evidence":{"A":[]}}\n{"id":"q1","status":"unanswered"}\n'
    )
    file = EvidenceFile(path)
    assert len(file) == 2
    with pytest.raises(AssayError, match="'evidence' lacks choice B"):
        file[QUESTIONS[0]]
    with pytest.raises(AssayError, match="holds no evidence"):
        file[QUESTIONS[1]]


@pytest.mark.parametrize("now", ["", "x" * 200, '["q1"]\n' * 9, '{"id":"q0","status":"unanswered"}\n' * 2])
def test_a_file_that_another_writes_to_is_refused(tmp_path: Path, now: str) -> None:
    path = tmp_path / "evidence.jsonl"
    path.write_text("".join(f'{{"id":"q{n}","status":"unanswered","evidence":{{}}}}\n' for n in range(2)))
    file = EvidenceFile(path)
    path.write_text(now)
    with pytest.raises(AssayError, match=r"not a record of evidence|was written to while it was read"):
        file[QUESTIONS[1]]

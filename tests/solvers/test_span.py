"""The span solver: what of a choice a span covers, paragraphs, questions without premises, bad input."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

pytest.importorskip("torch", reason="the neural extra isn't installed")

from assay import errors
from assay.corpus.model import corpus_in_memory
from assay.errors import AssayError, MissingExtra
from assay.evidence.premises import Premises
from assay.passages.passage import Span
from assay.questions.answers import answer_to_json
from assay.questions.duplicates import question_digest
from assay.questions.model import Choice, Question, QuestionSet, SentenceEvidence
from assay.solvers.neural.bidaf import BiDAFReader, BiDAFSettings
from assay.solvers.neural.model_folder import save_reader
from assay.solvers.neural.span_scorer import PredictedSpan
from assay.solvers.neural.trained_on import TrainedOn
from assay.solvers.registry import build
from assay.solvers.span import SpanSolver
from tests.solvers.neural.toy_passages import save_toy_vectors

STEM = "What does Ana sell?"


def question(name: str, *texts: str) -> Question:
    choices = tuple(Choice(label, text) for label, text in zip("ABCD", texts, strict=False))
    return Question(name, STEM, choices, answer="A")


FULL = question("full", "the red copper", "wool", "of the", "copper wool and cork")
NONE = question("none", "wool", "wax")
QUESTIONS = QuestionSet([FULL, NONE])
HELD = {
    "A": ["Ana sells red copper"],
    "B": ["Bo sells wool in Northby."],
    "C": [],
    "D": ["Ana sells red copper"],
}


def record(name: str, held: dict[str, list[str]]) -> dict[str, object]:
    pieces = {
        label: [{"sentence": text, "score": 2.0 - n, "role": "premise"} for n, text in enumerate(texts)]
        for label, texts in held.items()
    }
    return {"id": name, "status": "unanswered", "chosen": [], "evidence": pieces}


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("spans")
    reader = BiDAFReader.new(BiDAFSettings(vectors=save_toy_vectors(folder), hidden=8), seed=1)
    save_reader(reader, folder / "model", {}, TrainedOn(frozenset({question_digest(NONE)}), frozenset()))
    return str(folder / "model")


@pytest.fixture
def evidence(tmp_path: Path) -> str:
    path = tmp_path / "premises.jsonl"
    records = [record("full", HELD), record("none", {"A": [], "B": []})]
    path.write_text("".join(json.dumps(one) + "\n" for one in records))
    return str(path)


def made(model: str, evidence: str, **settings: object) -> SpanSolver:
    found = build(
        "span", "spans", {"model": model, "evidence": evidence, "words": "snowball", **settings}, {}
    )
    assert isinstance(found, SpanSolver)
    return found


@pytest.fixture
def solver(model: str, evidence: str, monkeypatch: pytest.MonkeyPatch) -> SpanSolver:
    """One whose reader always answers "copper, reds"."""
    found = made(model, evidence)
    answered = PredictedSpan(Span(0, "copper, reds"), 0.25, False)
    monkeypatch.setattr(found._scorer, "spans", lambda asked: (answered for _ in asked))
    return found


def test_shares_of_choices(solver: SpanSolver) -> None:
    full, none = solver.answer(QUESTIONS)
    assert full.scores == (1.0, 0.0, 0.0, round(1 / 3, 6))
    assert full.chosen == ("A",)
    assert full.evidence is not None
    passage = "Ana sells red copper. Bo sells wool in Northby."
    span, shown, own = full.evidence[0]
    assert (span.role, span.text, span.score) == ("span", "copper, reds", 0.25)
    assert (shown.role, shown.text) == ("paragraph", passage)
    assert own == SentenceEvidence("Ana sells red copper", 2.0, role="premise")
    assert [len(pieces) for pieces in full.evidence] == [3, 3, 2, 3]
    assert (none.status, none.evidence) == ("answered", ((), ()))


def test_all_spans_instead_of_the_best(model: str, evidence: str, monkeypatch: pytest.MonkeyPatch) -> None:
    found = made(model, evidence, spans="all")
    words = ("Ana", "sells", "reds", "copper", ".", "red", "wool")
    answered = PredictedSpan(Span(0, "copper"), 0.25, False, words, (0.1, 0.1, 0.2, 0.6, 0.5, 0.3, 0.0))
    monkeypatch.setattr(found._scorer, "spans", lambda asked: (answered for _ in asked))
    assert next(found.answer([FULL])).scores == (0.45, 0.0, 0.0, 0.2)


def test_without_a_premise_all_choices_tie(model: str, evidence: str) -> None:
    answer = next(made(model, evidence).answer([NONE]))
    assert (answer.scores, answer.chosen) == ((0.0, 0.0), ("A", "B"))
    (note,) = made(model, evidence).check(QUESTIONS)
    assert note == "1 of 2 questions have no premise: their choices tie"


def test_the_span_is_of_the_paragraph(model: str, evidence: str) -> None:
    answer = next(made(model, evidence).answer([FULL]))
    assert answer.evidence is not None
    span, passage = answer.evidence[2]
    assert span.text in passage.text
    assert 0 < span.score <= 1
    one = next(made(model, evidence, longest=1).answer([FULL]))
    assert one.evidence is not None
    assert len(one.evidence[2][0].text.split()) == 1
    (short,) = (
        pieces[1].text for pieces in next(made(model, evidence, sentences=1).answer([FULL])).evidence[2:3]
    )
    assert short == "Ana sells red copper."


@pytest.mark.parametrize(
    ("words", "due"), [("lemma", 1.0), ("snowball", 1.0), ("porter", 1.0), ("surface", 0.5)]
)
def test_words_by_their_base_forms(
    model: str, evidence: str, monkeypatch: pytest.MonkeyPatch, words: str, due: float
) -> None:
    if words == "lemma":
        pytest.importorskip("simplemma", reason="the extra 'lemmas' isn't installed")
    found = made(model, evidence, words=words)
    answered = PredictedSpan(Span(0, "RED rocks"), 0.25, False)
    monkeypatch.setattr(found._scorer, "spans", lambda asked: (answered for _ in asked))
    assert next(found.answer([question("full", "a red rock", "", "x", "y")])).scores == (due, 0.0, 0.0, 0.0)


def test_what_the_file_lacks(model: str, evidence: str) -> None:
    other = question("other", "wax", "cork")
    with pytest.raises(AssayError, match="no evidence for this question"):
        made(model, evidence).check(QuestionSet([other]))
    with pytest.raises(AssayError, match="no evidence for this question"):
        list(made(model, evidence).answer([other]))
    lenient = made(model, evidence, allow_missing=True)
    (note,) = lenient.check(QuestionSet([FULL, NONE, other]))
    assert note == "2 of 3 questions have no premise, 1 of them not in the evidence file: their choices tie"
    assert next(lenient.answer([other])).chosen == ("A", "B")


def test_what_it_was_trained_on(model: str, evidence: str) -> None:
    assert made(model, evidence).seen(QUESTIONS) == [NONE]


def test_settings_are_a_key_of_content(model: str, evidence: str, tmp_path: Path) -> None:
    key = made(model, evidence).settings
    json.dumps(key)
    copied = tmp_path / "copied.jsonl"
    copied.write_bytes(Path(evidence).read_bytes())
    assert made(model, str(copied)).settings == key
    for settings in ({"words": "porter"}, {"longest": 3}, {"sentences": 2}, {"stop_words": "nltk-english"}):
        assert made(model, evidence, **settings).settings != key


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"evidence": "nowhere"}, "can't be read"),
        ({"model": "nowhere"}, "no model folder"),
        ({"words": "roots"}, "setting 'words' must be one of"),
        ({"stop_words": "nowhere"}, "nowhere"),
        ({"longest": 0}, "setting 'longest'"),
    ],
)
def test_bad_settings(model: str, evidence: str, settings: dict[str, object], said: str) -> None:
    with pytest.raises(AssayError, match=said):
        build("span", "spans", {"model": model, "evidence": evidence, "words": "snowball", **settings}, {})


def test_what_must_be_given_and_what_not_twice(model: str, evidence: str) -> None:
    with pytest.raises(AssayError, match="needs premises"):
        build("span", "spans", {"model": model, "words": "snowball"}, {})
    with pytest.raises(AssayError, match="given twice"):
        made(model, evidence, corpus="small")


def test_premises_out_of_a_corpus(model: str, tmp_path: Path) -> None:
    corpora = {
        "small": corpus_in_memory(["Ana sells red copper.", "Bo sells wool in Northby.", "Wax melts."])
    }
    settings = {"model": model, "words": "snowball"}
    retrieved = list(Premises(corpora["small"]).answer([FULL, NONE]))
    file = tmp_path / "retrieved.jsonl"
    file.write_text("".join(answer_to_json(q, a) + "\n" for q, a in zip(QUESTIONS, retrieved, strict=True)))
    found = build("span", "spans", settings, corpora)
    assert list(found.answer(QUESTIONS)) == list(made(model, str(file)).answer(QUESTIONS))
    assert "contains" in json.dumps(found.settings)


def test_without_what_readers_need(model: str, evidence: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(errors, "NEURAL", ("torch", "transformers_of_nowhere"))
    with pytest.raises(MissingExtra, match="needs the extra 'neural'"):
        made(model, evidence)

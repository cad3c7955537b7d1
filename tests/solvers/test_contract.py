"""What every solver keeps to, whoever wrote it: one contract over the whole registry."""

import dataclasses
import math
import random
from collections.abc import Callable

import pytest

from assay.corpus.model import Corpus, corpus_in_memory
from assay.questions.model import Choice, Question
from assay.questions.ties import choose
from assay.solvers.registry import OURS, build, solver_class
from assay.solvers.solver import Solver
from tests.solvers.neural.tiny_encoder import save_tiny_encoder

SENTENCES = [
    "Roots take in water from the soil.",
    "A balance measures the mass of a stone.",
    "Iron ore is mined deep under ground.",
    "Bats are mammals that fly at night.",
    "Water boils at 100 degrees and turns into steam.",
    "The stem carries water from the roots to the leaves.",
    "It is what it is.",
    "H2O is written for water.",
    "Der Löwe schläft. 水 is water.",
]


def question(number: int, stem: str, *texts: str, labels: str = "ABCDEFGHIJKL") -> Question:
    choices = tuple(Choice(label, text) for label, text in zip(labels, texts, strict=False))
    return Question(f"q{number}", stem, choices, answer=labels[0])


LONG = "Which part of the plant takes in water from the soil " * 190
QUESTIONS = [
    question(0, "Which part of a plant takes in water?", "root", "leaf", "flower", "seed"),
    question(1, "Which tool measures mass?", "balance", "ruler", "clock", "thermometer", labels="1234"),
    question(2, "Which is a mammal?", "bat", "trout", "eagle", "ant", "frog"),
    question(3, "", "root", "ore", "steam"),
    question(4, "   ", "", "  "),
    question(5, "Which?", "+", "->", "**", "?!"),
    question(6, "zyx qqq", "vvx", "wwx", "xxz", "yyq"),
    question(7, "Is it so?", "it is", "and", "of the", "A and B"),
    question(8, "What is water?", "H2O", "2/3", "+5", "CO2"),
    question(9, LONG[:10000], "root", LONG[:10000], "stone"),
    question(10, "Was trinkt der Löwe?", "水", "Löwe", "\u0301", "🦁"),
    question(11, "Which \ud83e is torn?", "a\udc00b", "root"),
    question(12, "What is under ground?", *[f"iron ore {n}" for n in range(12)]),
    question(13, "Which part of a plant takes in water?", "root", "root"),
    question(14, "Where is ore?", "ground", "night"),
    question(15, "a AND b OR (c) NOT d:* ~2 [x TO y]", 'field:"x', "\\", "{x}"),
]


@pytest.fixture(scope="module")
def corpora() -> dict[str, Corpus]:
    return {"small": corpus_in_memory(SENTENCES)}


@pytest.fixture(scope="module")
def predictions_file(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("stored") / "stored.csv"
    rows = [f"{q.id},{';'.join(q.labels[: 1 + number % 2])}" for number, q in enumerate(QUESTIONS)]
    path.write_text("\n".join(rows) + "\n")
    return str(path)


@pytest.fixture(scope="module")
def vectors_file(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Vectors of the words that the sentences know, as made up as they."""
    path = tmp_path_factory.mktemp("static") / "vectors.txt"
    draw = random.Random(1)
    words = sorted({word.strip(".").lower() for sentence in SENTENCES for word in sentence.split()})
    rows = [" ".join([word, *(f"{draw.gauss(0, 1):.4f}" for _ in range(8))]) for word in words]
    path.write_text("\n".join(rows) + "\n")
    return str(path)


@pytest.fixture(scope="module")
def encoder_folder(tmp_path_factory: pytest.TempPathFactory) -> str:
    return str(save_tiny_encoder(tmp_path_factory.mktemp("tiny") / "encoder"))


@pytest.fixture(scope="module")
def entailment_model(tmp_path_factory: pytest.TempPathFactory, vectors_file: str) -> str:
    """A network over pairs as it is drawn: what it says means nothing."""
    pytest.importorskip("torch", reason="the neural extra isn't installed")
    from assay.solvers.neural.decomposable_attention import DecomposableReader, DecomposableSettings
    from assay.solvers.neural.model_folder import save_reader

    folder = tmp_path_factory.mktemp("entailment") / "model"
    settings = DecomposableSettings(vectors=vectors_file, hidden=8, unknown=4)
    save_reader(DecomposableReader.new(settings, 1), folder, {"reads": "pairs"})
    return str(folder)


@pytest.fixture(scope="module")
def span_model(tmp_path_factory: pytest.TempPathFactory, vectors_file: str) -> str:
    pytest.importorskip("torch", reason="the neural extra isn't installed")
    from assay.solvers.neural.bidaf import BiDAFReader, BiDAFSettings
    from assay.solvers.neural.model_folder import save_reader

    folder = tmp_path_factory.mktemp("spans") / "model"
    save_reader(BiDAFReader.new(BiDAFSettings(vectors=vectors_file, hidden=8), seed=1), folder, {})
    return str(folder)


@pytest.fixture(scope="module")
def tables_folder(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("tables")
    (path / "does.tsv").write_text("THING\tVERB\tWHAT\nroots\ttake in\twater\nbalance\tmeasures\tmass\n")
    (path / "kinds.tsv").write_text("KIND\t[FILL] is a kind of\tOF\nroot\tis a\tpart of a plant\n")
    return str(path)


Make = Callable[[], Solver]


@pytest.fixture(params=sorted(OURS))
def make(
    request: pytest.FixtureRequest, corpora: dict[str, Corpus], predictions_file: str, vectors_file: str
) -> Make:
    """Builds the same solver anew each time it is called."""
    kind = request.param
    module, _, _ = OURS[kind].partition(":")
    pytest.importorskip(module)
    names = {field.name for field in dataclasses.fields(solver_class(kind).declared)}
    settings = {"file": predictions_file} if kind == "predictions" else {}
    if "vectors" in names:
        settings["vectors"] = vectors_file
    if "corpus" in names:
        settings["corpus"] = "small"
    if kind == "tableilp":
        settings["tables"] = request.getfixturevalue("tables_folder")
    if kind == "reader":
        pytest.importorskip("torch", reason="the neural extra isn't installed")
        settings["encoder"] = request.getfixturevalue("encoder_folder")
        settings["pieces"] = 32
    if kind == "tuple-inference":
        pytest.importorskip("spacy", reason="the extra 'parse' isn't installed")
    if kind == "entailment":
        settings["model"] = request.getfixturevalue("entailment_model")
    if kind == "span":
        settings["model"] = request.getfixturevalue("span_model")
        settings["words"] = "snowball"
    return lambda: build(kind, f"my {kind}", settings, corpora)


def test_one_answer_a_question_in_order(make: Make) -> None:
    answers = list(make().answer(QUESTIONS))
    assert [answer.question_id for answer in answers] == [q.id for q in QUESTIONS]
    assert make().name.startswith("my ")
    assert list(make().answer([])) == []


def test_answers_fit_their_questions(make: Make) -> None:
    for q, answer in zip(QUESTIONS, make().answer(QUESTIONS), strict=True):
        assert answer.chosen == tuple(label for label in q.labels if label in answer.chosen)
        assert bool(answer.chosen) == (answer.status == "answered")
        for aligned in (answer.scores, answer.probabilities, answer.evidence):
            assert aligned is None or len(aligned) == len(q.choices)
        if answer.scores is not None:
            assert not any(math.isnan(score) for score in answer.scores)
            if answer.status == "answered":
                assert answer.chosen == choose(q, answer.scores)


def test_the_same_each_time(make: Make) -> None:
    solver = make()
    first = list(solver.answer(QUESTIONS))
    assert list(solver.answer(QUESTIONS)) == first
    assert list(make().answer(iter(QUESTIONS))) == first
    assert make().settings == solver.settings


def test_neither_batch_nor_order_matters(make: Make) -> None:
    whole = {answer.question_id: answer for answer in make().answer(QUESTIONS)}
    one_by_one = make()
    for q in QUESTIONS:
        assert list(one_by_one.answer([q])) == [whole[q.id]]
    shuffled = random.Random(5).sample(QUESTIONS, len(QUESTIONS))
    assert list(make().answer(shuffled)) == [whole[q.id] for q in shuffled]


def test_the_key_is_never_read(make: Make) -> None:
    seen = list(make().answer(QUESTIONS))
    moved = [dataclasses.replace(q, answer=q.labels[-1]) for q in QUESTIONS]
    hidden = [dataclasses.replace(q, answer=None) for q in QUESTIONS]
    assert list(make().answer(moved)) == list(make().answer(hidden)) == seen


def test_unknown_words_tie_all_choices(make: Make) -> None:
    solver = make()
    if solver.name in ("my random", "my predictions"):
        pytest.skip("answers without reading the words")
    if solver.name in ("my reader", "my shortcut"):
        pytest.skip("reads the letters of unknown words")
    for answer in solver.answer([QUESTIONS[5], QUESTIONS[6]]):
        assert answer.chosen == tuple("ABCD")


def test_equal_choices_tie(make: Make) -> None:
    solver = make()
    if solver.name in ("my random", "my predictions"):
        pytest.skip("answers without reading the words")
    assert [answer.chosen for answer in solver.answer([QUESTIONS[13]])] == [("A", "B")]

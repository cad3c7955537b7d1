"""Odd-one-out and vector similarity, by hand, and how they speak of words they don't know."""

import json

import pytest
from typer.testing import CliRunner

from assay.cli.main import app
from assay.errors import AssayError
from assay.questions.model import Choice, Question, QuestionSet
from assay.solvers.registry import build

ROWS = "rain 1 0\nsnow 0.8 0.6\nhail 0.6 0.8\ngranite 0 1\nice 1 0\n"


def question(stem: str, *texts: str) -> Question:
    return Question(
        "q1", stem, tuple(Choice(label, text) for label, text in zip("ABCDEF", texts, strict=False))
    )


@pytest.fixture
def vectors(tmp_path) -> str:
    path = tmp_path / "vectors.txt"
    path.write_text(ROWS)
    return str(path)


def scores(kind: str, asked: Question, **settings):
    (answer,) = build(kind, kind, settings, {}).answer([asked])
    return answer.scores, answer.chosen


def test_the_odd_one(vectors) -> None:
    asked = question("ice?", "rain", "snow", "granite")
    found, chosen = scores("odd-one-out", asked, vectors=vectors)
    assert found == pytest.approx((-0.4, -0.7, -0.3))
    assert chosen == ("C",)
    found, chosen = scores("odd-one-out", asked, vectors=vectors, alike="most")
    assert found == pytest.approx((0.4, 0.7, 0.3))
    assert chosen == ("B",)


def test_an_unknown_choice_stands_in_the_middle(vectors) -> None:
    found, chosen = scores("odd-one-out", question("?", "rain", "zinc", "snow", "granite"), vectors=vectors)
    assert found == pytest.approx((-0.4, -1.4 / 3, -0.7, -0.3))
    assert chosen == ("D",)
    assert scores("odd-one-out", question("?", "zinc", "tin"), vectors=vectors)[1] == ("A", "B")


def test_two_choices_tie(vectors) -> None:
    assert scores("odd-one-out", question("?", "rain", "granite"), vectors=vectors)[1] == ("A", "B")


def test_similarity_to_the_question(vectors) -> None:
    found, chosen = scores("vector-similarity", question("Ice?", "rain", "hail", "zinc"), vectors=vectors)
    assert found == pytest.approx((1, 0.6, 0))
    assert chosen == ("A",)


@pytest.mark.parametrize("kind", ["odd-one-out", "vector-similarity"])
def test_the_settings_follow_the_content(vectors, tmp_path, kind: str) -> None:
    first = build(kind, kind, {"vectors": vectors}, {}).settings
    assert build(kind, kind, {"vectors": vectors, "words": "content"}, {}).settings != first
    (tmp_path / "other.txt").write_text(ROWS)
    assert build(kind, kind, {"vectors": str(tmp_path / "other.txt")}, {}).settings == first
    (tmp_path / "other.txt").write_text(ROWS + "ore 1 1\n")
    assert build(kind, kind, {"vectors": str(tmp_path / "other.txt")}, {}).settings != first


def test_coverage_is_said(vectors) -> None:
    asked = QuestionSet([question("ice?", "rain or zinc", "tin", "snow")])
    solver = build("odd-one-out", "odd", {"vectors": vectors}, {})
    assert solver.check(asked) == (
        "static vectors: 40.0% of 5 words known; 1 of 3 choices have no known word",
    )
    with pytest.raises(AssayError, match="knows none of the 2 words"):
        solver.check(QuestionSet([question("ice?", "zinc", "tin")]))


def test_on_the_command_line(vectors, tmp_path) -> None:
    file = tmp_path / "q.jsonl"
    record = {
        "id": "q1",
        "question": {
            "stem": "Which is stone?",
            "choices": [
                {"label": label, "text": text}
                for label, text in zip("ABC", ("rain", "snow", "granite"), strict=True)
            ],
        },
        "answerKey": "C",
    }
    file.write_text(json.dumps(record) + "\n")
    given = ["answer", str(file), "--solver", "odd-one-out", "--set", f'vectors="{vectors}"']
    result = CliRunner().invoke(app, given)
    assert result.exit_code == 0, result.output
    assert json.loads(result.stdout.splitlines()[-1])["chosen"] == ["C"]
    assert "static vectors: 100.0% of 3 words known" in result.stderr
    (tmp_path / "vectors.txt").write_text("rain 1 0\nsnow 1\n")
    result = CliRunner().invoke(app, given)
    assert isinstance(result.exception, AssayError)
    assert "vectors.txt:2: 1 numbers, where 2 are due" in str(result.exception)

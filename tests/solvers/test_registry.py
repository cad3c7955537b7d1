import dataclasses
import tomllib
from pathlib import Path

import pytest

from assay.errors import AssayError
from assay.questions.model import Choice, Question
from assay.solvers.registry import OURS, build, solver_class, solver_names
from assay.solvers.settings import REQUIRED, declared_settings, read_settings, setting

QUESTIONS = [
    Question(f"q{n}", "Which floats?", (Choice("A", "cork"), Choice("B", "lead")), answer="A")
    for n in range(5)
]
ALWAYS = """
from assay.questions.model import Answer

class Always:
    def __init__(self, label="A"):
        self.label = label

    def answer(self, questions):
        for question in questions:
            assert question.answer is None
            yield Answer(question.id, "answered", (self.label,))
"""


def plugin(folder: Path, source: str, **settings: object) -> list[tuple[str, ...]]:
    (folder / "mine.py").write_text(source)
    solver = build(f"{folder}/mine.py:Always", "mine", settings, {})
    return [answer.chosen for answer in solver.answer(QUESTIONS)]


def test_ours_are_the_entry_points_of_the_package() -> None:
    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text())["project"]
    assert project["entry-points"]["assay.solvers"] == OURS


def test_an_unknown_solver_lists_the_known_ones() -> None:
    with pytest.raises(AssayError, match=r"no solver 'best' \(one of guess-all, random"):
        build("best", "best", {}, {})
    assert set(OURS) <= set(solver_names())


def test_settings_are_declared_with_their_meaning() -> None:
    for kind in ("guess-all", "random"):
        assert all(item.meaning for item in declared_settings(solver_class(kind).declared))


@dataclasses.dataclass(frozen=True)
class Some:
    corpus: str = setting(REQUIRED, "the corpus it reads")
    k1: float = setting(1.2, "how soon repeats stop counting", minimum=0)
    rule: str = setting("any", "how many must answer", one_of=("any", "all"))
    top: int | None = setting(None, "hits to keep", minimum=1, maximum=100)
    fields: tuple[str, ...] = setting((), "fields to read")
    exact: bool = setting(True, "no rounding")
    depths: tuple[int, ...] = setting((1, 5), "how deep", minimum=1)
    values: tuple[bool | int | float | str, ...] = setting((), "values of any kind")

    def __post_init__(self) -> None:
        if list(self.depths) != sorted(self.depths):
            raise AssayError("depths must rise", hint="sort them")


def test_settings_are_read_with_their_types() -> None:
    read = read_settings(
        Some, {"corpus": "c", "k1": 2, "top": 3, "fields": ["a", "b"], "exact": False}, "solver 'x'"
    )
    assert read == Some("c", 2.0, "any", 3, ("a", "b"), False)
    assert isinstance(read.k1, float)
    assert read_settings(Some, {"corpus": "c", "top": None}, "solver 'x'").top is None


def test_lists_are_read_entry_by_entry() -> None:
    read = read_settings(Some, {"corpus": "c", "depths": [1, 7], "values": [True, 1, 1.0, "1"]}, "x")
    assert read.depths == (1, 7)
    assert [type(value) for value in read.values] == [bool, int, float, str]
    said = {one.name: one.must_be for one in declared_settings(Some)}
    assert said["fields"] == "a list of texts"
    assert said["depths"] == "a list of whole numbers >= 1"
    assert said["values"] == "a list of true/false or whole numbers or numbers or texts"


@pytest.mark.parametrize(
    ("given", "what"),
    [
        ({}, "solver 'x' needs the setting 'corpus'"),
        ({"corpus": "c", "k2": 1}, r"no setting 'k2' \(its settings: corpus, k1, rule"),
        ({"corpus": 3}, "'corpus' must be text. Got 3"),
        ({"corpus": "c", "k1": -1}, "'k1' must be a number >= 0. Got -1"),
        ({"corpus": "c", "k1": float("nan")}, "'k1' must be a number >= 0. Got nan"),
        ({"corpus": "c", "k1": True}, "Got true"),
        ({"corpus": "c", "rule": "most"}, "'rule' must be one of 'any', 'all'. Got 'most'"),
        ({"corpus": "c", "top": 101}, r"'top' must be a whole number in \[1, 100\] or none. Got 101"),
        ({"corpus": "c", "top": 1.5}, "Got 1.5"),
        ({"corpus": "c", "fields": "ab"}, "'fields' must be a list of texts. Got 'ab'"),
        ({"corpus": "c", "fields": ["a", 1]}, r"must be a list of texts. Got \['a', 1\]"),
        ({"corpus": "c", "depths": [1, 0]}, r"'depths' must be a list of whole numbers >= 1. Got \[1, 0\]"),
        ({"corpus": "c", "depths": [1, 2.5]}, "whole numbers"),
        ({"corpus": "c", "depths": [1, True]}, "whole numbers"),
        ({"corpus": "c", "depths": 5}, "Got 5"),
        ({"corpus": "c", "depths": [5, 1]}, r"solver 'x': depths must rise \(sort them\)"),
        ({"corpus": "c", "values": [[1]]}, "must be a list of true/false"),
        ({"corpus": "c", "exact": 1}, "'exact' must be true or false. Got 1"),
    ],
)
def test_wrong_settings_are_refused_in_one_style(given, what) -> None:
    with pytest.raises(AssayError, match=what):
        read_settings(Some, given, "solver 'x'")


def test_a_plugin_answers_and_never_sees_a_key(tmp_path) -> None:
    assert plugin(tmp_path, ALWAYS) == [("A",)] * 5
    assert plugin(tmp_path, ALWAYS, label="B") == [("B",)] * 5


def test_editing_a_plugin_changes_its_settings_and_its_answers(tmp_path) -> None:
    first = plugin(tmp_path, ALWAYS)
    before = build(f"{tmp_path}/mine.py:Always", "mine", {}, {}).settings
    second = plugin(tmp_path, ALWAYS.replace('"A"', '"B"'))
    after = build(f"{tmp_path}/mine.py:Always", "mine", {}, {}).settings
    assert (first[0], second[0]) == (("A",), ("B",))
    assert before != after


def test_editing_a_module_beside_a_plugin_counts_too(tmp_path) -> None:
    source = "import rules\n" + ALWAYS.replace("self.label = label", "self.label = rules.LABEL")
    (tmp_path / "rules.py").write_text("LABEL = 'A'")
    assert plugin(tmp_path, source)[0] == ("A",)
    before = build(f"{tmp_path}/mine.py:Always", "mine", {}, {}).settings
    (tmp_path / "rules.py").write_text("LABEL = 'B'")
    assert build(f"{tmp_path}/mine.py:Always", "mine", {}, {}).settings != before


@pytest.mark.parametrize(
    ("source", "what"),
    [
        ("class Always(:", r"mine.py:1: not Python"),
        ("import nothing_of_that_name", r"mine.py:1: ModuleNotFoundError"),
        ("import sys; sys.exit(3)", r"mine.py:1: SystemExit: 3"),
        (
            ALWAYS.replace("def answer", "settings = 3\n    def answer"),
            "TypeError: 'int' object is not iterable",
        ),
        ("class Other: pass", "has no Always"),
        ("class Always: pass", r"has no method answer"),
        (
            ALWAYS.replace("assert question", "1 / 0; assert question"),
            r"mine.py:10: question q0: ZeroDivision",
        ),
        (ALWAYS.replace("(self.label,)", "('C',)"), "question q0: C is not one of A, B"),
        (ALWAYS.replace("(self.label,)", "()"), "question q0: answered, but nothing is chosen"),
        (ALWAYS.replace("(self.label,)", "('A',), ('x', 'y')"), "question q0: the answer can't be kept"),
        (ALWAYS.replace("(self.label,)", "('A',), (float('nan'),) * 2"), "scores hold what is not a number"),
        (ALWAYS.replace("'answered'", "'splendid'").replace('"answered"', "'splendid'"), "'status' must be"),
        (ALWAYS.replace("def answer", "settings = {'x': object()}\n    def answer"), "must be JSON values"),
        (ALWAYS.replace("assert question", "raise GeneratorExit; assert question"), "q0: GeneratorExit"),
        (ALWAYS.replace("question.id,", "'q9',"), "question q0: the answer is to 'q9'"),
        (ALWAYS.replace("yield Answer", "yield repr,"), "must be an assay Answer"),
        (ALWAYS + "            break\n", "question q1: no answer"),
        (ALWAYS.replace("yield", "return\n            yield"), "question q0: no answer"),
        (ALWAYS + "        yield Answer('q5', 'answered', ('A',))\n", "more answers than questions"),
    ],
)
def test_what_a_plugin_does_wrong_is_said(tmp_path, source, what) -> None:
    with pytest.raises(AssayError, match=what):
        plugin(tmp_path, source)


def test_a_plugin_that_is_not_there(tmp_path) -> None:
    with pytest.raises(AssayError, match="can't be read"):
        build(f"{tmp_path}/none.py:Always", "mine", {}, {})
    plugin(tmp_path, ALWAYS)
    with pytest.raises(AssayError, match="TypeError"):
        build(f"{tmp_path}/mine.py:Always", "mine", {"lable": "A"}, {})


def test_a_plugin_may_print_and_its_numbers_may_be_of_any_library(tmp_path, capsys) -> None:
    scores = "tuple(numpy.arange(2, dtype='float32'))"
    source = "import numpy\nprint('loaded')\n" + ALWAYS.replace(
        "yield Answer", "print('asked'); yield Answer"
    ).replace("(self.label,)", f"(self.label,), {scores}")
    plugin(tmp_path, source)
    solver = build(f"{tmp_path}/mine.py:Always", "mine", {}, {})
    answers = list(solver.answer(QUESTIONS))
    assert answers[0].scores == (0.0, 1.0)
    assert {type(score) for score in answers[0].scores} == {float}
    said = capsys.readouterr()
    assert said.out == ""
    assert "loaded" in said.err
    assert "asked" in said.err

"""Artifacts: rules by hand, planted leaks that must be found, and none where there is none."""

import random
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.construction.artifacts.figures import artifacts
from assay.construction.artifacts.settings import ArtifactSettings
from assay.errors import AssayError
from assay.questions.model import Answer, Choice, Question
from assay.questions.ties import highest
from assay.solvers.shortcut import ShortcutSettings, ShortcutSolver
from assay.solvers.shortcut_rules import ChoiceTexts, shortcut, shortcuts
from assay.text.analysis import Analyser
from tests.scoring.scoring_cases import arc

NO_PROBES = ArtifactSettings(folds=0)
WORDS = "iron rust rain cloud bat moth ore stone leaf root seed sand salt lava heat light wind wave".split()


def made(number, stem, *texts, key=0, **more):
    choices = tuple(Choice("ABCDEFGH"[n], text) for n, text in enumerate(texts))
    return Question(f"q{number}", stem, choices, None if key is None else "ABCDEFGH"[key], **more)


def figures(questions, settings=NO_PROBES, **more):
    (group,) = artifacts({"all": questions}, settings, **more).groups
    return {figure.name: figure for figure in group.figures}, group


def chosen(rule, *texts, stem="Which?"):
    scores = shortcut(rule).scores(ChoiceTexts(made(1, stem, *texts), Analyser()))
    return None if scores is None else highest(scores)


@pytest.mark.parametrize(
    ("rule", "texts", "right"),
    [
        ("longest", ("ab", "abcd ", "abc d"), (2,)),
        ("shortest", ("ab", "  a", "b"), (1, 2)),
        ("mean-length", ("a", "abcdefghi", "abcd"), (2,)),
        ("mean-length", ("a", "abc"), (0, 1)),
        ("overlap", ("iron ore", "sand", "the rust"), (0,)),
        ("least-overlap", ("iron ore", "sand", "the rust"), (1, 2)),
        ("most-alike", ("iron ore", "iron", "sand"), (0, 1)),
        ("least-alike", ("iron ore", "iron", "sand"), (2,)),
        ("all-of-the-above", ("a", "b", "All of the above."), (2,)),
        ("all-of-the-above", ("a", "b", "all the iron"), None),
        ("none-of-the-above", ("a", "none of these", "b"), (1,)),
        ("absolute", ("always", "sometimes", "only now"), (0, 2)),
        ("no-absolute", ("always", "sometimes", "only now"), (1,)),
        ("negation", ("it isn't", "it is", "note"), (0,)),
        ("no-negation", ("no", "not", "never"), None),
        ("place-2", ("a", "b", "c"), (1,)),
        ("place-4", ("a", "b", "c"), None),
    ],
)
def test_rules_by_hand(rule, texts, right):
    assert chosen(rule, *texts, stem="Where is iron ore?") == right


def test_a_rule_that_isnt_there():
    with pytest.raises(AssayError, match="no shortcut 'tallest'"):
        shortcut("tallest")
    with pytest.raises(AssayError, match="no regular expression"):
        shortcuts({"odd": "("})
    with pytest.raises(AssayError, match="another shortcut"):
        shortcuts({"longest": "x"})


TEXTS = st.lists(
    st.lists(st.sampled_from(WORDS), min_size=1, max_size=3).map(" ".join), min_size=2, max_size=5
)


@given(st.lists(TEXTS.filter(lambda texts: len(set(texts)) > 1), min_size=2, max_size=8))
def test_figures_are_the_solvers_points(sets):
    """What the figures say of a rule is what its solver scores, ties shared."""
    questions = [made(n, "Which iron is red?", *texts, key=n % 2) for n, texts in enumerate(sets)]
    got, _ = figures(questions)
    for name in ("longest", "shortest", "mean-length", "overlap", "most-alike", "place-1"):
        answers = ShortcutSolver("s", ShortcutSettings(name)).answer(questions)
        points = [(q.answer in a.chosen) / len(a.chosen) for q, a in zip(questions, answers, strict=True)]
        assert got[name].score.mean == pytest.approx(np.mean(points))
        over = np.mean(points) - np.mean([1 / len(q.choices) for q in questions])
        assert got[name].above.mean == pytest.approx(over)


@pytest.mark.real_data
def test_qasc_dev(shared_data):
    got, group = figures(arc(shared_data / "qasc/dev.jsonl"), cluster="fact1")
    assert 100 * got["mean-length"].score.mean == pytest.approx(24.28, abs=0.005)
    assert got["mean-length"].chance == 0.125
    assert got["mean-length"].above.clusters == 103
    assert 100 * got["place-1"].score.mean == pytest.approx(13.067, abs=0.001)
    assert group.keys.counts[0] == 121


def drawn(n, seed=0, key_word=None, stem_tells=False, longest=False):
    """Questions of words drawn at random, with a leak where asked for."""
    draw = random.Random(seed)
    questions = []
    for number in range(n):
        texts = [" ".join(draw.sample(WORDS, 2)) for _ in range(4)]
        key = draw.randrange(4)
        stem = f"Which of {number} and {draw.choice(WORDS)} is it?"
        if key_word:
            texts[key] += " truly"
            texts[(key + 1) % 4] += " " + draw.choice(("truly", "never"))
        if stem_tells:
            stem += " " + ("red", "green", "blue", "pink")[key]
        if longest:
            texts[key] += " and a long tail"
        questions.append(made(number, stem, *texts, key=key))
    return questions


def test_leaks_are_found():
    word, _ = figures(drawn(200, key_word=True), ArtifactSettings())
    assert word["choice-only"].above.low > 0.3
    assert word["choice-only"].telling[0][0] in ("word truly", "last truly", "word never", "last never")
    stem, _ = figures(drawn(200, stem_tells=True), ArtifactSettings())
    assert stem["question-only"].score.mean > 0.9
    assert stem["choice-only"].above.low < 0
    length, _ = figures(drawn(200, longest=True), ArtifactSettings())
    assert length["longest"].score.mean == 1
    assert length["together"].score.mean > 0.95
    place, group = figures([made(n, f"Which {n}?", *"abcd") for n in range(40)], ArtifactSettings())
    assert place["place-1"].score.mean == place["question-only"].score.mean == 1
    assert group.keys.p < 1e-6


def test_no_leak_is_made_up():
    """Over 20 sets without a leak, what probes find is about what chance gives."""
    above = []
    for seed in range(20):
        got, _ = figures(drawn(80, seed), ArtifactSettings(folds=3))
        above.append([got[name].above.mean for name in ("choice-only", "question-only", "together")])
    means = np.mean(above, axis=0)
    assert np.all(np.abs(means) < 0.04), means


def test_duplicates_dont_help_a_probe():
    """Every question stands twice: a probe that had seen its twin would know the key."""
    once = drawn(60, seed=5)
    again = [replace(q, id=f"again {q.id}", stem=q.stem.upper()) for q in once]
    twice = [*once, *again]
    got, group = figures(twice, ArtifactSettings())
    assert group.duplicates == 60
    assert got["choice-only"].score.mean < 0.45


def test_always_or_never_right_is_no_certainty():
    never = [made(n, f"Which {n}?", "it", "is not", "so", "all of the above") for n in range(10)]
    got, _ = figures(never)
    assert got["negation"].score.mean == 0
    assert got["negation"].above.low == -0.25
    assert got["negation"].above.high > 0
    assert got["no-negation"].score.mean == pytest.approx(1 / 3)
    assert got["no-negation"].above.low < 0 < got["no-negation"].above.high
    assert got["no-negation"].p == pytest.approx(2 * 0.75**10)


def test_an_interval_holds_no_points_that_cannot_be():
    two = [made(n, f"Which {n}?", "it", "so", "thus", "all of the above", key=3 * n) for n in range(2)]
    above = figures(two)[0]["all-of-the-above"].above
    assert (above.low, above.mean, above.high) == (-0.25, 0.25, 0.75)


def test_same_choices_and_repeated_keys():
    questions = [
        made(1, "One?", "Mars", " mars", "Venus", "\uff2dars"),
        made(2, "Two?", "Mars", "Venus", "VENUS"),
        made(3, "Two!", "Mars", "Venus"),
    ]
    _, group = figures(questions)
    assert group.same_choices == ("q1", "q2")
    assert group.repeated_keys == ("q1",)
    assert group.duplicates == 1


def test_groups_side_by_side():
    one, two = drawn(12, 1), [*drawn(5, 2), drawn(1, 1)[0], made("h", "Hidden?", "a", "b", key=None)]
    found = artifacts({"one": one, "two": two, "none": [made("i", "Hidden?", "a", "b", key=None)]})
    assert [(group.group, group.n, group.elsewhere) for group in found.groups] == [
        ("one", 12, 1),
        ("two", 6, 1),
    ]
    assert found.hidden == 2
    assert any(figure.name == "choice-only" for figure in found.groups[0].figures)
    assert found.groups[1].notes[0].startswith("probes left out")
    holm = [figure.holm_p for figure in found.groups[0].figures]
    assert all(p is None or 0 <= p <= 1 for p in holm)


def test_a_given_reader_stands_beside():
    questions = drawn(20)
    answers = {q.id: Answer(q.id, "answered", (q.answer,)) for q in questions}
    got, _ = figures(questions, readers={"mine": answers})
    assert got["mine"].above.mean == pytest.approx(0.75)


def test_one_question_and_no_key():
    got, group = figures([made(1, "Which?", "a", "bb")], ArtifactSettings())
    assert got["longest"].score.mean == 0
    assert "choice-only" not in got
    assert group.keys.p == 1
    with pytest.raises(AssayError, match="no answer key"):
        artifacts({"all": [made(1, "Which?", "a", "b", key=None)]})
    with pytest.raises(AssayError, match="no questions"):
        artifacts({"all": []})


def test_order_of_questions_changes_no_rule():
    questions = drawn(30)
    forth, back = figures(questions)[0], figures(questions[::-1])[0]
    for name, figure in forth.items():
        assert back[name].score.mean == pytest.approx(figure.score.mean)

"""AFLite: leaves out what a planted leak gives away, and little where there is none."""

from dataclasses import replace

import numpy as np
import pytest

from assay.construction.artifacts.aflite import AfliteSettings, aflite, named_parts, random_filter
from assay.construction.artifacts.filtering import features_of, filter_questions
from assay.construction.artifacts.folds import groups_of
from assay.errors import AssayError
from assay.questions.model import Choice, Question
from assay.text.analysis import Analyser

WORDS = "iron rust rain cloud bat moth ore stone leaf root seed sand salt lava heat light wind wave".split()


def drawn(n, leaking, seed=0):
    """Questions of random words; in the first `leaking` the key says "truly"."""
    draw = np.random.default_rng(seed)
    questions = []
    for number in range(n):
        texts = [" ".join(draw.choice(WORDS, 3, replace=False)) for _ in range(4)]
        key = int(draw.integers(4))
        if number < leaking:
            texts[key] += " truly"
        choices = tuple(Choice("ABCD"[place], text) for place, text in enumerate(texts))
        leaks = "yes" if number < leaking else "no"
        questions.append(
            Question(f"q{number}", f"Which is {number}?", choices, "ABCD"[key], metadata={"leaks": leaks})
        )
    return questions


SETTINGS = AfliteSettings(partitions=8, slice=0.2)


def test_what_leaks_goes_and_the_rest_stays():
    questions = drawn(150, 60)
    apart = [replace(q, stem=f"How is {q.id}?") for q in drawn(100, 60, seed=9)]
    done = filter_questions(questions, SETTINGS, by="leaks", held_out=apart)
    were, kept = done.parts["yes"]
    assert were == 60
    assert kept <= 3
    assert done.parts["no"][1] > 70
    figures = {
        group.group: {figure.name: figure.score.mean for figure in group.figures}
        for group in done.figures.groups
    }
    assert figures["before"]["choice-only"] > 0.5
    assert figures["before"]["held-out"] > 0.4
    assert figures["as many at random"]["held-out"] > 0.4
    assert figures["kept"]["held-out"] < 0.35
    marked = done.marked(kept=False)
    assert len(marked) + len(done.marked(kept=True)) == 150
    assert {question.metadata["removed_in"] for question in marked} <= set(range(1, 99))
    assert all(question.metadata["predictability"] >= 0.75 for question in marked)
    assert all(question.metadata["removed_in"] == 0 for question in done.marked(kept=True))


def test_held_out_questions_that_stand_in_the_set_are_left_out():
    questions = drawn(30, 10)
    twins = [replace(q, id=f"twin {q.id}", stem=q.stem.upper()) for q in questions[:4]]
    others = [replace(q, id=f"other {q.id}", stem=f"How is {q.id}?") for q in drawn(20, 10, seed=3)]
    done = filter_questions(questions, SETTINGS, by="leaks", held_out=[*twins, *others])
    assert done.repeated == 4
    assert filter_questions(questions, SETTINGS, by="leaks", held_out=twins).repeated == 4


def run(questions, **settings):
    features = features_of(questions, "choice-only", Analyser())
    return aflite(
        features, groups_of(questions), AfliteSettings(**{"partitions": 8, "slice": 0.2, **settings})
    )


def test_the_books_add_up():
    questions = drawn(100, 50)
    done = run(questions)
    assert sum(one.removed for one in done.iterations) == 100 - len(done.kept)
    assert [one.remaining for one in done.iterations] == [
        100 - int(np.sum((done.removed_in > 0) & (done.removed_in <= one.number))) for one in done.iterations
    ]
    assert all(one.removed <= 20 and one.removed <= one.predictable for one in done.iterations)
    assert np.array_equal(run(questions).removed_in, done.removed_in)
    assert not np.array_equal(run(questions, seed=1).predictability, done.predictability)


def test_a_target_ends_it():
    done = run(drawn(100, 90), target=65)
    assert len(done.kept) == 65
    assert done.stopped == "65 questions are left"
    with pytest.raises(AssayError, match="100 questions to keep of 100"):
        run(drawn(100, 90), target=100)


def test_twins_never_judge_each_other():
    """Each question stands twice: a probe trained on one would know the other by heart."""
    once = drawn(40, 0)
    twins = [Question(f"{q.id} {n}", q.stem + "!" * n, q.choices, q.answer) for q in once for n in (0, 1)]
    features = features_of(twins, "choice-only", Analyser())
    settings = AfliteSettings(partitions=8, slice=1.0, penalty=0.1)
    together = aflite(features, groups_of(twins), settings)
    apart = aflite(features, np.arange(80), settings)
    assert len(together.kept) > 2 * len(apart.kept)


def test_one_question_cant_be_parted():
    with pytest.raises(AssayError, match="can't be parted into training and judging"):
        run(drawn(1, 0))
    with pytest.raises(AssayError, match="no probe sees 'all'"):
        filter_questions(drawn(5, 0), seen="all")
    with pytest.raises(AssayError, match="no questions"):
        filter_questions([])


def test_parts_and_a_filter_at_random():
    assert named_parts(["a", "b", "a"], np.array([2])) == {"a": (2, 1), "b": (1, 0)}
    chosen = random_filter(10, 4, 0)
    assert len(set(chosen.tolist())) == 4
    assert np.array_equal(chosen, np.sort(chosen))

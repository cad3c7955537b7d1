"""Who ranks candidates how, what is taken, and what a finished question holds."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from assay.construction.distractors.also_right import SuspicionSettings, suspicions
from assay.construction.distractors.pool import Candidate, Pool, make_pools
from assay.construction.distractors.ranking import contest, judge, spread
from assay.construction.distractors.sameness import Sameness
from assay.construction.distractors.selection import extend
from assay.construction.distractors.settings import DistractorSettings
from assay.errors import AssayError
from assay.questions.model import Answer, Question
from tests.construction.distractors.made_up import LOOSE, made_up, pool_of, question


def answer(asked: Question, *scores: float) -> Answer:
    return Answer(asked.id, "answered", (), scores)


def ranked(*scores: tuple[float, ...], texts: tuple[str, ...] = ("tin", "wax", "oak")) -> tuple:
    """A question with the key and three candidates; a tuple of scores (key's first) an adversary."""
    candidates = tuple(Candidate(text, f"s{n}", n + 1, 0.0, n) for n, text in enumerate(texts))
    pool = Pool(question("q", "iron", "f"), "fold", candidates, {})
    asked = contest(pool)
    answers = {f"a{n}": [answer(asked, *own)] for n, own in enumerate(scores)}
    return pool, judge([asked], answers)[0]


def taken(pool: Pool, judged: object, **how: object) -> list[str]:
    settings = replace(DistractorSettings(ways=2), **how)  # type: ignore[arg-type]
    made = extend(pool, judged, settings, Sameness(settings.analyser))  # type: ignore[arg-type]
    return [one.candidate.text for one in made.ranking if one.fate == "taken"]


def test_more_adversaries_come_before_a_wider_difference() -> None:
    pool, judged = ranked((0.0, 0.1, 9.0, -1.0), (0.0, 0.1, -1.0, -1.0))
    assert taken(pool, judged) == ["tin"]
    assert judged[1].preferred_by == ("a0", "a1")
    assert judged[2].preferred_by == ("a0",)


def test_equal_preferences_are_told_by_the_difference_on_one_scale() -> None:
    """The second adversary's numbers are a thousand times larger and count no more for it."""
    pool, judged = ranked((0.0, -1.0, -3.0, -2.0), (0.0, -2000.0, -1000.0, -2000.0))
    scale = spread([contest(pool)], [answer(contest(pool), 0.0, -1.0, -3.0, -2.0)])
    assert scale == pytest.approx(math.sqrt((1.5**2 + 0.5**2 + 1.5**2 + 0.5**2) / 4))
    assert judged[1].differences["a0"] == pytest.approx(-1 / scale)
    assert taken(pool, judged, easy=9.0) == ["tin"]
    twice = ranked((0.0, -1.0, -3.0, -2.0), (0.0, -2.0, -1.0, -2.0))[1]
    for one, other in zip(judged, twice, strict=True):
        assert one.differences == pytest.approx(other.differences)


def test_a_tie_with_the_key_is_no_preference() -> None:
    _, judged = ranked((1.0, 1.0, 1.0 + 1e-9, 1.1))
    assert [one.preferred_by for one in judged] == [(), (), (), ("a0",)]


def test_infinite_scores_and_scores_that_say_nothing() -> None:
    pool, judged = ranked((-math.inf, -math.inf, math.inf, 0.5), (3.0, 3.0, 3.0, 3.0))
    assert [one.difference for one in judged] == [0.0, 0.0, 5.0, 5.0]
    assert taken(pool, judged) == ["wax"]
    with pytest.raises(AssayError, match="no scores"):
        judge([contest(pool)], {"a": [Answer("q", "answered", ("1",))]})


def test_easy_ones_go_when_every_adversary_finds_them_easy() -> None:
    pool, judged = ranked((0.0, -9.0, -9.0, -9.5), (0.0, -9.0, -1.0, -9.0))
    assert judged[2].easy(1.0) is False
    assert judged[3].easy(1.0) is True
    settings = DistractorSettings(ways=4, easy=1.0)
    made = extend(pool, judged, settings, Sameness(settings.analyser))
    assert {one.candidate.text: one.fate for one in made.ranking} == {
        "wax": "taken",
        "tin": "easy",
        "oak": "easy",
    }
    assert made.missing == 2


def extended(pool: Pool, judged: object = (), **how: object):  # type: ignore[no-untyped-def]
    settings = replace(DistractorSettings(), **how)  # type: ignore[arg-type]
    return extend(pool, judged, settings, Sameness(settings.analyser), by_chance=not judged)  # type: ignore[arg-type]


@pytest.mark.parametrize("seed", range(20))
def test_what_a_finished_question_holds(seed: int) -> None:
    questions = made_up(40, seed)
    settings = replace(LOOSE, ways=5, seed=seed)
    for pool in make_pools(questions, ["f"] * 40, settings):
        made = extend(pool, (), settings, Sameness(settings.analyser), by_chance=True)
        finished = made.question
        assert finished.labels == tuple("ABCDE"[: len(finished.choices)])
        assert len(finished.choices) == 5 - made.missing
        by_label = {choice.label: choice.text for choice in finished.choices}
        assert by_label[str(finished.answer)] == pool.question.choices[0].text
        assert {"mars"} < set(by_label.values())
        sameness = Sameness(settings.analyser)
        added = [one.choice.text for one in made.placed if one.origin == "question"]
        for number, text in enumerate(added):
            rest = [choice.text for choice in pool.question.choices] + added[:number]
            assert not any(sameness.same(text, other) for other in rest)
        sources = {one.id: one.choices[0].text for one in questions}
        for one in made.placed:
            if one.candidate is not None:
                assert sources[one.candidate.source] == one.choice.text
        assert (finished.id, finished.stem, finished.facts) == (
            pool.question.id,
            pool.question.stem,
            pool.question.facts,
        )


def test_keys_fall_on_all_labels() -> None:
    settings = replace(LOOSE, ways=4)
    made = [
        extend(pool, (), settings, Sameness(settings.analyser), by_chance=True).question
        for pool in make_pools(made_up(400, 7), ["f"] * 400, settings)
    ]
    counts = [sum(one.answer == label for one in made) for label in "ABCD"]
    assert sum(counts) == 400
    assert min(counts) > 60


def test_the_authors_distractors() -> None:
    pool, _ = ranked((0.0, 1.0, 2.0, 3.0))
    pool = replace(pool, question=question("q", "iron", "f", "gold", "clay"))
    asked = contest(pool)
    judged = judge([asked], {"a": [answer(asked, 5.0, 4.9, -99.0, 6.0, 7.0, 8.0)]})[0]

    def texts(author: str, **how: object) -> set[str]:
        made = extended(pool, judged, author=author, ways=4, easy=2.0, **how)
        return {choice.text for choice in made.question.choices}

    assert texts("all") == {"iron", "gold", "clay", "oak"}
    assert texts("hard") == {"iron", "gold", "wax", "oak"}
    assert texts("none") == {"iron", "tin", "wax", "oak"}


def test_repeated_and_rejected_choices_of_the_author_go() -> None:
    pool = pool_of("Venus", "Earth", "Pluto", others=("MARS", "Sun", "sun "))
    settings = replace(LOOSE, ways=4)
    made = extend(
        pool, (), settings, Sameness(settings.analyser), by_chance=True, rejected={"asked": {"sun", "venus"}}
    )
    assert made.dropped == {
        "B": "equals another choice",
        "C": "rejected",
        "D": "equals another choice",
    }
    assert {choice.text for choice in made.question.choices} == {"Mars", "Earth", "Pluto"}
    assert made.missing == 1


def test_what_is_rejected_is_replaced_by_the_next_best() -> None:
    pool, judged = ranked((0.0, 1.0, 3.0, 2.0))
    settings = DistractorSettings(ways=3)
    sameness = Sameness(settings.analyser)

    def texts(*rejected: str) -> list[str]:
        made = extend(pool, judged, settings, sameness, rejected={"q": set(rejected)})
        return [one.candidate.text for one in made.ranking if one.fate == "taken"]

    assert texts() == ["wax", "oak"]
    assert texts("wax") == ["oak", "tin"]


def test_what_speaks_for_being_right_comes_first() -> None:
    pool, judged = ranked((0.0, 3.0, -1.0, 0.5), (0.0, 3.0, 1.0, -0.5), texts=("melting ice", "wax", "oak"))
    pool = replace(pool, question=question("q", "iron", "heat melts ice"))
    made = extended(pool, judged, ways=4)
    found = suspicions([made], Sameness(LOOSE.analyser), SuspicionSettings())
    assert found[0].placed.choice.text == "melting ice"
    assert found[0].in_facts == 1.0
    assert found[0].reasons == (
        "every adversary prefers it to the key",
        "preferred by a wide margin",
        "the facts speak of it",
    )
    assert found[-1].reasons == ()

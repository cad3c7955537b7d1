"""What may stand in a pool, and which parts share no fact; against slow references."""

from __future__ import annotations

import math
import random
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.construction.distractors.parts import parts_by_fact
from assay.construction.distractors.pool import make_pools
from assay.construction.distractors.sameness import Sameness, plain
from assay.construction.distractors.selection import extend
from assay.construction.distractors.settings import DistractorSettings, distractor_settings, without_rules
from assay.construction.distractors.similarity import source_facts
from assay.errors import AssayError, FaultyInput
from assay.questions.model import Question
from tests.construction.distractors.made_up import LOOSE, made_up, pool_of, question, texts_of


def test_a_repeat_of_a_choice_is_no_distractor() -> None:
    """Field report P03: trimmed, NFKC, case folded."""
    assert texts_of(pool_of(" mars", "\uff2dars", "Venus")) == {"Venus"}


@pytest.mark.parametrize(
    ("key", "candidate"),
    [
        ("Mars", "MARS\u00a0"),
        ("the red sun", "red"),
        ("red", "a red sun"),
        ("stra\u00dfe", "STRASSE"),
        ("\ufb01re", "fire"),
        ("cafe\u0301", "caf\u00e9"),
        ("hot  day", "hot day"),
        ("a stone", "the stones"),
    ],
)
def test_same_answers(key: str, candidate: str) -> None:
    assert texts_of(pool_of(candidate, "Venus", key=key)) == {"Venus"}


def test_nothing_equal_to_an_authors_choice_either() -> None:
    assert texts_of(pool_of("the Moon", "Venus", others=("moon",))) == {"Venus"}
    assert texts_of(pool_of("a stone", key="the stones", same_stems=False)) == {"a stone"}


@given(st.text(max_size=6), st.text(max_size=6))
def test_sameness_has_no_direction(one: str, other: str) -> None:
    sameness = Sameness(LOOSE.analyser)
    assert sameness.same(one, other) == sameness.same(other, one)
    assert sameness.same(one, one.swapcase()) or plain(one) != plain(one.swapcase())
    assert plain(plain(one)) == plain(one)


@pytest.mark.parametrize("weigh", ["stems", "tf-idf"])
@pytest.mark.parametrize("seed", range(5))
def test_the_pool_against_a_slow_reference(seed: int, weigh: str) -> None:
    settings = DistractorSettings(dissimilar=12, pool=400, tokens=1, characters=0.6, overlap=weigh, seed=seed)
    questions = made_up(30, seed)
    folds = [str(number % 2) for number in range(30)]
    analyser, sameness = settings.analyser, Sameness(settings.analyser)

    def stems(one: Question) -> set[str]:
        return set(analyser.content(" ".join(source_facts(one))))

    for pool, fold in zip(make_pools(questions, folds, settings), folds, strict=True):
        inside = [one for one, own in zip(questions, folds, strict=True) if own == fold]

        def overlap(other: Question, own: set[str], inside: list[Question]) -> float:
            shared = own & stems(other)
            if weigh == "stems":
                return len(shared)
            seen = {stem: sum(stem in stems(one) for one in inside) for stem in shared}
            return sum(math.log(len(inside) / seen[stem]) ** 2 for stem in shared)

        own, key = stems(pool.question), pool.question.choices[0].text
        others = [
            one
            for one in inside
            if one.id != pool.question.id
            and not set(map(plain, source_facts(one))) & set(map(plain, source_facts(pool.question)))
        ]
        values = {one.id: overlap(one, own, inside) for one in others}
        most = sorted(values.values())[: settings.dissimilar]
        for candidate in pool.candidates:
            assert candidate.overlap == pytest.approx(values[candidate.source])
            assert candidate.overlap <= most[-1] + 1e-9
            assert abs(len(analyser.tokens(candidate.text)) - len(analyser.tokens(key))) <= 1
            assert abs(len(plain(candidate.text)) - len(plain(key))) <= 0.6 * len(plain(key))
            assert not any(sameness.same(candidate.text, choice.text) for choice in pool.question.choices)
        assert [one.rank for one in pool.candidates] == sorted(one.rank for one in pool.candidates)
        assert sum(pool.left_out.values()) + len(pool.candidates) == min(12, len(others))


def test_neither_order_nor_other_folds_change_a_pool() -> None:
    settings = DistractorSettings(dissimilar=10, pool=5, characters=None)
    questions = made_up(24, 3)
    folds = ["a" if number < 15 else "b" for number in range(24)]
    usual = {pool.question.id: pool for pool in make_pools(questions, folds, settings)}
    mixed = list(zip(questions, folds, strict=True))
    random.Random(1).shuffle(mixed)
    again = make_pools([one for one, _ in mixed], [fold for _, fold in mixed], settings)
    assert {pool.question.id: pool for pool in again} == usual
    alone = make_pools(questions[:15], folds[:15], settings)
    assert alone == [usual[one.id] for one in questions[:15]]
    other = make_pools(questions, folds, replace(settings, seed=1))
    assert {pool.question.id: pool for pool in other} != usual


def test_a_shared_fact_makes_no_distractor() -> None:
    questions = [
        question("q1", "wax", "Heat melts wax"),
        question("q2", "tar", "heat melts  wax", second="tar is black"),
        question("q3", "oak", "Oaks are trees"),
    ]
    pools = make_pools(questions, ["f"] * 3, replace(LOOSE, overlap="tf-idf"))
    assert [texts_of(pool) for pool in pools] == [{"oak"}, {"oak"}, {"wax", "tar"}]


def test_without_facts_only_when_asked() -> None:
    questions = [question("q1", "wax", None), question("q2", "tar", "tar is black")]
    with pytest.raises(FaultyInput, match="q1") as caught:
        make_pools(questions, ["f", "f"], LOOSE)
    assert "--without-facts" in str(caught.value.hint)
    assert len(caught.value.faults) == 1
    pools = make_pools(questions, ["f", "f"], replace(LOOSE, similarity="text"))
    assert [texts_of(pool) for pool in pools] == [{"tar"}, {"wax"}]


def test_every_question_needs_a_key() -> None:
    questions = [replace(one, answer=None) for one in made_up(3, 0)]
    with pytest.raises(FaultyInput) as caught:
        make_pools(questions, ["f"] * 3, LOOSE)
    assert len(caught.value.faults) == 3


def test_another_language_has_its_own_stems() -> None:
    """Articles and endings of the analyser's language make no new answer."""
    german = {"language": "german"}
    assert texts_of(pool_of("die H\u00e4user", "Wagen", key="der Haus", **german)) == {"Wagen"}
    assert "die H\u00e4user" in texts_of(pool_of("die H\u00e4user", "Wagen", key="der Haus"))


def test_settings_are_checked() -> None:
    assert distractor_settings({"dissimilar": "none", "tokens": 3}).dissimilar is None
    for wrong in ({"pool": 0}, {"author": "some"}, {"ways": 1}, {"characters": "many"}, {"depth": 3}):
        with pytest.raises(AssayError):
            distractor_settings(wrong)


def test_a_drawn_window_hides_the_key_among_lengths() -> None:
    """Around the key, the key is nearest to the mean length; in a drawn window it isn't."""
    draw = random.Random(5)
    sources = [question(f"s{n}", f"{n:03d}" + "y" * draw.randrange(0, 60), f"other{n}") for n in range(1200)]
    asked = [question(f"q{n}", f"{n:03d}" + "x" * 17, "one fact") for n in range(300)]
    shares = {}
    for window in ("key", "drawn"):
        settings = DistractorSettings(ways=5, window=window, dissimilar=None, same_stems=False)
        nearest = 0
        for pool in make_pools([*asked, *sources], ["f"] * 1500, settings)[:300]:
            made = extend(pool, (), settings, Sameness(settings.analyser), by_chance=True)
            assert not made.missing
            lengths = [len(choice.text) for choice in made.question.choices]
            mean = sum(lengths) / 5
            nearest += abs(20 - mean) <= min(abs(length - mean) for length in lengths)
            if window == "key":
                assert all(10 <= length <= 30 for length in lengths)
        shares[window] = nearest / 300
    assert shares["key"] > 0.4
    assert 0.1 < shares["drawn"] < 0.3


@pytest.mark.parametrize("parts", [2, 3, 5])
def test_parts_share_no_fact(parts: int) -> None:
    draw = random.Random(parts)
    questions = [
        question(f"q{n}", "k", f"fact {draw.randrange(40)}", second=f"other {min(n, 110)}")
        for n in range(120)
    ]
    found = parts_by_fact(questions, parts, 0)
    part_of: dict[str, int] = {}
    for one, part in zip(questions, found, strict=True):
        for fact in source_facts(one):
            assert part_of.setdefault(fact, part) == part
    loose = parts_by_fact([question(f"q{n}", "k", f"fact {n}") for n in range(120)], parts, 0)
    assert [loose.count(part) for part in range(parts)] == [120 // parts] * parts


def test_parts_that_cant_be_made() -> None:
    questions = [question(f"q{n}", "k", "one fact") for n in range(5)]
    with pytest.raises(AssayError, match="can't make 2 parts"):
        parts_by_fact(questions, 2, 0)
    with pytest.raises(AssayError, match="at least 2"):
        parts_by_fact(questions, 1, 0)


def test_plain_random_distractors_know_no_length() -> None:
    settings = without_rules(DistractorSettings(pool=100))
    questions = [question("q", "ox", "a"), question("s", "a very long answer of many words", "b")]
    assert texts_of(make_pools(questions, ["f", "f"], settings)[0]) == {"a very long answer of many words"}

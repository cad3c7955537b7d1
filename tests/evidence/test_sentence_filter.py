"""The sentence filters: each rule, its count, and the vectorised filter against plain Python."""

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.corpus.model import corpus_in_memory
from assay.evidence.sentence_filter import (
    KEPT,
    NOT_REACHED,
    RULES,
    FilterRules,
    SentenceFilter,
    duplicate_key,
    unclean,
)

ALL = FilterRules()


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("Iron rusts.", None),
        ("a" * 300, None),
        ("a" * 301, "301 characters, over 300"),
        ("Iron does not rust", "negation: 'not'"),
        ("Iron doesn't rust", 'negation: "n\'t"'),
        ("Iron doesn\u2019t rust", "negation: 'n\u2019t'"),
        ("All but, EXCEPT, iron", "negation: 'EXCEPT'"),
        ("A note on exceptions, nothing more", None),
        ("(Iron) rusts", "begins with '('"),
        ("", "empty"),
        ("Iron rusts!", "holds '!'"),
        ("iron_ore", "holds '_'"),
        ("Iron rusts. Gold stays.", "a second sentence begins after 'Iron rusts'"),
        ("Iron rusts at 20. 5 days", None),
        ("It is 3.5 m; (50% & \"more\"), said: 'yes'.", None),
        ("Iron - a metal", "a hyphen between spaces"),
        ("Iron-rich ore", None),
        ("\u00c9tain is tin", None),
    ],
)
def test_reasons(text: str, reason: str | None) -> None:
    assert ALL.reason(text) == reason


def test_rules_can_be_off() -> None:
    off = FilterRules(max_characters=None, negation=False, duplicates=False, clean=False)
    for text in ("x" * 500, "not so", "(a) - b! C. D"):
        assert off.reason(text) is None
    assert unclean("not so") is None


def test_duplicate_keys() -> None:
    key = duplicate_key("Iron (ore) rusts, at 50%...")
    assert key == "Ironorerustsat50%"
    assert duplicate_key("Iron ore rusts at 50% http://iron.example/a?b") == key
    assert duplicate_key("iron ore rusts at 50%") != key
    assert duplicate_key("a-b ^c; d&e_f") == "a-b^c;d&ef"


def test_each_rule_has_its_verdict() -> None:
    texts = ["Iron rusts", "Iron, rusts.", "not iron", "iron! " * 60, "iron!", "Gold stays", "gold; (not)"]
    corpus, ids, one_list = corpus_in_memory(texts), np.arange(7), np.zeros(7, np.int64)
    verdicts = SentenceFilter(corpus).judge(ids, one_list, 10).tolist()
    named = [RULES[verdict] if verdict >= 0 else verdict for verdict in verdicts]
    assert named == [KEPT, "duplicate", "negation", "long", "unclean", KEPT, "negation"]
    assert SentenceFilter(corpus).judge(ids, one_list, 1).tolist() == [KEPT] + [NOT_REACHED] * 6


def test_an_unclean_copy_does_not_stand_for_a_clean_one() -> None:
    corpus = corpus_in_memory(["* Iron rusts", "Iron rusts", "Iron rusts!"])
    verdicts = SentenceFilter(corpus).judge(np.arange(3), np.zeros(3, np.int64), 10).tolist()
    assert verdicts == [RULES.index("unclean"), KEPT, RULES.index("duplicate")]


pieces = st.lists(st.sampled_from(["iron", "not", "-", "ore.", "Mud", "!", "x" * 290, "a, b"]), max_size=4)


@settings(max_examples=100)
@given(
    st.lists(pieces.map(" ".join), min_size=1, max_size=8),
    st.data(),
    st.builds(FilterRules, st.sampled_from([None, 12, 300]), st.booleans(), st.booleans(), st.booleans()),
)
def test_as_plain_python(texts: list[str], data: st.DataObject, rules: FilterRules) -> None:
    numbers = st.lists(st.integers(0, len(texts) - 1), max_size=10)
    lists = data.draw(st.lists(numbers, max_size=4))
    wanted = data.draw(st.integers(1, 5))
    right: list[int] = []
    for one in lists:
        seen: set[str] = set()
        room = wanted
        for number in one:
            verdict = plain_verdict(texts[number], rules, seen)
            right.append(verdict if room else NOT_REACHED)
            room -= verdict == KEPT and room > 0
    ids = np.array([number for one in lists for number in one], np.int64)
    owners = np.repeat(np.arange(len(lists)), [len(one) for one in lists])
    filter_ = SentenceFilter(corpus_in_memory(texts), rules)
    assert filter_.judge(ids, owners, wanted).tolist() == right


def plain_verdict(text: str, rules: FilterRules, seen: set[str]) -> int:
    if FilterRules(rules.max_characters, False, False, False).reason(text):
        return RULES.index("long")
    if FilterRules(None, rules.negation, False, False).reason(text):
        return RULES.index("negation")
    if rules.duplicates and duplicate_key(text) in seen:
        return RULES.index("duplicate")
    if rules.reason(text):
        return RULES.index("unclean")
    seen.add(duplicate_key(text))
    return KEPT


@pytest.mark.real_data
def test_negation_would_drop_a_gold_fact_of_21_questions(shared_data: Path) -> None:
    with (shared_data / "qasc/dev.jsonl").open(encoding="utf-8") as file:
        facts = [[record["fact1"], record["fact2"]] for record in map(json.loads, file)]
    rules = FilterRules(max_characters=None, duplicates=False, clean=False)
    assert sum(any(rules.reason(fact) for fact in pair) for pair in facts) == 21
    length_and_cleanness = FilterRules(negation=False, duplicates=False)
    assert not any(length_and_cleanness.reason(fact) for pair in facts for fact in pair)

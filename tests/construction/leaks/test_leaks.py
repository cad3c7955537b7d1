"""Leaks between folds against every pair of questions."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.construction.leaks.leaks import find_leaks
from assay.construction.leaks.ties import KINDS, TELLING, TieSettings
from assay.construction.leaks.touched import leak_gates, touched_scores
from assay.errors import AssayError
from assay.questions.model import Answer, Choice, Facts, Question
from assay.text.analysis import Analyser

FACTS = ["cats purr softly", "Cats  purr softly", "cats purr very softly", "iron rusts", None]
STEMS = [
    "What purrs?",
    "what purrs!",
    "Which thing rusts slowly in rain?",
    "Which thing rusts in slow rain?",
    "Who?",
]
PLAIN = TieSettings(near_fact=0.6, near_stem=0.6)
STEMS_OF = Analyser()


def question(number: int, stem: str, seed: str | None, second: str | None, answer: str = "cat") -> Question:
    facts = None if seed is None and second is None else Facts(seed=seed, second=second)
    return Question(f"q{number}", stem, (Choice("A", answer), Choice("B", "dog")), "A", facts)


def near(one: str, two: str) -> bool:
    a, b = set(STEMS_OF.content(one)), set(STEMS_OF.content(two))
    return bool(a and b) and 10 * len(a & b) >= 6 * len(a | b)


def plain(text: str) -> str:
    return " ".join(text.casefold().split())


def tied(kind: str, one: Question, two: Question) -> bool:
    seeds, seconds, facts = (
        [
            [plain(text) for text in (q.facts.seed, q.facts.second) if text][slice(*part)] if q.facts else []
            for q in (one, two)
        ]
        if part != (1, 2)
        else [[plain(q.facts.second)] if q.facts and q.facts.second else [] for q in (one, two)]
        for part in ((0, 1), (1, 2), (0, 2))
    )
    if kind == "fact1":
        seeds = [[plain(q.facts.seed)] if q.facts and q.facts.seed else [] for q in (one, two)]
        return bool(set(seeds[0]) & set(seeds[1]))
    if kind == "fact2":
        return bool(set(seconds[0]) & set(seconds[1]))
    if kind == "fact":
        return bool(set(facts[0]) & set(facts[1]))
    if kind == "near-fact":
        return any(near(a, b) for a in facts[0] for b in facts[1] if a != b)
    letters = ["".join(filter(str.isalnum, q.stem.casefold())) for q in (one, two)]
    if kind == "stem":
        return letters[0] == letters[1]
    if kind == "near-stem":
        return letters[0] != letters[1] and near(one.stem, two.stem)
    answers = [plain(q.choices[0].text) for q in (one, two)]
    if kind == "question":
        return plain(one.stem) == plain(two.stem) and answers[0] == answers[1]
    return answers[0] == answers[1]


QUESTIONS = st.tuples(
    st.sampled_from(STEMS),
    st.sampled_from(FACTS),
    st.sampled_from(FACTS),
    st.sampled_from(["cat", "CAT", "eel"]),
)


@given(st.lists(st.tuples(QUESTIONS, st.integers(0, 2)), min_size=3, max_size=10))
def test_leaks_are_what_all_pairs_say(drawn) -> None:
    folds: dict[str, list[Question]] = {"train": [], "dev": [], "test": []}
    for number, (parts, fold) in enumerate(drawn):
        list(folds.values())[fold].append(question(number, *parts))
    found = find_leaks(folds, PLAIN)
    rows = {(leak.kind, leak.first, leak.second): leak for leak in found.leaks}
    for kind in KINDS:
        for a, b in combinations(folds, 2):
            pairs = [(x, y) for x in folds[a] for y in folds[b] if tied(kind, x, y)]
            if (kind, a, b) not in rows:
                assert not pairs
                continue
            leak = rows[kind, a, b]
            assert leak.in_first == len({x.id for x, _ in pairs})
            assert leak.in_second == len({y.id for _, y in pairs})
            assert leak.pairs >= len(pairs)
        right = [any(tied(kind, x, y) for y in [*folds["train"], *folds["dev"]]) for x in folds["test"]]
        assert found.touched("test", [kind]).tolist() == right
        by_train = [any(tied(kind, x, y) for y in folds["train"]) for x in folds["test"]]
        assert found.touched("test", [kind], by="train").tolist() == by_train


def test_what_a_fold_does_not_say_is_not_called_clean() -> None:
    folds = {
        "train": [question(0, "What?", None, None)],
        "dev": [question(1, "Who?", "f", "g")],
        "test": [question(2, "How?", "f", None)],
    }
    found = find_leaks(folds, PLAIN)
    pairs = {(leak.first, leak.second) for leak in found.leaks if leak.kind == "fact1"}
    assert pairs == {("dev", "test")}
    assert "no facts in train: what leaks by them can't be seen there" in found.not_seen
    assert "no second facts in train, test: what leaks by them can't be seen there" in found.not_seen


def test_ties_are_listed_by_fold() -> None:
    folds = {
        "a": [question(0, "What purrs?", "f", None)],
        "b": [question(1, "what PURRS?", "g", None, "eel")],
    }
    listed = [tie for tie in find_leaks(folds, PLAIN).listed() if tie["kind"] == "stem"]
    assert listed == [
        {
            "kind": "stem",
            "texts": ["What purrs?"],
            "similarity": 1.0,
            "questions": [{"a": ["q0"], "b": ["q1"]}],
        }
    ]


def test_scores_on_touched_and_untouched_questions() -> None:
    train = [question(n, f"Seen {n}?", f"fact {n}", None) for n in range(20)]
    test = [question(100 + n, f"Asked {n}?", f"fact {n}", None) for n in range(40)]
    found = find_leaks({"train": train, "test": test}, TieSettings())
    touched = found.touched("test", TELLING)
    assert touched.sum() == 20
    right = [n < 20 or n % 2 for n in range(40)]
    answers = [Answer(q.id, "answered", ("A" if good else "B",)) for q, good in zip(test, right, strict=True)]
    (row,) = touched_scores(test, {"s": answers}, touched)
    assert (row.touched.n, row.touched.mean) == (20, 1.0)
    assert (row.untouched.n, row.untouched.mean) == (20, 0.5)
    assert row.difference.difference == pytest.approx(0.5)
    assert row.difference.low is not None
    assert 0.2 < row.difference.low < 0.5
    none = touched_scores(test, {"s": answers}, np.zeros(40, dtype=np.bool_))[0]
    assert none.touched.mean is None
    assert none.difference.difference is None


def test_gates_count_questions_or_percent_and_know_their_kinds() -> None:
    train = [question(n, f"Seen {n}?", f"fact {n}", None) for n in range(3)]
    test = [question(100 + n, f"Asked {n}?", f"fact {n}", None) for n in range(10)]
    found = find_leaks({"train": train, "test": test}, TieSettings())
    gates = leak_gates(found, "test", ["fact=2", "fact=3", "any=29%", "any=30%", "stem=0"], TELLING)
    assert [gate.passed for gate in gates] == [False, True, False, True, True]
    for limit, said in (
        ("facts=0", "no kind of leak"),
        ("fact", "KIND=MOST"),
        ("fact=few", "no number"),
        ("fact=-1", "0 or more"),
    ):
        with pytest.raises(AssayError, match=said):
            leak_gates(found, "test", [limit], TELLING)


def test_one_fold_has_no_leaks_to_look_for() -> None:
    with pytest.raises(AssayError, match="at least two"):
        find_leaks({"train": [question(0, "What?", None, None)]}, PLAIN)

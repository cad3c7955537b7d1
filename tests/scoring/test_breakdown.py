"""Breakdowns, clusters by column, tags files, gaps, agreement, runs, ranks, calibration."""

import numpy as np
import pytest
import scipy.stats
from hypothesis import given, settings
from hypothesis import strategies as st
from statsmodels.stats.inter_rater import cohens_kappa
from statsmodels.stats.multitest import multipletests

from assay.errors import AssayError, FaultyInput
from assay.questions.model import Answer, Facts
from assay.questions.tags import read_tags, with_tags
from assay.scoring.agreement import agreement, cohen_kappa
from assay.scoring.breakdown import breakdown, corrected
from assay.scoring.calibration import calibration, reliability, selective_accuracy
from assay.scoring.columns import Column, cluster_numbers, column, places_of
from assay.scoring.gap import gap
from assay.scoring.interval import estimate
from assay.scoring.points import mark
from assay.scoring.ranks import ranks
from assay.scoring.runs import repeated_runs
from tests.scoring.scoring_cases import answer, pair, question


def test_a_group_without_questions_has_a_row_and_no_mean() -> None:
    grades = Column("grade", (("3",), ("3",), ("5",)), False)
    got = breakdown("s", np.array([1.0, 0.0, 1.0]), grades, levels=["3", "5", "9"])
    rows = [(row.group, row.score.n, row.score.mean) for row in got.groups]
    assert rows == [("3", 2, 0.5), ("5", 1, 1.0), ("9", 0, None)]
    assert got.macro_mean == 0.75
    assert all(row.small for row in got.groups)
    assert got.macro_se is None


def test_only_goes_by_any_column_whatever_the_case() -> None:
    tagged = question("q3", tags={"topic": ("Heat", "Light")})
    questions = [question("q1", metadata={"set": "Easy"}), question("q2", metadata={"set": None}), tagged]
    assert places_of(questions, []) == [0, 1, 2]
    assert places_of(questions, [("set", "easy")]) == [0]
    assert places_of(questions, [("topic", "light"), ("topic", "HEAT"), ("choices", "4")]) == [2]
    assert places_of(questions, [("set", "none")]) == []
    with pytest.raises(AssayError, match="no question has a column grade"):
        places_of(questions, [("grade", "5")])


def test_the_mean_of_groups_has_an_error_of_its_own() -> None:
    points = np.array([1.0] * 3 + [0.0] * 47 + [1.0, 0.0] * 10)
    sets = Column("set", tuple(("a" if i < 50 else "b",) for i in range(70)), False)
    got = breakdown("s", points, sets)
    errors = [scipy.stats.sem(points[:50]), scipy.stats.sem(points[50:])]
    assert errors[0] == pytest.approx(0.033927, abs=5e-7)
    assert got.macro_se == pytest.approx(np.hypot(*errors) / 2)


def test_several_tags_count_in_each_and_it_is_said() -> None:
    questions = [
        question(1, tags={"reasoning": ("multihop", "analogy")}),
        question(2, tags={"reasoning": ("multihop",)}),
        question(3),
    ]
    got = breakdown("s", np.array([1.0, 0.0, 1.0]), column(questions, "reasoning"))
    rows = {row.group: (row.score.n, row.score.mean) for row in got.groups}
    assert rows == {"analogy": (1, 1.0), "multihop": (2, 0.5), "(no reasoning)": (1, 1.0)}
    assert got.several
    assert "counts in each" in got.notes[0]


def test_columns_by_name() -> None:
    asked = question(1, metadata={"grade": 9, "year": "?"}, facts=Facts("seed", "second", None))
    for name, value in {
        "grade": "9",
        "year": "?",
        "fact1": "seed",
        "fact2": "second",
        "choices": "4",
    }.items():
        assert column([asked], name).values == ((value,),)
    with pytest.raises(AssayError, match=r"no question has a column exam \(there are: answer, choices, "):
        column([asked], "exam")
    plain = question(1, metadata={"diagram": True, "kinds": ["a", "b", "a"], "score": 1.5, "none": None})
    assert column([plain], "diagram").values == (("true",),)
    assert column([plain], "kinds").values == (("a", "b"),)
    assert column([plain], "score").values == (("1.5",),)
    with pytest.raises(AssayError, match="no question has a column none"):
        column([plain], "none")
    grades = [question(i, metadata={"grade": grade}) for i, grade in enumerate(["10", "9", "K"])]
    assert column(grades, "grade").levels == ("9", "10", "K")


def test_missing_cluster_ids_are_named_not_merged() -> None:
    passages = ["p1", "p1", "p2", None, None, None]
    questions = [question(i, metadata={} if p is None else {"passage": p}) for i, p in enumerate(passages)]
    with pytest.raises(FaultyInput) as caught:
        cluster_numbers(questions, "passage")
    assert [fault.question_id for fault in caught.value.faults] == ["q3", "q4", "q5"]
    with pytest.raises(FaultyInput, match="3 of 6 questions"):
        cluster_numbers(questions, "cluster", passages)
    assert cluster_numbers(questions[:3], "passage").tolist() == [0, 0, 1]


def test_tags_of_zeros_and_ones(tmp_path) -> None:
    path = tmp_path / "types.tsv"
    path.write_bytes(b'\xef\xbb\xbfid\tLogic\tMulti hop\tnote\r\nq1\t1\t1\tsays "so\r\nq2\t0\t0\t\r\n')
    (tags,) = read_tags(path)
    assert tags.by_id == {"q1": {"type": ("Logic", "Multi hop")}, "q2": {"type": ()}}
    assert "left out: note" in tags.notes[1]
    tagged, notes = with_tags([question(1, tags={"type": ("Own",)}), question(2), question(3)], tags)
    assert [q.tags.get("type") for q in tagged] == [("Own", "Logic", "Multi hop"), (), None]
    assert any("1 of 3 questions have no row" in note for note in notes)
    assert read_tags(path, "reasoning")[0].kinds == ("reasoning",)


def test_tags_in_lists(tmp_path) -> None:
    path = tmp_path / "topics.tsv"
    path.write_text("questionID\tfold\ttopics\nq1\tEasy\tHEAT; LIGHT;HEAT\nq2\tEasy\t\n", encoding="utf-8")
    assert read_tags(path)[0].by_id["q1"] == {"fold": ("Easy",), "topics": ("HEAT", "LIGHT")}
    with pytest.raises(AssayError, match="one name can't stand for all"):
        read_tags(path, "topic")
    with pytest.raises(AssayError, match="no row is about"):
        with_tags([question(9)], *read_tags(path))


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("id\ta\nq1\t1\nq1\t0\n", r"tags\.tsv:3: question q1: id appears a second time \(first on line 2\)"),
        ("id\ta\nq1\t1\t1\n", r"tags\.tsv:2: question q1: 3 cells for 2 columns"),
        ("id\ta\n\t1\n", r"tags\.tsv:2: no id"),
        ("id\ta\nq1\t1\nq2\t0\nq3\tx\n", r"tags\.tsv:4: question q3: 'x' in column a isn't 0 or 1"),
        ("id\ta\ta\nq1\t1\t1\n", r"tags\.tsv:1: column a stands twice"),
        ("id\nq1\n", r"tags\.tsv:1: one column"),
        ("", "the file is empty"),
    ],
)
def test_faulty_tags_files(tmp_path, text, wrong) -> None:
    path = tmp_path / "tags.tsv"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(AssayError, match=wrong):
        read_tags(path)
    with pytest.raises(AssayError, match="can't be read"):
        read_tags(tmp_path / "none.tsv")
    path.write_bytes(b"id\ta\nq1\t\xff\n")
    with pytest.raises(AssayError, match=r"tags\.tsv:2: not UTF-8: byte 0x"):
        read_tags(path)


@pytest.mark.real_data
def test_published_breakdown(figures, challenge_test, stored_systems, shared_data) -> None:
    (tags,) = read_tags(shared_data / "arc/labels/challenge-test-reasoning-types.tsv")
    tagged, _ = with_tags(challenge_test, tags)
    got = breakdown("DGEM", mark(tagged, stored_systems["DGEM"]).points, column(tagged, "type"))
    expected = figures["arc_challenge_test"]["DGEM_by_reasoning_type"]
    assert {row.group for row in got.groups} == set(expected)
    for row in got.groups:
        want = expected[row.group]
        ends = [100 * row.score.low, 100 * row.score.high]  # type: ignore[operator]
        assert row.score.n == want["n"]
        assert 100 * row.score.mean == pytest.approx(want["mean"], abs=1e-10)  # type: ignore[operator]
        assert 100 * row.score.se == pytest.approx(want["se"], abs=1e-10)  # type: ignore[operator]
        assert ends == pytest.approx(want["t95"], abs=1e-9)


@given(
    st.lists(st.sampled_from([0.0, 0.5, 1.0]), min_size=2, max_size=20),
    st.lists(st.sampled_from([0.0, 0.25, 1.0]), min_size=2, max_size=20),
)
def test_gap_is_welch_s(easy, challenge) -> None:
    points = np.array(easy + challenge)
    inside = np.arange(len(points)) < len(easy)
    got = gap("s", points, ("Easy", "Challenge"), (inside, ~inside))
    assert got.difference == pytest.approx(np.mean(easy) - np.mean(challenge))
    if len(set(easy)) == len(set(challenge)) == 1:
        assert got.low is None
    if len(set(easy)) == 1 or len(set(challenge)) == 1:
        return
    peer = scipy.stats.ttest_ind(easy, challenge, equal_var=False)
    ends = peer.confidence_interval()
    assert (got.low, got.high) == pytest.approx((ends.low, ends.high), abs=1e-10)
    assert got.p == pytest.approx(peer.pvalue, abs=1e-10)


def test_gap_over_clusters_of_one_is_the_large_sample_gap() -> None:
    generator = np.random.default_rng(8)
    points = generator.choice([0.0, 1.0], size=400)
    inside = np.arange(400) < 150
    plain = gap("s", points, ("Easy", "Challenge"), (inside, ~inside))
    clustered = gap("s", points, ("Easy", "Challenge"), (inside, ~inside), np.arange(400))
    assert clustered.se == pytest.approx(plain.se, rel=0.01)
    assert clustered.df == 399


@given(st.lists(st.tuples(st.sampled_from("ABC"), st.sampled_from("ABC")), min_size=2, max_size=25))
def test_kappa_is_statsmodels(drawn) -> None:
    table = np.zeros((3, 3))
    for a, b in drawn:
        table["ABC".index(a), "ABC".index(b)] += 1
    got = cohen_kappa([a for a, _ in drawn], [b for _, b in drawn])
    if got is not None:
        assert got == pytest.approx(cohens_kappa(table, return_results=False), abs=1e-12)


def test_agreement_of_choices_and_of_right_answers() -> None:
    first, second = mark(*pair(["A", "AB", "B", "C"])), mark(*pair(["A", "BA", "C", "B"]))
    got = agreement(("one", "two"), first, second)
    assert (got.same_choice, got.same_right) == (0.5, 1.0)


def test_repeated_runs_are_never_more_questions() -> None:
    runs = [mark(*pair(sets)) for sets in (["A", "B", "A", "B"], ["A", "A", "B", "B"], ["A", "B", "B", "B"])]
    got = repeated_runs("s", runs)
    assert (got.score.n, got.runs) == (4, 3)
    assert got.score.mean == pytest.approx(5 / 12)
    assert got.score.se == pytest.approx(np.std([1, 1 / 3, 1 / 3, 0], ddof=1) / 2)
    assert got.between_runs == pytest.approx(np.std([0.5, 0.5, 0.25], ddof=1))
    flat = np.concatenate([marks.points for marks in runs])
    clustered = estimate(flat, np.tile(np.arange(4), 3))
    assert got.score.se == pytest.approx(clustered.se * (4 / 3) ** 0.5)  # type: ignore[operator]
    with pytest.raises(AssayError, match="same questions"):
        repeated_runs("s", [runs[0], mark(*pair(["A"]))])


def test_ranks_share_ties_and_say_how_sure() -> None:
    right = np.array([1.0] * 60 + [0.0] * 40)
    got = ranks({"best": right, "twin": right.copy(), "worst": 1 - right * 0.9}, draws=500)
    assert [row.rank for row in got] == [1, 1, 3]
    assert [(row.low, row.high) for row in got[:2]] == [(got[0].low, got[0].high)] * 2
    assert got[0].first_share > 0.9
    assert ranks({}, draws=10) == ()


def test_calibration_by_hand() -> None:
    questions, _ = pair(["A"] * 4)
    given_probabilities = [(0.9, 0.1, 0, 0), (0.6, 0.4, 0, 0), (0.2, 0.8, 0, 0), None]
    answers = [
        Answer(f"q{i}", "answered", ("A",) if not p or p[0] > 0.5 else ("B",), probabilities=p)
        for i, p in enumerate(given_probabilities)
    ]
    got = calibration("s", questions, answers, mark(questions, answers))
    assert got is not None
    assert (got.n, got.of) == (3, 4)
    assert got.expected_error == pytest.approx((0.1 + 0.4 + 0.8) / 3)
    assert got.brier == pytest.approx((0.02 + 0.32 + 1.28) / 3)
    assert [(row.answered, row.points) for row in got.selective] == [
        (1, 1.0),
        (2, 0.5),
        (3, pytest.approx(2 / 3)),
    ]
    assert got.risk_area == pytest.approx((0 + 0.5 + 1 / 3) / 3)
    assert calibration("s", questions, [answer(i, "A") for i in range(4)], mark(questions, answers)) is None


@pytest.mark.parametrize(
    "given_probabilities", [(0.5, 0.5), (1.2, 0, 0, 0), (0.9, 0.9, 0, 0), (-0.1, 1, 0, 0)]
)
def test_no_probabilities(given_probabilities) -> None:
    questions, _ = pair(["A"])
    answers = [Answer("q0", "answered", ("A",), probabilities=given_probabilities)]
    with pytest.raises(AssayError, match=r"question q0.*probabilities"):
        calibration("s", questions, answers, mark(questions, answers))


@settings(max_examples=20)
@given(st.lists(st.tuples(st.integers(0, 10), st.sampled_from([0.0, 0.5, 1.0])), min_size=1, max_size=8))
def test_risk_area_averages_over_the_orders_of_ties(drawn) -> None:
    confidence = np.array([tenths / 10 for tenths, _ in drawn])
    points = np.array([earned for _, earned in drawn])
    curve, area = selective_accuracy(confidence, points)
    generator = np.random.default_rng(0)
    areas = []
    for _ in range(1500):
        order = np.lexsort((generator.random(len(points)), -confidence))
        areas.append(np.mean(1 - np.cumsum(points[order]) / np.arange(1, len(points) + 1)))
    assert area == pytest.approx(np.mean(areas), abs=5 * np.std(areas) / 1500**0.5 + 1e-9)
    assert curve[-1].coverage == 1
    bins = reliability(confidence, points)
    assert sum(row.n for row in bins) == len(drawn)


def by_kind(tags: list[tuple[str, ...] | None], points: list[float], choices: int = 4, **how):
    questions = [
        question(n, choices=choices, tags={} if own is None else {"kind": own}) for n, own in enumerate(tags)
    ]
    counts = np.full(len(tags), choices, dtype=np.int64)
    return breakdown("s", np.array(points, dtype=np.float64), column(questions, "kind"), counts=counts, **how)


def test_each_group_stands_beside_its_chance_and_the_rest() -> None:
    draw = np.random.default_rng(5)
    tags = [("a",), ("a", "b"), ("b",), (), None] * 20
    points = draw.integers(0, 2, 100).astype(float)
    a, b, none = by_kind(tags, points.tolist()).groups
    inside = np.array([own is not None and "a" in own for own in tags])
    outside = np.array([own is not None and "a" not in own for own in tags])
    assert (a.chance, a.score.n, none.group, none.score.n) == (0.25, 40, "(no kind)", 40)
    assert a.p_chance == pytest.approx(scipy.stats.ttest_1samp(points[inside], 0.25).pvalue)
    # Untagged questions are in no rest, questions tagged with nothing are.
    assert a.rest is not None
    assert (a.rest.n_first, a.rest.n_second) == (40, 40)
    welch = scipy.stats.ttest_ind(points[inside], points[outside], equal_var=False)
    assert a.rest.p == pytest.approx(welch.pvalue)
    assert a.rest.difference == pytest.approx(points[inside].mean() - points[outside].mean())
    assert b.rest is not None
    assert none.rest is None


def test_small_groups_and_guessers_are_not_tested() -> None:
    tags: list[tuple[str, ...] | None] = [("big",)] * 40 + [("small",)] * 29
    points = [1.0, 0.0] * 20 + [1.0] * 20 + [0.0] * 9
    (found,) = corrected([by_kind(tags, points)])
    big, small = found.groups
    assert big.p_chance is not None
    assert (small.small, small.p_chance, small.p_chance_holm) == (True, None, None)
    # Beside a small rest the large group isn't tested either; the difference is there to see.
    assert big.rest is not None
    assert (big.rest.n_second, big.rest_holm) == (29, None)
    guess = corrected([by_kind(tags, [0.25] * 69)])[0].groups[0]
    assert (guess.p_chance, guess.rest, guess.chance) == (None, None, 0.25)
    # Of one choice, chance is certain.
    assert by_kind([("one",)] * 30, [1.0] * 30, choices=1).groups[0].p_chance is None


def test_holm_runs_over_all_systems_and_groups() -> None:
    draw = np.random.default_rng(11)
    tags: list[tuple[str, ...] | None] = [("a",), ("b",), ("c",)] * 40
    raw = [by_kind(tags, draw.integers(0, 2, 120).astype(float).tolist()) for _ in range(3)]
    made = corrected(raw)
    for field, fixed in (("p_chance", "p_chance_holm"), ("rest", "rest_holm")):
        before = [getattr(group, field) for one in raw for group in one.groups]
        after = [getattr(group, fixed) for one in made for group in one.groups]
        p = [value.p if field == "rest" else value for value in before]
        assert after == pytest.approx(multipletests(p, method="holm")[1])


def test_all_of_one_group_has_no_rest_and_an_empty_level_nothing() -> None:
    (only, empty) = by_kind([("a",)] * 30, [1.0, 0.0] * 15, levels=["a", "z"]).groups
    assert (only.rest, empty.rest, empty.chance, empty.p_chance, empty.score.n) == (None, None, None, None, 0)


def test_a_side_without_spread_gives_no_interval() -> None:
    (few, _) = by_kind([("few",)] * 5 + [("many",)] * 40, [1.0] * 5 + [1.0, 0.0] * 20).groups
    assert few.rest is not None
    assert few.rest.difference == 0.5
    assert (few.rest.low, few.rest.high, few.rest.p) == (None, None, None)

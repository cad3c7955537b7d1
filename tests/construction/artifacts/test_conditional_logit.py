"""The probes' learner, against SciPy's; folds; where keys lie."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize
from scipy.sparse import csr_matrix
from scipy.special import logsumexp
from scipy.stats import chisquare

from assay.construction.artifacts.conditional_logit import fit_conditional_logit, question_softmax
from assay.construction.artifacts.folds import folds_of, groups_of
from assay.construction.artifacts.key_places import key_places
from assay.questions.model import Choice, Question


@given(st.integers(0, 10_000), st.sampled_from([0.1, 1.0, 10.0]))
def test_the_minimum_is_scipys(seed, penalty):
    draw = np.random.default_rng(seed)
    sizes = draw.integers(2, 6, size=12)
    starts = np.cumsum(sizes) - sizes
    keys = starts + draw.integers(0, sizes)
    dense = draw.normal(size=(sizes.sum(), 5)) * (draw.random((sizes.sum(), 5)) < 0.6)

    def loss(weights):
        scores = dense @ weights
        parts = np.split(scores, starts[1:])
        return sum(map(logsumexp, parts)) - scores[keys].sum() + penalty / 2 * weights @ weights

    right = minimize(loss, np.zeros(5), method="BFGS", options={"gtol": 1e-6}).x
    got = fit_conditional_logit(csr_matrix(dense), starts, keys, penalty=penalty, tolerance=1e-8)
    assert got == pytest.approx(right, abs=1e-3)
    probabilities, logs = question_softmax(dense @ got, starts)
    assert np.add.reduceat(probabilities, starts) == pytest.approx(np.ones(12))
    assert logs == pytest.approx([logsumexp(part) for part in np.split(dense @ got, starts[1:])])


def made(number, stem, key=0, choices=4, **metadata):
    texts = tuple(Choice("ABCDEFGH"[n], f"text {number} {n}") for n in range(choices))
    return Question(f"q{number}", stem, texts, "ABCDEFGH"[key], metadata=metadata)


def test_what_belongs_together_is_one_group():
    questions = [
        made(1, "Why is it wet?", fact="a"),
        made(2, "What is it?", fact="b"),
        made(3, "why is it wet", fact="b"),
        made(4, "How?", fact="c"),
    ]
    assert groups_of(questions).tolist() == [0, 1, 0, 2]
    assert groups_of(questions, "fact").tolist() == [0, 0, 0, 1]


@given(st.lists(st.integers(0, 12), min_size=1, max_size=60), st.integers(2, 6), st.integers(0, 3))
def test_folds_keep_groups_and_are_even(labels, folds, seed):
    groups = np.unique(labels, return_inverse=True)[1]
    fold_of = folds_of(groups, folds, seed)
    for group in range(groups.max() + 1):
        assert len(set(fold_of[groups == group])) == 1
    sizes = np.bincount(fold_of, minlength=folds)
    assert sizes.max() - sizes.min() <= np.bincount(groups).max()
    assert (folds_of(groups, folds, seed) == fold_of).all()


@given(st.lists(st.integers(0, 3), min_size=20, max_size=80))
def test_pearson_where_all_have_as_many_choices(keys):
    got = key_places([made(n, "?", key) for n, key in enumerate(keys)])
    right = chisquare(np.bincount(keys, minlength=4))
    assert got.statistic == pytest.approx(right.statistic)
    assert (got.df, got.drawn) == (3, False)
    assert got.p == pytest.approx(right.pvalue)


def test_mixed_numbers_of_choices_add_up():
    """Three and five choices, both even: no place is odd, though the first three hold most keys."""
    even = [made(n, "?", n % size, size) for size in (3, 5) for n in range(30)]
    got = key_places(even)
    assert got.counts == (16, 16, 16, 6, 6)
    assert got.expected == pytest.approx((16, 16, 16, 6, 6))
    assert (got.statistic, got.df) == (pytest.approx(0, abs=1e-9), 4)
    odd = [made(n, "?", 0, size) for size in (3, 5) for n in range(30)]
    assert key_places(odd).p < 1e-9


def test_few_keys_are_drawn():
    got = key_places([made(n, "?", 0) for n in range(5)])
    assert got.drawn
    # All five at one of four places: 4 * (1/4)^5 = 0.0039.
    assert got.p == pytest.approx(0.0039, abs=0.002)
    assert key_places([made(1, "?", 0)]).p == 1.0

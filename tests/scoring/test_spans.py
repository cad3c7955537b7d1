"""Exact match and F1 of systems: clustered by article, paired, what isn't answered."""

import numpy as np
import pytest

from assay.errors import AssayError
from assay.passages.passage import PassageQuestion, Span
from assay.scoring.interval import cluster_standard_error
from assay.scoring.spans import score_spans


def made(number: int, group: str | None, passage: str = "iron rusts fast") -> PassageQuestion:
    return PassageQuestion(f"q{number}", passage, "What?", (Span(0, "iron"),), group)


QUESTIONS = [made(n, "ABC"[n % 3]) for n in range(12)]
GOOD = {one.id: "iron" for one in QUESTIONS}
HALF = {f"q{n}": "iron rusts" if n % 3 else "rusts" for n in range(11)}


def test_by_hand() -> None:
    scores = score_spans(QUESTIONS, {"good": GOOD, "half": HALF})
    good, half = scores.systems
    assert (scores.questions, scores.hidden, scores.clusters) == (12, 0, 3)
    assert (good.em.mean, good.f1.mean, good.unanswered) == (1, 1, 0)
    assert (half.em.mean, half.unanswered) == (0, 1)
    assert half.f1.mean == pytest.approx(7 * (2 / 3) / 12)
    values = np.array([2 / 3 if n % 3 and n < 11 else 0.0 for n in range(12)])
    assert half.f1.se == pytest.approx(cluster_standard_error(values, np.arange(12) % 3))
    assert half.f1.df == 2
    em, f1 = scores.comparisons
    assert (em.first, em.second, em.measure, em.difference.mean) == ("good", "half", "em", 1)
    # Three clusters: all signs as they are, or all turned, of eight.
    assert em.sign_flip.p == f1.sign_flip.p == 0.25
    assert f1.difference.mean == pytest.approx(1 - half.f1.mean)


def test_clusters_are_passages_where_articles_are_not_known() -> None:
    two = [made(n, "A" if n else None, f"iron {n % 4}") for n in range(8)]
    assert score_spans(two, {"good": GOOD}).clusters == 4
    alone = [made(n, None, f"iron {n}") for n in range(8)]
    assert score_spans(alone, {"good": GOOD}).clusters is None


def test_an_empty_answer_is_no_missing_one() -> None:
    one = PassageQuestion("q", "the", "What?", (Span(0, "the"),))
    assert score_spans([one], {"empty": {"q": ""}, "none": {}}).systems[0].em.mean == 1
    assert score_spans([one], {"none": {}}).systems[0].em.mean == 0


def test_hidden_answers() -> None:
    hidden = PassageQuestion("h", "p", "q", ())
    assert score_spans([*QUESTIONS, hidden], {"good": GOOD}).hidden == 1
    with pytest.raises(AssayError, match="none of the 1 questions has reference answers"):
        score_spans([hidden], {"good": GOOD})

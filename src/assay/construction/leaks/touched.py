"""What leaks are worth: scores on touched and untouched questions, and gates on how many are touched."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from assay.construction.leaks.leaks import Bools, Leaks
from assay.construction.leaks.ties import KINDS, Kind
from assay.errors import AssayError
from assay.questions.model import Answer, Question
from assay.scoring.columns import cluster_numbers
from assay.scoring.gap import Gap, gap
from assay.scoring.gates import GateResult
from assay.scoring.interval import Codes, Estimate, estimate
from assay.scoring.points import mark
from assay.settings import exact_number

ANY = "any"


@dataclass(frozen=True, slots=True)
class TouchedScore:
    """One system on touched and untouched questions, and the difference (touched minus untouched)."""

    system: str
    touched: Estimate
    untouched: Estimate
    difference: Gap


def touched_scores(
    questions: Sequence[Question],
    answers: Mapping[str, Sequence[Answer]],
    touched: Bools,
    cluster: str | None = None,
) -> tuple[TouchedScore, ...]:
    """Scores of each system's answers, in the questions' order; `touched`: bool (questions,).

    Questions without a key are left out. `cluster`: questions of one value stand or fall together. Raises
    AssayError where no question has a key, or some lack a cluster.
    """
    keyed = [place for place, question in enumerate(questions) if question.answer is not None]
    if not keyed:
        raise AssayError("no question of the scored fold has a key", hint="name another with --test")
    asked, inside = [questions[place] for place in keyed], touched[keyed]
    clusters = None if cluster is None else cluster_numbers(asked, cluster)
    rows = []
    for system, given in answers.items():
        points = mark(asked, [given[place] for place in keyed]).points
        on, off = (
            estimate(points[members], None if clusters is None else _renumbered(clusters[members]))
            for members in (inside, ~inside)
        )
        difference = gap(system, points, ("touched", "untouched"), (inside, ~inside), clusters)
        rows.append(TouchedScore(system, on, off, difference))
    return tuple(rows)


def _renumbered(clusters: Codes) -> Codes:
    return np.unique(clusters, return_inverse=True)[1].astype(np.int64).reshape(-1)


def leak_gates(leaks: Leaks, fold: str, limits: Sequence[str], telling: Sequence[Kind]) -> list[GateResult]:
    """Gates "KIND=MOST" or "KIND=PERCENT%": at most so many of the fold's questions touched by another fold.

    KIND "any": by any of `telling`. A gate fails where a fold says nothing of its kinds: what isn't seen
    isn't absent. Raises AssayError for an unknown kind or a limit that is no number.
    """
    results = []
    for limit in limits:
        name, equals, text = limit.partition("=")
        if not equals:
            raise AssayError(f"--fail {limit}: KIND=MOST is due", hint=f"kinds: {ANY}, {', '.join(KINDS)}")
        kinds = telling if name == ANY else known_kinds([name])
        size = leaks.sizes[fold]
        try:
            number = exact_number(text.removesuffix("%"))
        except ValueError:
            raise AssayError(f"--fail {limit}: {text!r} is no number of questions or percentage") from None
        if number < 0:
            raise AssayError(f"--fail {limit}: the most must be 0 or more")
        if text.endswith("%") and number > 100:
            raise AssayError(f"--fail {limit}: the most must be 100% or less")
        most = number * size / 100 if text.endswith("%") else number
        found = int(leaks.touched(fold, kinds).sum())
        what = f"{found:,} of {size:,} questions of {fold} share {name} with another fold"
        unseen = leaks.unseen(kinds)
        if unseen:
            what = f"not measured: {' and '.join(unseen)} can't tell what they share"
        results.append(GateResult(fold, f"{name} at most {text}", found <= most and not unseen, what))
    return results


def known_kinds(names: Sequence[str]) -> tuple[Kind, ...]:
    """The kinds of these names; AssayError for one that isn't known."""
    for name in names:
        if name not in KINDS:
            raise AssayError(f"no kind of leak is called {name!r}", hint=f"the kinds: {', '.join(KINDS)}")
    return tuple(kind for kind in KINDS if kind in names)

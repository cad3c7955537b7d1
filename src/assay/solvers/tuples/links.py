"""From a question and candidate tuples to the problem of a support graph."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from assay.solvers.tuples.fields import Candidate, Field, Rarity
from assay.solvers.tuples.problem import UNIT, Link, Problem
from assay.solvers.tuples.settings import TupleInferenceSettings
from assay.text.analysis import Analyser, is_stop


@dataclass(frozen=True, slots=True)
class Term:
    """A content word of the stem, once however often it stands there, as it stands there last."""

    term: str
    text: str


def terms_of(stem: str, analyser: Analyser) -> tuple[Term, ...]:
    """The stem's terms, in the order in which they stand there last; none without a content word."""
    found: dict[str, Term] = {}
    for token in analyser.tokens(stem):
        term = analyser.term(token)
        if not is_stop(term):
            found.pop(term, None)
            found[term] = Term(term, token)
    return tuple(found.values())


def term_gains(terms: Sequence[Term], rarity: Rarity, asked: TupleInferenceSettings) -> list[float]:
    """What each term gains at most; together `term_weight`."""
    last = max(len(terms) - 1, 1)
    raw = [
        (1 - asked.position * (1 - place / last)) * rarity(one.term) ** asked.rarity
        for place, one in enumerate(terms)
    ]
    whole = sum(raw)
    return [asked.term_weight * value / whole if whole else 0.0 for value in raw]


def problem_of(
    terms: Sequence[Term],
    gains: Sequence[float],
    choice: frozenset[str],
    found: Sequence[Candidate],
    used: Collection[int],
    rarity: Rarity,
    asked: TupleInferenceSettings,
) -> Problem:
    """Every link between fields of the tuples in `used` (by number) and terms or choice, with its gain.

    A term's link gains what the term does, the choice's its share of idf in the field times
    `choice_weight`, both over the field's number of terms to the power `field_length`.
    """
    whole = sum(sorted(map(rarity, choice)))
    links = []
    for number in sorted(used):
        for place, field in enumerate(found[number].fields):
            scale = len(field.terms) ** -asked.field_length if field.terms else 0.0
            for term, gain in zip(range(len(terms)), gains, strict=True):
                if terms[term].term in field.terms:
                    links.append(Link(number, place, _units(gain * scale), term))
            share = _share(choice, field, whole, rarity)
            if share:
                links.append(Link(number, place, _units(asked.choice_weight * share * scale)))
    return Problem(tuple(links), asked.limits)


def _share(choice: frozenset[str], field: Field, whole: float, rarity: Rarity) -> float:
    common = choice & field.terms
    return sum(sorted(map(rarity, common))) / whole if common else 0.0


def _units(gain: float) -> int:
    """Whole units; what floats leave open at a half is always rounded up."""
    return math.floor(gain * UNIT + 0.5 + 1e-6)

"""Tuples made ready for a question: fields as sets of terms, and the tuples that speak of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from assay.text.analysis import Analyser, is_stop
from assay.text.openie import TextTuple

Rarity = Callable[[str], float]
"""A term's idf, above 0."""


@dataclass(frozen=True, slots=True)
class Origin:
    """The sentence that a tuple is from."""

    text: str
    sentence_id: int | None = None
    source: str | None = None


@dataclass(frozen=True, slots=True)
class Field:
    """A field's name, its text, and its terms: stop words only where it has no other."""

    name: str
    text: str
    terms: frozenset[str]


@dataclass(frozen=True, slots=True)
class Candidate:
    """A tuple with its fields: subject, predicate, then objects and condition; one may be empty."""

    fields: tuple[Field, ...]
    origin: Origin

    @property
    def terms(self) -> frozenset[str]:
        """The terms of all fields, stop words left out."""
        return frozenset(term for field in self.fields for term in field.terms if not is_stop(term))


def candidate(read: TextTuple, origin: Origin, analyser: Analyser) -> Candidate:
    """The tuple with its fields analysed. What is without a name or word is a field without terms."""
    named = [("subject", read.subject or ""), ("predicate", read.relation)]
    named += [
        ("object", text if preposition is None else f"{preposition} {text}")
        for preposition, text in read.arguments
    ]
    if read.condition is not None:
        named.append(("condition", read.condition))
    return Candidate(
        tuple(Field(name, text, frozenset(analyser.query_terms(text))) for name, text in named), origin
    )


def distinct(found: Iterable[Candidate]) -> list[Candidate]:
    """The tuples whose fields' terms no earlier one has."""
    kept: dict[tuple[frozenset[str], ...], Candidate] = {}
    for one in found:
        kept.setdefault(tuple(field.terms for field in one.fields), one)
    return list(kept.values())


def nearest(
    found: Sequence[Candidate],
    stem: frozenset[str],
    choices: Sequence[frozenset[str]],
    rarity: Rarity,
    *,
    ranking: str,
    most: int,
) -> list[int]:
    """Places of the tuples most like the question, at most `most`, each sharing terms with stem and a choice.

    `tf-idf`: the idf of the terms shared with the stem over the number of terms of tuple and stem.
    `jaccard`: the idf of the terms that the tuple shares with stem and choice over the idf of all their
    terms, of the choice for which it is highest. Of equals the first by their fields.
    """
    ranked = []
    for place, one in enumerate(found):
        own = one.terms
        every = frozenset(term for field in one.fields for term in field.terms)
        shared = [choice for choice in choices if not every.isdisjoint(choice)]
        if not shared or own.isdisjoint(stem):
            continue
        if ranking == "tf-idf":
            score = _sum(own & stem, rarity) / (len(own) + len(stem))
        else:
            score = max(
                _sum(own & (stem | choice), rarity) / _sum(own | stem | choice, rarity) for choice in shared
            )
        ranked.append((-round(score, 9), [field.text for field in one.fields], one.origin.text, place))
    return [place for *_, place in sorted(ranked)[:most]]


def _sum(terms: Iterable[str], rarity: Rarity) -> float:
    """In an order of its own, so that no two runs differ in the last digit."""
    return sum(sorted(map(rarity, terms)))

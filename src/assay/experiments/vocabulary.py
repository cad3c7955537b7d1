"""Vocabulary coverage: which words of questions a corpus has (Clark et al. 2018, section 4: 99.8 percent)."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from assay.experiments.experiment import Figure, Measure, Row, Table
from assay.experiments.grouped import Bools, Grouped
from assay.questions.model import Question
from assay.text.analysis import Analyser, is_stop

ALL_TEXT, STEM, KEY, DISTRACTORS = "all text", "question", "key", "distractors"
PARTS = (ALL_TEXT, STEM, KEY, DISTRACTORS)
HEADS = ("corpus", "set", "text")
MEASURES = (
    Measure("distinct words", "count"),
    Measure("distinct ones there", "percent"),
    Measure("running words", "count"),
    Measure("running ones there", "percent"),
    Measure("questions with all there", "percent", drawn=True),
)
MISSING = 12
"""So many of the words that a corpus lacks are listed."""


@dataclass(frozen=True, eq=False)
class Vocabulary:
    """Content stems of every question by part of its text, repeats kept, and a spelling of each stem."""

    terms: dict[str, list[list[str]]]
    spelled: dict[str, str]


def vocabulary_of(questions: Sequence[Question], analyser: Analyser) -> Vocabulary:
    """Questions need a key. Stop words are no part of it."""
    terms: dict[str, list[list[str]]] = {part: [] for part in PARTS}
    spellings: dict[str, Counter[str]] = defaultdict(Counter)
    for question in questions:
        own: dict[str, list[str]] = {part: [] for part in PARTS}
        for part, text in _texts(question):
            for token in analyser.tokens(text):
                term = analyser.term(token)
                if not is_stop(term):
                    own[part].append(term)
                    own[ALL_TEXT].append(term)
                    spellings[term][token] += 1
        for part, found in own.items():
            terms[part].append(found)
    spelled = {
        term: min(counts, key=lambda token: (-counts[token], token)) for term, counts in spellings.items()
    }
    return Vocabulary(terms, spelled)


def _texts(question: Question) -> Iterator[tuple[str, str]]:
    yield STEM, question.stem
    for choice in question.choices:
        yield (KEY if choice.label == question.answer else DISTRACTORS), choice.text


def coverage(
    vocabulary: Vocabulary, grouped: Grouped, known: Callable[[str], bool], corpus: str
) -> list[Row]:
    """Rows of a table with HEADS and MEASURES: shares of distinct and of running words that are `known`."""
    rows = []
    for group, chosen in grouped.groups.items():
        for part in PARTS:
            own = [
                terms for terms, inside in zip(vocabulary.terms[part], chosen.tolist(), strict=True) if inside
            ]
            running = Counter(term for terms in own for term in terms)
            there = Counter({term: count for term, count in running.items() if known(term)})
            figures = (
                Figure(len(running)),
                _share(len(there), len(running)),
                Figure(running.total()),
                _share(there.total(), running.total()),
                grouped.share(_whole(vocabulary.terms[part], known), chosen),
            )
            rows.append(Row((corpus, group, part), figures))
    return rows


def coverage_table(rows: Sequence[Row]) -> Table:
    """The rows of all corpora as one table."""
    return Table("Words of the questions that the corpus has", HEADS, MEASURES, tuple(rows))


def _share(part: int, whole: int) -> Figure:
    """Of all there are, not of a sample: without an interval."""
    return Figure(100 * part / whole if whole else None)


def _whole(terms: Sequence[Sequence[str]], known: Callable[[str], bool]) -> Bools:
    return np.array([all(map(known, own)) for own in terms], np.bool_)


def missing(
    vocabulary: Vocabulary, grouped: Grouped, known: Callable[[str], bool], corpus: str
) -> Table | None:
    """The words that most questions have and the corpus lacks, those in keys first; None where it has all."""
    held = {part: [set(terms) for terms in vocabulary.terms[part]] for part in (ALL_TEXT, KEY)}
    questions = Counter(term for terms in held[ALL_TEXT] for term in terms if not known(term))
    if not questions:
        return None
    keys = Counter(term for terms in held[KEY] for term in terms if term in questions)
    by_set = {
        name: Counter(
            term
            for terms, inside in zip(held[ALL_TEXT], grouped.groups[name].tolist(), strict=True)
            if inside
            for term in terms
            if term in questions
        )
        for name in grouped.sets
    }
    ordered = sorted(questions, key=lambda term: (-questions[term], -keys[term], term))[:MISSING]
    measures = (
        Measure("questions", "count"),
        Measure("keys", "count"),
        *(Measure(name, "count") for name in by_set),
    )
    rows = tuple(
        Row(
            (vocabulary.spelled[term],),
            tuple(Figure(count[term]) for count in (questions, keys, *by_set.values())),
        )
        for term in ordered
    )
    caption = f"Words that {corpus} lacks: the commonest of {len(questions):,}"
    return Table(caption, ("word",), measures, rows)


def said(rows: Sequence[Row]) -> str:
    """A sentence on all text of all questions of one corpus."""
    row = next(row for row in reversed(rows) if row.names[2] == ALL_TEXT)
    distinct, running = row.figures[1], row.figures[3]
    assert distinct is not None
    assert running is not None
    if distinct.value is None or running.value is None:
        return f"The questions have no content words for {row.names[0]} to have."
    return (
        f"{row.names[0]} has {distinct.value:.1f} percent of the questions' distinct words and "
        f"{running.value:.1f} percent of the running ones."
    )

"""Why sentences are no premises: for a person who asks, each one that stood high enough, with the reason."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import NamedTuple

import numpy as np

from assay.evidence.engine import Hits, Query
from assay.evidence.premises import NOT_BEST, Found, Premises
from assay.evidence.sentence_filter import KEPT, RULES
from assay.questions.model import Choice, Question
from assay.storage import atomic, csv_line, to_json

LACKS = "lacks the choice"
LISTED = 20
"""Of so many best hits of stem + choice those that lack the choice are listed, unless told otherwise."""


class Dropped(NamedTuple):
    """A sentence that is no premise of a choice: `rule` is one of RULES, NOT_BEST, LACKS."""

    question: str
    choice: str
    sentence_id: int
    score: float
    rule: str
    reason: str
    text: str


class _Why(NamedTuple):
    sentence: int
    score: float
    rule: str
    reason: str


def dropped_sentences(
    premises: Premises, questions: Iterable[Question], listed: int = LISTED
) -> Iterator[list[Dropped]]:
    """For each question, in order, what was dropped: choice by choice, from the best score down.

    That is what holds the choice, down to the k-th sentence that the filter keeps for it; and of the best
    `listed` hits of stem + choice, whatever they hold, those that lack the choice.
    """
    for batch in premises.find_batches(questions):
        queries = (Query(found.query.groups) for _, each in batch for found in each)
        best = premises.engine.search(queries, listed) if listed else _none()
        for question, each in batch:
            hits = islice(best, len(question.choices))
            yield [
                Dropped(question.id, choice.label, *why, premises.corpus.texts[why.sentence])
                for choice, found, plain in zip(question.choices, each, hits, strict=True)
                for why in _why(premises, choice, found, plain)
            ]


def _none() -> Iterator[Hits]:
    while True:
        yield Hits(np.empty(0, np.int64), np.empty(0, np.float64))


def _why(premises: Premises, choice: Choice, found: Found, plain: Hits) -> list[_Why]:
    rows = [*_judged(premises, found), *_lacking(premises, choice, found.query, plain)]
    return sorted(rows, key=lambda row: (-row.score, row.sentence))


def _judged(premises: Premises, found: Found) -> Iterator[_Why]:
    """What holds the choice, and is dropped by the filter or not among the best."""
    k, texts = premises.asked.k, premises.corpus.texts
    chosen = set(found.premises.ids.tolist())
    first: dict[int, int] = {}
    hits, verdicts = found.hits.hits, found.hits.verdicts.tolist()
    for sentence, score, verdict in zip(hits.ids.tolist(), hits.scores.tolist(), verdicts, strict=True):
        key = premises.filter.key(sentence)
        if verdict == KEPT:
            first[key] = sentence
            if sentence not in chosen:
                yield _Why(sentence, score, NOT_BEST, f"{NOT_BEST} {k}")
            continue
        rule = RULES[verdict]
        if rule == "duplicate":
            reason: str | None = f"copy of sentence {first[key]}"
        else:
            reason = premises.asked.rules.reason(texts[sentence])
        yield _Why(sentence, score, rule, reason or rule)


def _lacking(premises: Premises, choice: Choice, query: Query, plain: Hits) -> Iterator[_Why]:
    corpus = premises.corpus
    ids = corpus.vocabulary.ids
    groups = [(group, {ids.get(term, -1) for term in group}) for group in query.required]
    for sentence, score in zip(plain.ids.tolist(), plain.scores.tolist(), strict=True):
        start, stop = int(corpus.tokens.starts[sentence]), int(corpus.tokens.starts[sentence + 1])
        held = set(corpus.tokens.ids[start:stop].tolist())
        missed = [term for group, numbers in groups if numbers.isdisjoint(held) for term in group]
        if missed or not all(query.required):
            yield _Why(sentence, score, LACKS, _lacks(premises, choice, set(missed)))


def _lacks(premises: Premises, choice: Choice, terms: set[str]) -> str:
    """With the words, as the choice has them, that are asked for and not there."""
    analyser = premises.corpus.analyser
    words = dict.fromkeys(token for token in analyser.tokens(choice.text) if analyser.term(token) in terms)
    return f"{LACKS}: no {', '.join(map(repr, words))}" if words else f"{LACKS}, which has no word"


def write_dropped(
    path: Path,
    premises: Premises,
    questions: Iterable[Question],
    listed: int = LISTED,
    *,
    advance: Callable[[int], None] = lambda _: None,
) -> Counter[str]:
    """Write the dropped sentences to `path`, atomically: JSON lines where it ends in .jsonl, else CSV.

    Returns how many there are by rule. Raises AssayError where the file can't be written.
    """
    counts: Counter[str] = Counter()
    as_json = path.suffix == ".jsonl"
    with atomic(path) as file:
        if not as_json:
            file.write(csv_line(Dropped._fields).encode())
        for rows in dropped_sentences(premises, questions, listed):
            for row in rows:
                counts[row.rule] += 1
                line = to_json(row._asdict()) + "\n" if as_json else csv_line([str(cell) for cell in row])
                file.write(line.encode("utf-8", errors="backslashreplace"))
            advance(1)
    return counts

"""lm-evaluation-harness sample logs: log-likelihoods as strings, the key an index, choices in any order.

A log is scored within itself as the harness does (first of equals; acc, and acc_norm by the choice's length
in characters), and joined to a question set by the texts of the choices, never by labels.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from assay.errors import Fault, FaultyInput
from assay.questions.formats.fields import letter
from assay.questions.model import Answer, Question
from assay.questions.predictions.objects import Record, objects
from assay.questions.predictions.prediction import Found, Reading, WrittenReply, order_by_text
from assay.questions.sources import Source
from assay.questions.ties import choose, highest


@dataclass(frozen=True, slots=True)
class LogItem:
    """One item of a log. `likelihoods`: one a choice, in the log's order; `lengths`: characters of each
    continuation; `gold`: the key's place, or None."""

    question_id: str | None
    line: int
    stem: str | None
    texts: tuple[str, ...]
    likelihoods: tuple[float, ...]
    lengths: tuple[int, ...]
    gold: int | None

    def scores(self, length_normalised: bool) -> tuple[float, ...]:
        """Log-likelihoods, or those divided by the length."""
        if not length_normalised:
            return self.likelihoods
        return tuple(
            value / max(1, length) for value, length in zip(self.likelihoods, self.lengths, strict=True)
        )

    def answer(self, question: Question, reading: Reading, tally: Counter[str]) -> Answer:
        """Scores put in the question's order by the choices' texts. Raises NotJoined if they aren't its."""
        order = order_by_text(question, self.texts)
        for choice, place in zip(question.choices, order, strict=True):
            if math.isnan(self.likelihoods[place]):
                what = f"the log-likelihood of choice {choice.label} is not a number"
                raise FaultyInput([Fault(what, question_id=question.id)])
        scores = self.scores(reading.length_normalised)
        aligned = tuple(scores[place] for place in order)
        return Answer(question.id, "answered", choose(question, aligned), aligned)


@dataclass(frozen=True, slots=True)
class WithinLog:
    """A log scored within itself: `n` items; items right by the harness's rule; points with ties shared."""

    n: int
    acc: int
    acc_norm: int
    points: float
    tied: int


def score_within(items: Sequence[LogItem]) -> WithinLog:
    """The harness's acc and acc_norm as counts (the first of equal choices is taken), and 1/k for ties.

    Items without a key are left out.
    """
    keyed = [item for item in items if item.gold is not None]
    tied, points = 0, 0.0
    for item in keyed:
        best = highest(item.likelihoods)
        tied += len(best) > 1
        points += 1 / len(best) if item.gold in best else 0.0
    first = [item.scores(False).index(max(item.scores(False))) == item.gold for item in keyed]
    normalised = [item.scores(True).index(max(item.scores(True))) == item.gold for item in keyed]
    return WithinLog(len(keyed), sum(first), sum(normalised), points, tied)


def read_lm_eval(source: Source, found: Found, first: str) -> None:
    """The samples of a log, of one filter. Asks which where there are several."""
    records = list(objects(source, found, first))
    items = []
    for line, record in _of_one_filter(records, found):
        item = _item(record, line, found)
        if item is not None:
            items.append(item)
            found.add(item)
    logged = [
        item for item in items if isinstance(item, LogItem) and not any(map(math.isnan, item.likelihoods))
    ]
    if logged and not found.faults:
        found.notes.append(_said(score_within(logged)))


def _said(within: WithinLog) -> str:
    def share(count: float) -> str:
        return f"{100 * count / within.n:.2f}"

    if not within.n:
        return "the log holds no keys: it can't be scored within itself"
    return (
        f"the log within itself, {within.n:,} items: acc {share(within.acc)} and acc_norm "
        f"{share(within.acc_norm)}, the first of equals taken; {share(within.points)} with the point shared "
        f"over ties ({within.tied} tied)"
    )


def _of_one_filter(records: list[tuple[int, Record]], found: Found) -> list[tuple[int, Record]]:
    wanted = found.reading.log_filter
    filters = list(dict.fromkeys(str(record["filter"]) for _, record in records if "filter" in record))
    if wanted is not None:
        kept = [(line, record) for line, record in records if record.get("filter") == wanted]
        if records and not kept:
            found.fault(f"no filter {wanted!r}: the log has {', '.join(filters) or 'none'}")
        return kept
    if len(filters) > 1:
        found.fault(f"the log holds an answer a filter to each item: choose one of {', '.join(filters)}")
        found.hint = "--log-filter names it"
        return []
    seen: dict[str, int] = {}
    for line, record in records:
        number = json.dumps(record.get("doc_id"))
        if "doc_id" in record and number in seen:
            found.fault(f"doc_id {number} repeats (first on line {seen[number]})", line)
        seen.setdefault(number, line)
    return records


def _item(record: Record, line: int, found: Found) -> LogItem | WrittenReply | None:
    doc = record.get("doc")
    if not isinstance(doc, dict):
        found.fault("no doc", line)
        return None
    name = next(
        (str(doc[key]) for key in ("id", "question_id") if isinstance(doc.get(key), (str, int))), None
    )
    stem = next((doc[key] for key in ("question", "query", "stem") if isinstance(doc.get(key), str)), None)
    replies = _replies(record)
    if isinstance(replies, str):
        if name is None:
            found.fault("a written reply whose doc has no id", line)
            return None
        return WrittenReply(name, line, replies)
    if replies is None or len(replies) < 2:
        found.fault("no log-likelihood a choice in filtered_resps or resps", line, name)
        return None
    continuations = _continuations(record)
    labels, texts = _choices(doc)
    if len(texts) != len(replies):
        labels, texts = (), tuple(text.strip() for text in continuations)
    if len(texts) != len(replies):
        found.fault(f"{len(replies)} log-likelihoods for {len(texts)} choices", line, name)
        return None
    if len(labels) != len(texts):
        labels = tuple(letter(place) for place in range(len(texts)))
    measured = (
        [text.removeprefix(" ") for text in continuations] if len(continuations) == len(texts) else texts
    )
    gold = _gold(record.get("target"), labels, texts)
    lengths = tuple(len(text) for text in measured)
    return LogItem(name, line, stem, texts, tuple(replies), lengths, gold)


def _replies(record: Record) -> list[float] | str | None:
    """Log-likelihoods in the log's order, or the written reply; None where there is neither."""
    for field in ("filtered_resps", "resps"):
        value = record.get(field)
        if not isinstance(value, list) or not value:
            continue
        # resps hold a list of repeats for each request; the first is the answer.
        each = [
            one[0] if isinstance(one, list) and one and isinstance(one[0], list) else one for one in value
        ]
        numbers = [_number(one[0]) if isinstance(one, list) and one else None for one in each]
        found = [number for number in numbers if number is not None]
        if len(found) == len(each) > 1:
            return found
        reply = each[0][0] if isinstance(each[0], list) and each[0] else each[0]
        if len(each) == 1 and isinstance(reply, str):
            return reply
    return None


def _number(value: Any) -> float | None:
    if isinstance(value, bool) or not isinstance(value, (str, int, float)):
        return None
    try:
        return float(value)
    except (ValueError, OverflowError):
        return None


def _continuations(record: Record) -> list[str]:
    """What was scored after the context, one a choice."""
    value = record.get("arguments")
    requests = list(value.values()) if isinstance(value, dict) else value if isinstance(value, list) else []
    texts = []
    for request in requests:
        second = request.get("arg_1") if isinstance(request, dict) else None
        if isinstance(request, list) and len(request) > 1:
            second = request[1]
        if isinstance(second, str):
            texts.append(second)
    return texts


def _choices(doc: Record) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Labels and texts of a doc's choices, as far as it has them."""
    value: Any = doc.get("choices", doc.get("options"))
    labels: Any = ()
    if isinstance(value, dict):
        value, labels = value.get("text"), value.get("label")
    texts = tuple(value) if isinstance(value, list) and all(isinstance(text, str) for text in value) else ()
    named = isinstance(labels, list) and all(isinstance(label, str) for label in labels)
    distinct = named and len(set(labels)) == len(labels)
    return (tuple(labels) if distinct else ()), texts


def _gold(target: Any, labels: Sequence[str], texts: Sequence[str]) -> int | None:
    """The key's place: an index, as number or text; else a label, else a choice's text."""
    if isinstance(target, int) and not isinstance(target, bool):
        place: int | None = target
    elif isinstance(target, str) and target.strip().isdecimal():
        place = int(target)
    elif isinstance(target, str) and target.strip() in labels:
        place = labels.index(target.strip())
    else:
        bare = target.strip() if isinstance(target, str) else None
        place = next((place for place, text in enumerate(texts) if text == bare), None)
    return place if place is not None and 0 <= place < len(texts) else None

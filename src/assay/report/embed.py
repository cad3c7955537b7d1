"""The questions inside the page: an index for the list, blocks of details; deflated unless small."""

from __future__ import annotations

import base64
import zlib
from collections.abc import Iterable, Sequence
from typing import Any

from assay.questions.model import Answer, GraphEvidence, PairEvidence, ReplyEvidence, SentenceEvidence
from assay.report.data import Asked, ReportData
from assay.report.markup import Html, el, join, trusted
from assay.storage import to_json

BLOCK = 200
"""Questions a block: the browser unpacks a block when one of its questions is opened."""
PLAIN_BYTES = 60_000
"""A block up to this size stays readable JSON, so that small reports can be looked into with any editor."""
PAIRS_SHOWN = 5
"""Strongest n-gram pairs kept for each choice."""
FILTER_VALUES = 60
"""A metadata column with more distinct values than this can't be picked from a list; search finds it."""

CODES = {"unanswered": "u", "empty": "e", "unparsed": "p", "refused": "f"}
"""One letter for what became of a question: these, r right, t tied, w wrong, a answered without a key, -."""


def embedded(data: ReportData) -> Html:
    """Script blocks of data: the index and the details, which no script runs."""
    blocks = [_block("questions-index", index(data))]
    blocks += [
        _block(f"questions-{start // BLOCK}", [detail(one) for one in data.questions[start : start + BLOCK]])
        for start in range(0, len(data.questions), BLOCK)
    ]
    return join(*blocks)


def _block(name: str, value: Any) -> Html:
    packed = to_json(value).encode("utf-8", "backslashreplace")
    if len(packed) <= PLAIN_BYTES:
        # As an escape "<" is the same to JSON, and neither "</script" nor "<!--" can stand in the page.
        plain = packed.decode("utf-8").replace("<", "\\u003c")
        return el("script", trusted(plain), type="application/json", id=name, data_form="plain")
    said = base64.b64encode(zlib.compress(packed, 6)).decode("ascii")
    return el("script", trusted(said), type="application/json", id=name, data_form="deflate")


def outcome(answer: Answer | None, points: float | None) -> str:
    """The letter of CODES for one answer."""
    if answer is None:
        return "-"
    if answer.status != "answered":
        return CODES[answer.status]
    if points is None:
        return "a"
    # Points are 0, 1 or 1/k: nothing lies near enough to 1 or 0 to be mistaken.
    return "r" if points > 0.999 else "t" if points > 0 else "w"


def index(data: ReportData) -> dict[str, Any]:
    """What the list, its filters and its search need, by column."""
    questions = data.questions
    suspects = {suspect.question_id for suspect in data.suspects}
    return {
        "block": BLOCK,
        "systems": [system.name for system in data.systems],
        "columns": _filterable(questions),
        "id": [one.question.id for one in questions],
        "stem": [one.question.stem for one in questions],
        "choices": [[[c.label, c.text] for c in one.question.choices] for one in questions],
        "key": [one.question.answer for one in questions],
        "published": "".join((one.published or "-")[0] for one in questions),
        "made": "".join((one.made or "-")[0] for one in questions),
        "outcomes": [
            "".join(outcome(one.answers[number], one.points[number]) for one in questions)
            for number in range(len(data.systems))
        ],
        "mean": [_mean(one.points) for one in questions],
        "suspect": [number for number, one in enumerate(questions) if one.question.id in suspects],
    }


def _mean(points: Sequence[float | None]) -> float | None:
    known = [value for value in points if value is not None]
    return round(sum(known) / len(known), 4) if known else None


def _filterable(questions: Sequence[Asked]) -> list[dict[str, Any]]:
    """Metadata columns, tag kinds and the number of choices, with the values of every question."""
    columns: dict[str, tuple[str, list[list[str]]]] = {}
    for number, one in enumerate(questions):
        for key, name, values in _values(one):
            if key not in columns:
                columns[key] = (name, [[] for _ in questions])
            columns[key][1][number] = values
    found = []
    names = [name for name, _ in columns.values()]
    published = [[one.published] if one.published else [] for one in questions]
    for key, (name, rows) in columns.items():
        if rows == published:
            continue
        if names.count(name) > 1:
            name = f"{name} ({key.partition(':')[0]})"
        values = sorted({value for row in rows for value in row}, key=lambda value: (len(value), value))
        if 1 < len(values) <= FILTER_VALUES:
            place = {value: number for number, value in enumerate(values)}
            found.append(
                {"key": key, "name": name, "values": values, "of": [[place[v] for v in row] for row in rows]}
            )
    return found


def _values(one: Asked) -> Iterable[tuple[str, str, list[str]]]:
    yield "choices", "number of choices", [str(len(one.question.choices))]
    for name, value in one.question.metadata.items():
        if isinstance(value, str | int | float | bool):
            yield f"metadata:{name}", name, [written(value)]
    for kind, labels in one.question.tags.items():
        yield f"tag:{kind}", kind, list(dict.fromkeys(labels))


def written(value: Any) -> str:
    """A metadata value as text."""
    return value if isinstance(value, str) else to_json(value)


def detail(one: Asked) -> dict[str, Any]:
    """Everything else about one question; empty parts left out."""
    facts = one.question.facts
    said = {
        "why": one.explanation,
        "about": [[name, written(value)] for name, value in one.question.metadata.items()]
        + [[kind, ", ".join(labels)] for kind, labels in one.question.tags.items()],
        "facts": [fact for fact in (facts.seed, facts.second, facts.composed) if fact] if facts else [],
        "answers": [
            None if answer is None else _answer(answer, points)
            for answer, points in zip(one.answers, one.points, strict=True)
        ],
    }
    return {name: value for name, value in said.items() if value}


def _answer(answer: Answer, points: float | None) -> dict[str, Any]:
    evidence = answer.evidence or ()
    sentences = [
        [[s.text, _short(s.score), s.source, s.role] for s in items if isinstance(s, SentenceEvidence)]
        for items in evidence
    ]
    pairs = [_strongest([p for p in items if isinstance(p, PairEvidence)]) for items in evidence]
    graphs = [[_graph(one) for one in items if isinstance(one, GraphEvidence)] for items in evidence]
    replies = [e.text for items in evidence for e in items if isinstance(e, ReplyEvidence)]
    said = {
        "status": answer.status,
        "chosen": list(answer.chosen),
        "points": _short(points),
        "scores": None if answer.scores is None else [_short(score) for score in answer.scores],
        "probabilities": None
        if answer.probabilities is None
        else [_short(value) for value in answer.probabilities],
        "sentences": sentences if any(sentences) else None,
        "pairs": pairs if any(pairs) else None,
        "graphs": graphs if any(graphs) else None,
        "replies": list(dict.fromkeys(replies)),
    }
    return {name: value for name, value in said.items() if value or value == 0}


def _strongest(pairs: Iterable[PairEvidence]) -> list[list[Any]]:
    kept = sorted(pairs, key=lambda pair: (-pair.pmi, pair.x, pair.y))[:PAIRS_SHOWN]
    return [[pair.x, pair.y, _short(pair.pmi), pair.count] for pair in kept]


def _graph(graph: GraphEvidence) -> dict[str, Any]:
    return {
        "facts": [[fact.text, fact.source, fact.line] for fact in graph.facts],
        "nodes": [[node.kind, node.text, node.part, node.fact] for node in graph.nodes],
        "edges": [[edge.source, edge.target, _short(edge.weight), edge.label] for edge in graph.edges],
        "status": graph.status,
    }


def _short(value: float | None) -> float | str | None:
    """Six significant digits; an infinity as text, which JSON lacks."""
    if value is None or value in (float("inf"), float("-inf")):
        return None if value is None else "∞" if value > 0 else "−∞"
    return float(f"{value:.6g}")

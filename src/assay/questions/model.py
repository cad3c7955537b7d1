"""Question, Choice, QuestionSet and Answer: the item model everything hangs on. Immutable, typed."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal, get_args, overload

from assay.errors import AssayError, Fault, FaultyInput, Severity

Metadata = Mapping[str, Any]
Tags = Mapping[str, tuple[str, ...]]

Status = Literal["answered", "unanswered", "empty", "unparsed", "refused"]
STATUSES: tuple[Status, ...] = get_args(Status)


@dataclass(frozen=True, slots=True)
class Choice:
    """One choice. `label` is opaque: it is matched to the question's own labels, never to a position."""

    label: str
    text: str


@dataclass(frozen=True, slots=True)
class Facts:
    """The facts a question was composed from (QASC: fact1, fact2, combinedfact; OpenBookQA: fact1)."""

    seed: str | None = None
    second: str | None = None
    composed: str | None = None


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a question came from: the path as given and the line (from 1) of its record."""

    file: str
    line: int | None = None


@dataclass(frozen=True, slots=True)
class Question:
    """A multiple-choice question.

    `answer` is the key, one of the question's own labels, or None when it is hidden or unknown.
    `tags` map a kind ("reasoning", "knowledge", "topic") to any number of labels; `metadata` is free
    (exam, grade, year, subject, set, split, ...), one JSON value a column.
    Construction checks nothing: `assay.questions.integrity` does, so that faults can be listed.
    """

    id: str
    stem: str
    choices: tuple[Choice, ...]
    answer: str | None = None
    facts: Facts | None = None
    tags: Tags = field(default_factory=dict)
    metadata: Metadata = field(default_factory=dict)
    origin: Origin | None = None

    @property
    def labels(self) -> tuple[str, ...]:
        """The choices' labels, in order."""
        return tuple(choice.label for choice in self.choices)

    def fault(self, what: str, severity: Severity = "error") -> Fault:
        """A fault of this question, with its id and where it came from."""
        file, line = (self.origin.file, self.origin.line) if self.origin else (None, None)
        return Fault(what, file or None, line, self.id or None, severity)


class QuestionSet(Sequence[Question]):
    """Questions in order, with look-up by id. Ids must be distinct."""

    def __init__(self, questions: Iterable[Question]) -> None:
        """Raises AssayError when an id appears twice."""
        self._questions = tuple(questions)
        self._by_id: dict[str, Question] = {}
        for question in self._questions:
            if question.id in self._by_id:
                raise FaultyInput([question.fault("id appears a second time")])
            self._by_id[question.id] = question

    @overload
    def __getitem__(self, index: int) -> Question: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Question, ...]: ...
    def __getitem__(self, index: int | slice) -> Question | tuple[Question, ...]:
        return self._questions[index]

    def __len__(self) -> int:
        return len(self._questions)

    def __iter__(self) -> Iterator[Question]:
        return iter(self._questions)

    def by_id(self, question_id: str) -> Question:
        """The question of that id; AssayError if there is none."""
        try:
            return self._by_id[question_id]
        except KeyError:
            raise AssayError("no such question", question_id=question_id) from None

    def has(self, question_id: str) -> bool:
        """Whether a question of that id is in the set."""
        return question_id in self._by_id

    @property
    def hidden(self) -> bool:
        """True when no question has a key (a hidden test set)."""
        return bool(self._questions) and all(question.answer is None for question in self._questions)

    @cached_property
    def fingerprint(self) -> str:
        """SHA-256 (hex) over every field of every question but its origin, in order."""
        digest = hashlib.sha256()
        for q in self._questions:
            facts = None if q.facts is None else [q.facts.seed, q.facts.second, q.facts.composed]
            record = [
                q.id,
                q.stem,
                [[choice.label, choice.text] for choice in q.choices],
                q.answer,
                facts,
                {kind: list(labels) for kind, labels in sorted(q.tags.items())},
                dict(sorted(q.metadata.items())),
            ]
            # ASCII escapes keep a lone surrogate hashable.
            digest.update(json.dumps(record, ensure_ascii=True, sort_keys=True).encode("ascii"))
            digest.update(b"\n")
        return digest.hexdigest()


@dataclass(frozen=True, slots=True)
class SentenceEvidence:
    """A sentence that speaks for a choice. `role` says in what way ("best", "premise", "first", "second").

    `partner`: the id of the sentence that it composes with, where it was found as one of a pair.
    """

    text: str
    score: float
    sentence_id: int | None = None
    source: str | None = None
    role: str = "best"
    partner: int | None = None


@dataclass(frozen=True, slots=True)
class PairEvidence:
    """An n-gram of the stem (x) and one of the choice (y) with their PMI, in nats, and joint count."""

    x: str
    y: str
    pmi: float
    count: int


@dataclass(frozen=True, slots=True)
class ReplyEvidence:
    """The text a system wrote, from which its answer was read."""

    text: str


NodeKind = Literal["term", "fact", "choice"]
NODE_KINDS: tuple[NodeKind, ...] = get_args(NodeKind)


@dataclass(frozen=True, slots=True)
class GraphFact:
    """One fact that a graph rests on: its whole text, where it is from (a table, a corpus), and its line."""

    text: str
    source: str | None = None
    line: int | None = None


@dataclass(frozen=True, slots=True)
class GraphNode:
    """A term of the question, a part of a fact (a cell, a field), or the choice.

    `part`: what the node is called within its fact (the column's header, "subject"); "" where it has no name.
    `fact`: place in the graph's `facts`; None for terms and choices.
    """

    kind: NodeKind
    text: str
    part: str = ""
    fact: int | None = None


@dataclass(frozen=True, slots=True)
class GraphEdge:
    """A link between two nodes, by their places in the graph's `nodes`; `label` says of what kind."""

    source: int
    target: int
    weight: float
    label: str = ""


@dataclass(frozen=True, slots=True)
class GraphEvidence:
    """A support graph: how facts tie the question's terms to one choice, and what the whole is worth.

    `status`: how it was found ("optimal", or what limit was hit), in words. A graph without nodes says that
    none was found, and why.
    """

    nodes: tuple[GraphNode, ...]
    edges: tuple[GraphEdge, ...]
    facts: tuple[GraphFact, ...]
    score: float
    status: str = "optimal"


Evidence = SentenceEvidence | PairEvidence | ReplyEvidence | GraphEvidence


@dataclass(frozen=True, slots=True)
class Answer:
    """What a system says to one question.

    `chosen` is the tie set: labels of the question, in the question's order, decided once by
    `assay.questions.ties.choose`; empty unless `status` is "answered".
    `scores` and `evidence` are aligned with the question's choices, or None.
    `probabilities`, where a system gives them, are aligned too, each in [0, 1].
    """

    question_id: str
    status: Status
    chosen: tuple[str, ...] = ()
    scores: tuple[float, ...] | None = None
    evidence: tuple[tuple[Evidence, ...], ...] | None = None
    probabilities: tuple[float, ...] | None = None

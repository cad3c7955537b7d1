"""What a question set holds: the ARC paper's tables 1, 2, 3 and 7 for any set (Clark et al. 2018).

Everything is a pure function of the questions. Groups are the values of one metadata column ("set"), rows of
table 1 those of another ("split"); questions without a value are counted under NONE.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Any

from assay.errors import AssayError, Fault, FaultyInput
from assay.questions.model import Question, QuestionSet
from assay.questions.records import lines
from assay.questions.sources import open_source
from assay.text.analysis import Analyser

NONE, ALL = "(none)", "all"
ARC_ALIASES = "arc"
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+")
_STEMMED = re.compile(r"[a-z]+")
_SPLITS = ("train", "dev", "valid", "validation", "test")
BAR = 5
"""Words a bar of the length histogram."""


@dataclass(frozen=True, slots=True)
class Spread:
    """Mean and range of `n` counts."""

    n: int
    mean: float | None
    minimum: int | None
    maximum: int | None


@dataclass(frozen=True, slots=True)
class Lengths:
    """Table 3: words are split at white space; choice words are averaged over choices.

    Sentences are split after . ! or ? where white space follows. `word_histogram`: questions by words, in
    bars of BAR words, from 0. `choice_counts`: questions by number of choices.
    """

    question_words: Spread
    sentences: Spread
    choice_words: Spread
    choices: Spread
    word_histogram: tuple[int, ...]
    choice_counts: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class CrossTable:
    """Questions by the values of a metadata column (or tags of a kind) and by group.

    `rows` maps each value to counts aligned with `groups`, of which `totals` are the numbers of questions.
    `several`: a question may count in several rows.
    """

    name: str
    groups: tuple[str, ...]
    totals: tuple[int, ...]
    rows: Mapping[str, tuple[int, ...]]
    several: bool = False

    @property
    def says_something(self) -> bool:
        """False for one group whose questions have no value."""
        return len(self.groups) > 1 or not set(self.rows) <= {NONE}


@dataclass(frozen=True, slots=True)
class Keys:
    """Where the keys lie: questions by the key's label, by its place from 1 (beside what even chance gives),
    and without a key."""

    by_label: Mapping[str, int]
    by_place: Mapping[str, int]
    expected_by_place: Mapping[str, float]
    hidden: int


@dataclass(frozen=True, slots=True)
class Description:
    """All tables of one question set. `lengths` and `stems` by group, "all" last where there are several."""

    n: int
    group_by: str
    split_by: str
    splits: CrossTable
    columns: Mapping[str, CrossTable]
    lengths: Mapping[str, Lengths]
    stems: Mapping[str, int]
    tags: Mapping[str, CrossTable]
    keys: Keys


def require_columns(questions: QuestionSet, columns: Iterable[str]) -> None:
    """Raises AssayError for a metadata column that no question has."""
    there = dict.fromkeys(name for question in questions for name in question.metadata)
    for column in columns:
        if column not in there:
            known = ", ".join(sorted(there)) or "no metadata"
            raise AssayError(f"no question has a column {column}", hint=f"there are: {known}")


def describe(
    questions: QuestionSet,
    *,
    group_by: str = "set",
    split_by: str = "split",
    columns: Sequence[str] = ("grade", "exam"),
    aliases: Mapping[str, str] | None = None,
) -> Description:
    """Describe a question set.

    `columns`: metadata columns to count (tables 2 and 7); one that no question has is left out. `aliases` map
    spellings of exams to exams. Distinct stems: `[a-z]+` of lower-cased stems and choices, Snowball English.
    """
    members = by_group(questions, group_by)
    groups = tuple(members)
    named = {group: members[group] for group in groups}
    if len(groups) > 1:
        named[ALL] = list(questions)

    def cell(column: str) -> Callable[[Question], Sequence[str]]:
        renamed = (aliases or {}) if column == "exam" else {}
        return lambda question: [renamed.get(value := _value(question, column), value)]

    def tagged(kind: str) -> Callable[[Question], Sequence[str]]:
        return lambda question: question.tags.get(kind) or (NONE,)

    kinds = dict.fromkeys(kind for question in questions for kind in question.tags)
    return Description(
        n=len(questions),
        group_by=group_by,
        split_by=split_by,
        splits=_cross(split_by, groups, members, cell(split_by)),
        columns={
            column: _cross(column, groups, members, cell(column))
            for column in columns
            if any(column in question.metadata for question in questions)
        },
        lengths={group: _lengths(of) for group, of in named.items()},
        stems={group: _distinct_stems(of) for group, of in named.items()},
        tags={kind: _cross(kind, groups, members, tagged(kind), several=True) for kind in kinds},
        keys=_keys(questions),
    )


def by_group(questions: QuestionSet, column: str) -> dict[str, list[Question]]:
    """Questions by the values of a metadata column, in the order of tables; ALL where none has a value."""
    members: dict[str, list[Question]] = {}
    for question in questions:
        members.setdefault(_value(question, column), []).append(question)
    if set(members) <= {NONE}:
        return {ALL: list(questions)}
    return {group: members[group] for group in _ordered(members)}


def read_aliases(path: str | Path) -> dict[str, str]:
    """Spelling to exam, from a file of `spelling TAB exam` lines (# begins a comment), or ARC_ALIASES: ours.

    Raises FaultyInput for a line without a tab or a spelling given twice, AssayError for a file that can't be
    read.
    """
    if str(path) == ARC_ALIASES:
        own = resources.files("assay.questions").joinpath("exam_aliases_arc.txt").read_text(encoding="utf-8")
        return dict(_alias(line) for line in own.split("\n") if line and not line.startswith("#"))
    aliases: dict[str, str] = {}
    faults: list[Fault] = []
    with open_source(path) as source:
        for number, text in lines(source, faults.append):
            line = text.removesuffix("\r")
            if not line.strip() or line.startswith("#"):
                continue
            spelling, exam = _alias(line)
            if not spelling or not exam:
                faults.append(
                    Fault("must be a spelling, a tab and the exam it stands for", str(path), number)
                )
            elif spelling in aliases:
                faults.append(Fault(f"the spelling {spelling!r} stands twice", str(path), number))
            aliases.setdefault(spelling, exam)
    if faults:
        raise FaultyInput(faults)
    return aliases


def _alias(line: str) -> tuple[str, str]:
    spelling, _, exam = line.partition("\t")
    return spelling.strip(), exam.strip()


def _value(question: Question, column: str) -> str:
    value = question.metadata.get(column)
    return NONE if value is None or value == "" else str(value)


def _ordered(values: Iterable[str]) -> list[str]:
    """Whole numbers by size, splits in their usual order, then names by the alphabet; NONE last."""

    def place(value: str) -> tuple[bool, int, int, str]:
        number = int(value) if value.isdecimal() and len(value) < 20 else -1
        split = _SPLITS.index(value.lower()) if value.lower() in _SPLITS else len(_SPLITS)
        return value == NONE, split, number, value

    return sorted(set(values), key=place)


def _cross(
    name: str,
    groups: tuple[str, ...],
    members: Mapping[str, Sequence[Question]],
    cells: Callable[[Question], Sequence[str]],
    *,
    several: bool = False,
) -> CrossTable:
    counts = {group: Counter(cell for q in of for cell in cells(q)) for group, of in members.items()}
    values = _ordered([value for group in groups for value in counts[group]])
    rows = {value: tuple(counts[group][value] for group in groups) for value in values}
    return CrossTable(name, groups, tuple(len(members[group]) for group in groups), rows, several)


def _lengths(questions: Sequence[Question]) -> Lengths:
    words = [len(question.stem.split()) for question in questions]
    bars = Counter(count // BAR for count in words)
    choices = [len(question.choices) for question in questions]
    return Lengths(
        question_words=_spread(words),
        sentences=_spread([_sentences(question.stem) for question in questions]),
        choice_words=_spread([len(c.text.split()) for question in questions for c in question.choices]),
        choices=_spread(choices),
        word_histogram=tuple(bars[place] for place in range(max(bars, default=-1) + 1)),
        choice_counts={str(count): number for count, number in sorted(Counter(choices).items())},
    )


def _sentences(stem: str) -> int:
    return sum(bool(part) for part in _SENTENCE_END.split(stem.strip()))


def _spread(counts: Sequence[int]) -> Spread:
    if not counts:
        return Spread(0, None, None, None)
    return Spread(len(counts), sum(counts) / len(counts), min(counts), max(counts))


def _distinct_stems(questions: Sequence[Question]) -> int:
    words: set[str] = set()
    for question in questions:
        for text in (question.stem, *(choice.text for choice in question.choices)):
            words.update(_STEMMED.findall(text.lower()))
    analyser = Analyser("english", "none")
    return len({analyser.term(word) for word in words})


def _keys(questions: QuestionSet) -> Keys:
    keyed = [question for question in questions if question.answer in question.labels]
    places = Counter(question.labels.index(str(question.answer)) + 1 for question in keyed)
    most = max((len(question.choices) for question in keyed), default=0)
    expected = {
        str(place): sum(1 / len(q.choices) for q in keyed if len(q.choices) >= place)
        for place in range(1, most + 1)
    }
    labels = Counter(str(question.answer) for question in keyed)
    return Keys(
        by_label=dict(sorted(labels.items())),
        by_place={str(place): places[place] for place in range(1, most + 1)},
        expected_by_place=expected,
        hidden=len(questions) - len(keyed),
    )


def to_record(description: Description) -> dict[str, Any]:
    """The description as JSON values; every mapping keeps its order."""
    return {
        "questions": description.n,
        "group_by": description.group_by,
        "split_by": description.split_by,
        "splits": _table_record(description.splits),
        "columns": {name: _table_record(table) for name, table in description.columns.items()},
        "lengths": {group: _lengths_record(lengths) for group, lengths in description.lengths.items()},
        "distinct_stems": dict(description.stems),
        "tags": {kind: _table_record(table) for kind, table in description.tags.items()},
        "keys": {
            "by_label": dict(description.keys.by_label),
            "by_place": dict(description.keys.by_place),
            "expected_by_place": dict(description.keys.expected_by_place),
            "hidden": description.keys.hidden,
        },
    }


def _table_record(table: CrossTable) -> dict[str, dict[str, int]]:
    return {value: dict(zip(table.groups, counts, strict=True)) for value, counts in table.rows.items()}


def _lengths_record(lengths: Lengths) -> dict[str, Any]:
    record: dict[str, Any] = {
        name: {"n": spread.n, "mean": spread.mean, "min": spread.minimum, "max": spread.maximum}
        for name, spread in (
            ("question_words", lengths.question_words),
            ("sentences", lengths.sentences),
            ("choice_words", lengths.choice_words),
            ("choices", lengths.choices),
        )
    }
    record["question_words_histogram"] = {"bar": BAR, "counts": list(lengths.word_histogram)}
    return {**record, "choice_counts": dict(lengths.choice_counts)}

"""Several sources into one set: who allows what, what is there twice, what was left out and why."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

from assay.errors import AssayError, Fault, FaultyInput
from assay.questions.diagrams import needs_diagram
from assay.questions.duplicates import KeyKind, folded, stem_key
from assay.questions.formats.format import AnswerReading, Columns
from assay.questions.model import Question, QuestionSet
from assay.questions.reading import read_questions

PER_QUESTION = "per question"
"""A licence or permission that every question of the source carries in its own metadata."""
RIGHTS = ("licence", "permission")
COLUMNS = ("exam", "grade", "year")
"""What a merged question should say of where it was asked; a source may say it for all of its questions."""
KINDS: Mapping[str, KeyKind] = {
    "exact": "stem_and_choices_exact",
    "normalised": "stem_and_choice_multiset_casefold",
    "same stem": "stem_casefold_ws",
}
"""Questions are the same if stem and choices are; or are but for case, white space and the order of choices.
Questions with the same stem are listed, and never left out."""


@dataclass(frozen=True, slots=True)
class MergeSource:
    """One source.

    `licence`: under which terms it came; `permission`: what allows this use ("public", "letter of 2024");
    both are required. `metadata` is given to questions that lack it.
    """

    name: str
    files: tuple[Path, ...]
    licence: str
    permission: str
    metadata: Mapping[str, Any] = field(default_factory=dict)
    format: str | None = None
    columns: Columns | None = None
    answers: AnswerReading | None = None


@dataclass(frozen=True, slots=True)
class MergeRules:
    """What becomes of what.

    `diagrams`: keep (flagged) or drop questions that need a picture. `duplicates`: keep all, or drop all but
    the first of equal questions. `prefix`: every id becomes `source:id`.
    """

    diagrams: Literal["keep", "drop"] = "keep"
    duplicates: Literal["keep", "drop"] = "keep"
    prefix: bool = False


@dataclass(frozen=True, slots=True)
class Member:
    """A question of a source, by its own id and its id in the merged set."""

    source: str
    id: str
    merged_id: str
    file: str | None
    line: int | None


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A question that isn't in the merged set, and why."""

    member: Member
    why: str


@dataclass(frozen=True, slots=True)
class DuplicateGroup:
    """Equal questions, in the order of the sources. `kind`: one of KINDS; `keys_agree`: by their texts."""

    kind: str
    members: tuple[Member, ...]
    keys_agree: bool

    @property
    def across(self) -> bool:
        """Whether more than one source has it."""
        return len({member.source for member in self.members}) > 1


@dataclass(frozen=True, slots=True)
class Merged:
    """The merged set and its provenance. `read`: questions by source; `diagrams`: those that need one."""

    questions: QuestionSet
    sources: tuple[MergeSource, ...]
    rules: MergeRules
    read: Mapping[str, int]
    diagrams: tuple[LeftOut, ...]
    left_out: tuple[LeftOut, ...]
    duplicates: tuple[DuplicateGroup, ...]
    notes: tuple[str, ...]


def merge(sources: Sequence[MergeSource], rules: MergeRules | None = None) -> Merged:
    """Read the sources and merge them, in their order.

    Every question gets metadata source, source_id, licence, permission, and needs_diagram where it does.
    Raises FaultyInput, every fault listed, for questions with faults, ids that two sources share (unless
    `prefix`), and rights that a question states otherwise than its source; AssayError for unusable sources.
    """
    rules = rules or MergeRules()
    _check(sources)
    faults: list[Fault] = []
    notes: list[str] = []
    entries: list[tuple[Member, Question]] = []
    read: dict[str, int] = {}
    for source in sources:
        try:
            reading = read_questions(
                source.files, format=source.format, columns=source.columns, answers=source.answers
            )
        except FaultyInput as error:
            faults += error.faults
            continue
        read[source.name] = len(reading.questions)
        notes += reading.notes
        for question in reading.questions:
            faults += _rights_faults(question, source)
            entries.append(_entry(question, source, rules.prefix))
    clashes = list(_clashes(entries))
    if faults or clashes:
        hint = "--prefix puts the source's name before every id" if clashes else None
        raise FaultyInput([*faults, *clashes], hint=hint)
    groups = tuple(_groups(entries))
    flagged = [LeftOut(member, why) for member, question in entries if (why := needs_diagram(question))]
    left_out = {entry.member: entry for entry in flagged} if rules.diagrams == "drop" else {}
    if rules.duplicates == "drop":
        left_out |= _repeats(groups, left_out)
    pictured = {entry.member for entry in flagged}
    kept = [_flagged(q, member in pictured) for member, q in entries if member not in left_out]
    return Merged(
        questions=QuestionSet(kept),
        sources=tuple(sources),
        rules=rules,
        read=read,
        diagrams=tuple(flagged),
        left_out=tuple(left_out[member] for member, _ in entries if member in left_out),
        duplicates=groups,
        notes=(*notes, *_lacking(kept)),
    )


def _check(sources: Sequence[MergeSource]) -> None:
    if not sources:
        raise AssayError("no sources to merge")
    seen: set[str] = set()
    for source in sources:
        for name in RIGHTS:
            if not getattr(source, name).strip():
                raise AssayError(f"source {source.name!r} names no {name}")
        if not source.name.strip() or ":" in source.name:
            raise AssayError(f"a source's name must be text without ':'. Got {source.name!r}.")
        if source.name in seen:
            raise AssayError(f"two sources are called {source.name!r}")
        if not source.files:
            raise AssayError(f"source {source.name!r} has no files")
        seen.add(source.name)


def _entry(question: Question, source: MergeSource, prefix: bool) -> tuple[Member, Question]:
    merged_id = f"{source.name}:{question.id}" if prefix else question.id
    file, line = (question.origin.file, question.origin.line) if question.origin else (None, None)
    given = {name: value for name in RIGHTS if (value := getattr(source, name)) != PER_QUESTION}
    metadata = {
        **{name: value for name, value in source.metadata.items() if _absent(question.metadata.get(name))},
        **{name: value for name, value in question.metadata.items() if not _absent(value)},
        **given,
        "source": source.name,
        "source_id": question.id,
    }
    # A set that was merged before keeps what it said then.
    earlier = question.metadata.get("source")
    if not _absent(earlier) and earlier != source.name:
        metadata.setdefault("original_source", earlier)
    member = Member(source.name, question.id, merged_id, file, line)
    return member, replace(question, id=merged_id, metadata=metadata)


def _absent(value: Any) -> bool:
    return value is None or value == ""


def _flagged(question: Question, pictured: bool) -> Question:
    return replace(question, metadata={**question.metadata, "needs_diagram": True}) if pictured else question


def _rights_faults(question: Question, source: MergeSource) -> Iterator[Fault]:
    for name in RIGHTS:
        own, given = question.metadata.get(name), getattr(source, name)
        if given == PER_QUESTION and _absent(own):
            yield question.fault(f"has no {name} of its own, as its source promises")
        elif given != PER_QUESTION and not _absent(own) and own != given:
            yield question.fault(
                f"its own {name} is {own!r}, its source's {given!r} ('{PER_QUESTION}' keeps its own)"
            )


def _clashes(entries: Sequence[tuple[Member, Question]]) -> Iterator[Fault]:
    first: dict[str, Member] = {}
    for member, _ in entries:
        other = first.setdefault(member.merged_id, member)
        if other is not member:
            at = f" ({other.file}:{other.line})" if other.file else ""
            yield Fault(f"id is also in source {other.source!r}{at}", member.file, member.line, member.id)


def _groups(entries: Sequence[tuple[Member, Question]]) -> Iterator[DuplicateGroup]:
    """Groups of every kind; one that a stricter kind has listed whole isn't listed again."""
    listed: set[frozenset[Member]] = set()
    for kind, key in KINDS.items():
        by_key: dict[bytes, list[tuple[Member, Question]]] = {}
        for entry in entries:
            by_key.setdefault(stem_key(entry[1], key), []).append(entry)
        for same in by_key.values():
            members = tuple(member for member, _ in same)
            if len(members) > 1 and frozenset(members) not in listed:
                listed.add(frozenset(members))
                keys = {folded(_key_text(question)) for _, question in same}
                yield DuplicateGroup(kind, members, len(keys) == 1)


def _key_text(question: Question) -> str:
    return next((choice.text for choice in question.choices if choice.label == question.answer), "")


def _repeats(groups: Sequence[DuplicateGroup], gone: Mapping[Member, LeftOut]) -> dict[Member, LeftOut]:
    repeats: dict[Member, LeftOut] = {}
    for group in groups:
        if group.kind == "same stem":
            continue
        left = [member for member in group.members if member not in gone and member not in repeats]
        for member in left[1:]:
            but = "" if group.keys_agree else ", with another key"
            why = f"{group.kind} duplicate of {left[0].merged_id} from {left[0].source}{but}"
            repeats[member] = LeftOut(member, why)
    return repeats


def _lacking(questions: Sequence[Question]) -> Iterator[str]:
    for column in COLUMNS:
        lacking = sum(_absent(question.metadata.get(column)) for question in questions)
        if lacking:
            yield f"{lacking:,} of {len(questions):,} questions say no {column}"


def provenance(merged: Merged) -> dict[str, Any]:
    """What came from where, what was left out and why, as JSON values."""
    kept = dict.fromkeys(merged.read, 0)
    for question in merged.questions:
        kept[question.metadata["source"]] += 1
    diagrams = [entry.member.source for entry in merged.diagrams]
    return {
        "questions": len(merged.questions),
        "fingerprint": merged.questions.fingerprint,
        "rules": {
            "diagrams": merged.rules.diagrams,
            "duplicates": merged.rules.duplicates,
            "prefix": merged.rules.prefix,
        },
        "sources": [
            {
                "name": source.name,
                "files": [str(path) for path in source.files],
                "licence": source.licence,
                "permission": source.permission,
                **({"metadata": dict(source.metadata)} if source.metadata else {}),
                "read": merged.read[source.name],
                "need_diagram": diagrams.count(source.name),
                "left_out": merged.read[source.name] - kept[source.name],
                "kept": kept[source.name],
            }
            for source in merged.sources
        ],
        "needs_diagram": [{**_member(entry.member), "why": entry.why} for entry in merged.diagrams],
        "left_out": [{**_member(entry.member), "why": entry.why} for entry in merged.left_out],
        "duplicates": [
            {
                "kind": group.kind,
                "across_sources": group.across,
                "keys_agree": group.keys_agree,
                "questions": [_member(member) for member in group.members],
            }
            for group in merged.duplicates
        ],
        "notes": list(merged.notes),
    }


def _member(member: Member) -> dict[str, Any]:
    return {
        "source": member.source,
        "id": member.id,
        "merged_id": member.merged_id,
        "file": member.file,
        "line": member.line,
    }

"""Questions that are the same question, by keys from strict to loose, and how they lie across sets."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Literal, get_args

from assay.questions.model import Question

KeyKind = Literal[
    "stem_exact",
    "stem_casefold_ws",
    "stem_alnum",
    "stem_and_choices_exact",
    "stem_and_choice_multiset_casefold",
    "stem_and_answer_casefold",
]
KEY_KINDS: tuple[KeyKind, ...] = get_args(KeyKind)
"""The stem as it is; without case and runs of white space; its letters and digits alone; the stem and the
choices' texts in order; both casefolded, choices in any order; the stem and the key's text casefolded."""
TOLD_BY: KeyKind = "stem_and_answer_casefold"
"""What a question's digest is of."""
DIGEST_BYTES = 16
TEST, TRAINING = "test", ("train", "dev")


def folded(text: str) -> str:
    """The text without case and runs of white space."""
    return " ".join(text.casefold().split())


def _parts(question: Question, kind: KeyKind) -> list[str] | None:
    texts = [choice.text for choice in question.choices]
    if kind == "stem_exact":
        return [question.stem]
    if kind == "stem_casefold_ws":
        return [folded(question.stem)]
    if kind == "stem_alnum":
        letters = "".join(filter(str.isalnum, question.stem.casefold()))
        # A stem of signs alone is told apart by its signs.
        return [letters or question.stem]
    if kind == "stem_and_choices_exact":
        return [question.stem, *texts]
    if kind == "stem_and_choice_multiset_casefold":
        return [folded(question.stem), *sorted(map(folded, texts))]
    key = [choice.text for choice in question.choices if choice.label == question.answer]
    return [folded(question.stem), folded(key[0])] if key else None


def stem_key(question: Question, kind: KeyKind) -> bytes:
    """A short digest of what `kind` compares; questions with the same one are the same to it."""
    return _digest(_parts(question, kind) or [question.id])


def question_digest(question: Question) -> str:
    """What a question is told by where models and pairs say what they were made of.

    32 hex digits of its stem and answer, case and spaces aside.
    """
    return stem_key(question, TOLD_BY).hex()


def _digest(parts: list[str]) -> bytes:
    joined = "".join(f"{len(part)}:{part}" for part in parts)
    return hashlib.blake2b(
        joined.encode("utf-8", errors="backslashreplace"), digest_size=DIGEST_BYTES
    ).digest()


@dataclass(frozen=True, slots=True)
class Place:
    """One question's place: id, set and split ("" where the metadata names none), file."""

    id: str
    set: str
    split: str
    file: str

    @property
    def name(self) -> str:
        """ "Set/Split", as far as they are known, else the file."""
        return "/".join(part for part in (self.set, self.split) if part) or self.file


@dataclass(frozen=True, slots=True)
class Groups:
    """The groups of equal questions under one kind of key, in order of first appearance."""

    kind: KeyKind
    groups: tuple[tuple[Place, ...], ...]

    def summary(self) -> dict[str, Any]:
        """Counts of groups, their questions, those beyond the first, groups that span sets or splits.

        "groups_within_one_file" have a pair of questions in one file, set and split; "pairs" counts pairs by
        where they lie; the last entry counts, by set, test questions that are also in train or dev.
        """
        spanning = Counter[str]()
        pairs: Counter[str] = Counter()
        leaks: Counter[str] = Counter()
        for group in self.groups:
            spanning["splits"] += len({place.split.casefold() for place in group}) > 1
            spanning["sets"] += len({place.set for place in group}) > 1
            spanning["one"] += len({(place.name, place.file) for place in group}) < len(group)
            pairs.update(" ~ ".join(sorted((a.name, b.name))) for a, b in combinations(group, 2))
            if any(place.split.casefold() in TRAINING for place in group):
                leaks.update(place.set for place in group if place.split.casefold() == TEST)
        questions = sum(map(len, self.groups))
        return {
            "groups": len(self.groups),
            "questions": questions,
            "surplus": questions - len(self.groups),
            "groups_spanning_splits": spanning["splits"],
            "groups_spanning_sets": spanning["sets"],
            "groups_within_one_file": spanning["one"],
            "pairs": dict(sorted(pairs.items())),
            "test_questions_also_in_train_or_dev": dict(sorted(leaks.items())),
        }


class DuplicateFinder:
    """Takes questions one by one and keeps, for each, its place and one short digest a kind of key."""

    def __init__(self) -> None:
        self._places: list[Place] = []
        self._first: dict[KeyKind, dict[bytes, int]] = {kind: {} for kind in KEY_KINDS}
        # Most keys are seen once: only the others cost a list.
        self._members: dict[KeyKind, dict[bytes, list[int]]] = {kind: {} for kind in KEY_KINDS}

    def add(self, question: Question) -> None:
        """Take in one question. One without a key has no stem_and_answer_casefold."""
        metadata: Mapping[str, Any] = question.metadata
        file = question.origin.file if question.origin else ""
        set_, split = str(metadata.get("set", "")), str(metadata.get("split", ""))
        self._places.append(Place(question.id, set_, split, file))
        for kind in KEY_KINDS:
            parts = _parts(question, kind)
            if parts is None:
                continue
            key, number = _digest(parts), len(self._places) - 1
            first = self._first[kind].setdefault(key, number)
            if first != number:
                self._members[kind].setdefault(key, [first]).append(number)

    def groups(self) -> dict[KeyKind, Groups]:
        """The groups of two questions and more, for each kind of key."""
        return {
            kind: Groups(
                kind,
                tuple(
                    tuple(self._places[number] for number in members) for members in sorted(by_key.values())
                ),
            )
            for kind, by_key in self._members.items()
        }


def find_duplicates(questions: Iterable[Question]) -> dict[KeyKind, Groups]:
    """Groups of equal questions for each kind of key."""
    finder = DuplicateFinder()
    for question in questions:
        finder.add(question)
    return finder.groups()

"""What makes questions unusable, and what makes them suspicious. Checks questions; readers only read."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

from assay.errors import Fault
from assay.questions.duplicates import stem_key
from assay.questions.model import Question
from assay.questions.records import lone_surrogate

_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")
_INVISIBLE = re.compile("[\u200b-\u200f\u2028-\u202e\u2060-\u2064\ufeff]")
# What UTF-8 looks like after it was read as Latin-1 or Windows-1252: a lead byte, then continuation bytes.
_MOJIBAKE = re.compile("[ÂÃ][\u0080-\u00bf]|â[\u0080-\u00bf€][\u0080-\u00bf\u2018-\u2122œŸž¦]|ï¿½|ï»¿")


def faults(question: Question, fewest_choices: int = 2) -> Iterator[Fault]:
    """The faults of one question by itself: what makes any score of it meaningless."""
    if not question.id.strip():
        yield question.fault("no id")
    if not question.stem.strip():
        yield question.fault("no stem")
    if len(question.choices) < fewest_choices:
        yield question.fault("fewer than two choices" if fewest_choices == 2 else "no choices")
    seen: set[str] = set()
    for place, choice in enumerate(question.choices, 1):
        if not choice.label.strip():
            yield question.fault(f"choice {place} has no label")
        elif choice.label in seen:
            yield question.fault(f"label {choice.label} stands twice")
        seen.add(choice.label)
        if not choice.text.strip():
            yield question.fault(f"choice {choice.label or place} is empty")
    if question.answer is not None and question.answer not in seen and question.choices:
        labels = ", ".join(question.labels)
        yield question.fault(f"answer key {question.answer} is not one of {labels}")
    for what, text in _texts(question):
        escape = lone_surrogate(text)
        if escape is not None:
            yield question.fault(f"lone surrogate {escape} in {what}")


def warnings(question: Question) -> Iterator[Fault]:
    """What is odd about one question by itself, and may be meant."""
    places: dict[str, list[str]] = {}
    for choice in question.choices:
        places.setdefault(choice.text, []).append(choice.label)
    for labels in places.values():
        if len(labels) > 1:
            yield question.fault(f"choices {' and '.join(labels)} have the same text", "warning")
    if question.id != question.id.strip():
        yield question.fault("white space around the id", "warning")
    for what, text in _texts(question):
        for oddity in _oddities(text):
            yield question.fault(f"{oddity} in {what}", "warning")


def _oddities(text: str) -> Iterator[str]:
    control = _CONTROL.search(text)
    if control is not None:
        yield f"control character U+{ord(control.group()):04X}"
    if text.isascii():
        return
    if "\ufffd" in text:
        yield "replacement character U+FFFD (text was lost in a conversion)"
    invisible = _INVISIBLE.search(text)
    if invisible is not None:
        yield f"invisible character U+{ord(invisible.group()):04X}"
    mojibake = _MOJIBAKE.search(text)
    if mojibake is not None:
        yield f"odd encoding {mojibake.group()!r} (UTF-8 once read as something else)"


class Watch:
    """Looks across questions: stems that repeat, metadata only some have. Keeps short digests, not texts."""

    def __init__(self) -> None:
        self._stems: dict[bytes, tuple[str, str, int | None]] = {}
        self._exact: set[bytes] = set()
        self._columns: dict[str, dict[str, Counter[str]]] = {}
        self._counts: Counter[str] = Counter()

    def see(self, question: Question) -> Iterator[Fault]:
        """Take in one question; a warning when its stem was there before, exactly or nearly."""
        file, line = (question.origin.file, question.origin.line) if question.origin else ("", None)
        self._counts[file] += 1
        for column, value in question.metadata.items():
            kinds = self._columns.setdefault(file, {}).setdefault(column, Counter())
            kinds[_json_kind(value)] += 1
        key = stem_key(question, "stem_alnum")
        exact = stem_key(question, "stem_exact")
        first = self._stems.get(key)
        if first is None:
            self._stems[key] = (question.id, file, line)
        else:
            where = "" if first[2] is None else f" ({first[1]}:{first[2]})"
            how = "" if exact in self._exact else " but for case, spaces or signs"
            yield question.fault(f"the stem is that of {first[0]}{where}{how}", "warning")
        self._exact.add(exact)

    def finish(self) -> Iterator[Fault]:
        """Warnings about whole files: metadata that only some questions have, or in kinds that differ."""
        for file, columns in self._columns.items():
            for column, kinds in columns.items():
                missing = self._counts[file] - kinds.total()
                if missing:
                    what = f"metadata {column}: missing in {missing:,} of {self._counts[file]:,} questions"
                    yield Fault(what, file or None, severity="warning")
                if len(kinds) > 1:
                    mixed = ", ".join(f"{kind} in {count:,}" for kind, count in sorted(kinds.items()))
                    yield Fault(f"metadata {column}: {mixed} questions", file or None, severity="warning")


def _json_kind(value: Any) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true or false"
    if isinstance(value, int | float):
        return "a number"
    return "text" if isinstance(value, str) else "a list" if isinstance(value, list | tuple) else "an object"


def _texts(question: Question) -> Iterator[tuple[str, str]]:
    yield "the id", question.id
    yield "the stem", question.stem
    for choice in question.choices:
        yield "a label", choice.label
        yield f"choice {choice.label}", choice.text
    if question.facts is not None:
        for fact in (question.facts.seed, question.facts.second, question.facts.composed):
            if fact is not None:
                yield "a fact", fact
    for kind, labels in question.tags.items():
        for label in (kind, *labels):
            yield "a tag", label
    for column, value in question.metadata.items():
        for text in _strings([column, value]):
            yield f"metadata {column}", text


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield from _strings(key)
            yield from _strings(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from _strings(inner)

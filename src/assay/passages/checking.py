"""What is wrong with a passage question, and what is left out for a reason that is no fault."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from assay.errors import Fault
from assay.passages.passage import PassageQuestion, Span
from assay.questions.records import lone_surrogate

LONG = 60
"""Characters of a text that a message shows at most."""


class Log:
    """Gathers the faults of one file, its questions, and how many were left out for what."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.faults: list[Fault] = []
        self.left_out: Counter[str] = Counter()
        self.questions: list[PassageQuestion] = []

    def fault(self, what: str, line: int | None = None, question_id: str | None = None) -> None:
        """Note a fault; reading goes on, so that all are found."""
        self.faults.append(Fault(what, self.file, line, question_id))

    def text(self, value: Any, name: str, line: int | None, question_id: str | None, where: str = "") -> str:
        """`value` as a text that holds something; a fault, and "", where it is none."""
        if not isinstance(value, str):
            self.fault(f"{where}{name} must be a text. Got {shown(value)}", line, question_id)
            return ""
        if (escape := lone_surrogate(value)) is not None:
            self.fault(f"{where}{name} holds half a character ({escape})", line, question_id)
        elif not value.strip():
            self.fault(f"{where}{name} is empty", line, question_id)
        return value

    def span(
        self, start: Any, text: Any, passage: str, line: int | None, question_id: str, where: str = ""
    ) -> Span | None:
        """The span, if it stands in the passage as it is said to; else a fault, and None."""
        words = self.text(text, "an answer's text", line, question_id, where)
        if not isinstance(start, int) or isinstance(start, bool):
            self.fault(
                f"{where}an answer's start must be a whole number. Got {shown(start)}", line, question_id
            )
            return None
        if not words.strip():
            return None
        if start >= 0 and passage.startswith(words, start):
            return Span(start, words)
        stands = passage[start : start + len(words)] if 0 <= start < len(passage) else ""
        said = f"the answer {shown(words)} doesn't stand at character {start} of its passage"
        said += f", where {shown(stands)} stands" if stands else f" of {len(passage):,}"
        found = passage.find(words)
        said += f"; it stands at {found}" if found >= 0 else "; it stands nowhere in it"
        self.fault(where + said, line, question_id)
        return None


def shown(value: Any) -> str:
    """The value as a message shows it."""
    text = repr(value)
    return text if len(text) <= LONG else text[: LONG - 3] + "..."


def occurrences(passage: str, answer: str) -> tuple[Span, ...]:
    """Where the answer stands in the passage as whole words, whatever its case; in order.

    Only where that is nowhere, where it stands within words. The spans' texts are the passage's own.
    """
    found = _matches(passage, answer.strip())
    whole = [span for span in found if _whole(passage, span)]
    return tuple(whole or found)


def _matches(passage: str, answer: str) -> list[Span]:
    low, due = _lower(passage), _lower(answer)
    found, at = [], low.find(due) if due else -1
    while at >= 0:
        found.append(Span(at, passage[at : at + len(due)]))
        at = low.find(due, at + len(due))
    return found


def _lower(text: str) -> str:
    """Lower case, each character still at its place."""
    low = text.lower()
    if len(low) == len(text):
        return low
    return "".join(small if len(small := one.lower()) == 1 else one for one in text)


def _whole(passage: str, span: Span) -> bool:
    before, after = passage[: span.start][-1:], passage[span.end :][:1]
    joined = (before.isalnum() and span.text[0].isalnum(), after.isalnum() and span.text[-1].isalnum())
    return not any(joined)


def repeated_ids(questions: Iterable[tuple[str, PassageQuestion]]) -> list[Fault]:
    """A fault for each question whose id an earlier one has; `questions` with the files they are from."""
    first: dict[str, str] = {}
    faults = []
    for file, one in questions:
        if one.id in first:
            other = "" if first[one.id] == file else f" (the first is in {first[one.id]})"
            faults.append(Fault(f"id appears a second time{other}", file, None, one.id))
        first.setdefault(one.id, file)
    return faults


def distinct_texts(spans: Sequence[Span]) -> tuple[str, ...]:
    """The spans' texts, each once, in order."""
    return tuple(dict.fromkeys(span.text for span in spans))

"""The statements of questions: one record a question and choice."""

from __future__ import annotations

from collections.abc import Iterable
from typing import cast

from assay.questions.model import Question
from assay.text.statements import Method, statement

Record = dict[str, str | bool | None]


def statement_records(questions: Iterable[Question], method: str = "grammatical") -> list[Record]:
    """For every question and choice, in order: id, label, statement, rule, method, background, and
    `right`, whether the choice is the key (None where it is hidden). AssayError for an unknown method."""
    records: list[Record] = []
    for question in questions:
        for choice in question.choices:
            made = statement(question.stem, choice.text, cast(Method, method))
            records.append(
                {
                    "id": question.id,
                    "label": choice.label,
                    "statement": made.text,
                    "right": None if question.answer is None else choice.label == question.answer,
                    "rule": made.rule,
                    "method": made.method,
                    "background": made.background,
                }
            )
    return records

"""Writing questions in any format that is known, and saying what it couldn't carry."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

from assay.questions.formats.registry import format_named
from assay.questions.model import Question
from assay.questions.sources import STDIN
from assay.storage import atomic

STDOUT = STDIN


def write_questions(
    questions: Iterable[Question], path: str | Path, format: str
) -> tuple[int, dict[str, int]]:
    """Write the questions to `path` ("-": standard output), whole or not at all.

    Returns their number, and what the format couldn't carry: the name of each field with the number of
    questions that lost it. Raises AssayError, naming the question, for one that the format can't express.
    """
    form = format_named(format)
    lost: Counter[str] = Counter()
    count = 0

    def counted() -> Iterator[Question]:
        nonlocal count
        for question in questions:
            count += 1
            lost.update(form.lost(question))
            yield question

    if str(path) == STDOUT:
        form.write(counted(), sys.stdout.buffer)
        sys.stdout.flush()
    else:
        with atomic(path) as file:
            form.write(counted(), file)
    return count, dict(lost)

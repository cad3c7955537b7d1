"""What an explanation is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple


class Fact(NamedTuple):
    """A sentence. `role`: as what it stands in the explanation (WorldTree: CENTRAL, GROUNDING, LEXGLUE, ...).

    `sentence_id`: its id among the sentences of the data set, None where it has none.
    """

    text: str
    role: str | None = None
    sentence_id: str | None = None


class Step(NamedTuple):
    """A conclusion, and the sentences (facts, or earlier conclusions) that together entail it."""

    premises: tuple[str, ...]
    conclusion: str


@dataclass(frozen=True, slots=True)
class Explanation:
    """Why the right answer of one question is right.

    `question_id`: None where the file gives no ids. `stem` and `answer`: the question's text and that of its
    right choice as the file has them; where there is an id the answer may be damaged. `facts`: gold, in the
    file's order; `near`: sentences that stood beside them and are no part of the explanation.
    `hypothesis`: question and answer as a statement; `steps`: how the facts entail it, the last step's
    conclusion being the hypothesis. `file` and `line` (None: the file is one JSON value): where it was read.
    """

    question_id: str | None
    stem: str
    answer: str
    facts: tuple[Fact, ...]
    near: tuple[Fact, ...] = ()
    hypothesis: str | None = None
    steps: tuple[Step, ...] = ()
    file: str | None = None
    line: int | None = None


class Explanations(NamedTuple):
    """The explanations of a file, in its order, and what one should know about how it was read."""

    explanations: tuple[Explanation, ...]
    notes: tuple[str, ...] = ()

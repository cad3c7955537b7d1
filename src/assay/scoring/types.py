"""How often each type stands in a set of questions, alone and beside which others: the ARC paper's tables 4
and 5, figures 1 and 2 (Clark et al. 2018), for any set."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from assay.questions.model import Question
from assay.questions.types.taxonomy import OUTSIDE, Taxonomy
from assay.scoring.interval import CONFIDENCE, wilson


@dataclass(frozen=True, slots=True)
class Share:
    """`n` of `of` questions, in a group of the set, with Wilson's 95% interval; shares from 0 to 1, None of
    no questions."""

    group: str
    n: int
    of: int
    share: float | None
    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True)
class TypeRow:
    """A type of the taxonomy. `shares`: of all labelled questions, then of each group's where there are
    several. `alone`: questions of this type only. `together`: questions that have this type and each of the
    table's, in its order. `example`: the shortest of the questions with the fewest labels, None: none."""

    name: str
    definition: str
    shares: tuple[Share, ...]
    alone: int
    together: tuple[int, ...]
    example: Question | None

    @property
    def n(self) -> int:
        """Questions of this type."""
        return self.shares[0].n


@dataclass(frozen=True, slots=True)
class TypeTable:
    """Types of `questions` questions, of which `labelled` were looked at by somebody: they are what shares
    are of. `without`: labelled questions that are of no type. `by_labels`: labelled questions by their number
    of types. A label outside the taxonomy has a row of its own, last."""

    kind: str
    taxonomy: str
    questions: int
    labelled: int
    without: int
    by_labels: dict[int, int]
    rows: tuple[TypeRow, ...]


def type_table(
    questions: Sequence[Question],
    kind: str,
    taxonomy: Taxonomy,
    groups: Sequence[tuple[str, Sequence[Question]]] = (),
) -> TypeTable:
    """Count the types of a kind of tag, already named as the taxonomy names them.

    A question is labelled if it carries the kind, be it with no type. `groups`: parts of the questions with
    their names, shown beside all where there are several.
    """
    looked = [question for question in questions if kind in question.tags]
    names = [*taxonomy.names]
    if any(OUTSIDE in question.tags[kind] for question in looked):
        names.append(OUTSIDE)
    definitions = {one.name: one.definition for one in taxonomy.types}
    shown = [("all", questions), *(groups if len(groups) > 1 else ())]
    parts = [(name, [question for question in of if kind in question.tags]) for name, of in shown]
    rows = []
    for name in names:
        inside = [question for question in looked if name in question.tags[kind]]
        rows.append(
            TypeRow(
                name,
                definitions.get(name, ""),
                tuple(_share(group, [name in question.tags[kind] for question in of]) for group, of in parts),
                sum(len(question.tags[kind]) == 1 for question in inside),
                tuple(sum(other in question.tags[kind] for question in inside) for other in names),
                _example(inside, kind),
            )
        )
    counts = Counter(len(question.tags[kind]) for question in looked)
    return TypeTable(
        kind, taxonomy.name, len(questions), len(looked), counts[0], dict(sorted(counts.items())), tuple(rows)
    )


def _share(group: str, held: Sequence[bool]) -> Share:
    if not held:
        return Share(group, 0, 0, None, None, None)
    share = sum(held) / len(held)
    return Share(group, sum(held), len(held), share, *wilson(share, len(held), CONFIDENCE))


def _example(questions: Sequence[Question], kind: str) -> Question | None:
    def size(question: Question) -> tuple[int, int, str]:
        length = len(question.stem) + sum(len(choice.text) for choice in question.choices)
        return len(question.tags[kind]), length, question.id

    return min(questions, key=size, default=None)

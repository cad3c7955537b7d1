"""Questions that go to the same fold: those of one seed fact (or any column's value), and duplicates."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

from assay.construction.linked import linked
from assay.errors import AssayError
from assay.questions.duplicates import KEY_KINDS, KeyKind, stem_key
from assay.questions.model import Question
from assay.scoring.columns import FACTS, column, column_names

SHOWN = 3
"""So many ids are named in a message about questions without a value."""


@dataclass(frozen=True, slots=True)
class Groups:
    """Groups of questions in order of their first id, whatever the order of the questions.

    `names`: what the questions of each have in common; `members`: places of its questions, by id;
    `texts`: what is compared with other groups'; `joined`: how many groups of the column were put together
    because they hold the same question.
    """

    names: tuple[str, ...]
    members: tuple[tuple[int, ...], ...]
    texts: tuple[tuple[str, ...], ...]
    joined: int

    @property
    def weights(self) -> tuple[int, ...]:
        """Questions of each group."""
        return tuple(map(len, self.members))


def group_questions(
    questions: Sequence[Question], by: str | None, together: KeyKind | None, *, alone: bool = False
) -> Groups:
    """Groups by the column `by` (fact1, or any that `scoring.columns.column` knows; None: by nothing).

    `together`: questions that are the same by this key of `questions.duplicates` stay together, and with
    them their groups. `alone`: a question without a value is a group of its own. A group's texts are its
    values where `by` is a fact, else its questions' stems.
    Raises AssayError for a column that no question has, or, unless `alone`, that some lack.
    """
    if together is not None and together not in KEY_KINDS:
        raise AssayError(f"no key called {together!r}", hint=f"one of {', '.join(KEY_KINDS)}, none")
    values: list[str | None] = [None] * len(questions) if by is None else _values(questions, by, alone)
    keys: list[list[Hashable]] = [[] if value is None else [value] for value in values]
    before = len(linked(keys))
    if together is not None:
        for own, question in zip(keys, questions, strict=True):
            own.append(stem_key(question, together))
    # By id, not by place: the same questions in another order make the same folds.
    ids = [question.id for question in questions]
    by_id = [sorted(places, key=lambda place: ids[place]) for places in linked(keys)]
    members = tuple(map(tuple, sorted(by_id, key=lambda places: ids[places[0]])))
    names = [value or question.id for value, question in zip(values, questions, strict=True)]
    texts = [
        value if value and by in FACTS else question.stem
        for value, question in zip(values, questions, strict=True)
    ]
    return Groups(
        tuple(" | ".join(dict.fromkeys(names[place] for place in places)) for places in members),
        members,
        tuple(tuple(dict.fromkeys(texts[place] for place in places)) for places in members),
        before - len(members),
    )


def _values(questions: Sequence[Question], by: str, alone: bool) -> list[str | None]:
    known = column_names(questions)
    if by in FACTS and by not in known:
        columns = ", ".join(name for name in known if name not in FACTS) or "none"
        raise AssayError(
            f"no question has a {by}, so there are no groups to keep together by it",
            file=questions[0].origin.file if questions and questions[0].origin else None,
            hint=f"group by another column (--by COLUMN; there are: {columns}), or by nothing (--by none)",
        )
    found = column(questions, by).values
    values = [each[0] if len(each) == 1 else None for each in found]
    several = [place for place, each in enumerate(found) if len(each) > 1]
    lacking = [place for place, each in enumerate(found) if not each]
    for places, what in ((several, f"several values in column {by}"), (lacking, f"no value in column {by}")):
        if places and not (alone and what.startswith("no")):
            named = ", ".join(questions[place].id for place in places[:SHOWN])
            raise AssayError(
                f"{len(places):,} of {len(questions):,} questions have {what} (the first: {named})",
                hint="give each one value, group by another column (--by), or let each question without one "
                "stand alone (--alone)",
            )
    return values

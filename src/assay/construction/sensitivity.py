"""How many questions move when something about the partition changes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from assay.construction.partition import Partition, Rule, partition
from assay.questions.model import Answer, Question


@dataclass(frozen=True, slots=True)
class SensitivityRow:
    """One change and what it does: the sets' sizes after it, and the questions that moved each way."""

    change: str
    easy: int
    challenge: int
    to_easy: int
    to_challenge: int

    @property
    def moved(self) -> int:
        """Questions that changed sets."""
        return self.to_easy + self.to_challenge


def compared(base: Partition, changed: Partition, change: str) -> SensitivityRow:
    """The row of one changed partition of the same questions."""
    pairs = [
        (before.set, after.set) for before, after in zip(base.placements, changed.placements, strict=True)
    ]
    return SensitivityRow(
        change,
        changed.counts["Easy"],
        changed.counts["Challenge"],
        sum(before == "Challenge" and after == "Easy" for before, after in pairs),
        sum(before == "Easy" and after == "Challenge" for before, after in pairs),
    )


def sensitivity(
    base: Partition, other_answers: Mapping[str, Mapping[str, Sequence[Answer]]] | None = None
) -> list[SensitivityRow]:
    """Rows for: nothing changed, each filter dropped, every other rule, the other credit, other answers.

    `other_answers`: name of a change (another corpus, sentences removed) to the filters' answers under it;
    filters it doesn't name keep their answers.
    """
    questions = [placement.question for placement in base.placements]
    answers = {
        name: [placement.answers[number] for placement in base.placements]
        for number, name in enumerate(base.filters)
    }
    rows = [compared(base, base, "as configured")]

    def row(change: str, given: Mapping[str, Sequence[Answer]], rule: Rule) -> None:
        rows.append(compared(base, partition(questions, given, rule), change))

    for dropped in base.filters if len(base.filters) > 1 else ():
        rest = {name: given for name, given in answers.items() if name != dropped}
        row(f"without {dropped}", rest, Rule(min(base.rule.needed, len(rest)), base.rule.credit))
    for needed in range(1, len(base.filters) + 1):
        if needed != base.rule.needed:
            row(f"{needed} of {len(base.filters)} filters needed", answers, Rule(needed, base.rule.credit))
    if base.rule.credit == "exact":
        row("a tie that includes the key counts", answers, Rule(base.rule.needed, "any"))
    else:
        row("only exactly the key counts", answers, Rule(base.rule.needed, "exact"))
    for change, given in (other_answers or {}).items():
        row(change, {**answers, **given}, base.rule)
    return rows


@dataclass(frozen=True, slots=True)
class CorpusMatrix:
    """Question x corpus: whether the filters, asked over that corpus, make the question Easy.

    `answered[i][j]` is for question i and corpus j. A question is Challenge only if all corpora fail.
    """

    corpora: tuple[str, ...]
    questions: tuple[Question, ...]
    answered: tuple[tuple[bool, ...], ...]

    def profile(self, number: int) -> str:
        """Which corpora answer question `number`: their names joined by "+", or "none"."""
        names = [name for name, easy in zip(self.corpora, self.answered[number], strict=True) if easy]
        return "+".join(names) or "none"

    @property
    def profiles(self) -> Mapping[str, tuple[int, ...]]:
        """Availability profile to the numbers of its questions, most questions first."""
        found: dict[str, list[int]] = {}
        for number in range(len(self.questions)):
            found.setdefault(self.profile(number), []).append(number)
        ordered = sorted(found.items(), key=lambda item: (-len(item[1]), item[0]))
        return {name: tuple(numbers) for name, numbers in ordered}


def corpus_matrix(
    questions: Sequence[Question], by_corpus: Mapping[str, Mapping[str, Sequence[Answer]]], rule: Rule
) -> CorpusMatrix:
    """The matrix from each corpus's filter answers (corpus to filter to answers in the questions' order)."""
    columns = [partition(questions, answers, rule) for answers in by_corpus.values()]
    rows = zip(*([p.set == "Easy" for p in column.placements] for column in columns), strict=True)
    return CorpusMatrix(tuple(by_corpus), tuple(questions), tuple(tuple(row) for row in rows))

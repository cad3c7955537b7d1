"""Answers that are sentences of their own: the question adds a reason, a condition, or nothing."""

from __future__ import annotations

from collections.abc import Sequence

from assay.text.statements import words
from assay.text.statements.asked import Question
from assay.text.statements.choices import Answer
from assay.text.statements.result import Made
from assay.text.statements.words import bare
from assay.text.statements.written import joined, sentence

_TRUE = frozenset("true correct accurate right".split())


_SAY = frozenset(
    """
    describes describe supports support illustrates illustrate shows show demonstrates demonstrate
    identifies compares compare represents states summarizes explains explain indicates provides gives
    expresses tells contrasts distinguishes
    """.split()
)


_HAPPEN = frozenset("happen happens happened occur occurs occurred".split())


def clause_answers(asked: Question, answer: Answer) -> Made | None:
    """The answer is a sentence of its own: what the question adds to it is a reason, a condition, or
    nothing."""
    rest, plain = asked.rest, [bare(word) for word in asked.rest]
    at = next((n for n, word in enumerate(plain) if word in _HAPPEN or _takes_place(plain, n)), None)
    if at is not None and at <= 5 and not asked.preposition:
        return _happening(asked, answer, at)
    named = {bare(word) for word in asked.noun} & words.STATEMENTS
    true = any(word in _TRUE for word in plain[:5]) and plain[0] in words.BE | words.MODALS
    if "why" in plain:
        why = plain.index("why")
        if not ({"is", "the"} >= set(plain[:why]) or why > 8):
            return _because(asked.front, rest[why + 1 :], answer), "reason"
    said = any(word in _SAY for word in plain[:4])
    if true or (((named or not asked.noun) and (said or named)) and plain[0] not in words.DO):
        if plain[0] in words.BE and not true and not named:
            return None
        return sentence(_fronted(asked.front, answer), answer.end), "the answer states it"
    return None


def _takes_place(plain: Sequence[str], at: int) -> bool:
    return plain[at] == "place" and plain[at - 1] in {"take", "takes", "took", "taking"}


def _fronted(front: Sequence[str], answer: Answer) -> list[str]:
    """A condition before the question ("If ice melts,") before the answer; any other front is left out."""
    kept = front if front and bare(front[0]) in words.SUBORDINATORS | {"in", "during", "on", "at"} else []
    return [*kept, answer.text]


def _happening(asked: Question, answer: Answer, at: int) -> Made:
    """What happens to X when Y: the answer, and when it happens."""
    after = asked.rest[at + 1 :]
    plain = [bare(word) for word in after]
    start = next(
        (n for n, word in enumerate(plain) if word in words.SUBORDINATORS | {"during", "at", "in"}), None
    )
    when = [] if start is None else after[start:]
    if asked.front and bare(asked.front[0]) in words.SUBORDINATORS:
        return sentence([*asked.front, answer.text, *when]), "what happens"
    return sentence([answer.text, *when]), "what happens"


def _because(front: Sequence[str], clause: Sequence[str], answer: Answer) -> str:
    return sentence([*front, *reasoned(list(clause), answer)])


def reasoned(clause: list[str], answer: Answer) -> list[str]:
    """The clause and the answer as its reason."""
    if answer.first in {"because", "since", "due", "so", "by", "for", "in"} or answer.is_infinitive:
        return joined(clause, answer)
    written_so = answer.end == "." and answer.written[:1].isupper() and len(answer.tokens) > 3
    if answer.is_clause or (written_so and not answer.is_gerund and not answer.is_bare_verb):
        return [*clause, *joined(["because"], answer)]
    if answer.is_bare_verb and not answer.is_plural:
        return [*clause, *joined(["to"], answer)]
    return [*clause, *joined(["because", "of"], answer)]


def reason(asked: Question, answer: Answer) -> Made | None:
    """What best explains why X; what is the reason that X: X because of the answer."""
    plain = [bare(word) for word in asked.rest]
    if "why" in plain[:9] and any(
        word in {"explains", "explain", "reason", "explanation", "reasons", "cause"}
        for word in plain[: plain.index("why")]
    ):
        why = plain.index("why")
        if plain[why - 1] not in {"is", "the"}:
            return _because(asked.front, asked.rest[why + 1 :], answer), "reason"
    return None

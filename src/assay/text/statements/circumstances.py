"""How many, how long, where, when, why and how: the answer as a measure, a place, a time, a reason, a way."""

from __future__ import annotations

from collections.abc import Sequence

from assay.text.statements import verbs, words
from assay.text.statements.asked import Question, only_adverbs
from assay.text.statements.choices import UNITS_OF_TIME, Answer
from assay.text.statements.clauses import Clause, inserted, invert, object_place, place
from assay.text.statements.result import Made
from assay.text.statements.sentence_answers import reasoned
from assay.text.statements.words import bare
from assay.text.statements.written import colon, joined, sentence

_MONTHS = frozenset(
    "january february march april may june july august september october november december".split()
)


_SEEMS = frozenset("be feel look smell taste sound become appear seem stay remain change grow".split())
_IN = _MONTHS | frozenset("spring summer fall autumn winter".split())


def measure(asked: Question, answer: Answer) -> Made | None:
    text, plain = answer.text, [bare(word) for word in asked.noun]
    about = [word.lower() for word in asked.preposition]
    if plain[-1] == "ago" and answer.tokens[-1] != "ago":
        text += " ago"
    if plain[0] in {"many", "much"} and len(plain) > 1:
        kept = asked.noun[1:]
        said = set(answer.tokens)
        if kept[1:2] == ["of"] and _stem(answer.tokens[-1]) == _stem(bare(kept[0])):
            text = " ".join([text, *kept[1:]])
        elif kept != ["time"] and not any(
            _stem(bare(word)) in {_stem(one) for one in said} for word in kept if len(bare(word)) > 2
        ):
            counted = plain[0] == "much" and plain[1] != "of" and len(said) > 1
            link = ["of"] if counted or answer.tokens[-1] in {"number", "amount"} else []
            text = " ".join([text, *link, *kept])
    text = " ".join([*(word for word in about if bare(word) not in answer.tokens), text])
    rest = asked.rest
    if not rest:
        return sentence([*asked.front, text]), "measure"
    if bare(rest[0]) not in words.AUXILIARIES or (bare(rest[0]) in words.BE and _passive(rest)):
        return sentence([*asked.front, text, *rest]), "measure, subject"
    clause = invert(rest[0], rest[1:])
    if clause is None and bare(rest[0]) in words.HAVE and len(rest) > 1:
        return sentence([*asked.front, *rest[1:], rest[0], text]), "measure"
    if clause is None:
        return sentence([*asked.front, text, *rest]), "measure, subject"
    at = object_place(clause.tail, clause.main)
    tail = _timed(clause, text) if clause.main == "take" else inserted(clause.tail, at, text)
    return sentence([*asked.front, *clause.subject, *clause.verb, *tail]), "measure"


def _stem(word: str) -> str:
    return word.rstrip("s")


def _passive(rest: Sequence[str]) -> bool:
    follows = bare(rest[1]) if len(rest) > 1 else ""
    return (
        verbs.is_participle(follows)
        or follows in words.ADJECTIVES
        or follows in words.PREPOSITIONS
        or follows == "there"
    )


def _timed(clause: Clause, text: str) -> list[str]:
    """It takes Earth a year to go round: the time stands before for or to."""
    plain = [bare(word) for word in clause.tail]
    at = next(
        (n for n, word in enumerate(plain) if word in {"to", "for"} or word in words.SUBORDINATORS),
        len(plain),
    )
    return [*clause.tail[:at], text, *clause.tail[at:]]


def circumstance(asked: Question, answer: Answer) -> Made | None:
    rest, front = asked.rest, asked.front
    if front and not only_adverbs(front) and not front[-1].endswith((",", ":", ";")):
        return _at_the_end(asked, answer) if not rest else _embedded(asked, answer)
    # "Where in the cell does X": what stands before the auxiliary goes last.
    at = next((n for n, word in enumerate(rest[:7]) if bare(word) in words.AUXILIARIES), None)
    if at is None or (at and bare(rest[0]) not in words.PREPOSITIONS):
        return None
    clause = invert(rest[at], rest[at + 1 :], bare_predicate=True)
    if clause is None:
        return None
    if asked.wh == "why":
        return sentence([*front, *reasoned(clause.words, answer)]), "why"
    if asked.wh == "how":
        return sentence([*front, *manner(clause, answer)]), "how"
    if asked.wh == "where":
        return sentence([*front, *_where(clause, answer), *rest[:at]]), "where"
    return sentence([*front, *_when(clause, answer)]), "when"


def _at_the_end(asked: Question, answer: Answer) -> Made:
    """The question word comes last: "Owls hunt when?"."""
    clause = Clause([*asked.front, *asked.preposition], [], [], "")
    if asked.preposition or asked.wh == "how":
        return sentence(joined(clause.words, answer)), "in place"
    makers = {"why": _reason_given, "where": _where, "when": _when}
    return sentence(makers[asked.wh](clause, answer)), asked.wh


def _reason_given(clause: Clause, answer: Answer) -> list[str]:
    return reasoned(clause.words, answer)


def _embedded(asked: Question, answer: Answer) -> Made | None:
    """A question word inside: "The water goes where?" or "Scientists found out how X"."""
    link = {"why": "because", "where": "", "when": "", "how": ""}[asked.wh]
    if asked.wh == "why" and answer.is_clause:
        return sentence([*asked.rest, link, answer.text]), "why"
    return None


def manner(clause: Clause, answer: Answer) -> list[str]:
    if answer.is_clause and answer.first not in {"by", "because"}:
        return [*clause.words, *joined(["in", "that"], answer)]
    if answer.first in verbs.THIRDS and not answer.is_plural:
        return [*clause.words, *joined(["in", "that", "it"], answer)]
    if answer.is_gerund:
        return placed(clause, " ".join(joined(["by"], answer)))
    if answer.is_prepositional or answer.is_infinitive:
        return placed(clause, answer.text)
    if answer.is_bare_verb:
        return [*colon(clause.words), answer.text]
    seems = clause.main in _SEEMS or words.is_adverb(answer.first) or words.is_adjective(answer.text)
    if seems or answer.first in words.ADJECTIVES or answer.first in {"because", "as", "not"}:
        return joined(clause.words, answer)
    return placed(clause, " ".join(joined(["by"], answer)))


def placed(clause: Clause, phrase: str) -> list[str]:
    """The clause with a phrase of place or manner before what is subordinate to it."""
    return [*clause.subject, *clause.verb, *place(clause.tail, phrase)]


def _where(clause: Clause, answer: Answer) -> list[str]:
    last, tail = bare(clause.words[-1]), clause.tail
    if answer.is_clause:
        return [*colon(clause.words), answer.text]
    if len(tail) > 1 and bare(tail[0]) in words.PREPOSITIONS - {"to"} and bare(tail[1]) == "to":
        return [*clause.subject, *clause.verb, *joined(tail[:1], answer), *tail[1:]]
    if answer.is_prepositional or answer.first in {"where", "here", "there"} or last in words.PREPOSITIONS:
        phrase = answer.text
    elif clause.main in {"get", "come", "obtain", "receive", "originate", "gain"}:
        phrase = " ".join(joined(["from"], answer))
    elif clause.main in {"go", "flow", "move", "travel"}:
        phrase = " ".join(joined(["to"], answer))
    else:
        phrase = " ".join(joined(["in"], answer))
    return placed(clause, phrase)


def _when(clause: Clause, answer: Answer) -> list[str]:
    if answer.is_clause and answer.first not in words.SUBORDINATORS:
        return [*clause.words, *joined(["when"], answer)]
    first = answer.first
    if answer.is_prepositional or first in words.SUBORDINATORS | {
        "every",
        "each",
        "once",
        "twice",
        "always",
        "never",
    }:
        return [*clause.words, answer.text]
    if answer.is_gerund:
        return [*clause.words, *joined(["when"], answer)]
    if (
        first in _MONTHS
        and len(answer.tokens) > 1
        and answer.tokens[1].isdigit()
        and len(answer.tokens[1]) < 3
    ):
        return [*clause.words, *joined(["on"], answer)]
    if first in _IN or (first.isdigit() and len(first) == 4):
        return [*clause.words, *joined(["in"], answer)]
    if first in {"noon", "midnight", "night", "sunrise", "sunset"} or first[:1].isdigit():
        return [*clause.words, *joined(["at"], answer)]
    if set(answer.tokens) & UNITS_OF_TIME:
        return [*clause.words, answer.text]
    return [*clause.words, *joined(["during"], answer)]

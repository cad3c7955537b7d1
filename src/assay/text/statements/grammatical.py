"""The statement as a sentence: the question's words brought into the order of a statement, the choice in
its place.

What Clark et al. 2018 (appendix B) leave to future work, by rules over words, without a parser. Cases in
order: a blank, a question with a question word (`wh_rules`), a question that wants yes or no, an order
("Name ..."), an unfinished sentence, a finished one. Where no rule fits, stem and choice stand side by
side: rule "side by side", never an error.
"""

from __future__ import annotations

import re
from itertools import pairwise

from assay.text.statements import verbs, words
from assay.text.statements.asked import ASKS, BLANK, ENDS, Question, asking_sentence, question
from assay.text.statements.choices import Answer
from assay.text.statements.clauses import invert
from assay.text.statements.result import Made, Statement
from assay.text.statements.wh_rules import from_question
from assay.text.statements.words import bare
from assay.text.statements.written import agreed, calm, joined, sentence, squeezed

_OPEN = (words.PREPOSITIONS | words.BE | words.ARTICLES | {"called", "termed", "named", "of"}) - {"up", "off"}
_THIS = re.compile(r"\bthis(?=\s*[.?!]*$)")


def grammatical(stem: str, choice: str) -> Statement:
    """The statement, its rule, and the sentences of the stem that it leaves out."""
    stem, choice = " ".join(stem.split()), " ".join(choice.split())
    if not choice:
        return Statement(stem, "empty choice", "grammatical")
    if not stem:
        return Statement(sentence([choice]), "empty stem", "grammatical")
    asking, before, after = asking_sentence(stem)
    known = frozenset(bare(token) for token in stem.split() if token[:1].islower())
    answer = Answer(choice, known, _names(stem))
    text, rule = _statement(asking, answer)
    return Statement(text, rule, "grammatical", " ".join(part for part in (before, after) if part))


def _names(stem: str) -> frozenset[str]:
    """Bare words written with a capital where no sentence opens."""
    return frozenset(
        bare(token)
        for last, token in pairwise(stem.split())
        if token[:1].isupper() and last[-1:] not in ".?!:"
    )


def _statement(asking: str, answer: Answer) -> Made:
    if BLANK.search(asking):
        return _blank(asking, answer)
    tokens = asking.split()
    first = bare(tokens[0])
    if ASKS.search(asking) or _unmarked_question(tokens):
        return _question(asking, answer)
    if first in words.IMPERATIVES and (made := _order(tokens, answer)) is not None:
        return made
    if _THIS.search(asking) and ENDS.search(asking):
        before = asking.rpartition("this")[0]
        return sentence(joined(before.split(), answer)), "this"
    if not ENDS.search(asking):
        return _unfinished(tokens, answer)
    return _beside(asking, answer)


def _unmarked_question(tokens: list[str]) -> bool:
    """A question that lacks its mark: "Which of these is a mammal". "When ice melts, it" is none."""
    first, second = bare(tokens[0]), bare(tokens[1]) if len(tokens) > 1 else ""
    if first in {"which", "who"}:
        return len(tokens) > 2
    return first in {"what", "why", "how"} and second in words.AUXILIARIES


def _blank(asking: str, answer: Answer) -> Made:
    """The choice in the first blank. More blanks are filled from a choice of as many parts ("warm, cold");
    else they hold the whole choice too."""
    places = list(BLANK.finditer(asking))
    given = [
        part.strip() for part in re.split(r"\s*(?:,|;|/|\.\.\.|…)\s*(?:and\s+)?", answer.text) if part.strip()
    ]
    parts = given if len(places) > 1 and len(given) == len(places) else [answer.text] * len(places)
    made: list[str] = []
    end = 0
    for place, part in zip(places, parts, strict=True):
        before = asking[end : place.start()]
        glued = bool(before) and not before[-1].isspace()
        words_before = joined([*made, *before.split()], answer, part)
        if glued and len(words_before) > 1:
            words_before[-2:] = ["".join(words_before[-2:])]
        made, end = words_before, place.end()
    rest = re.sub(r"[?？]+$", ".", asking[end:])
    if made and rest[:1] and not rest[0].isspace():
        made[-1] += rest.split()[0]
        rest = rest.split(" ", 1)[1] if " " in rest else ""
    return sentence([*calm(made), *calm(rest.split())]), "blank"


def _question(asking: str, answer: Answer) -> Made:
    asked = question(asking)
    tokens = re.sub(r"\s*[?？]+$", "", asking).split()
    fronted = asked is not None and (not asked.front or asked.front[-1].endswith((",", ":")))
    ends_open = bool(tokens) and bare(tokens[-1]) in _OPEN and bare(tokens[0]) not in words.AUXILIARIES
    if ends_open and not fronted and (asked is None or len(asked.rest) > 1):
        return _unfinished(tokens, answer)
    if asked is None:
        return _polar(asking, answer) or _beside(asking, answer)
    return from_question(asked, answer) or _beside(asking, answer)


def _polar(asking: str, answer: Answer) -> Made | None:
    """A question that wants yes or no, after a condition at most: "Yes, ..." or "No, ... not ..."."""
    tokens = calm(asking.rstrip("?？ ").split())
    at = next((n for n in range(len(tokens)) if n == 0 or tokens[n - 1].endswith(",")), 0)
    while at < len(tokens) and bare(tokens[at]) not in words.AUXILIARIES:
        at = next((n for n in range(at + 1, len(tokens)) if tokens[n - 1].endswith(",")), len(tokens))
    if at + 2 >= len(tokens):
        return None
    front, auxiliary, rest = tokens[:at], tokens[at], tokens[at + 1 :]
    clause = invert(auxiliary, rest, bare_predicate=True)
    if clause is None or (clause.main == "be" and not clause.tail and len(clause.verb) == 1):
        return None
    said, _, more = answer.text.partition(" ")
    yes = bare(said)
    if yes not in {"yes", "no"}:
        return sentence(
            [*front, *clause.words[:-1], clause.words[-1] + ":", answer.text]
        ), "yes or no, other answer"
    body = (
        clause.words
        if yes == "yes"
        else [*clause.subject, *_denied(auxiliary, clause.verb, rest), *clause.tail]
    )
    more = more.lstrip("-–—:;, ")
    if more:
        body[-1] += ","
    return sentence([said.rstrip(",.:;") + ",", *front, *body, more]), "yes or no"


def _denied(auxiliary: str, verb: list[str], rest: list[str]) -> list[str]:
    plain = bare(auxiliary)
    if plain not in words.DO:
        return [verb[0], "not", *verb[1:]]
    main = bare(verb[-1])
    base = next(
        (word for word in rest if main in {bare(word), verbs.third(bare(word)), verbs.past(bare(word))}), main
    )
    return [plain, "not", *verb[:-1], base]


def _order(tokens: list[str], answer: Answer) -> Made | None:
    """Orders: "Identify which ..." is a question; "Name a gas that ..." asks for a thing."""
    body = [*tokens[1:-1], tokens[-1].rstrip(".!:")] if len(tokens) > 1 else []
    if body and bare(body[0]) in words.WH:
        asked = question(" ".join(body) + "?")
        if asked is not None and asked.wh in {"which", "what"}:
            return from_question(asked, answer)
        if bare(body[0]) == "why":
            return from_question(Question([], [], "which", [], ["explains", *body]), answer)
        return None
    if len(body) < 2 or not words.opens_noun_phrase(body[0]):
        return None
    if bare(body[0]) in {"a", "an", "one"} and not answer.is_clause:
        return sentence([answer.text, agreed("is", answer.is_plural), *body]), "order"
    link = agreed("is", Answer(" ".join(body), frozenset()).is_plural)
    return sentence([*body, link, *(["that"] if answer.is_clause else []), answer.text]), "order"


def _unfinished(tokens: list[str], answer: Answer) -> Made:
    """The choice goes on where the stem stops."""
    tokens = calm(tokens)
    tokens[-1] = tokens[-1].rstrip(":-–—") if len(tokens[-1].rstrip(":-–—")) else tokens[-1]
    if tokens[-1] in {"-", "–", "—", ":"}:
        tokens = tokens[:-1]
    condition = tokens and bare(tokens[0]) in {"if", "when", "as", "because", "while", "after", "before"}
    finite = any(
        word in words.AUXILIARIES or word in verbs.THIRDS or word in verbs.PASTS
        for word in answer.tokens[1:4]
    )
    if condition and (answer.is_clause or finite) and not any(token.endswith(",") for token in tokens):
        tokens[-1] += ","
    return sentence(joined(tokens, answer), answer.end), "unfinished"


def _beside(asking: str, answer: Answer) -> Made:
    return squeezed(f"{sentence([asking])} {sentence([answer.written])}"), "side by side"

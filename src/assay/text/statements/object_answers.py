"""Question words that are objects: inversion undone, the answer put where an object stands."""

from __future__ import annotations

from collections.abc import Sequence

from assay.text.statements import verbs, words
from assay.text.statements.asked import Question
from assay.text.statements.asked_noun import called, head_of, with_noun
from assay.text.statements.choices import Answer
from assay.text.statements.circumstances import manner
from assay.text.statements.clauses import Clause, inserted, invert, object_place, place
from assay.text.statements.result import Made
from assay.text.statements.words import bare
from assay.text.statements.written import colon, joined, sentence

_NAMED = frozenset(
    "color colour shape season time temperature age size phase state direction percentage unit".split()
)


_SUBSTANCES = frozenset("light heat weather plant power force fuel sleep".split())


_REPORTED = frozenset(
    """
    suggest indicate show conclude say infer mean predict expect learn demonstrate observe tell reveal prove
    know discover find notice see
    """.split()
)


def in_place(asked: Question, answer: Answer) -> Made:
    """The answer where the question word stands: "is caused by what" -> "is caused by friction"."""
    before = [*asked.front, *asked.preposition]
    text = with_noun(asked.noun, answer)
    if before and not asked.noun and bare(before[-1]) in words.DO and _is_deed(answer):
        return sentence([*before[:-1], text, *asked.rest]), "in place"
    if answer.is_clause and [bare(word) for word in before[-2:]] == ["because", "of"]:
        before = before[:-1]
    elif answer.is_clause and asked.noun and before:
        named = [*joined(before, answer, called(asked)), *asked.rest]
        return sentence([*colon(named), answer.text]), "in place, clause"
    elif answer.is_clause and before and bare(before[-1]) not in words.PREPOSITIONS:
        before = [*before, "that"]
    return sentence([*joined(before, answer, text), *asked.rest]), "in place"


def inverted(asked: Question, answer: Answer) -> bool:
    """Whether the auxiliary after the question word has its subject behind it."""
    verb, after = bare(asked.rest[0]), asked.rest[1:]
    if not after:
        return False
    first = bare(after[0])
    if asked.preposition:
        return True
    if verb in words.NEGATED and first in verbs.BASES - _SUBSTANCES:
        return False
    if verb in words.DO or verb in {"don't", "doesn't", "didn't"}:
        return not words.is_adverb(first) or words.opens_noun_phrase(after[0])
    if first in {"be", "being", "been"} or (words.is_adverb(first) and not words.opens_noun_phrase(after[0])):
        return False
    clause = invert(asked.rest[0], after)
    if verb in words.BE:
        return _inverted_be(asked, after, clause)
    if words.opens_noun_phrase(after[0]) and verb not in words.HAVE:
        return clause is not None
    if clause is None:
        return False
    if verb in words.HAVE:
        apart = any(word.endswith((",", ";")) or bare(word) in words.SUBORDINATORS for word in clause.subject)
        return words.opens_noun_phrase(after[0]) or (len(clause.subject) < 4 and not apart)
    return first not in verbs.BASES or first in _SUBSTANCES


def _inverted_be(asked: Question, after: Sequence[str], clause: Clause | None) -> bool:
    if clause is None:
        return False
    first = bare(after[0])
    if verbs.is_participle(first) or first in words.ADJECTIVES or first in words.PREPOSITIONS:
        return False
    if first in words.SUBJECTS - {"there"}:
        return True
    if not clause.tail and clause.main == "be":
        # "what color are the leaves": the leaves are green; "which planet is the largest" is no inversion.
        named = {bare(word) for word in asked.noun} & (_NAMED | words.KINDS)
        second = bare(after[1]) if len(after) > 1 else ""
        if second in {"best", "most", "least"} or second.endswith("est"):
            return False
        alone = len(after) < 3 and bool(named & words.KINDS)
        return bool(named) and bare(head_of(asked)) in named and (alone or words.opens_noun_phrase(after[0]))
    if clause.main in {"call", "name", "know", "consider", "term"}:
        return True
    last = bare(after[-1])
    stranded = last in words.PREPOSITIONS and last not in {"up", "down"}
    if stranded:
        return True
    if clause.tail:
        return False
    doing = verbs.is_gerund(last) and (asked.noun or "of" not in map(bare, clause.subject))
    return bool(doing or (verbs.is_participle(last) and asked.noun))


def object_answer(asked: Question, answer: Answer) -> Made | None:
    """The question word is an object: undo the inversion and put the answer where an object stands."""
    clause = invert(asked.rest[0], asked.rest[1:])
    if clause is None:
        return in_place(asked, answer)
    text = with_noun(asked.noun, answer)
    if asked.preposition:
        return _prepositional(asked, clause, answer, text)
    if clause.main == "do" and clause.tail[:1] != ["with"] and _is_deed(answer):
        return _doing(asked, clause, answer)
    if answer.is_clause:
        if asked.noun:
            tail = inserted(clause.tail, object_place(clause.tail, clause.main), called(asked))
            clause = Clause(clause.subject, clause.verb, tail, "")
        return sentence([*asked.front, *_reported(clause, answer)]), "object, clause"
    at = object_place(clause.tail, clause.main)
    *before, phrase = joined([*clause.subject, *clause.verb, *clause.tail[:at]], answer, text)
    made = [*inserted([*before, *clause.tail[at:]], len(before), phrase)]
    return sentence([*asked.front, *made]), "object"


def _is_deed(answer: Answer) -> bool:
    second = answer.tokens[1] if len(answer.tokens) > 1 else ""
    orders = answer.end == "." or second in words.DETERMINERS | words.PREPOSITIONS
    named = answer.first in words.DETERMINERS | words.PREPOSITIONS
    return (
        answer.is_bare_verb or answer.is_gerund or answer.is_clause or (orders and not named and bool(second))
    )


def _reported(clause: Clause, answer: Answer) -> list[str]:
    if clause.main in _REPORTED:
        about = [bare(word) for word in clause.tail]
        tail = clause.tail if about[:1] != ["about"] else []
        return [*clause.subject, *clause.verb, *tail, *joined(["that"], answer)]
    if [bare(word) for word in clause.tail[-2:]] == ["in", "common"]:
        return [*clause.words, *joined(["that"], answer)]
    return [*colon(clause.words), answer.text]


def _doing(asked: Question, clause: Clause, answer: Answer) -> Made:
    """What should she do: the answer's verb takes the place of do."""
    if answer.is_clause:
        made = [*asked.front, "what", *clause.words, "is", "that", answer.text]
        return sentence(made), "what is done, clause"
    if answer.is_gerund:
        return sentence([*asked.front, *colon(clause.words), answer.text]), "what is done"
    verb = [word for word in clause.verb if bare(word) not in {"do", "does", "did"}]
    said = {bare(word) for word in clause.tail} - words.PREPOSITIONS <= set(answer.tokens)
    tail = [] if said else clause.tail
    auxiliary = (
        [asked.rest[0].lower()] if not verb and bare(asked.rest[0]) != "do" and answer.is_bare_verb else []
    )
    return sentence([*asked.front, *clause.subject, *auxiliary, *verb, answer.text, *tail]), "what is done"


def _prepositional(asked: Question, clause: Clause, answer: Answer, text: str) -> Made:
    """In which organ does X begin: X begins in the organ that answers."""
    preposition = [asked.preposition[0].lower(), *asked.preposition[1:]]
    if {bare(word) for word in asked.noun} & {"way", "ways"}:
        return sentence([*asked.front, *manner(clause, answer)]), "how"
    phrase = " ".join(joined(preposition, answer, text))
    if answer.is_prepositional:
        phrase = text
    tail = place(clause.tail, phrase)
    return sentence([*asked.front, *clause.subject, *clause.verb, *tail]), "preposition fronted"

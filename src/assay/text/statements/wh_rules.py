"""Questions with a question word to statements: which rule fits; and question words that are subjects."""

from __future__ import annotations

from collections.abc import Sequence

from assay.text.statements import verbs, words
from assay.text.statements.asked import Question, only_adverbs
from assay.text.statements.asked_noun import head_of, names_a_part, with_noun
from assay.text.statements.choices import Answer
from assay.text.statements.circumstances import circumstance, measure
from assay.text.statements.clauses import invert
from assay.text.statements.object_answers import in_place, inverted, object_answer
from assay.text.statements.result import Made
from assay.text.statements.sentence_answers import clause_answers, reason
from assay.text.statements.words import bare
from assay.text.statements.written import agreed, calm, joined, sentence

_DEEDS = frozenset("function functions job role purpose goal way method use task".split())


def from_question(asked: Question, answer: Answer) -> Made | None:
    """The statement of a question and a choice; None where no rule fits."""
    asked = Question(calm(asked.front), calm(asked.preposition), asked.wh, calm(asked.noun), calm(asked.rest))
    if asked.wh in {"which", "what", "who", "whom", "whose"}:
        return _thing(asked, answer)
    if asked.wh == "how" and asked.noun:
        return measure(asked, answer)
    return circumstance(asked, answer)


def _thing(asked: Question, answer: Answer) -> Made | None:
    rest, front = asked.rest, asked.front
    if not rest:
        return in_place(asked, answer) if front or asked.preposition else None
    verb = bare(rest[0])
    if front and not front[-1].endswith((",", ":", ";")) and not only_adverbs(front):
        return in_place(asked, answer)
    if answer.is_clause or answer.first in {"because", "since"}:
        made = clause_answers(asked, answer)
        if made is not None:
            return made
    if not asked.preposition and (made := reason(asked, answer)) is not None:
        return made
    if verb in words.AUXILIARIES and inverted(asked, answer):
        return object_answer(asked, answer)
    if asked.preposition:
        return in_place(asked, answer)
    return _subject(asked, answer)


def _subject(asked: Question, answer: Answer) -> Made:
    """The question word is the subject: the answer takes its place, and the verb agrees."""
    rest = asked.rest
    verb, after = rest[0], rest[1:]
    plain = bare(verb)
    if plain in words.BE and after and bare(after[0]) not in words.ADVERBS:
        clause = invert(verb, after)
        copular = clause is not None and not clause.tail and words.opens_noun_phrase(after[0])
        acts = answer.is_bare_verb or (
            answer.first in verbs.BASES and bool(_DEEDS & set(map(bare, after[:5])))
        )
        if copular and (answer.is_clause or answer.is_infinitive or acts or _definite(asked, after)):
            that = ["that"] if answer.is_clause else ["to"] if acts else []
            made = sentence([*asked.front, *after, verb, *joined(that, answer)])
            return made, "copula, answer last"
    text = with_noun(asked.noun, answer)
    place_of_verb = next((n for n, word in enumerate(rest) if not words.is_adverb(bare(word))), 0)
    number = answer.is_plural if text == answer.text else None
    if rest and place_of_verb < len(rest):
        rest = [*rest]
        rest[place_of_verb] = agreed(rest[place_of_verb], number)
    if answer.is_clause:
        return sentence([*asked.front, "that", text, *rest]), "subject, clause"
    if text == answer.text and names_a_part(asked):
        link = "are" if answer.is_plural else "is"
        several = bare(head_of(asked)).endswith("s") and not bare(head_of(asked)).endswith("ss")
        the = ["the"] if answer.is_plural or not several else ["one", "of", "the"]
        made = sentence([*asked.front, text, link, *the, *asked.noun, "that", *asked.rest])
        return made, "subject, part of"
    return sentence([*asked.front, text, *rest]), "subject"


def _definite(asked: Question, after: Sequence[str]) -> bool:
    """What is the function of X: the answer stands last. Which is the best example: first."""
    if asked.wh != "what" or asked.noun:
        return False
    return bare(after[0]) in {"the", "its", "their", "this", "these"} and not {"example", "reason"} & set(
        map(bare, after[:4])
    )

"""From the order of a question to that of a statement: subject, auxiliary, verb, and where the answer
stands."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from assay.text.statements import verbs, words
from assay.text.statements.words import bare


@dataclass(frozen=True, slots=True)
class Clause:
    """A clause in the order of a statement. All are words as written."""

    subject: list[str]
    verb: list[str]
    """With auxiliary and adverbs."""
    tail: list[str]
    main: str
    """The bare main verb, plain form where known; "be" for a copula."""

    @property
    def words(self) -> list[str]:
        """The whole clause."""
        return [*self.subject, *self.verb, *self.tail]


def invert(auxiliary: str, rest: Sequence[str], *, bare_predicate: bool = False) -> Clause | None:
    """The clause that follows a fronted auxiliary: "does", "a plant need to grow" -> a plant needs to
    grow.

    None where no end of the subject can be found. `bare_predicate`: after is, are, was, were there must be
    a predicate beside the subject ("Why is a whale a mammal"), so that an article or a last adjective may
    open it.
    """
    plain = bare(auxiliary)
    rest = list(rest)
    if not rest:
        return None
    if plain in words.BE or plain in {"isn't", "aren't", "wasn't", "weren't"}:
        return _with_be(auxiliary.lower(), rest, bare_predicate)
    have = plain in words.HAVE or plain in {"hasn't", "haven't", "hadn't"}
    at = _main_verb(rest, participle=have, plural=plain in {"do", "have", "don't"})
    if at is None:
        return None
    start = _adverbs_before(rest, at)
    subject, adverbs, verb, tail = rest[:start], rest[start:at], rest[at], rest[at + 1 :]
    base = verbs.PARTICIPLES.get(bare(verb), bare(verb)) if have else bare(verb)
    if plain in words.DO and "not" not in map(bare, adverbs):
        form = {"does": verbs.third, "did": verbs.past}.get(plain, str)
        return Clause(subject, [*adverbs, verb.replace(verb.rstrip(",;:"), form(base), 1)], tail, base)
    return Clause(subject, [auxiliary.lower(), *adverbs, verb], tail, base)


def _adverbs_before(rest: Sequence[str], at: int) -> int:
    start = at
    while start > 1 and words.is_adverb(bare(rest[start - 1])) and not _ends(rest[start - 1]):
        start -= 1
    return start


def _ends(word: str) -> bool:
    return word.endswith((",", ";", ":"))


def _main_verb(rest: Sequence[str], *, participle: bool, plural: bool) -> int | None:
    """Where the main verb stands after a subject: the candidate with most in its favour, of equals the
    first."""
    plain = [bare(word) for word in rest]
    if not participle and plain[0] in words.SUBJECTS | {"you"}:
        at = next((n for n in range(1, len(plain)) if not words.is_adverb(plain[n])), len(plain))
        if at < len(plain) and plain[at] in verbs.BASES:
            return at
    if len(plain) == 2 and plain[0] in words.PRONOUNS and not participle:
        return 1
    best: tuple[int, int] | None = None
    for at, word in enumerate(plain):
        # A clause of its own begins: the main verb stands before it.
        if at and (
            word in words.SUBORDINATORS - {"as", "since", "before", "after", "until"} or word == "that"
        ):
            if best is not None:
                break
            continue
        fits = verbs.is_participle(word) or word in {"become", "had"} if participle else word in verbs.BASES
        if at == 0 or not fits:
            if at == 1 and plain[0] in words.SUBJECTS and not words.is_adverb(word) and not participle:
                return 1
            continue
        before = plain[at - 1]
        if before in words.DETERMINERS - {"this", "that", "these", "those", "all", "most"} or before == "to":
            continue
        if before in words.PREPOSITIONS or before.endswith("'s") or before in {"and", "or"}:
            continue
        favour = 3 * words.is_adverb(before) + (word not in verbs.NOUNS_TOO)
        favour += before in words.PRONOUNS or (plural and before.endswith("s") and not before.endswith("ss"))
        follows = plain[at + 1] if at + 1 < len(plain) else ""
        favour += follows in words.DETERMINERS or follows in words.PREPOSITIONS or at + 1 == len(plain)
        if best is None or (favour > best[0] and at - best[1] <= 12 and best[0] < 3):
            best = (favour, at)
    if best is None and not participle:
        return _unknown_verb(plain)
    return None if best is None else best[1]


def _unknown_verb(plain: Sequence[str]) -> int | None:
    """A word that can be a verb by its neighbours alone: no article before it, an object's or a clause's
    start after."""
    closed = words.DETERMINERS | words.PREPOSITIONS | words.SUBORDINATORS | {"of", "and", "or", "to"}
    starts = words.DETERMINERS | (words.PREPOSITIONS - {"of"}) | words.SUBORDINATORS | {""}
    for at in range(1, len(plain)):
        before, follows = plain[at - 1], plain[at + 1] if at + 1 < len(plain) else ""
        if follows in starts and before not in closed | words.ADJECTIVES and plain[at] not in closed:
            noun = plain[at].endswith(("tion", "ness", "ment", "ity", "s", "ing"))
            return at if plain[at].isalpha() and not noun else None
    return None


def _with_be(auxiliary: str, rest: list[str], bare_predicate: bool) -> Clause:
    at = _predicate(rest, bare_predicate)
    if at is None:
        return Clause(rest, [auxiliary], [], "be")
    start = _adverbs_before(rest, at)
    word = bare(rest[at])
    main = verbs.PARTICIPLES.get(word, word if verbs.is_participle(word) or verbs.is_gerund(word) else "be")
    return Clause(rest[:start], [auxiliary, *rest[start : at + 1]], rest[at + 1 :], main)


def _predicate(rest: Sequence[str], bare_predicate: bool) -> int | None:
    """Where the predicate begins after the subject of a form of be; None: all is subject."""
    plain = [bare(word) for word in rest]
    if len(plain) > 1 and plain[-1] in {"called", "termed", "named"}:
        return len(plain) - 1
    if plain[0] in words.SUBJECTS:
        return 1 if len(plain) > 1 and plain[1] not in words.PREPOSITIONS else None
    for at, word in enumerate(plain):
        before = plain[at - 1] if at else ""
        if at == 0 or before in words.DETERMINERS - {"all", "these", "this", "those", "most", "both"}:
            continue
        if word in {"that", "which", "who"}:
            return None
        hedge = word in {"likely", "unlikely"} and plain[at + 1 : at + 2] == ["to"]
        if verbs.is_participle(word) or word in words.ADJECTIVES or hedge:
            # "the force used by ...": what follows a participle tells nothing; the last one is the predicate.
            later = [
                n
                for n in range(at + 1, len(plain))
                if verbs.is_participle(plain[n]) and plain[n - 1] not in words.ARTICLES
            ]
            reduced = later and word not in words.ADJECTIVES and plain[at + 1] in words.PREPOSITIONS
            return later[0] if reduced else at
        if verbs.is_gerund(word) and before not in words.PREPOSITIONS:
            return at
        opens = word in {"a", "an"} or (at + 1 == len(plain) and words.is_adjective(word))
        if bare_predicate and opens and before not in words.PREPOSITIONS | {"of", "and", "or"}:
            return at
    return None


_MAKES = frozenset("form make produce create become measure show build obtain".split())


def place(tail: Sequence[str], phrase: str) -> list[str]:
    """The words after a verb with a phrase of place, time or manner before what is subordinate to them."""
    at = _clause_end(tail, [bare(word) for word in tail])
    return inserted(tail, at, phrase)


def inserted(tail: Sequence[str], at: int, phrase: str) -> list[str]:
    """`tail` with a phrase at a place in it; a comma that stood there goes after the phrase."""
    before = list(tail[:at])
    if before and at < len(tail) and before[-1].endswith(","):
        before[-1] = before[-1][:-1]
        phrase += ","
    return [*before, phrase, *tail[at:]]


def object_place(tail: Sequence[str], main: str) -> int:
    """Where among the words after the verb `main` its object stands: before a preposition, a to or a
    subordinate clause; after a stranded preposition or a particle; else at the end."""
    plain = [bare(word) for word in tail]
    end = _clause_end(tail, plain)
    at = 1 if plain[:1] and plain[0] in words.PARTICLES else 0
    stranded = [
        n
        for n in range(at, end)
        if plain[n] in words.PREPOSITIONS and plain[n] != "to" and _stands_alone(plain, n, end)
    ]
    if plain[at : at + 1] == ["to"] and at + 1 == end:
        stranded = [at]
    if stranded:
        return stranded[0] + 1
    if main == "be" and (verb := _verb_after_to(plain[:end])) is not None:
        return verb + 1
    ends_in_verb = end > 1 and plain[end - 2] == "to" and plain[end - 1] in _MAKES
    if ends_in_verb and main not in {"use", "need", "require"}:
        return end
    return end if at < end and not _after_object(plain[at : at + 2]) else at


def _clause_end(tail: Sequence[str], plain: Sequence[str]) -> int:
    opens = words.SUBORDINATORS - {"as", "since", "before", "after", "until"}
    places = (at for at, word in enumerate(plain) if word in opens or (at and _ends(tail[at - 1])))
    return next(places, len(plain))


def _verb_after_to(plain: Sequence[str]) -> int | None:
    return next((n for n in range(1, len(plain)) if plain[n - 1] == "to" and plain[n] in verbs.BASES), None)


def _after_object(plain: Sequence[str]) -> bool:
    return (
        plain[0]
        in words.PREPOSITIONS
        | words.SUBORDINATORS
        | {"that", "which", "who", "first", "next", "most", "best"}
        or words.is_adverb(plain[0])
        or list(plain) in (["the", "most"], ["the", "best"], ["the", "least"])
    )


def _stands_alone(plain: Sequence[str], at: int, end: int) -> bool:
    return (
        at + 1 == end
        or plain[at + 1] in words.PREPOSITIONS - {"about", "near", "because"}
        or (plain[at + 1] == "to" and at + 2 < end and plain[at + 2] not in words.DETERMINERS)
    )

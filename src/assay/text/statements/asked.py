"""What is asked: the sentence of the stem that asks, and a question's parts around its question word."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from assay.text.sentences import sentences
from assay.text.statements import verbs, words
from assay.text.statements.words import bare

BLANK = re.compile(r"_{2,}|(?<=\s)_(?=[\s.,;:?!]|$)|\[\s*_*\s*\]|\(\s+\)|\.{4,}|…{2,}")
ASKS = re.compile(r"[?？؟;]?[?？؟][\"'”’)\]]*$")
ENDS = re.compile(r"[.!?。！？؟][\"'”’)\]]*$")


@dataclass(frozen=True, slots=True)
class Question:
    """A question around its question word. All are words as written, without the question mark."""

    front: list[str]
    """What stands before it: "When ice melts,"."""
    preposition: list[str]
    """Those that go with it: "in", "at about"."""
    wh: str
    noun: list[str]
    """What it asks for: "type of energy"; after how: "many legs"."""
    rest: list[str]


def asking_sentence(stem: str) -> tuple[str, str, str]:
    """The sentence that asks, what stands before it and what after.

    The last one with a blank; else the last if it is unfinished; else the last with a question mark; else
    the last.
    """
    parts = sentences(stem)
    if not parts:
        return stem, "", ""
    marked = [n for n, part in enumerate(parts) if BLANK.search(part)]
    asks = [n for n, part in enumerate(parts) if ASKS.search(part)]
    last = len(parts) - 1
    aside = parts[last].startswith(("(", "[")) or bare(parts[last].split()[0]) in words.IMPERATIVES
    if marked:
        at = marked[-1]
    elif asks and (ENDS.search(parts[last]) or aside):
        at = asks[-1]
    else:
        at = last
    return parts[at], " ".join(parts[:at]), " ".join(parts[at + 1 :])


def question(sentence: str) -> Question | None:
    """The parts of a question; None where no question word asks (then it wants yes or no, or it is no
    English)."""
    sentence = re.sub(r"\b([Ww]hat|[Ww]ho|[Ww]here|[Hh]ow|[Ww]hen)(?:['’]s|s(?= the\b))", r"\1 is", sentence)
    tokens = re.sub(r"\s*[?？]+[\"'”’)\]]*\s*$", "", sentence).rstrip(" .:,").split()
    plain = [bare(token) for token in tokens]
    at = _question_word(tokens, plain)
    if at is None:
        return None
    start = at
    while start > 0 and _goes_with(plain, start - 1, tokens):
        start -= 1
    noun, rest = _split(plain[at], tokens[at + 1 :])
    if at and not rest:
        # No verb follows: what goes on after the noun is the sentence's own ("is in what with the liquid").
        cut = next((n for n, word in enumerate(noun) if bare(word) in _ENDS_NOUN), len(noun))
        noun, rest = noun[:cut], noun[cut:]
    return Question(tokens[:start], tokens[start:at], plain[at], noun, rest)


_ENDS_NOUN = (words.PREPOSITIONS | words.SUBORDINATORS | {"and", "or", "that"}) - {"of"}


def _goes_with(plain: Sequence[str], at: int, tokens: Sequence[str]) -> bool:
    if tokens[at].endswith((",", ";", ":")):
        return False
    return (
        (plain[at] in words.PREPOSITIONS and plain[at] not in words.SUBORDINATORS)
        or plain[at]
        in {
            "approximately",
            "exactly",
            "roughly",
            "of",
        }
        or (plain[at] in {"since", "until", "because", "after", "before"} and at == 0)
    )


def _question_word(tokens: Sequence[str], plain: Sequence[str]) -> int | None:
    places = [at for at, word in enumerate(plain) if word in words.WH]
    if not places or plain[0] in words.AUXILIARIES:
        return None
    for at in places:
        word, follows = plain[at], plain[at + 1] if at + 1 < len(plain) else ""
        fronted = at == 0 or tokens[at - 1].endswith((",", ":", ";"))
        led = all(
            plain[n] in words.PREPOSITIONS or words.is_adverb(plain[n]) or plain[n] in {"and", "but", "of"}
            for n in range(at)
        )
        if not fronted and not led:
            # "..., in which state": the comma stands before the preposition.
            back = at - 1
            while back > 0 and plain[back] in words.PREPOSITIONS and not tokens[back].endswith(","):
                back -= 1
            fronted = back < at - 1 and tokens[back].endswith(",")
        if word == "which" and at and "what" in plain[:at] and tokens[at - 1].endswith(","):
            # "..., which is ...": a relative; what asks before it.
            continue
        if word in {"when", "where", "who", "whom", "whose"}:
            if (fronted or led) and (follows in words.AUXILIARIES or (word.startswith("who") and at == 0)):
                return at
        elif fronted or led:
            return at
    asked = [at for at in places if plain[at] in {"which", "what"}] or places
    return asked[-1]


def _split(wh: str, after: list[str]) -> tuple[list[str], list[str]]:
    """What the question word asks for, and the rest from its verb on."""
    plain = [bare(token) for token in after]
    skip = _of_the_following(plain) if wh in {"which", "what", "who"} else 0
    after, plain = after[skip:], plain[skip:]
    if wh == "how":
        return _measured(after, plain)
    if wh not in {"which", "what", "whose"}:
        return [], after
    end = _noun_end(after, plain, wh)
    return after[:end], after[end:]


def _of_the_following(plain: Sequence[str]) -> int:
    """How many words "of the following", "of these two statements", "one of those" take; a noun after them
    stays."""
    at = 1 if plain[:2] == ["one", "of"] or plain[:2] == ["ones", "of"] else 0
    if plain[at : at + 1] != ["of"]:
        return 1 if plain[:1] in (["one"], ["ones"]) else 0
    at += 1
    if plain[at : at + 2] == ["the", "following"]:
        return at + 2
    if plain[at : at + 1] and plain[at] in {"these", "those", "them"}:
        return at + 1
    if plain[at : at + 2] in (["the", "answers"], ["the", "choices"], ["the", "options"]):
        return at + 2
    return 0


def _measured(after: list[str], plain: list[str]) -> tuple[list[str], list[str]]:
    if not plain or plain[0] in words.AUXILIARIES:
        return [], after
    if plain[0] in {"many", "much"}:
        end = _noun_end(after[1:], plain[1:], "which") + 1
        return after[:end], after[end:]
    # "how long", "how far away": up to the auxiliary. "the statement explains how plants grow" has none.
    stop = next((n for n, word in enumerate(plain[:5]) if word in words.AUXILIARIES), None)
    return ([], after) if stop is None else (after[:stop], after[stop:])


def _noun_end(after: Sequence[str], plain: Sequence[str], wh: str) -> int:
    """Where the noun phrase after which or what ends: at an auxiliary, an adverb, a verb, a relative
    pronoun."""
    for at, word in enumerate(plain):
        before = plain[at - 1] if at else ""
        if word in words.AUXILIARIES or (at and word in {"that", "who", "which"}):
            return at
        if (
            words.is_adverb(word)
            and word not in {"all", "both", "first", "last", "about", "around", "there"}
            and not (word in {"most", "less", "more", "very", "best"} and at and before in words.ARTICLES)
        ):
            return at
        if before in words.PREPOSITIONS or before in words.DETERMINERS - {"two", "three", "four"}:
            continue
        if _finite(plain, at, wh):
            return at
    end = _unknown_verb(plain)
    if end == len(plain):
        # "two systems move oxygen": a verb that may be a noun, but after a plural and before more.
        pairs = (at for at in range(1, end - 1) if plain[at] in verbs.BASES and _is_plural(plain[at - 1]))
        end = next(pairs, end)
    if end == len(plain) > 1 and wh in {"what", "who"}:
        # "what compresses a ball", "what pollinate plants": a verb at once.
        return 0 if _is_plural(plain[0]) or plain[0] in verbs.BASES - verbs.NOUNS_TOO else end
    return end


def _unknown_verb(plain: Sequence[str]) -> int:
    """Where a word no list holds looks like a verb by its -s and its neighbours; the length where none
    does."""
    starts = words.DETERMINERS | (words.PREPOSITIONS - {"of"})
    for at in range(1, len(plain) - 1):
        word, before = plain[at], plain[at - 1]
        noun = before in words.DETERMINERS | words.PREPOSITIONS or before.endswith("'s") or _is_plural(before)
        follows = plain[at + 1] in starts or plain[at + 1].endswith(("s", "y"))
        if follows and _is_plural(word) and not noun and before != "of":
            return at
    return len(plain)


def _is_plural(word: str) -> bool:
    return word == "people" or (
        word.endswith("s") and not word.endswith(("ss", "us", "is")) and word != "gas"
    )


def _finite(plain: Sequence[str], at: int, wh: str) -> bool:
    word, later = plain[at], plain[at + 1 : at + 9]
    follows = later[0] if later else ""
    verb_later = any(one in words.AUXILIARIES for one in later[:3]) or any(
        one in verbs.THIRDS and verbs.THIRDS[one] not in verbs.NOUNS_TOO for one in later[:3]
    )
    if word in verbs.THIRDS:
        doubtful = verbs.THIRDS[word] in verbs.NOUNS_TOO
        if at == 0:
            return follows != "of" and not (doubtful and verb_later)
        return not (doubtful and (follows == "of" or verb_later)) and (bool(later) or wh == "which")
    if at == 0 and word in verbs.BASES and follows in (words.PREPOSITIONS | words.DETERMINERS) - {"of"}:
        return wh == "which" and not verb_later
    if at == 0:
        return (
            word in verbs.PASTS and not verb_later and (wh in {"what", "who"} or follows not in verbs.THIRDS)
        )
    if word in verbs.PASTS:
        reduced = any(one in words.AUXILIARIES or one in verbs.THIRDS for one in later)
        return not reduced or follows in words.DETERMINERS
    # "things in a pond depend": the word before the first preposition tells.
    first = next((n for n in range(1, at) if plain[n] in words.PREPOSITIONS or plain[n] == "of"), at)
    plural = any(_is_plural(plain[n - 1]) for n in {at, first})
    return (
        plural
        and word in verbs.BASES
        and (
            word not in verbs.NOUNS_TOO or follows in words.DETERMINERS | words.PREPOSITIONS | words.PARTICLES
        )
    )


def only_adverbs(front: Sequence[str]) -> bool:
    """Whether nothing but adverbs and conjunctions stands before the question word."""
    return all(words.is_adverb(bare(word)) or bare(word) in {"and", "but"} for word in front)
